"""Starts the bot: `bot.py rules` plays the rule-based strategy, `bot.py random` the other."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # gRPC's notes would mix with what the bot prints

try:
    from conversation import Conversation
    from random_legal import RandomLegal
    from rule_based import RuleBased
    from strategy import Strategy
except ModuleNotFoundError as missing:
    sys.exit(f"{missing.name} is missing: run `python3 build.py`, then start .venv/bin/python")

STRATEGIES: dict[str, tuple[Callable[[], Strategy], str]] = {
    "rules": (RuleBased, "rule based python-stubs"),
    "random": (RandomLegal, "random legal python-stubs"),
}


def refuse(line: str) -> None:
    """Say what is wrong, and end as for wrong use."""
    print(line, file=sys.stderr)
    sys.exit(2)


def main() -> int:
    """Play one sitting; return the exit code."""
    which = " ".join(sys.argv[1:]) if sys.argv[1:] else "rules"
    if which not in STRATEGIES:
        refuse(f'there is no strategy "{which}": say rules or random')
    for variable in ("SCHMIER_REFEREE", "SCHMIER_TOKEN"):
        if not os.environ.get(variable):
            refuse(
                f"{variable} is not set: a bot is started by the referee. "
                "Try: schmier-referee match A B C, with the command of this bot as one of the three"
            )
    strategy, name = STRATEGIES[which]
    conversation = Conversation(strategy(), target=os.environ["SCHMIER_REFEREE"])
    return asyncio.run(conversation.hold(token=os.environ["SCHMIER_TOKEN"], name=name))


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
