"""The sample bots: they travel inside the package, and the house bots are among them.

In an installed wheel they lie in `referee/sample_bots`, in a checkout in `sample_bots` at its top.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from referee.errors import UsageError

__all__ = ["sample_bots_folder"]

_PACKAGED: Final = Path(__file__).parent.parent / "sample_bots"
_CHECKOUT: Final = Path(__file__).parents[2] / "sample_bots"


def sample_bots_folder() -> Path:
    """Return where the sample bots are; UsageError if the installation has lost them."""
    for folder in (_PACKAGED, _CHECKOUT):
        if folder.is_dir():
            return folder
    raise UsageError("the sample bots are missing from this installation; install it again")
