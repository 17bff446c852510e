"""First legal, but it stops where a file in the folder HOLD says, until that file is gone.

`start`: before it says hello; `decision`: before it answers one. It tells that it has stopped by a
file `start.reached` or `decision.reached`.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from referee.sdk import Decision, DiscardDecision, run

FOLDER = Path(os.environ["HOLD"])


def stop_at(point: str) -> None:
    wanted = FOLDER / point
    if wanted.exists():
        (FOLDER / f"{point}.reached").touch()
    while wanted.exists():
        time.sleep(0.01)


class Held:
    def call(self, decision: Decision) -> int:
        return 3 if 3 in decision.legal else decision.legal[0]

    def trump(self, decision: Decision) -> int:
        return decision.legal[0]

    def discards(self, decision: DiscardDecision) -> tuple[int, ...]:
        return next(decision.sets())

    def play(self, decision: Decision) -> int:
        if decision.hand.number > 0:  # in a game; the roll call asks about a first hand only
            stop_at("decision")
        return decision.legal[0]


if __name__ == "__main__":
    stop_at("start")
    run(Held(), name="held", version="1")
