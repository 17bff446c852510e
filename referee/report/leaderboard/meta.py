"""What a leaderboard says of its event beside the standings: the same facts in every format."""

from __future__ import annotations

from dataclasses import dataclass

from referee.engine import Rules
from referee.tourney import Json, Standings, rules_json

__all__ = ["Meta"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meta:
    """The event behind standings.

    `commitment` is published from the start, `master` only once the run is closed; both are 32
    bytes.
    """

    event_id: str
    event_name: str
    rules: Rules
    commitment: bytes
    master: bytes | None = None

    def rules_changed(self) -> dict[str, Json]:
        """Return the rules that differ from their defaults, in the order of the rules page."""
        defaults = rules_json(Rules())
        return {
            name: value for name, value in rules_json(self.rules).items() if value != defaults[name]
        }

    def check(self, standings: Standings) -> None:
        """Raise `ValueError` if the master would be shown before the run is closed."""
        if self.master is not None and not standings.closed:
            raise ValueError("the master of a run that is not closed must not be shown")
