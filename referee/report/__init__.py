"""What a run looks like to people and programs: leaderboards, the export, verify, show."""

from referee.report.evidence import Evidence
from referee.report.game_name import GameId, GameName, GamePlace, parse_game
from referee.report.leaderboard import Format, render, write_leaderboards
from referee.report.leaderboard_csv import CSV_COLUMNS
from referee.report.leaderboard_json import (
    LEADERBOARD_FORMAT,
    LEADERBOARD_VERSION,
    leaderboard_data,
    leaderboard_schema,
)
from referee.report.meta import Meta
from referee.report.names import visible

__all__ = [
    "CSV_COLUMNS",
    "LEADERBOARD_FORMAT",
    "LEADERBOARD_VERSION",
    "Evidence",
    "Format",
    "GameId",
    "GameName",
    "GamePlace",
    "Meta",
    "leaderboard_data",
    "leaderboard_schema",
    "parse_game",
    "render",
    "visible",
    "write_leaderboards",
]
