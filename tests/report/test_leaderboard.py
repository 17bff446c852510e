from __future__ import annotations

import csv
import io
import json
import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from referee.engine import Rules
from referee.report import (
    CSV_COLUMNS,
    Format,
    leaderboard_schema,
    render,
    visible,
    write_leaderboards,
)
from referee.report.names import name_texts, printed_width
from referee.tourney import NotStarted, Standings

NAMES = {
    "plain": "Careful pair",
    "digits": "007",
    "exponent": "1e5",
    "nan": "nan",
    "inf": "-inf",
    "commit": "42924e28",
    "pipe": "a|b",
    "pipe after a backslash": "a\\|b",
    "backslash at the end": "a\\",
    "backtick": "`a``b`",
    "link": "[a](http://example.org)",
    "image": "![a](b.png)",
    "address": "www.example.org",
    "html": "<script>alert(1)</script><br>",
    "entity": "&amp;&#124;",
    "mention": "@admin",
    "issue": "#1",
    "issue elsewhere": "GH-12",
    "heading": "# a",
    "emphasis": "*a* _b_ ~~c~~",
    "formula": "$x$",
    "list": "- a",
    "rule": "---",
    "spreadsheet": "=1+1",
    "spreadsheet at": "@SUM(1)",
    "spreadsheet tab": "\t=1",
    "apostrophe": "'a",
    "quote and comma": '"a",b',
    "chinese": "漢字隊",
    "family": "👩‍👩‍👧 pair",
    "right to left": "שלום עולם",
    "combining": "e\u0301e\u0301",
    "long": "x" * 5000,
    "long and wide": "漢" * 60,
    "terminal": "\x1b]0;owned\x07\x1b[2J",
    "line ends": "a\r\nb",
    "override": "\u202eevil",
    "blank": "\u3164",
    "empty": "",
    "spaces": "  a  ",
    "template": "{{a}} %s {0}",
    "rich markup": "[red]a[/red]",
}

ANY_NAME = st.text(st.characters(codec=None), max_size=60) | st.text(
    st.sampled_from("ab|`\\@#<>&*_[]()!~$-+=' \"1\n\x1b漢ש👩\u200d\u202e"), max_size=12
)


def hostile(event: Any, name: str) -> Any:
    """An event in which a name stands wherever a name can stand; a plan keeps names in NFC."""
    name = unicodedata.normalize("NFC", name)
    return event(
        names=("Zed", name, "Other"),
        event_name=name,
        fault_rate=0.1,
        out=[name],
        not_reproducible=[name],
        not_started=[NotStarted("Third", name), NotStarted("Fourth", f"no hello from {name}")],
    )


def rendered(event: Any, format: Format) -> str:
    return render(event.standings(), event.meta(), format)


def markdown_tables(text: str) -> list[list[list[str]]]:
    """The tables that a reader of GitHub Markdown sees: the text of each cell, rows, tables."""
    tables: list[list[list[str]]] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type == "inline" and tables and token.level >= 4:
            tables[-1][-1].append(inline_text(token))
    return tables


def inline_text(token: Token) -> str:
    """The text of a cell or paragraph; anything but text and code fails."""
    children = token.children or []
    assert {child.type for child in children} <= {"text", "code_inline", "text_special"}, token
    return "".join(child.content for child in children)


def bare(text: str) -> str:
    return re.sub("[\u200b\u2068\u2069]", "", text)


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("case", NAMES)
def test_any_name_leaves_the_page_clean(event: Any, case: str, format: Format) -> None:
    text = rendered(hostile(event, NAMES[case]), format)
    end = "\r\n" if format is Format.CSV else "\n"
    assert text.endswith(end) and not text.endswith(end * 2)
    body = text.replace(end, "")
    assert all(letter.isprintable() or letter in "\n\u200d\u2068\u2069" for letter in body)
    text.encode()


