"""The protobuf that is installed is one the generated code runs with, or one line says it is not.

pip sees to it, but not where packages of other projects are mixed in; without this the user reads
a trace out of generated code.
"""

from __future__ import annotations

from typing import Final

from referee.errors import UsageError

__all__ = ["LOWEST_PROTOBUF", "require_protobuf"]

LOWEST_PROTOBUF: Final = (6, 31, 1)
"""The lowest version the tests run with, and what `pyproject.toml` asks for."""


def require_protobuf(version: str | None = None) -> None:
    """Raise UsageError unless protobuf is there and not older than `LOWEST_PROTOBUF`.

    `version` is for tests; without it the version installed is looked at.
    """
    lowest = ".".join(map(str, LOWEST_PROTOBUF))
    cure = f"python -m pip install --upgrade 'protobuf>={lowest},<8'"
    if version is None:
        try:
            from google.protobuf import __version__ as installed
        except ImportError:
            raise UsageError(f"protobuf is not installed; try: {cure}") from None
        version = installed
    if _numbers(version) < LOWEST_PROTOBUF:
        raise UsageError(f"protobuf {version} is too old, {lowest} is needed; try: {cure}")


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version; `7.35.0rc1` counts as 7.35.0."""
    parts = [part.partition("rc")[0] for part in version.split(".")[:3]]
    return tuple(int(part) for part in parts if part.isdigit())
