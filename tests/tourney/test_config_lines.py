"""Where the keys of a TOML text stand: against written-out cases and against generated texts."""

from __future__ import annotations

import json
import tomllib
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tourney.toml_lines import Place, find_lines

CASES: dict[str, tuple[str, dict[Place, int]]] = {
    "tables and comments": (
        '# a = 1\n\n[a] # [b]\nx = 1 # y = 2\n\n[a.b]\ny = \'#\'\nz = "# \\" #"\nw = 1\n',
        {
            ("a",): 3,
            ("a", "x"): 4,
            ("a", "b"): 6,
            ("a", "b", "y"): 7,
            ("a", "b", "z"): 8,
            ("a", "b", "w"): 9,
        },
    ),
    "arrays of tables": (
        "[[p]]\nn = 1\n[p.q]\nm = 1\n[[p]]\n\nn = 2\n[[p.r]]\nk = 1\n[[p.r]]\nk = 2\n",
        {
            ("p",): 1,
            ("p", 0): 1,
            ("p", 0, "n"): 2,
            ("p", 0, "q"): 3,
            ("p", 0, "q", "m"): 4,
            ("p", 1): 5,
            ("p", 1, "n"): 7,
            ("p", 1, "r"): 8,
            ("p", 1, "r", 0): 8,
            ("p", 1, "r", 0, "k"): 9,
            ("p", 1, "r", 1): 10,
            ("p", 1, "r", 1, "k"): 11,
        },
    ),
    "dotted and quoted keys": (
        'a . b = 1\na."c d" = 2\n\'x.y\'.z = 3\n[ "q\\u0041" . r ]\ns = 1\n',
        {
            ("a",): 1,
            ("a", "b"): 1,
            ("a", "c d"): 2,
            ("x.y",): 3,
            ("x.y", "z"): 3,
            ("qA",): 4,
            ("qA", "r"): 4,
            ("qA", "r", "s"): 5,
        },
    ),
    "strings over several lines": (
        'a = """\nb = 1\n\\"""\n""""\nc = \'\'\'\n[d]\n\'\'\'\'\'\ne = ""\nf = \'\'\n',
        {("a",): 1, ("c",): 5, ("e",): 8, ("f",): 9},
    ),
    "arrays over several lines": (
        "a = [ # [\n  1,\n  [2, 'x]'], # ]\n  {b = 3},\n]\nc = [\n]\nd = 1\n",
        {
            ("a",): 1,
            ("a", 0): 2,
            ("a", 1): 3,
            ("a", 1, 0): 3,
            ("a", 1, 1): 3,
            ("a", 2): 4,
            ("a", 2, "b"): 4,
            ("c",): 6,
            ("d",): 8,
        },
    ),
    "inline tables": (
        "a = {}\nb = { c = 1, 'd}' = { e = [\n1] } }\nf = 1979-05-27 07:32:00\ng = -inf\n",
        {
            ("a",): 1,
            ("b",): 2,
            ("b", "c"): 2,
            ("b", "d}"): 2,
            ("b", "d}", "e"): 2,
            ("b", "d}", "e", 0): 3,
            ("f",): 4,
            ("g",): 5,
        },
    ),
    "Windows line ends": ("[a]\r\n\r\nb = 1\r\n", {("a",): 1, ("a", "b"): 3}),
    "no line end at the end": ("a = 1\nb = 2 # end", {("a",): 1, ("b",): 2}),
    "nothing": ("# nothing\n", {}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_key_is_found_on_its_line(case: str) -> None:
    text, lines = CASES[case]
    tomllib.loads(text)
    assert find_lines(text) == lines


Tree: TypeAlias = "dict[str, Tree] | list[Tree] | str | int | bool"

KEYS = st.text(st.sampled_from("ab.-_#[]={}'\"\\\n é"), max_size=4)
LEAVES = st.one_of(
    st.integers(-9, 9), st.booleans(), st.text(st.sampled_from("a#\"'\\\n[]{},="), max_size=6)
)
TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)


class Writer:
    """Writes a tree as TOML in ways that the choices pick, and notes where it put each key."""

    def __init__(self, choices: list[int]) -> None:
        self.text = ""
        self.lines: dict[Place, int] = {}
        self._choices = choices

    def document(self, tree: dict[str, Tree]) -> None:
        tables: list[tuple[Place, Tree]] = []
        self._pairs((), tree, tables)
        while tables:
            place, table = tables.pop(0)
            assert isinstance(table, dict)
            self._blank()
            is_entry = isinstance(place[-1], int)
            keys = [str(key) for key in place if isinstance(key, str)]
            head = ".".join(self._key(key) for key in keys)
            self._note(place[:-1] if is_entry else place)
            self._note(place)
            self.text += f"[[{head}]]\n" if is_entry else f"[{head}]\n"
            inner: list[tuple[Place, Tree]] = []
            self._pairs(place, table, inner)
            tables = inner + tables

    def _pairs(self, place: Place, table: dict[str, Tree], later: list[tuple[Place, Tree]]) -> None:
        for key, value in table.items():
            where = (*place, key)
            if isinstance(value, dict) and self._choose(2):
                later.append((where, value))
            elif self._is_tables(value) and self._choose(2):
                assert isinstance(value, list)
                later += [((*where, number), entry) for number, entry in enumerate(value)]
            else:
                self._blank()
                self._pair(where, value)
                self.text += self._pick("\n", " # [x] = 'y\n")

    def _pair(self, place: Place, value: Tree) -> None:
        self._note(place)
        self.text += self._key(str(place[-1])) + self._pick(" = ", "=")
        self._value(place, value)

    def _value(self, place: Place, value: Tree) -> None:
        match value:
            case bool() | int():
                self.text += str(value).lower()
            case str():
                self.text += self._string(value)
            case list():
                self.text += "["
                for number, entry in enumerate(value):
                    self.text += self._pick("", "\n", " # ]\n ")
                    self._note((*place, number))
                    self._value((*place, number), entry)
                    self.text += self._pick(", ", "\n,")
                self.text += self._pick("]", "\n]")
            case dict():
                self.text += "{ "
                for number, (key, entry) in enumerate(value.items()):
                    self.text += ", " if number else ""
                    self._pair((*place, key), entry)
                self.text += " }"

    def _string(self, value: str) -> str:
        if self._choose(2):
            return '"""\n' + value.replace("\\", "\\\\").replace('"', '\\"') + '"""'
        return json.dumps(value)

    def _key(self, key: str) -> str:
        return key if key.isalpha() and key.isascii() and self._choose(2) else json.dumps(key)

    def _blank(self) -> None:
        self.text += self._pick("", "\n", "# a = {\n")

    def _note(self, place: Place) -> None:
        self.lines.setdefault(place, self.text.count("\n") + 1)

    @staticmethod
    def _is_tables(value: Tree) -> bool:
        return isinstance(value, list) and bool(value) and all(isinstance(v, dict) for v in value)

    def _pick(self, *texts: str) -> str:
        return texts[self._choose(len(texts))]

    def _choose(self, count: int) -> int:
        return self._choices.pop() % count if self._choices else 0


@settings(max_examples=200)
@given(st.dictionaries(KEYS, TREES, max_size=4), st.lists(st.integers(0, 5), max_size=80))
def test_every_key_of_a_generated_text_is_found_on_its_line(
    tree: dict[str, Tree], choices: list[int]
) -> None:
    writer = Writer(choices)
    writer.document(tree)
    assert tomllib.loads(writer.text) == tree
    assert find_lines(writer.text) == writer.lines
