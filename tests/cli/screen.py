"""A terminal for tests: a command runs in it, and what a person would see on it can be asked."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

CODE = re.compile(r"\x1b\[(\??)(\d*)(?:;\d+)*([A-Za-z])")


@dataclass
class Screen:
    """The lines of a terminal, long enough never to scroll, and whether its cursor is shown."""

    columns: int
    controller: int
    _bytes: bytes = b""

    @property
    def raw(self) -> str:
        """All that was written, but a letter or code that is not whole yet."""
        return re.sub(r"\x1b(\[[?\d;]*)?\Z", "", self._bytes.decode("utf-8", "ignore"))

    def wait_for(self, text: str, *, deadline_s: float = 60.0) -> None:
        """Read until a text is seen on the screen."""
        end = time.monotonic() + deadline_s
        while text not in self.text:
            assert time.monotonic() < end, f"waited in vain for {text!r} in {self.text!r}"
            self._read(0.1)

    def read_to_the_end(self) -> None:
        """Read until the other side has closed the terminal."""
        while self._read(1.0):
            pass

    def _read(self, patience_s: float) -> bool:
        if not select.select([self.controller], [], [], patience_s)[0]:
            return True
        try:
            data = os.read(self.controller, 65536)
        except OSError:  # what Linux says when no process has the terminal any more
            return False
        self._bytes += data
        return bool(data)

    @property
    def text(self) -> str:
        """What is on the screen now."""
        lines: list[list[str]] = [[]]
        row = column = position = 0
        raw = self.raw
        while position < len(raw):
            letter = raw[position]
            code = CODE.match(raw, position)
            position = code.end() if code else position + 1
            if code:
                number = int(code[2] or 1)
                if code[3] == "A":
                    row = max(0, row - number)
                elif code[3] == "K":
                    lines[row] = [] if code[2] == "2" else lines[row][:column]
                elif code[3] not in "mhl":
                    raise AssertionError(f"a code this screen does not know: {code[0]!r}")
            elif letter == "\n":
                row += 1
            elif letter == "\r":
                column = 0
            else:
                assert letter.isprintable(), f"{letter!r} on the screen"
                if column == self.columns:
                    row, column = row + 1, 0
                lines += [[] for _ in range(row + 1 - len(lines))]
                line = lines[row]
                line += " " * (column + 1 - len(line))
                line[column] = letter
                column += 1
            lines += [[] for _ in range(row + 1 - len(lines))]
        return "\n".join("".join(line).rstrip() for line in lines)

    @property
    def cursor_is_shown(self) -> bool:
        """Whether the last word on the cursor was to show it."""
        return self.raw.rfind("\x1b[?25h") >= self.raw.rfind("\x1b[?25l")

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        os.close(self.controller)
        self.controller = -1


@contextmanager
def screen(*, columns: int = 100, rows: int = 50) -> Iterator[tuple[Screen, int]]:
    """Open a terminal; yields it and the descriptor for a command's stderr."""
    controller, terminal = os.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    shown = Screen(columns, controller)
    try:
        yield shown, terminal
    finally:
        if shown.controller >= 0:
            os.close(controller)
