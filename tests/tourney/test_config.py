"""What a configuration file may say: every mistake is one line with file, line, key and cure."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.engine import GameTie, Rules
from referee.errors import ConfigError
from referee.tourney import (
    Config,
    effective,
    load_config,
    load_effective,
    parse_config,
    resolve_commands,
)

EVENTS = Path(__file__).parents[2] / "tournaments"

DEMO = Path(__file__).parents[2] / "tournaments" / "demo" / "config.toml"

TEXT = """\
[event]
id = "cup"
name = "Cup"
rounds = 20

[limits]
decision_ms = 1000

[bots.one]
command = ["{python}", "one.py"]

[bots.two]
command = ["./two", "-v"]

[[partnerships]]
name = "Pair one"
bots = ["one"]

[[partnerships]]
name = "Mixed pair"
bots = ["one", "two"]

[[partnerships]]
name = "Pair two"
bots = ["two"]
"""


def config_of(text: str) -> Config:
    return parse_config(text, path=Path("/games/cup.toml"))


def mistake_in(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config_of(text)
    told = str(caught.value)
    assert "\n" not in told
    assert told.startswith("/games/cup.toml:")
    return told.removeprefix("/games/cup.toml:")


def test_a_design_that_the_field_cannot_have_is_told_with_what_it_can() -> None:
    fourth = '[[partnerships]]\nname = "Fourth"\nbots = ["two"]\n'
    text = instead("rounds = 20", 'design = "balanced"')
    assert config_of(text).event.design == "balanced"
    assert mistake_in(text + fourth) == (
        '4: [event] design cannot be "balanced": a balanced round is for 3, 7, 9, 13, 15, 19 ... '
        "entrants, not for 4; the next are 3 and 7"
    )


@pytest.mark.parametrize("event", ["demo", "ladder"])
def test_the_events_of_the_repository_are_right(event: str) -> None:
    config = load_config(EVENTS / event / "config.toml")
    assert config.event.id == event
    assert set(resolve_commands(config)) == {bot.name for bot in config.bots}


def instead(old: str, new: str) -> str:
    assert TEXT.count(old) >= 1
    return TEXT.replace(old, new, 1)


def test_defaults_are_filled_in() -> None:
    config = config_of(TEXT)
    assert (config.event.id, config.event.name, config.event.rounds) == ("cup", "Cup", 20)
    assert config.event.seed is None
    assert (config.event.design, config.event.leg_rounds) == ("auto", 10)
    assert config.event.tables is None
    assert config.event.clock_slots is None
    assert config.event.processes == 64
    assert (config.limits.start_ms, config.limits.stop_ms) == (10_000, 1000)
    assert config.limits.faults_per_game == 3
    assert config.rules == Rules()
    assert [bot.name for bot in config.bots] == ["one", "two"]
    assert config.bot("one").directory == Path("/games")
    assert config.bot("two").command == ("./two", "-v")
    assert [pair.bots for pair in config.partnerships] == [
        ("one", "one"),
        ("one", "two"),
        ("two", "two"),
    ]


def test_all_that_can_be_set_is_taken() -> None:
    config = config_of(
        TEXT.replace(
            "rounds = 20",
            'rounds = 3\nseed = "0"\ndesign = "cyclic"\nleg_rounds = 2\n'
            'tables = 8\nclock_slots = 4\nprocesses = 12\n[rules]\ngame_tie = "bidder"\n'
            "set_keeps_points = true\ntarget_score = 11",
        )
        .replace(
            '"-v"]', '"-v"]\ndirectory = "x/y"\nfiles = ["m"]\nthreads = 4\nenv = {B="", A="1"}'
        )
        .replace('bots = ["two"]', 'bots = ["two"]\nowner = "Ada"')
    )
    event, two = config.event, config.bot("two")
    assert (event.seed, event.design, event.rounds, event.leg_rounds) == ("0", "cyclic", 3, 2)
    assert (event.tables, event.clock_slots, event.processes) == (8, 4, 12)
    assert config.rules == Rules(game_tie=GameTie.BIDDER, set_keeps_points=True, target_score=11)
    assert two.directory == Path("/games/x/y")
    assert (two.files, two.env, two.threads) == (("m",), (("A", "1"), ("B", "")), 4)
    assert config.partnerships[2].owner == "Ada"


def test_the_demo_league_can_be_read_and_has_the_names_the_vectors_use() -> None:
    config = load_config(DEMO)
    assert (config.event.id, config.event.seed, config.event.rounds) == ("demo", "demo", 20)
    assert len(config.partnerships) == 4
    assert config.partnerships[0].name == "Careful pair"
    assert any(first != second for first, second in (pair.bots for pair in config.partnerships))


MISTAKES = {
    "misspelled key": (
        "decision_ms = 1000",
        "decison_ms = 5",
        "7: [limits] decison_ms is an unknown key; did you mean decision_ms?",
    ),
    "another word for a key": (
        "decision_ms = 1000",
        "tiemout_ms = 5",
        "7: [limits] tiemout_ms is an unknown key; did you mean decision_ms?",
    ),
    "key of another section": (
        "decision_ms = 1000",
        "rounds = 5",
        "7: [limits] rounds is an unknown key; it belongs in [event]",
    ),
    "key before all sections": (
        "[event]",
        "decision_ms = 5\n[event]",
        "1: decision_ms is an unknown key; it belongs in [limits]",
    ),
    "key like no other": (
        "decision_ms = 1000",
        '"a b" = 5',
        '7: [limits] "a b" is an unknown key; known here: decision_ms, start_ms, stop_ms, '
        "faults_per_game",
    ),
    "misspelled section": (
        "[limits]",
        "[limit]",
        "6: [limit] is an unknown section; did you mean [limits]?",
    ),
    "misspelled list of tables": (
        '[[partnerships]]\nname = "Pair two"',
        '[[partnership]]\nname = "Pair two"',
        "23: [partnership] is an unknown section; did you mean [[partnerships]]?",
    ),
    "missing key": (
        'id = "cup"\n',
        "",
        '1: [event] id is missing; write id = "my-league"',
    ),
    "missing key that is there misspelled": (
        'id = "cup"',
        'idd = "cup"',
        "2: [event] idd is an unknown key; did you mean id?",
    ),
    "list for a section": (
        "[limits]",
        "[[limits]]",
        "6: limits must be a table headed [limits], is a list",
    ),
    "no limit": ("1000", "0", "7: [limits] decision_ms must be > 0, is 0"),
    "negative limit": ("1000", "-5", "7: [limits] decision_ms must be > 0, is -5"),
    "limit beyond a day": (
        "1000",
        "86400001",
        "7: [limits] decision_ms must be from 1 to 86400000, is 86400001",
    ),
    "number in quotes": (
        "1000",
        '"1000"',
        '7: [limits] decision_ms must be a whole number without quotes, is "1000"',
    ),
    "number with a fraction": (
        "1000",
        "1e3",
        "7: [limits] decision_ms must be a whole number without quotes, is 1000.0",
    ),
    "endless number": (
        "1000",
        "inf",
        "7: [limits] decision_ms must be a whole number without quotes, is inf",
    ),
    "true for a number": (
        "1000",
        "true",
        "7: [limits] decision_ms must be a whole number without quotes, is true",
    ),
    "seed as a number": (
        "rounds = 20",
        "seed = 0",
        '4: [event] seed must be text in quotes, is 0; write seed = "0"',
    ),
    "seed as a boolean": (
        "rounds = 20",
        "seed = false",
        '4: [event] seed must be text in quotes, is false; write seed = "false"',
    ),
    "empty seed": (
        "rounds = 20",
        'seed = ""',
        "4: [event] seed must not be empty; leave the key out instead",
    ),
    "boolean in quotes": (
        "[limits]",
        '[rules]\nset_keeps_points = "false"\n[limits]',
        '7: [rules] set_keeps_points must be true or false without quotes, is "false"',
    ),
    "unknown option of a rule": (
        "[limits]",
        '[rules]\ngame_tie = "bider"\n[limits]',
        '7: [rules] game_tie must be one of "none", "bidder", "all_tied", is "bider"; '
        'did you mean "bidder"?',
    ),
    "rule out of range": (
        "[limits]",
        "[rules]\ntarget_score = 1001\n[limits]",
        "7: [rules] target_score must be a whole number 1..1000, is 1001",
    ),
    "design that is not built": (
        "rounds = 20",
        'design = "swiss"',
        '4: [event] design must be one of "auto", "cyclic", "balanced", "full", is "swiss"',
    ),
    "tables by another word": (
        "rounds = 20",
        'tables = "all"',
        '4: [event] tables must be a whole number or "auto", is "all"',
    ),
    "fewer processes than seats": (
        "rounds = 20",
        "processes = 5",
        "4: [event] processes must be from 6 to 65536, is 5",
    ),
    "id that is no folder name": (
        '"cup"',
        '"My Cup!"',
        '2: [event] id must be 1 to 64 characters of a-z, 0-9 and -, is "My Cup!"; '
        'write id = "my-cup"',
    ),
    "id with a line end": (
        '"cup"',
        '"cup\\n"',
        '2: [event] id must be 1 to 64 characters of a-z, 0-9 and -, is "cup\\n"; write id = "cup"',
    ),
    "empty name": ('"Cup"', '" "', "3: [event] name must not be empty"),
    "name too long": (
        '"Pair one"',
        f'"{"x" * 65}"',
        "16: [[partnerships]] name must have at most 64 characters, has 65",
    ),
    "control character in a name": (
        '"Pair one"',
        '"a\\u001bb"',
        "16: [[partnerships]] name must hold no control or invisible character, "
        'has U+001B in "a\\u001bb"',
    ),
    "text that runs backwards in a name": (
        '"Pair one"',
        '"a\\u202eb"',
        "16: [[partnerships]] name must hold no control or invisible character, "
        'has U+202E in "a\\u202eb"',
    ),
    "space that is none": (
        '"Pair one"',
        '"a\\u00a0b"',
        '16: [[partnerships]] name must hold plain spaces only, has U+00A0 in "a\u00a0b"',
    ),
    "space at the end of a name": (
        '"Pair one"',
        '"a "',
        '16: [[partnerships]] name must not begin or end with a space, is "a "',
    ),
    "control character in a bot's name": (
        "[bots.two]",
        '[bots."t\\two"]',
        '12: [bots."t\\two"] a bot\'s name must hold no control or invisible character, '
        'has U+0009 in "t\\two"',
    ),
    "name twice": (
        '"Mixed pair"',
        '"Pair one"',
        '20: [[partnerships]] name is there twice: "Pair one"',
    ),
    "command as one text": (
        '["./two", "-v"]',
        "\"./two 'a b'\"",
        "13: [bots.two] command must be a list of texts, is \"./two 'a b'\"; "
        'write command = ["./two", "a b"]',
    ),
    "command without a program": (
        '["./two", "-v"]',
        "[]",
        "13: [bots.two] command has no program; that comes first",
    ),
    "command with a number": (
        '["./two", "-v"]',
        '[\n"./two",\n5]',
        '15: [bots.two] command must hold texts in quotes, not 5; write "5"',
    ),
    "bot without a command": (
        'command = ["./two", "-v"]',
        "threads = 1",
        '12: [bots.two] command is missing; write command = ["{python}", "my_bot.py"]',
    ),
    "no bot but a value": (
        "[bots.two]",
        "[bots]\nthree = 3\n[bots.two]",
        "13: [bots.three] is no bot: a bot is a table headed [bots.NAME], with its command",
    ),
    "variable that is a number": (
        '"-v"]',
        '"-v"]\nenv = { LEVEL = 3 }',
        '14: [bots.two] env LEVEL must be text in quotes, is 3; write LEVEL = "3"',
    ),
    "variable the referee gives": (
        '"-v"]',
        '"-v"]\n[bots.two.env]\nA = "1"\nSCHMIER_TOKEN = "x"',
        "16: [bots.two] env must not set SCHMIER_TOKEN, which the referee gives; "
        "name yours otherwise",
    ),
    "more threads than clock slots": (
        "rounds = 20",
        "clock_slots = 2\n[bots.three]\nthreads = 3\ncommand = ['x']",
        "6: [bots.three] threads is 3, more than the 2 clock slots; lower it, or play where more "
        "cores may be used",
    ),
    "unknown bot": (
        '["one", "two"]',
        '["one", "tow"]',
        '21: [[partnerships]] bots names the unknown bot "tow"; did you mean "two"?',
    ),
    "unknown bot like no other": (
        '["one", "two"]',
        '["one", "x"]',
        '21: [[partnerships]] bots names the unknown bot "x"; write [bots.x] or name another',
    ),
    "bot that is a text": (
        '["one", "two"]',
        '"one"',
        '21: [[partnerships]] bots must be a list of texts, is "one"; write bots = ["one"]',
    ),
    "three bots in a partnership": (
        '["one", "two"]',
        '["one", "two", "one"]',
        "21: [[partnerships]] bots must hold one or two bots, holds 3",
    ),
    "bot nobody plays": (
        "[[partnerships]]",
        '[bots.three]\ncommand = ["x"]\n[[partnerships]]',
        "15: [bots.three] is in no partnership; name it in one or take it out",
    ),
    "two partnerships": (
        '[[partnerships]]\nname = "Pair two"\nbots = ["two"]\n',
        "",
        "19: [[partnerships]] must be 3 or more, are 2; head each with [[partnerships]]",
    ),
    "key twice": (
        "rounds = 20",
        "rounds = 20\nrounds = 20",
        "5: not valid TOML: Cannot overwrite a value; a key or table is there twice (column 12)",
    ),
    "no value": ("20", "", "4: not valid TOML: Invalid value (column 10)"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_with_line_key_and_cure(case: str) -> None:
    old, new, told = MISTAKES[case]
    assert mistake_in(instead(old, new)) == told


def test_an_error_knows_its_file_line_and_key() -> None:
    with pytest.raises(ConfigError) as caught:
        config_of(instead("1000", "-5"))
    error = caught.value
    assert (error.file, error.line, error.key) == ("/games/cup.toml", 7, "[limits] decision_ms")
    assert error.exit_code == 2


def test_of_several_mistakes_the_first_in_the_file_is_told() -> None:
    text = instead("rounds = 20", "rounds = 0").replace("1000", "0").replace('["two"]', '["x"]')
    assert mistake_in(text).startswith("4: [event] rounds")
    swapped = text.replace("[event]", "[limits2]").replace("[limits]", "[event]")
    assert mistake_in(swapped).startswith("1: [limits2]")


def test_names_that_are_one_in_nfc_are_one_name() -> None:
    text = instead('"Pair one"', '"Zoe\u0308"').replace('"Mixed pair"', '"Zo\u00eb"')
    assert mistake_in(text) == '20: [[partnerships]] name is there twice: "Zo\u00eb"'
    bots = TEXT.replace("[bots.one]", '[bots."e\u0301"]').replace("[bots.two]", '[bots."\u00e9"]')
    assert "is there twice, written in two ways" in mistake_in(bots)


def test_a_bot_may_be_named_in_another_normal_form_than_it_is_headed() -> None:
    text = TEXT.replace("[bots.one]", '[bots."e\u0301"]').replace('"one"', '"\u00e9"')
    config = config_of(text)
    assert config.bots[1].name == "\u00e9"
    assert str(config.bots[1].error("x", key="command")).startswith("/games/cup.toml:10:")


@pytest.mark.parametrize("name", ["Émile", "李", "O'Neill | Sons", "[bold]x[/bold]", "=1+1", "nan"])
def test_names_of_all_scripts_and_signs_are_taken_as_they_are(name: str) -> None:
    config = config_of(instead('"Pair one"', json.dumps(name)))
    assert config.partnerships[0].name == name


def test_sections_may_be_written_inline() -> None:
    text = instead('[bots.one]\ncommand = ["{python}", "one.py"]\n', "").replace(
        "[event]", 'bots.one = {command = ["{python}", "one.py"]}\n[event]'
    )
    text = text.replace("[bots.two]\n", "[bots_two]\n")
    assert "[bots_two] is an unknown section" in mistake_in(text)
    inline = (
        'event = {id = "cup", name = "Cup"}\n'
        'bots = {a = {command = ["a"]}}\n'
        'partnerships = [{name = "1", bots = ["a"]}, {name = "2", bots = ["a"]},\n'
        '{name = "3", bots = ["b"]}]\n'
    )
    assert mistake_in(inline).startswith('4: [[partnerships]] bots names the unknown bot "b"')
    assert len(config_of(inline.replace('["b"]', '["a"]')).partnerships) == 3


FILES = {
    "not UTF-8": (b'a = 1\nb = "\xe9"\n', ":2: is not UTF-8 (byte 0xe9); save it as UTF-8"),
    "UTF-16": ("a = 1".encode("utf-16"), ": is UTF-16; save it as UTF-8"),
    "empty": (b"", ': [event] id is missing; write id = "my-league"'),
    "zeros": (b"\0" * 9, ":1: not valid TOML: Invalid statement (column 1)"),
    "cut short": (b'[event]\nname = "Cu', ":2: not valid TOML: Unterminated string: the text ends"),
    "bottomless": (b"a = " + b"[" * 100_000, ": is nested too deeply"),
    "a number without end": (
        b"a = " + b"1" * 10_000,
        ": not valid TOML: a number has too many dig",
    ),
    "too large": (b"#" * (4 * 1024 * 1024 + 1), ": is over 4 MiB: not a configuration"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_configuration_is_told_in_one_line(case: str, tmp_path: Path) -> None:
    data, told = FILES[case]
    path = tmp_path / "c.toml"
    path.write_bytes(data)
    with pytest.raises(ConfigError) as caught:
        load_config(path)
    assert str(caught.value).startswith(f"{path}{told}")
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / "no.toml")
    assert str(caught.value) == f"{tmp_path}/no.toml: no such file"
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path)
    assert str(caught.value) == f"{tmp_path}: is a folder; name the configuration file in it"


def test_windows_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert effective(load_config(path)) == effective(config_of(TEXT))
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").replace("1000", "0").encode())
    with pytest.raises(ConfigError, match=r"c\.toml:7: \[limits\] decision_ms must be > 0, is 0"):
        load_config(path)


def test_the_effective_configuration_is_plain_and_holds_no_place() -> None:
    text = json.dumps(effective(config_of(TEXT)))
    assert "/games" not in text
    assert "{python}" in text
    assert json.loads(text)["event"]["tables"] == "auto"


def written(values: dict[str, Any], *, seed: int) -> str:
    """The effective configuration as a file again, its keys in an order of the seed."""
    shuffled = random.Random(seed)

    def pairs(table: dict[str, Any]) -> str:
        items = [(key, value) for key, value in table.items() if value is not None]
        shuffled.shuffle(items)
        return "".join(f"{json.dumps(key)} = {value_of(value)}\n" for key, value in items)

    def value_of(value: object) -> str:
        if isinstance(value, dict):
            return (
                "{"
                + ", ".join(f"{json.dumps(k)} = {json.dumps(v)}" for k, v in value.items())
                + "}"
            )
        return json.dumps(value)

    sections = [f"[{name}]\n{pairs(values[name])}" for name in ("event", "limits", "rules")]
    for bot in values["bots"]:
        name = json.dumps(bot["name"])
        sections.append(f"[bots.{name}]\n{pairs({k: v for k, v in bot.items() if k != 'name'})}")
    sections.append(
        "".join(f"[[partnerships]]\n{pairs(entry)}" for entry in values["partnerships"])
    )
    shuffled.shuffle(sections)
    return "\n".join(sections)


names = st.text(st.sampled_from("ab é李\"\\'#[]="), min_size=1, max_size=8).filter(
    lambda name: name == name.strip()
)


@given(
    st.lists(names, min_size=2, max_size=4, unique=True),
    st.lists(names, min_size=4, max_size=6, unique=True),
    st.one_of(st.none(), st.text("ab0 ", min_size=1)),
    st.integers(1, 9),
    st.integers(),
)
def test_a_file_written_from_the_effective_configuration_means_the_same(
    bots: list[str], pairs: list[str], seed: str | None, rounds: int, order: int
) -> None:
    values = json.loads(json.dumps(effective(config_of(TEXT))))
    values["event"] |= {"seed": seed, "rounds": rounds, "tables": rounds}
    values["rules"] |= {"max_hands": rounds, "final_tie": "shared"}
    values["bots"] = [
        {"name": name, "command": [name, "", "="], "directory": name, "files": [name]}
        | {"env": {"A B": name}, "threads": rounds}
        for name in sorted(bots)
    ]
    values["partnerships"] = [
        {"name": name, "bots": [bots[number % len(bots)], bots[-1]], "owner": None}
        for number, name in enumerate(pairs)
    ]
    config = config_of(written(values, seed=order))
    assert effective(config) == values
    assert load_effective(effective(config), path=config.path) == config


def test_what_is_no_effective_configuration_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"x: .*id is missing"):
        load_effective({}, path=Path("x"))
    values = effective(config_of(TEXT)) | {"later": 1}
    with pytest.raises(ConfigError, match="later is an unknown key"):
        load_effective(values, path=Path("x"))
