"""The picture of a run on a terminal: drawn in place, narrow or wide, gone at the end."""

from __future__ import annotations

from rich.console import Console, Group
from rich.live import Live as Region
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from referee.cli.streams import one_line
from referee.report import visible
from referee.runner import Progress

__all__ = ["Live"]

ROOM_FOR_BAR = 90
"""Columns from which the line of progress has a bar."""


class Live:
    """A region at the foot of the terminal. stdout is left alone: it may go elsewhere."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False, emoji=False)
        self._region = Region(
            console=self._console,
            auto_refresh=False,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        )
        self._region.start()

    def draw(self, progress: Progress) -> None:
        """Draw the state of the run."""
        wide = self._console.width >= ROOM_FOR_BAR
        self._region.update(_picture(progress, wide=wide), refresh=True)

    def say(self, text: str) -> None:
        """Print one line above the region; the terminal breaks it, so it can be copied whole."""
        self._console.print(Text(one_line(text)), soft_wrap=True)

    def clear(self) -> None:
        """Take the region away."""
        self._region.stop()


def _picture(progress: Progress, *, wide: bool) -> Group:
    if not progress.games_planned:
        return Group(_line(progress.where))
    games = f"{progress.games} of {progress.games_planned} games"
    parts = [progress.where, games, _remaining(progress)]
    if not wide:
        head: Table | Text = _line(", ".join(part for part in parts if part))
    else:
        head = Table.grid(padding=(0, 2))
        bar = ProgressBar(total=max(1, progress.games_planned), completed=progress.games, width=30)
        head.add_row(Text(parts[0]), bar, *map(Text, parts[1:]))
    foot = _line(
        f"{progress.tables} tables, {progress.decisions:,} decisions; the referee came "
        f"{progress.p50_ms:.1f} ms late (median), {progress.p99_ms:.1f} ms (99 of 100)"
    )
    foot.stylize("dim")
    return Group(head, _counts(progress), foot) if progress.counts else Group(head)


def _line(text: str) -> Text:
    return Text(text, no_wrap=True, overflow="ellipsis")


def _counts(progress: Progress) -> Table:
    table = Table(box=None, pad_edge=False, title="not yet scored", title_justify="left")
    table.add_column("partnership", no_wrap=True, overflow="ellipsis")
    for heading in ("games", "wins", "forfeits", "faults"):
        table.add_column(heading, justify="right", no_wrap=True, min_width=len(heading))
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
