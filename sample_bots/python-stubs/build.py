"""Makes what the bot needs: the virtual environment `.venv`, and the stubs in `schmier/`.

Run again it does only what has changed.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROTOS = (HERE / "../../proto").resolve()
ENVIRONMENT = HERE / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
REQUIREMENTS = HERE / "requirements.txt"
INSTALLED = ENVIRONMENT / "installed.txt"
"""A copy of the requirements that are installed, and of the interpreter they are for."""


def install() -> None:
    """Install the requirements, unless that is done."""
    wanted = f"{REQUIREMENTS.read_text(encoding='utf-8')}# {sys.version}, {ENVIRONMENT}\n"
    if INSTALLED.is_file() and INSTALLED.read_text(encoding="utf-8") == wanted:
        return
    venv.create(ENVIRONMENT, clear=True, with_pip=True)
    pip = (str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet")
    subprocess.run([*pip, "--requirement", str(REQUIREMENTS)], check=True)
    INSTALLED.write_text(wanted, encoding="utf-8")


def make_stubs() -> None:
    """Make the stubs from the .proto files."""
    protoc = (str(PYTHON), "-m", "grpc_tools.protoc")
    outputs = ("--python_out=.", "--pyi_out=.", "--grpc_python_out=.")
    files = sorted(str(path) for path in PROTOS.glob("schmier/v1/*.proto"))
    subprocess.run([*protoc, f"--proto_path={PROTOS}", *outputs, *files], cwd=HERE, check=True)


if __name__ == "__main__":
    try:
        install()
        make_stubs()
    except subprocess.CalledProcessError as failed:
        sys.exit(f"build.py: {' '.join(map(str, failed.cmd))} ended with {failed.returncode}")
