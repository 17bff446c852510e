"""An event from its configuration to its table: entrants, plan, identities, standings. Pure."""

from referee.tourney.commands import check_threads, resolve_command, resolve_commands
from referee.tourney.conditions import Changes, changed_conditions, conditions
from referee.tourney.config import (
    ATTACHED,
    LONGEST_MS,
    Bot,
    Config,
    Duel,
    Event,
    Limits,
    Origin,
    Partnership,
    effective,
)
from referee.tourney.config_file import load_config, load_effective, parse_config
from referee.tourney.duel import DuelLook, look_at_duel
from referee.tourney.fingerprints import Fingerprint, Part, fingerprint, fingerprints
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
    line_of,
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
    "ATTACHED",
    "FAULT_KINDS",
    "FEWEST_ROUNDS",
    "GAME_FORMAT",
    "LONGEST_MS",
    "SITTINGS",
    "Block",
    "Bot",
    "Changes",
    "Config",
    "Duel",
    "DuelLook",
    "Entrant",
    "Event",
    "Fingerprint",
    "Fixture",
    "GameLine",
    "Json",
    "Limits",
    "NotStarted",
    "Origin",
    "Part",
    "Partnership",
    "Plan",
    "RoundScore",
    "RoundScores",
    "Row",
    "SeatHolder",
    "Sibling",
    "Standings",
    "Tally",
    "canonical_json",
    "changed_conditions",
    "check_threads",
    "conditions",
    "content_digest",
    "effective",
    "fingerprint",
    "fingerprints",
    "finished_rounds",
    "game_id",
    "line_of",
    "load_config",
    "load_effective",
    "look_at_duel",
    "out_after",
    "parse_config",
    "resolve_command",
    "resolve_commands",
    "rules_json",
    "sibling_pairs",
    "standings_of",
]
