from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.report import visible
from referee.report.names import (
    EMPTY,
    isolated,
    name_texts,
    printed_width,
    shortened,
    visible_line,
    with_names,
)

SHOWN = {
    "plain": ("Careful pair", "Careful pair"),
    "digits": ("007", "007"),
    "chinese": ("漢字", "漢字"),
    "family of four code points": ("👩‍👩‍👧", "👩‍👩‍👧"),
    "flag": ("🇩🇪", "🇩🇪"),
    "keycap": ("1️⃣", "1️⃣"),
    "skin tone": ("👍🏽", "👍🏽"),
    "combining": ("e\u0301", "e\u0301"),
    "persian joiner": ("می\u200cخواهم", "می\u200cخواهم"),
    "right to left": ("שלום", "שלום"),
    "escape": ("a\x1b[31mb", "a\\x1b[31mb"),
    "line ends": ("a\nb\r\tc", "a\\nb\\r\\tc"),
    "c1": ("a\x9bb", "a\\x9bb"),
    "override": ("a\u202eb", "a\\u202eb"),
    "isolate of its own": ("\u2068a\u2069", "\\u2068a\\u2069"),
    "zero width space": ("a\u200bb", "a\\u200bb"),
    "joiner between latin letters": ("a\u200db", "a\\u200db"),
    "joiner at the end": ("漢\u200d", "漢\\u200d"),
    "tag": ("\U000e0041", "\\U000e0041"),
    "byte order mark": ("\ufeffa", "\\ufeffa"),
    "lone surrogate": ("\udc80", "\\udc80"),
    "mark without a base": ("\u0301a", "\\u0301a"),
    "mark on a space": ("a \u0301b", "a \\u0301b"),
    "too many marks": ("a" + "\u0301" * 6, "a" + "\u0301" * 4 + "\\u0301" * 2),
    "empty": ("", EMPTY),
    "a name like the sign for empty": ("\\empty", "\\\\empty"),
    "a name like an escape": ("\\x1b", "\\\\x1b"),
    "only a space": (" ", "\\x20"),
    "outer spaces": (" a ", "\\x20a\\x20"),
    "two spaces": ("a  b", "a \\x20b"),
    "no-break space": ("a\u00a0b", "a\\xa0b"),
    "wide space": ("\u3000", "\\u3000"),
    "hangul filler": ("\u3164", "\\u3164"),
    "braille blank": ("\u2800", "\\u2800"),
    "style selector alone": ("\ufe0f", "\\ufe0f"),
    "no character": ("\ufffe", "\\ufffe"),
}

ANYTHING = st.text(st.characters(codec=None), max_size=30)
SPITEFUL = st.text(
    st.sampled_from("aé\\x1b0 \u00a0\u0301\u200d\u200c\u202e\ufe0f👩👧🏽🇩🇪漢ש\u3164\n\x1b|`\ud800"),
    max_size=12,
)


@pytest.mark.parametrize("case", SHOWN)
def test_a_text_is_shown_with_nothing_hidden(case: str) -> None:
    text, expected = SHOWN[case]
    assert visible(text) == expected


@given(ANYTHING | SPITEFUL)
def test_what_is_shown_has_no_control_no_direction_and_no_line_end(text: str) -> None:
    shown = visible(text)
    categories = {unicodedata.category(letter) for letter in shown if letter not in "\u200c\u200d"}
    assert not categories & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert shown.strip() == shown != ""
    assert printed_width(shown) > 0
    shown.encode()


@given(ANYTHING | SPITEFUL, ANYTHING | SPITEFUL)
def test_different_texts_are_shown_differently(first: str, second: str) -> None:
    assert (visible(first) == visible(second)) == (first == second)


@given(SPITEFUL)
def test_an_added_hidden_sign_is_seen(text: str) -> None:
    for sign in ("\u200b", "\u202e", "\x00", " ", "\u200d"):
        assert visible(text + sign) != visible(text)


@given(ANYTHING | SPITEFUL, st.integers(2, 20))
def test_a_shortened_text_fits_and_is_the_start_of_the_whole(text: str, columns: int) -> None:
    short = shortened(text, columns=columns)
    assert printed_width(short) <= columns
    whole = visible(text)
    assert short == whole or (short.endswith("…") and whole.startswith(short[:-1]))


def test_a_cut_leaves_no_half_of_an_emoji_or_an_escape() -> None:
    assert shortened("a👩‍👩‍👧👩‍👩‍👧", columns=4) == "a👩‍👩‍👧…"
    assert shortened("ab\u202ecd", columns=6) == "ab…"


def test_names_that_a_cut_would_make_alike_stay_whole() -> None:
    names = ["x" * 50 + "1", "x" * 50 + "2", "y" * 50]
    assert name_texts(names, columns=10) == [names[0], names[1], "y" * 9 + "…"]


@pytest.mark.parametrize("name", ["שלום", "a שלום", "مرحبا", "x\u0661"])
def test_a_name_with_right_to_left_letters_is_isolated(name: str) -> None:
    assert isolated(name) == f"\u2068{name}\u2069"


@pytest.mark.parametrize("name", ["Careful pair", "漢字", "é", "1-2", "👩‍👩‍👧"])
def test_other_names_need_no_isolation(name: str) -> None:
    assert isolated(name) == name


SENTENCES = {
    "winner": ("Winner: A.", "Winner: <A>."),
    "leaders": ("Co-leaders: A, B, c, d.", "Co-leaders: <A>, <B>, <c, d>."),
    "siblings": (
        "siblings together: A, B (same owner)",
        "siblings together: <A>, <B> (same owner)",
    ),
    "stamp": ("not reproducible: A", "not reproducible: <A>"),
    "a name inside a word is left alone": (
        "No one is separated: All A",
        "No one is separated: All A",
    ),
    "the longer name wins": ("Winner: A, B.", "Winner: <A>, <B>."),
    "no name": ("deals known", "deals known"),
    "a name with dots": ("out before the end: x.y.", "out before the end: <x.y.>"),
}


@pytest.mark.parametrize("case", SENTENCES)
def test_names_in_a_sentence_are_found_at_their_places(case: str) -> None:
    sentence, expected = SENTENCES[case]
    names = ["A", "B", "c, d", "x.y."]
    found = with_names(sentence, names, name=lambda name: f"<{name}>", prose=lambda text: text)
    assert found == expected


@given(SPITEFUL, st.lists(SPITEFUL, max_size=3))
def test_a_sentence_is_shown_whole_whatever_the_names(text: str, names: list[str]) -> None:
    shown = with_names(f"out: {text}", names, name=visible, prose=visible)
    assert shown.startswith("out: ") or text.strip(" ") == ""
    shown.encode()


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("    raise ValueError(1)  # why", "    raise ValueError(1)  # why"),
        ("", ""),
        ("  \x1b[2J", "  \\x1b[2J"),
        ("a\tb", "a\\tb"),
    ],
)
def test_a_line_of_output_keeps_its_spaces_and_hides_nothing(line: str, shown: str) -> None:
    assert visible_line(line) == shown
