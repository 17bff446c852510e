"""The bot of this folder: `bot.py rules` plays the rule-based strategy, `bot.py random` the other.

Your strategy is a class with four methods, like the one in `first_legal.py`: write it in a file of
its own, and name it here.
"""

# mypy: disable-error-code="import-not-found"
from __future__ import annotations

import sys
from collections.abc import Callable

from random_legal import RandomLegal
from rule_based import RuleBased

from referee.sdk import Bot, run

STRATEGIES: dict[str, tuple[Callable[[], Bot], str]] = {
    "rules": (RuleBased, "rule based python"),
    "random": (RandomLegal, "random legal python"),
}

if __name__ == "__main__":
    which = " ".join(sys.argv[1:]) if sys.argv[1:] else "rules"
    if which not in STRATEGIES:
        print(f'there is no strategy "{which}": say rules or random', file=sys.stderr)
        sys.exit(2)
    strategy, name = STRATEGIES[which]
    run(strategy(), name=name, version="1")
