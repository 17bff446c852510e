"""The generated code is what the .proto files say, and gets along with a bot author's own stubs."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGE = ROOT / "referee" / "wire" / "pb"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    """`proto/generate.py` as a module."""
    spec = importlib.util.spec_from_file_location("schmier_generate", ROOT / "proto/generate.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def python(generator: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An interpreter with the generators, skipped when no package index can be reached."""
    try:
        found: Path = generator.generators(tmp_path_factory.mktemp("generators") / "venv")
    except subprocess.CalledProcessError:
        pytest.skip(f"a package index is missing: pip cannot install {generator.GENERATORS}")
    return found


def contents(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in folder.rglob("*")
        if path.suffix in (".py", ".pyi")
    }


def test_the_committed_code_is_what_the_script_makes_of_the_protos(
    generator: ModuleType, python: Path, tmp_path: Path
) -> None:
    generator.generate(tmp_path / "pb", python=python)
    assert contents(tmp_path / "pb") == contents(PACKAGE), "run: python proto/generate.py"


def test_generating_again_removes_what_the_protos_no_longer_have(
    generator: ModuleType, python: Path, tmp_path: Path
) -> None:
    stray = tmp_path / "pb/schmier/v1/gone_pb2.py"
    stray.parent.mkdir(parents=True)
    stray.write_text("")
    bystander = tmp_path / "pb/mine.txt"
    bystander.write_text("kept")
    generator.generate(tmp_path / "pb", python=python)
    assert not stray.exists()
    assert bystander.read_text() == "kept"


SIDE_BY_SIDE = """
import sys
sys.path.insert(0, sys.argv[2])
def theirs():
    from schmier.v1 import decision_pb2
    import schmier.v1.referee_service_pb2
    return decision_pb2
def ours():
    from referee.wire.pb.schmier.v1 import decision_pb2
    import referee.wire.pb.schmier.v1.referee_service_pb2
    return decision_pb2
modules = [theirs(), ours()] if sys.argv[1] == "theirs first" else [ours(), theirs()]
data = [m.Decision(id=7, play={"cards": [1, 53]}).SerializeToString() for m in modules]
assert data[0] == data[1]
for m in modules:
    assert list(m.Decision.FromString(data[0]).play.cards) == [1, 53]
    print(m.__name__, m.Decision.__module__)
"""


@pytest.mark.parametrize("order", ["theirs first", "ours first"])
@pytest.mark.parametrize("revision", ["the same", "another"])
def test_a_bot_authors_own_stubs_live_in_one_process_with_ours(
    python: Path, tmp_path: Path, order: str, revision: str
) -> None:
    protos, stubs = tmp_path / "protos", tmp_path / "stubs"
    shutil.copytree(ROOT / "proto/schmier", protos / "schmier")
    stubs.mkdir()
    if revision == "another":
        path = protos / "schmier/v1/decision.proto"
        changed = path.read_text().replace("int32 seat = 3;", "int32 seat = 3;\nint32 mood = 90;")
        path.write_text(changed)
    files = sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto"))
    command = [str(python), "-m", "grpc_tools.protoc", "-I.", f"--python_out={stubs}", *files]
    subprocess.run(command, check=True, cwd=protos)
    result = subprocess.run(
        [sys.executable, "-W", "error", "-c", SIDE_BY_SIDE, order, stubs],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    ours = "referee.wire.pb.schmier.v1.decision_pb2"
    assert f"{ours} {ours}\n" in result.stdout