@pytest.mark.parametrize("case", NAMES)
def test_any_name_stands_in_its_column_of_text(event: Any, case: str) -> None:
    standings = hostile(event, NAMES[case]).standings()
    lines = render(standings, event().meta(), Format.TEXT).splitlines()
    rule = next(place for place, line in enumerate(lines) if line.startswith("-----"))
    start = len(lines[rule].split("  ")[0]) + 2
    shown = name_texts([row.name for row in standings.rows], columns=40)
    for row, name, line in zip(standings.rows, shown, lines[rule + 1 :], strict=False):
        assert line[start:].startswith(name)
        assert printed_width(line) == printed_width(lines[rule])
        assert f" {100 * (row.win_share or 0):.1f} " in line[start + len(name) :]


@pytest.mark.parametrize("case", NAMES)
def test_any_name_is_only_itself_in_markdown(event: Any, case: str) -> None:
    name = NAMES[case]
    standings = hostile(event, name).standings()
    text = render(standings, event().meta(), Format.MARKDOWN)
    main, faults, not_started = markdown_tables(text)
    assert {len(cells) for cells in main} == {10}
    assert [bare(cells[1]) for cells in main[1:]] == [visible(row.name) for row in standings.rows]
    assert {len(cells) for cells in faults} == {7}
    assert [bare(cells[1]) for cells in not_started[1:]] == [
        visible(entry.reason) for entry in standings.not_started
    ]


@pytest.mark.parametrize("case", NAMES)
def test_no_sentence_of_markdown_is_more_than_text(event: Any, case: str) -> None:
    standings = hostile(event, NAMES[case]).standings()
    text = render(standings, event().meta(), Format.MARKDOWN)
    tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text)
    said = [bare(inline_text(token)) for token in tokens if token.type == "inline"]
    for sentence in (*standings.words, *standings.stamps):
        prefix, _, _rest = sentence.partition(": ")
        assert any(line.startswith(prefix) for line in said)
    assert {token.type.split("_")[0] for token in tokens} <= {
        "heading", "table", "thead", "tbody", "tr", "th", "td", "inline", "paragraph",
        "bullet", "list",
    }  # fmt: skip


ACTIVE = {
    "@mention": r"(?<![\w`])@\w",
    "#issue": r"(?<![\w`])#\d",
    "GH-issue": r"\bGH-\d",
    "commit": r"\b[0-9a-f]{7,40}\b",
    "address": r"\bwww\.|\w://",
}


@pytest.mark.parametrize("signs", ACTIVE)
@pytest.mark.parametrize("case", NAMES)
def test_github_finds_nothing_to_link_outside_code(event: Any, case: str, signs: str) -> None:
    text = rendered(hostile(event, NAMES[case]), Format.MARKDOWN)
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token in tokens:
        for child in token.children or []:
            if child.type == "text":
                assert not re.search(ACTIVE[signs], child.content)


@pytest.mark.parametrize("case", NAMES)
def test_any_name_is_whole_and_harmless_in_csv(event: Any, case: str) -> None:
    name = NAMES[case]
    standings = hostile(event, name).standings()
    text = render(standings, event().meta(), Format.CSV)
    header, *lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    assert tuple(header) == CSV_COLUMNS
    assert {len(line) for line in lines} == {len(CSV_COLUMNS)}
    expected = [row.name for row in standings.rows] + ["Fourth", "Third"]
    for line, name in zip(lines, expected, strict=True):
        cell = line[CSV_COLUMNS.index("partnership")]
        assert cell.removeprefix("'") == (visible(name) if name else "")
        assert cell[:1] not in ("=", "+", "-", "@", "\t", "\r")
        figures = [field for field in line if re.fullmatch(r"[-+=@].*", field)]
        assert all(re.fullmatch(r"-\d+\.\d{6}", figure) for figure in figures)


@pytest.mark.parametrize("case", NAMES)
def test_any_name_is_exact_in_json(event: Any, case: str) -> None:
    standings = hostile(event, NAMES[case]).standings()
    data = json.loads(render(standings, event().meta(), Format.JSON))
    assert [row["partnership"] for row in data["rows"]] == [row.name for row in standings.rows]
    assert data["stamps"] == list(standings.stamps)
    assert data["words"] == list(standings.words)


