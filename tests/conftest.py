"""Options of the whole test suite."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

# A law holds on a slow machine too: no test is timed.
settings.register_profile(
    "any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any machine")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--regenerate",
        action="store_true",
        default=False,
        help="write golden files anew instead of comparing with them",
    )


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Where nothing may be skipped, a skip fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if skipped and os.environ.get("SCHMIER_NO_SKIPS") and session.exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
