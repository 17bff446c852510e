"""Plays the plan: many tables at once between real bot processes, sitting after sitting."""

from referee.runner.check.checking import RECORDED_HANDS, check_bot
from referee.runner.event import play_event
from referee.runner.house import Interrupted
from referee.runner.progress import Observer, Progress, RawCount
from referee.runner.resume import Finished, look_at_run
from referee.runner.setup import Setup, prepare

__all__ = [
    "RECORDED_HANDS",
    "Finished",
    "Interrupted",
    "Observer",
    "Progress",
    "RawCount",
    "Setup",
    "check_bot",
    "look_at_run",
    "play_event",
    "prepare",
]
