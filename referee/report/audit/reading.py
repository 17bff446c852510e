"""The lines of an export as they are read: each canonical, the games in order, the digest last."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, BinaryIO

from referee.report.audit.checks import Mismatch
from referee.report.export.lines import line_of_json

__all__ = ["ExportReader"]

_LONGEST_LINE = 64 * 1024 * 1024


class ExportReader:
    """Reads an export line by line; `digest` is that of all lines read but the last.

    Raises `Mismatch` for a line that is not what an export of this version writes.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._hash = sha256()
        self._last = b""
        self._number = 0

    @property
    def digest(self) -> str:
        """The SHA-256, in hex, of all lines before the last one read."""
        return self._hash.hexdigest()

    def next(self) -> dict[str, Any] | None:
        """Return the next line, None at the end of the file."""
        line = self._file.readline(_LONGEST_LINE)
        if not line:
            return None
        self._hash.update(self._last)
        self._last = line
        self._number += 1
        data = self._parsed(line)
        if not isinstance(data, dict):
            raise Mismatch(f"line {self._number}: is no JSON object")
        return data

    def _parsed(self, line: bytes) -> object:
        if not line.endswith(b"\n"):
            raise Mismatch(f"line {self._number}: is cut short")
        try:
            data = json.loads(line)
            again = line_of_json(data)
        except (ValueError, RecursionError) as error:
            raise Mismatch(f"line {self._number}: is no JSON in UTF-8: {error}") from None
        if again != line:
            raise Mismatch(f"line {self._number}: is not written as an export writes it")
        return data
