"""The .proto files, for whoever writes a bot: they travel inside the package.

In an installed wheel they lie in `referee/wire/proto`, in a checkout in `proto/` at its top.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.errors import UsageError

__all__ = ["proto_files", "write_protos"]

_PACKAGED: Final = Path(__file__).parent / "proto"
_CHECKOUT: Final = Path(__file__).parent.parent.parent / "proto"


def proto_files() -> dict[str, bytes]:
    """Return each file's content under its import path, like `schmier/v1/cards.proto`, sorted.

    Raises UsageError if the installation has lost them.
    """
    for root in (_PACKAGED, _CHECKOUT):
        paths = sorted(root.glob("schmier/v*/*.proto"))
        if paths:
            return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}
    raise UsageError(f"the .proto files are missing at {_PACKAGED}: install the package again")


def write_protos(directory: Path) -> list[Path]:
    """Write the .proto files below `directory`, which is made if need be, and return their paths.

    A file that is there with the same content stays; UsageError, with nothing written, if one is
    there with another content, or cannot be written.
    """
    files = {directory / name: content for name, content in proto_files().items()}
    try:
        for path, content in files.items():
            if path.exists() and path.read_bytes() != content:
                raise UsageError(f"{path} is there and differs: remove it or choose a new folder")
        for path, content in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or directory}: {error.strerror}") from None
    return list(files)
