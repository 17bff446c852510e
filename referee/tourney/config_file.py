"""From the text of a configuration to its values, or to one line that says what is wrong.

Strict: a key that is not known, a value of another type, a number out of range, a name used twice
or a bot that nobody plays are all mistakes, told with file, line, key and cure. Nothing is guessed
and nothing outside the file is looked at; paths are taken relative to its folder.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from typing import Final

from referee.engine import Rules
from referee.errors import ConfigError
from referee.ranking import DESIGNS
from referee.tourney.config import (
    LONGEST_MS,
    Bot,
    Config,
    Duel,
    Event,
    Limits,
    Origin,
    Partnership,
)
from referee.tourney.config_keys import (
    Problems,
    Table,
    id_problem,
    name_problem,
    nearest,
    shown,
    text_problem,
)
from referee.tourney.config_whole import (
    check_design,
    check_duel,
    check_roster,
    check_threads_of_file,
)
from referee.tourney.toml_lines import find_lines

__all__ = ["load_config", "load_effective", "parse_config"]

_LARGEST_FILE: Final = 4 * 1024 * 1024
_MOST: Final = 1_000_000
_MOST_PERMILLE: Final = 499
_GIVEN: Final = ("HOME", "TMPDIR", "SCHMIER_DIR", "SCHMIER_REFEREE", "SCHMIER_TOKEN")
_HOME_OF: Final = {
    **{item.name: "[event]" for item in fields(Event)},
    **{item.name: "[limits]" for item in fields(Limits)},
    **{item.name: "[rules]" for item in fields(Rules)},
    **dict.fromkeys(("command", "directory", "files", "env", "threads"), "[bots.NAME]"),
    "owner": "[[partnerships]]",
}
"""Which section a key belongs in, to send one home that stands elsewhere."""


def load_config(path: Path | str) -> Config:
    """Read a configuration file; raises `ConfigError` for the first mistake in it."""
    path = Path(path)
    return parse_config(_read(path), path=path)


def parse_config(text: str, *, path: Path) -> Config:
    """Read the text of a configuration whose relative paths start at the folder of `path`.

    Raises `ConfigError` for the first mistake in the text.
    """
    try:
        document = tomllib.loads(text)
        lines = find_lines(text)
    except RecursionError:
        raise ConfigError("is nested too deeply", file=path) from None
    except ValueError as error:
        if not isinstance(error, tomllib.TOMLDecodeError):
            raise ConfigError("not valid TOML: a number has too many digits", file=path) from None
        raise _syntax_error(str(error), text, path) from None
    in_nfc = {tuple(_nfc(k) if isinstance(k, str) else k for k in at): n for at, n in lines.items()}
    return _config(document, path=path, origin=Origin(str(path), {**in_nfc, **lines}))


def load_effective(values: Mapping[str, object], *, path: Path) -> Config:
    """Read back what `effective` gave; raises `ConfigError`, naming `path`, if it is not that.

    Paths of bots come out relative to the folder of `path`, where they need not exist.
    """
    document = _without_nulls(values)
    bots = document.get("bots")
    if isinstance(bots, list):
        document["bots"] = {
            str(bot["name"]): {key: value for key, value in bot.items() if key != "name"}
            for bot in bots
            if isinstance(bot, dict) and "name" in bot
        }
    return _config(document, path=path, origin=Origin(str(path)))


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise ConfigError("no such file", file=path) from None
    except IsADirectoryError:
        raise ConfigError("is a folder; name the configuration file in it", file=path) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise ConfigError(f"cannot be read: {reason}", file=path) from None
    if len(data) > _LARGEST_FILE:
        raise ConfigError("is over 4 MiB: not a configuration", file=path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise ConfigError("is UTF-16; save it as UTF-8", file=path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"0x{data[error.start]:02x}"
        raise ConfigError(
            f"is not UTF-8 (byte {byte}); save it as UTF-8", file=path, line=line
        ) from None


def _syntax_error(reason: str, text: str, path: Path) -> ConfigError:
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", reason, re.DOTALL)
    if found:
        message, column = found[1], f" (column {found[3]})"
        line: int | None = int(found[2])
    else:
        message, column = reason.removesuffix(" (at end of document)"), ""
        ended = message != reason
        line = max(1, len(text.splitlines())) if ended else None
        message += ": the text ends too early" if ended else ""
    if message.startswith(("Cannot overwrite", "Cannot declare", "Cannot mutate")):
        message += "; a key or table is there twice"
    return ConfigError(f"not valid TOML: {message}{column}", file=path, line=line)


def _without_nulls(values: Mapping[str, object]) -> dict[str, object]:
    def cleared(value: object) -> object:
        match value:
            case Mapping():
                return {key: cleared(item) for key, item in value.items() if item is not None}
            case list() | tuple():
                return [cleared(item) for item in value]
            case _:
                return value

    return {key: cleared(value) for key, value in values.items()}


def _config(document: Mapping[str, object], *, path: Path, origin: Origin) -> Config:
    problems = Problems(origin)
    top = Table(document, place=(), title="", problems=problems, elsewhere=_HOME_OF)
    event = _event(_section(top, "event", problems))
    limits = _limits(_section(top, "limits", problems))
    rules = _rules(_section(top, "rules", problems))
    bots = _bots(top, path=path, origin=origin, problems=problems)
    partnerships = _partnerships(top, bots=bots, problems=problems)
    duel = _duel(_section(top, "duel", problems)) if "duel" in document else None
    top.end()
    check_threads_of_file(bots, event, problems)
    problems.raise_first()
    check_roster(bots, partnerships, problems)
    check_design(event, partnerships, problems)
    check_duel(duel, partnerships, problems)
    problems.raise_first()
    return Config(
        path=path,
        event=event,
        limits=limits,
        rules=rules,
        bots=tuple(sorted(bots.values(), key=lambda bot: bot.name)),
        partnerships=partnerships,
        duel=duel,
        origin=origin,
    )


def _section(top: Table, name: str, problems: Problems) -> Table:
    return Table(
        top.table(name), place=(name,), title=f"[{name}]", problems=problems, elsewhere=_HOME_OF
    )


def _event(table: Table) -> Event:
    default = Event(id="", name="")
    event = Event(
        id=table.required("id", id_problem, cure='id = "my-league"'),
        name=_nfc(table.required("name", name_problem, cure='name = "My league"')),
        rounds=table.whole("rounds", default.rounds, low=1, high=_MOST),
        seed=table.optional("seed", text_problem),
        design=table.choice("design", default.design, known=DESIGNS),
        leg_rounds=table.whole("leg_rounds", default.leg_rounds, low=1, high=_MOST),
        tables=table.whole_or_auto("tables", high=4096),
        clock_slots=table.whole_or_auto("clock_slots", high=4096),
        processes=table.whole("processes", default.processes, low=6, high=65_536),
    )
    table.end()
    return event


def _duel(table: Table) -> Duel:
    default = Duel(new="", old="")
    duel = Duel(
        new=_nfc(table.required("new", name_problem, cure='new = "the name of a partnership"')),
        old=_nfc(table.required("old", name_problem, cure='old = "the name of a partnership"')),
        effect_permille=table.whole(
            "effect_permille", default.effect_permille, low=1, high=_MOST_PERMILLE
        ),
        error_permille=table.whole(
            "error_permille", default.error_permille, low=1, high=_MOST_PERMILLE
        ),
    )
    table.end()
    return duel


def _limits(table: Table) -> Limits:
    default = Limits()
    limits = Limits(
        decision_ms=table.whole("decision_ms", default.decision_ms, low=1, high=LONGEST_MS),
        start_ms=table.whole("start_ms", default.start_ms, low=1, high=LONGEST_MS),
        stop_ms=table.whole("stop_ms", default.stop_ms, low=1, high=LONGEST_MS),
        faults_per_game=table.whole("faults_per_game", default.faults_per_game, low=1, high=1000),
    )
    table.end()
    return limits


def _rules(table: Table) -> Rules:
    chosen: dict[str, object] = {}
    for item in fields(Rules):
        default: object = getattr(Rules(), item.name)
        value: object
        match default:
            case StrEnum():
                known = [option.value for option in type(default)]
                value = type(default)(table.choice(item.name, default.value, known=known))
            case bool():
                value = table.flag(item.name, default=default)
            case int():
                value = table.whole(item.name, default, low=-_MOST, high=_MOST)
            case _:
                raise TypeError(f"no way to read the rule {item.name}")
        try:
            Rules(**{item.name: value})  # type: ignore[arg-type]
        except ValueError as error:
            table.problem(item.name, str(error).removeprefix(f"{item.name} "))
        else:
            chosen[item.name] = value
    table.end()
    return Rules(**chosen)  # type: ignore[arg-type]


def _bots(top: Table, *, path: Path, origin: Origin, problems: Problems) -> dict[str, Bot]:
    """Read the bots by the name as the file writes it."""
    bots: dict[str, Bot] = {}
    tables = top.table("bots")
    if not tables:
        problems.add(
            'has no bot; write [bots.NAME] with command = ["program"]',
            place=("bots",),
            key="[bots]",
        )
    folder = path.absolute().parent
    names: dict[str, str] = {}
    for name, values in tables.items():
        title = f"[bots.{name if name.isprintable() and name else shown(name)}]"
        if not isinstance(values, dict):
            message = "is no bot: a bot is a table headed [bots.NAME], with its command"
            problems.add(message, place=("bots", name), key=title)
            continue
        if problem := name_problem(name):
            problems.add(f"a bot's name {problem}", place=("bots", name), key=title)
        if names.setdefault(_nfc(name), name) != name:
            problems.add("is there twice, written in two ways", place=("bots", name), key=title)
        table = Table(
            values, place=("bots", name), title=title, problems=problems, elsewhere=_HOME_OF
        )
        bots[name] = _bot(table, values, name=name, folder=folder, origin=origin)
    return bots


def _bot(
    table: Table, values: Mapping[str, object], *, name: str, folder: Path, origin: Origin
) -> Bot:
    command = table.texts("command", cure='command = ["{python}", "my_bot.py"]', is_required=True)
    if values.get("command") == [] or (command and not command[0]):
        table.problem("command", "has no program; that comes first")
    directory = table.optional("directory", text_problem) or "."
    bot = Bot(
        name=_nfc(name),
        command=command,
        directory=folder / directory,
        written_directory=directory,
        files=table.texts("files", cure='files = ["model.bin"]'),
        env=table.text_table("env", _env_problem),
        threads=table.whole("threads", 1, low=1, high=4096),
        origin=origin,
    )
    table.end()
    return bot


def _env_problem(name: str) -> str | None:
    if not name or "=" in name or not name.isprintable():
        return f"must hold names of variables, not {shown(name)}"
    if name in _GIVEN:
        return f"must not set {name}, which the referee gives; name yours otherwise"
    return None


def _partnerships(
    top: Table, *, bots: Mapping[str, Bot], problems: Problems
) -> tuple[Partnership, ...]:
    entries = []
    first_lines: dict[str, int] = {}
    tables = top.tables("partnerships")
    title = "[[partnerships]]"
    by_name = {bot.name for bot in bots.values()}
    for number, values in enumerate(tables):
        table = Table(
            values,
            place=("partnerships", number),
            title=title,
            problems=problems,
            elsewhere=_HOME_OF,
        )
        name = _nfc(table.required("name", name_problem, cure='name = "My pair"'))
        owner = table.optional("owner", name_problem)
        members = table.texts("bots", cure='bots = ["my_bot"]', is_required=True)
        members = tuple(_nfc(member) for member in members)
        table.end()
        if name and first_lines.setdefault(name, number) != number:
            table.problem("name", f"is there twice: {shown(name)}")
        if (
            "bots" in values
            and isinstance(values["bots"], list)
            and len(values["bots"]) not in (1, 2)
        ):
            table.problem("bots", f"must hold one or two bots, holds {len(values['bots'])}")
        for entry, member in enumerate(members):
            if member not in by_name:
                table.problem("bots", _unknown_bot(member, by_name), entry=entry)
        if members:
            pair = (members[0], members[-1])
            entries.append(
                Partnership(name=name, bots=pair, owner=None if owner is None else _nfc(owner))
            )
    return tuple(entries)


def _unknown_bot(name: str, known: set[str]) -> str:
    near = nearest(name, sorted(known))
    hint = f"did you mean {shown(near)}?" if near else f"write [bots.{name}] or name another"
    return f"names the unknown bot {shown(name)}; {hint}"


def _nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)
