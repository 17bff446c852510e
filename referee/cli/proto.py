"""`schmier-referee proto DIR`: the protocol's files, to make stubs from in any language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = ["proto"]


def proto(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder to write them to; made if missing.")
    ],
) -> None:
    """Write the .proto files out, to generate a bot's stubs from."""
    from referee.wire import write_protos

    for path in write_protos(directory):
        print(path)