@settings(max_examples=60)
@given(name=ANY_NAME)
def test_no_name_breaks_a_table(event: Any, name: str) -> None:
    if name in ("Zed", "Other"):
        return
    described = hostile(event, name)
    standings, meta = described.standings(), described.meta()
    text = render(standings, meta, Format.TEXT).splitlines()
    rule = next(place for place, line in enumerate(text) if line.startswith("-----"))
    assert len({printed_width(line) for line in text[rule : rule + 4]}) == 1
    tables = markdown_tables(render(standings, meta, Format.MARKDOWN))
    names = [bare(cells[1]) for cells in tables[0][1:]]
    assert names == [visible(row.name) for row in standings.rows]
    lines = list(csv.reader(io.StringIO(render(standings, meta, Format.CSV), newline="")))
    assert {len(line) for line in lines} == {len(CSV_COLUMNS)}
    data = json.loads(render(standings, meta, Format.JSON))
    assert [row["partnership"] for row in data["rows"]] == [row.name for row in standings.rows]


EVENTS: dict[str, dict[str, Any]] = {
    "finished": {},
    "finished with faults": {"fault_rate": 0.1},
    "nothing scored": {"scored": 0},
    "some rounds scored": {"scored": 3},
    "ten of twelve rounds": {"scored": 10},
    "one round": {"rounds": 1, "scored": 1},
    "all equal": {"equal": True},
    "shared wins": {"shared": True},
    "one wins everything": {"favourite": 9.0},
    "many": {"names": tuple(f"Pair {n}" for n in range(9)), "favourite": 0.1},
    "nobody started but three": {"not_started": [NotStarted("Late pair", "no hello in 10000 ms")]},
    "out": {"out": ["Bold pair"], "stamps": ()},
    "default rules": {"rules": Rules()},
}


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("case", EVENTS)
def test_no_figure_is_nan_inf_or_plus_minus_nothing(event: Any, case: str, format: Format) -> None:
    text = rendered(event(**EVENTS[case]), format)
    assert not re.search(r"\bnan\b|\binf\b|\bNone\b|NaN|Infinity|\+- 0(\.0*)?\b|-0\.0+\b", text)


@pytest.mark.parametrize("case", EVENTS)
def test_the_json_leaderboard_keeps_its_published_schema(event: Any, case: str) -> None:
    data = json.loads(rendered(event(**EVENTS[case]), Format.JSON))
    schema = json.loads(leaderboard_schema())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.Draft202012Validator(schema).validate(data)


def test_every_key_of_the_json_leaderboard_is_in_the_schema(event: Any) -> None:
    data = json.loads(rendered(event(not_started=[NotStarted("a", "b")]), Format.JSON))
    schema = json.loads(leaderboard_schema())
    assert set(data) == set(schema["properties"]) == set(schema["required"])
    row = schema["$defs"]["row"]
    assert set(data["rows"][0]) == set(row["properties"]) == set(row["required"])
    for part in ("event", "not_started"):
        inner = data[part] if part == "event" else data[part][0]
        described = schema["properties"][part]
        assert set(inner) == set(described.get("items", described)["properties"])


@pytest.mark.parametrize("format", Format)
@pytest.mark.parametrize("case", EVENTS)
def test_stamps_stand_in_every_format(event: Any, case: str, format: Format) -> None:
    described = event(**EVENTS[case])
    text = rendered(described, format)
    for stamp in described.standings().stamps:
        assert stamp in text


@pytest.mark.parametrize("format", Format)
def test_the_page_says_what_it_was_made_from(event: Any, format: Format) -> None:
    described = event(scored=10)
    text = rendered(described, format)
    for fact in ("Demo league", described.meta().commitment.hex(), "final_tie", "max_hands"):
        assert fact in text
    assert "low_point" not in text or format is Format.JSON


