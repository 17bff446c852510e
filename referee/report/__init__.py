"""What a run looks like to people and programs: leaderboards, the export, verify, show."""

from referee.report.audit.verdict import Verdict
from referee.report.audit.verification import verify
from referee.report.check.as_json import CHECK_FORMAT, CHECK_VERSION, check_json, check_schema
from referee.report.check.as_text import check_head_lines, check_step_lines, check_summary_lines
from referee.report.check.results import CheckReport, SlowDecision, StepResult, StepVerdict
from referee.report.evidence import Evidence
from referee.report.export.lines import export_lines, export_schema
from referee.report.export.manifest import EXPORT_FORMAT, EXPORT_VERSION
from referee.report.facts import Facts, Findings
from referee.report.fault_list import FaultyGame, faulty_games
from referee.report.game_name import GameId, GameName, GamePlace, parse_game
from referee.report.leaderboard.as_csv import CSV_COLUMNS
from referee.report.leaderboard.as_json import (
    LEADERBOARD_FORMAT,
    LEADERBOARD_VERSION,
    leaderboard_data,
    leaderboard_schema,
)
from referee.report.leaderboard.meta import Meta
from referee.report.leaderboard.rendering import Format, render, write_leaderboards
from referee.report.names import visible, visible_line
from referee.report.run import Run, facts_of_run, run_of
from referee.report.show import decision_lines, show_game

__all__ = [
    "CHECK_FORMAT",
    "CHECK_VERSION",
    "CSV_COLUMNS",
    "EXPORT_FORMAT",
    "EXPORT_VERSION",
    "LEADERBOARD_FORMAT",
    "LEADERBOARD_VERSION",
    "CheckReport",
    "Evidence",
    "Facts",
    "FaultyGame",
    "Findings",
    "Format",
    "GameId",
    "GameName",
    "GamePlace",
    "Meta",
    "Run",
    "SlowDecision",
    "StepResult",
    "StepVerdict",
    "Verdict",
    "check_head_lines",
    "check_json",
    "check_schema",
    "check_step_lines",
    "check_summary_lines",
    "decision_lines",
    "export_lines",
    "export_schema",
    "facts_of_run",
    "faulty_games",
    "leaderboard_data",
    "leaderboard_schema",
    "parse_game",
    "render",
    "run_of",
    "show_game",
    "verify",
    "visible",
    "visible_line",
    "write_leaderboards",
]
