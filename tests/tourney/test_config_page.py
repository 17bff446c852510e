"""The page about configurations says what is true: keys, defaults, examples, error texts."""

from __future__ import annotations

import json
import re
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest

from referee.engine import Rules
from referee.errors import ConfigError
from referee.tourney import Config, Event, Limits, effective, load_config, parse_config

FOLDER = Path(__file__).parents[2] / "tournaments"
PAGE = (FOLDER / "README.md").read_text(encoding="utf-8")


def rows(heading: str) -> list[list[str]]:
    """The cells of the first table under a heading, without the table's head."""
    after = PAGE.split(f"\n{heading}", 1)[1]
    block = re.search(r"\n((?:\|.*\n)+)", after)
    assert block is not None
    lines = block[1].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def config() -> Config:
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    return parse_config(text, path=Path("friday.toml"))


def told_defaults(heading: str) -> dict[str, object]:
    """The keys of a section with the defaults the page gives, as JSON means them."""
    found: dict[str, object] = {}
    for key, _, default, _ in rows(heading):
        plain = default.strip("`")
        found[key.strip("`")] = plain if plain in ("required", "none") else json.loads(plain)
    return found


def true_defaults(kind: type[Any]) -> dict[str, object]:
    found: dict[str, object] = {}
    for item in fields(kind):
        default = "required" if item.default is MISSING else item.default
        found[item.name] = "none" if default is None else default
    return found


def test_the_page_names_every_key_of_the_event_with_its_default() -> None:
    true = true_defaults(Event) | {"tables": "auto", "clock_slots": "auto"}
    assert told_defaults("### `[event]`") == true


def test_the_page_names_every_limit_with_its_default() -> None:
    assert told_defaults("### `[limits]`") == true_defaults(Limits)


def test_the_page_names_every_rule_with_its_default_and_its_options() -> None:
    assert told_defaults("### `[rules]`") == true_defaults(Rules)
    for key, kind, _, _ in rows("### `[rules]`"):
        options = type(getattr(Rules(), key.strip("`")))
        if issubclass(options, str):
            told = re.findall(r'"(\w+)"', kind)
            assert told == [str(option.value) for option in options]  # type: ignore[attr-defined]


def test_the_page_names_every_key_of_bots_and_partnerships_with_its_default() -> None:
    values: Any = effective(config())
    told = told_defaults("### `[bots.NAME]`")
    mine = values["bots"][0]
    assert set(told) == set(mine) - {"name"}
    assert {key: mine[key] for key in told if key != "command"} == {
        key: default for key, default in told.items() if key != "command"
    }
    assert told_defaults("### `[[partnerships]]`") == {
        "name": "required",
        "bots": "required",
        "owner": "none",
    }


def test_the_example_of_the_page_and_the_demo_are_configurations() -> None:
    assert [entry.name for entry in config().partnerships] == ["Mine", "Theirs", "Mixed"]
    assert load_config(FOLDER / "demo" / "config.toml").event.id == "demo"


@pytest.mark.parametrize("row", rows("## When something is wrong"), ids=lambda row: str(row[1]))
def test_a_mistake_is_told_as_the_page_says(row: list[str]) -> None:
    section, written, told = (cell.strip("`") for cell in row)
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    if f"[{section}]" in text:
        text = text.replace(f"[{section}]\n", f"[{section}]\n{written}\n")
    else:
        text += f"\n[{section}]\n{written}\n"
    with pytest.raises(ConfigError) as caught:
        parse_config(text, path=Path("friday.toml"))
    assert re.fullmatch(r"friday\.toml:\d+: (.*)", str(caught.value))
    assert str(caught.value).split(": ", 1)[1] == told
