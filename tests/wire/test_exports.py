"""The public names of the package are those of its modules."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

import referee.wire

MODULES = ("decisions", "installed", "later", "notices", "protos", "requests", "samples")
INTERNAL = {"LOWEST_PROTOBUF"}


def test_the_package_exports_what_its_modules_list() -> None:
    listed = {
        name for module in MODULES for name in import_module(f"referee.wire.{module}").__all__
    }
    assert set(referee.wire.__all__) == listed - INTERNAL


@pytest.mark.parametrize("name", referee.wire.__all__)
def test_each_public_name_can_be_imported(name: str) -> None:
    assert getattr(referee.wire, name) is not None


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        referee.wire.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_stubs_loads_neither_codec_nor_engine() -> None:
    program = (
        "import sys, referee.wire.pb.schmier.v1.referee_service_pb2;"
        "print(*(name for name in sys.modules if name.startswith('referee.')))"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = {name for name in result.stdout.split() if not name.startswith("referee.wire.pb")}
    assert loaded == {"referee.errors", "referee.wire", "referee.wire.installed"}