@pytest.mark.parametrize("format", Format)
def test_the_master_is_shown_when_the_run_is_closed(event: Any, format: Format) -> None:
    described = event()
    assert described.meta().master.hex() in rendered(described, format)


@pytest.mark.parametrize("format", Format)
def test_the_master_of_an_open_run_is_refused(event: Any, format: Format) -> None:
    with pytest.raises(ValueError, match="not closed"):
        render(event(scored=10).standings(), event().meta(), format)


@pytest.mark.parametrize("format", [Format.TEXT, Format.MARKDOWN])
def test_what_is_not_scored_is_said(event: Any, format: Format) -> None:
    assert "10 of 12 rounds, 60 of 72 games; the rest is not yet scored" in rendered(
        event(scored=10), format
    )
    assert "0 of 12 rounds, 0 of 72 games; not yet scored" in rendered(event(scored=0), format)
    assert "not yet scored" not in rendered(event(), format)


def test_rows_without_a_score_say_so_in_csv(event: Any) -> None:
    lines = csv.DictReader(io.StringIO(rendered(event(scored=0), Format.CSV)))
    assert {line["status"] for line in lines} == {"not yet scored"}


@pytest.mark.parametrize("format", [Format.TEXT, Format.MARKDOWN])
def test_equal_wins_and_margin_are_printed_as_equal(event: Any, format: Format) -> None:
    text = rendered(event(equal=True), format)
    assert len(re.findall("1-3 =", text)) == 2
    assert "those of the row above" in text
    assert "row above" not in rendered(event(), format)


@pytest.mark.parametrize("format", [Format.TEXT, Format.MARKDOWN])
def test_faults_by_kind_have_a_table_when_there_are_any(event: Any, format: Format) -> None:
    assert "Faults by kind" in rendered(event(fault_rate=0.2), format)
    assert "Faults by kind" not in rendered(event(), format)


@pytest.mark.parametrize("format", Format)
def test_shuffled_records_give_the_same_bytes(event: Any, format: Format) -> None:
    described = event(fault_rate=0.1)
    again = event(fault_rate=0.1)
    assert rendered(described, format) == rendered(again, format)


@pytest.mark.parametrize("format", Format)
def test_the_synthetic_event_looks_as_it_was_reviewed(
    event: Any, golden: Callable[[str, bytes], None], format: Format
) -> None:
    described = event(
        names=("Careful pair", "a|b `c`", "漢字 👩‍👩‍👧", "=שלום", "42924e28"),
        fault_rate=0.01,
        shared=True,
        not_started=[NotStarted("Late pair", "no hello within 10000 ms, twice")],
        not_reproducible=["a|b `c`"],
        out=["42924e28"],
    )
    golden(format.file_name, rendered(described, format).encode())


def test_leaderboards_are_written_whole_in_four_files(event: Any, tmp_path: Path) -> None:
    described = event()
    for _ in range(2):
        texts = write_leaderboards(tmp_path, described.standings(), described.meta())
    assert {path.name for path in tmp_path.iterdir()} == {format.file_name for format in Format}
    for format in Format:
        assert texts[format] == rendered(described, format)
        assert (tmp_path / format.file_name).read_bytes() == texts[format].encode()


def test_nothing_is_written_when_a_format_cannot_be_rendered(event: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not closed"):
        write_leaderboards(tmp_path, event(scored=1).standings(), event().meta())
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_format_is_refused(event: Any) -> None:
    with pytest.raises(ValueError, match="html"):
        render(event().standings(), event().meta(), "html")


def test_rows_are_printed_in_the_order_of_the_standings(event: Any) -> None:
    standings: Standings = event(names=("Zed", "Alpha", "Mid", "Beta")).standings()
    text = render(standings, event().meta(), Format.TEXT)
    places = [text.index(row.name) for row in standings.rows]
    assert all(first < second for first, second in pairwise(places))
