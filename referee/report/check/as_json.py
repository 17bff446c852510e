"""A check as JSON: schema `schmier-check`, version 1, in `check.schema.json` beside this file."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from referee.report.check.results import CheckReport
from referee.report.leaderboard.as_json import safe_json

__all__ = ["CHECK_FORMAT", "CHECK_VERSION", "check_json", "check_schema"]

CHECK_FORMAT: Final = "schmier-check"
"""The `format` of a check as JSON."""

CHECK_VERSION: Final = 1
"""The `version` of a check as JSON; additions keep it."""


def check_json(report: CheckReport) -> str:
    """Return a check as indented JSON."""
    limits = report.limits
    data: dict[str, object] = {
        "format": CHECK_FORMAT,
        "version": CHECK_VERSION,
        "passed": report.passed,
        "bot": report.bot,
        "command": list(report.command),
        "calls_itself": report.calls_itself,
        "max_batch": report.max_batch,
        "limits": {
            "of": report.limits_of,
            "decision_ms": limits.decision_ms,
            "start_ms": limits.start_ms,
            "stop_ms": limits.stop_ms,
        },
        "steps": [
            {
                "number": step.number,
                "name": step.name,
                "verdict": step.verdict.value,
                "text": step.text,
                "asked": list(step.asked),
                "came_back": step.came_back,
                "output_tail": step.output_tail,
                "took_ms": step.took_ms,
            }
            for step in report.steps
        ],
        "decisions": report.decisions,
        "slowest": [
            {"ms": slow.ms, "kind": slow.kind, "asked": list(slow.asked)} for slow in report.slowest
        ],
        "peak_memory_kib": report.peak_memory_kib,
        "keeps_limits": report.keeps_limits,
        "keeps_limits_text": report.keeps_limits_text,
        "reproducible": report.reproducible,
        "notes": list(report.notes),
    }
    return safe_json(data, indent=2) + "\n"


def check_schema() -> str:
    """Return the JSON Schema of a check as JSON."""
    return files("referee.report.check").joinpath("check.schema.json").read_text("utf-8")
