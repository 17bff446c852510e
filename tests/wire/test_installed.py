"""A protobuf that the generated code does not run with is named in one line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from referee.errors import UsageError
from referee.wire import require_protobuf
from referee.wire.installed import LOWEST_PROTOBUF

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("version", ["6.31.0", "6.30.2", "5.29.6", "4.25.9", "3.20.3", "6.31.0rc1"])
def test_an_older_protobuf_is_refused_in_one_line_with_the_cure(version: str) -> None:
    with pytest.raises(UsageError) as refusal:
        require_protobuf(version)
    assert str(refusal.value) == (
        f"protobuf {version} is too old, 6.31.1 is needed; "
        "try: python -m pip install --upgrade 'protobuf>=6.31.1,<8'"
    )


@pytest.mark.parametrize("version", ["6.31.1", "6.33.6", "7.34.0", "7.36.0rc1", "10.0.0"])
def test_a_newer_protobuf_is_taken(version: str) -> None:
    require_protobuf(version)


def test_the_protobuf_installed_here_is_taken() -> None:
    require_protobuf()


def test_the_lowest_version_is_the_one_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (bound,) = (line for line in project["dependencies"] if line.startswith("protobuf"))
    assert f">={'.'.join(map(str, LOWEST_PROTOBUF))}," in bound


def test_the_lowest_versions_are_not_below_what_the_generated_code_demands() -> None:
    generated = (ROOT / "referee/wire/pb/schmier/v1/decision_pb2.py").read_text()
    demanded = re.search(r"Domain\.PUBLIC,\s+(\d+),\s+(\d+),\s+(\d+),", generated)
    assert demanded is not None
    assert tuple(map(int, demanded.groups())) <= LOWEST_PROTOBUF
    stub = (ROOT / "referee/wire/pb/schmier/v1/referee_service_pb2_grpc.py").read_text()
    grpc = re.search(r"GRPC_GENERATED_VERSION = '(.*)'", stub)
    assert grpc is not None
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert any(line.startswith(f"grpcio>={grpc[1]},") for line in project["dependencies"])
