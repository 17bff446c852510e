"""What a person sees on stderr while a run goes on: live on a terminal, else a line a sitting."""

from __future__ import annotations

import sys

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.report import visible
from referee.runner import Progress

__all__ = ["Terminal"]


class Terminal:
    """Shows progress until it is closed; use it as a context manager."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._live: Live | None = None
        self._said_phase = ""
        self.latest: Progress | None = None

    def __enter__(self) -> Terminal:
        if self._console.is_terminal:
            self._live = Live(console=self._console, auto_refresh=False, transient=True)
            self._live.start()
        return self

    def __exit__(self, *_exc: object) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None

    def show(self, progress: Progress) -> None:
        """Draw the state of the run, or say once that a new phase began."""
        self.latest = progress
        if self._live is not None:
            self._live.update(_picture(progress), refresh=True)
            return
        phase = _phase(progress)
        if phase != self._said_phase:
            self._said_phase = phase
            planned = progress.games_planned
            self.say(f"{phase}: {progress.games} of {planned} games" if planned else phase)

    def say(self, text: str) -> None:
        """Print one line that stays."""
        if self._live is not None:
            self._live.console.print(Text(text))
        else:
            print(text, file=sys.stderr, flush=True)


def _phase(progress: Progress) -> str:
    if progress.phase != "playing":
        return progress.phase
    return (
        f"leg {progress.leg + 1} of {progress.legs}, "
        f"sitting {progress.sitting + 1} of {progress.sittings}"
    )


def _picture(progress: Progress) -> Group:
    line = Table.grid(padding=(0, 2))
    if not progress.games_planned:
        line.add_row(Text(_phase(progress)))
        return Group(line)
    line.add_row(
        Text(_phase(progress)),
        ProgressBar(total=max(1, progress.games_planned), completed=progress.games, width=30),
        Text(f"{progress.games} of {progress.games_planned} games"),
        Text(_remaining(progress)),
    )
    foot = Text(
        f"{progress.tables} tables, {progress.decisions:,} decisions; the referee came "
        f"{progress.p50_ms:.1f} ms late (median), {progress.p99_ms:.1f} ms (99 of 100)",
        style="dim",
    )
    if not progress.counts:
        return Group(line)
    return Group(line, _counts(progress), foot)


def _counts(progress: Progress) -> Table:
    table = Table(box=None, pad_edge=False, title="not yet scored", title_justify="left")
    table.add_column("partnership")
    for heading in ("games", "wins", "forfeits", "faults"):
        table.add_column(heading, justify="right")
    for count in progress.counts:
        table.add_row(
            Text(visible(count.name)),
            str(count.games),
            f"{count.sixths / 6:.1f}",
            str(count.forfeits),
            str(count.faults),
        )
    return table


def _remaining(progress: Progress) -> str:
    seconds = progress.remaining_s()
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"about {hours} h {minutes:02} min left"
    return f"about {minutes} min {rest:02} s left" if minutes else f"about {rest} s left"
