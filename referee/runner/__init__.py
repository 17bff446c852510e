"""Plays the plan: many tables at once between real bot processes, sitting after sitting."""

from referee.runner.attachment import Attach
from referee.runner.check.checking import check_bot
from referee.runner.check.subject import Pace
from referee.runner.event import play_event
from referee.runner.house import Interrupted
from referee.runner.progress import Observer, Progress, RawCount
from referee.runner.resume import Finished, look_at_run
from referee.runner.setup import Setup, prepare

__all__ = [
    "Attach",
    "Finished",
    "Interrupted",
    "Observer",
    "Pace",
    "Progress",
    "RawCount",
    "Setup",
    "check_bot",
    "look_at_run",
    "play_event",
    "prepare",
]
