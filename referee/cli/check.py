"""`schmier-referee check -- COMMAND...`: tell a bot's author what its bot does right and wrong."""

from __future__ import annotations

import logging
import shlex
import shutil
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from unicodedata import normalize

import typer

from referee.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from referee.report import CheckReport, StepResult
    from referee.tourney import Bot, Config

__all__ = ["check"]

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MOST_HANDS = 1000
NAME_COLUMNS = 56


def check(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND",
            help="The bot: a command after --, a Python file, or with --config the name of a bot.",
            show_default=False,
        ),
    ],
    config: Annotated[
        Path | None, typer.Option(help="Take limits and rules from this configuration.")
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the findings as one JSON document.")
    ] = False,
    hands: Annotated[int, typer.Option(help="Recorded hands to ask.")] = 200,
    stop_at_first: Annotated[
        bool, typer.Option("--stop-at-first", help="Try no step after the first that fails.")
    ] = False,
) -> None:
    """Check a bot over the real protocol, step by step; the exit code is 0 if it passed, else 1."""
    from referee.report import check_head_lines, check_json, check_step_lines, check_summary_lines
    from referee.tourney import resolve_command

    if not 1 <= hands <= MOST_HANDS:
        raise UsageError(f"--hands must be from 1 to {MOST_HANDS}, is {hands}")
    given, bot = _configured(command, config)
    resolve_command(bot)
    limits_of = "the defaults" if config is None else str(config)

    reasons: set[str] = set()

    def tell(step: StepResult) -> None:
        if not json:
            brief = step.text in reasons
            reasons.add(step.text)
            print("\n".join(check_step_lines(step, brief=brief)), flush=True)

    if not json:
        head = check_head_lines(
            bot=bot.name if [bot.name] == command else "",
            command=bot.command,
            limits=given.limits,
            limits_of=limits_of,
        )
        print("\n".join(head), flush=True)
    report = _checked(
        given, bot, limits_of=limits_of, hands=hands, stop_at_first=stop_at_first, tell=tell
    )
    if isinstance(report, int):
        raise typer.Exit(report)
    if json:
        print(check_json(report), end="")
    else:
        print()
        print("\n".join(check_summary_lines(report)))
    raise typer.Exit(0 if report.passed else 1)


def _checked(
    config: Config,
    bot: Bot,
    *,
    limits_of: str,
    hands: int,
    stop_at_first: bool,
    tell: Callable[[StepResult], None],
) -> CheckReport | int:
    """Check; return the exit code of a signal if one came before the end."""
    import asyncio

    from referee.bots import Warden
    from referee.runner import Interrupted, Pace, check_bot

    logger = logging.getLogger("referee")
    logger.addHandler(logging.NullHandler())
    logger.propagate = False
    warden = Warden.start()  # from the main thread, before gRPC is touched

    async def main() -> CheckReport:
        loop = asyncio.get_running_loop()
        stop: asyncio.Future[int] = loop.create_future()

        def hear(number: int) -> None:
            if not stop.done():
                stop.set_result(number)

        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, hear, number)
        return await check_bot(
            config,
            bot,
            limits_of=limits_of,
            warden=warden,
            stop=stop,
            pace=Pace(hands=hands),
            stop_at_first=stop_at_first,
            on_step=tell,
        )

    try:
        return asyncio.run(main())
    except Interrupted as interrupted:
        return 128 + interrupted.signal


def _configured(words: Sequence[str], path: Path | None) -> tuple[Config, Bot]:
    """The bot that the words mean, and a configuration with its limits and rules."""
    from dataclasses import replace

    from referee.engine import Rules
    from referee.tourney import Bot, Config, Event, Limits, load_config

    if path is None:
        config = Config(
            path=Path("check"),
            event=Event(id="check", name="Check"),
            limits=Limits(),
            rules=Rules(),
            bots=(),
            partnerships=(),
        )
    else:
        config = load_config(path)
    named = [bot for bot in config.bots if [bot.name] == [normalize("NFC", word) for word in words]]
    if named:
        return config, named[0]
    command = _command(words)
    if path is not None and len(words) == 1 and _is_no_program(command[0]):
        known = ", ".join(bot.name for bot in config.bots)
        raise UsageError(
            f"{path}: no bot is called {words[0]!r}, and no program either; its bots are {known}"
        )
    program, *arguments = command[1:] if command[0] == "{python}" and command[1:] else command
    name = " ".join((Path(program).stem, *arguments))
    bot = Bot(name=name[:NAME_COLUMNS].strip() or "bot", command=command, directory=Path.cwd())
    return replace(config, bots=(*config.bots, bot)), bot


def _is_no_program(word: str) -> bool:
    return "/" not in word and word != "{python}" and shutil.which(word) is None


def _command(words: Sequence[str]) -> tuple[str, ...]:
    """The command as typed; one word may hold all of it, and a Python file is run with Python."""
    if len(words) == 1 and not Path(words[0]).exists():
        try:
            words = shlex.split(words[0])
        except ValueError as error:
            raise UsageError(f"{words[0]!r} is no command: {error}") from None
    if not words or not words[0].strip():
        raise UsageError("an empty command cannot be checked")
    return ("{python}", *words) if words[0].endswith(".py") else tuple(words)
