"""An event from its configuration to its table: entrants, plan, identities, standings. Pure."""

from referee.tourney.identity import (
    GAME_FORMAT,
    Json,
    canonical_json,
    content_digest,
    game_id,
    rules_json,
)
from referee.tourney.outs import out_after
from referee.tourney.plan import SITTINGS, Block, Entrant, Fixture, Plan, SeatHolder
from referee.tourney.scores import (
    FAULT_KINDS,
    GameLine,
    RoundScore,
    RoundScores,
    Tally,
    finished_rounds,
)
from referee.tourney.siblings import Sibling, sibling_pairs
from referee.tourney.standings import (
    FEWEST_ROUNDS,
    NotStarted,
    Row,
    Standings,
    standings_of,
)

__all__ = [
    "FAULT_KINDS",
    "FEWEST_ROUNDS",
    "GAME_FORMAT",
    "SITTINGS",
    "Block",
    "Entrant",
    "Fixture",
    "GameLine",
    "Json",
    "NotStarted",
    "Plan",
    "RoundScore",
    "RoundScores",
    "Row",
    "SeatHolder",
    "Sibling",
    "Standings",
    "Tally",
    "canonical_json",
    "content_digest",
    "finished_rounds",
    "game_id",
    "out_after",
    "rules_json",
    "sibling_pairs",
    "standings_of",
]
