# SPDX-License-Identifier: MIT
"""Writes the Python code of the protocol, `referee/wire/pb/`, from the .proto files beside it.

    python proto/generate.py [DIRECTORY]

It is made by generators of fixed versions in a virtual environment that is thrown away afterwards,
so the result does not depend on what is installed; pip needs a package index for it. The output is
committed, and `tests/wire/test_generated_code.py` fails when it is stale.

The generators write code for a top-level package `schmier.v1` and register it in the descriptor
pool that the whole process shares. Both are changed here, because a bot author may use the SDK and
stubs of his own, of the same or another revision, in one process:
- imports name `referee.wire.pb.schmier.v1`, so a package `schmier.v1` of his own stays his;
- files are registered in a pool of their own, so the same names in the shared pool do not clash.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import tempfile
import venv
from pathlib import Path

GENERATORS = ("grpcio-tools==1.73.1", "mypy-protobuf==3.6.0")
"""What writes the code. A newer grpcio-tools raises the lowest grpcio and protobuf that run it."""

PROTO = Path(__file__).resolve().parent
TARGET = PROTO.parent / "referee" / "wire" / "pb"
PACKAGE = "referee.wire.pb"

INIT = '''"""Generated from the .proto files by `proto/generate.py`; do not edit.

`POOL` holds the descriptors, apart from the pool the process shares: stubs that a bot author
generated himself, of any revision, live beside these.
"""

from google.protobuf.descriptor_pool import DescriptorPool

__all__ = ["POOL"]

POOL = DescriptorPool()
'''
SUB_INIT = '"""Generated from the .proto files by `proto/generate.py`; do not edit."""\n'


def main() -> None:
    """Generate into the directory given, or into the package."""
    parser = argparse.ArgumentParser(description="Generate the Python code of the protocol.")
    parser.add_argument("directory", nargs="?", type=Path, default=TARGET)
    generate(parser.parse_args().directory)


def generate(directory: Path, *, python: Path | None = None) -> None:
    """Write the package into `directory`; its folder `schmier` is made anew.

    `python` is an interpreter made by `generators`; without it one is made, and removed again.
    Raises subprocess.CalledProcessError when pip or a generator fails.
    """
    with tempfile.TemporaryDirectory(prefix="schmier-generate-") as scratch:
        raw = Path(scratch) / "raw"
        raw.mkdir()
        _run_generators(python or generators(Path(scratch) / "venv"), raw)
        shutil.rmtree(directory / "schmier", ignore_errors=True)
        _write_package(raw, directory)


def generators(path: Path) -> Path:
    """Make a virtual environment with the generators and return its interpreter."""
    venv.create(path, with_pip=True, symlinks=os.name != "nt")
    python = path / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", *GENERATORS], check=True)
    return python


def _run_generators(python: Path, raw: Path) -> None:
    files = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("schmier/**/*.proto"))
    outputs = [f"--{kind}_out={raw}" for kind in ("python", "pyi", "grpc_python")]
    subprocess.run(
        [
            python,
            "-m",
            "grpc_tools.protoc",
            "-I.",
            *outputs,
            f"--mypy_grpc_out=quiet:{raw}",
            *files,
        ],
        check=True,
        cwd=PROTO,
        env={**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ.get('PATH', '')}"},
    )


def _write_package(raw: Path, directory: Path) -> None:
    for path in sorted(raw.rglob("*.py*")):
        service = path.with_name(path.name.partition("_pb2")[0] + "_pb2_grpc.py")
        if "_pb2_grpc." in path.name and "class " not in service.read_text():
            continue  # a file without a service has a stub with nothing in it
        target = directory / path.relative_to(raw)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_rehomed(path.read_text()))
    for folder in (path for path in directory.rglob("*") if path.is_dir()):
        (folder / "__init__.py").write_text(SUB_INIT)
    (directory / "__init__.py").write_text(INIT)


def _rehomed(code: str) -> str:
    """The code with its imports, module names and descriptor pool moved into the package."""
    code = re.sub(r"(?m)^from schmier\.", f"from {PACKAGE}.schmier.", code)
    code = re.sub(r"(?<![\w./])schmier\.v1\.(\w+_pb2)\b", rf"{PACKAGE}.schmier.v1.\1", code)
    code = code.replace(
        "from google.protobuf import descriptor_pool as _descriptor_pool\n",
        f"from {PACKAGE} import POOL as _POOL\n",
    )
    return code.replace("_descriptor_pool.Default()", "_POOL")


if __name__ == "__main__":
    main()
