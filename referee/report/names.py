"""Whatever a stranger named, wrote or printed is made visible here before it is shown.

Names, reasons and output are data. `visible` keeps every script readable and
turns into `\\x1b`-like text all that a reader cannot see or that acts on its own: control and
format characters, directions, odd and outer spaces, marks without a base, blanks that look like
nothing. Two different texts are never shown alike: a backslash is doubled.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence

from wcwidth import wcswidth

__all__ = [
    "EMPTY",
    "isolated",
    "name_texts",
    "printed_width",
    "shortened",
    "visible",
    "visible_line",
    "with_names",
]

EMPTY = "\\empty"
"""How an empty text is shown; a name with these letters is shown with two backslashes."""

_ELLIPSIS = "…"
_ISOLATE, _POP = "\u2068", "\u2069"
_MARKS_IN_A_ROW = 4
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp", "Zs"})
_EMOJI_STYLES = frozenset("\ufe0e\ufe0f")
_JOINERS = frozenset("\u200c\u200d")
_BLANKS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    + "".join(map(chr, range(0x180B, 0x1810)))
    + "".join(map(chr, range(0xFE00, 0xFE0E)))
    + "".join(map(chr, range(0xE0000, 0xE1000)))
)
_FIRST_JOINED_SCRIPT = 0x0590
"""Joiners belong to scripts and signs from here on; between Latin letters they only deceive."""

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def visible(text: str) -> str:
    """Return a text that prints on one line, moves nothing, and hides nothing."""
    return "".join(_units(text)) or EMPTY


def visible_line(text: str) -> str:
    """Return a line of a program's output that moves and hides nothing; spaces stay spaces."""
    return " ".join(visible(word) if word else "" for word in text.split(" ")).rstrip()


def shortened(text: str, *, columns: int) -> str:
    """Return the visible text, cut with an ellipsis where it would be wider than `columns`."""
    units = _units(text)
    whole = "".join(units) or EMPTY
    if printed_width(whole) <= columns:
        return whole
    kept, room = "", columns - 1
    for unit in units:
        if printed_width(kept + unit) > room:
            break
        kept += unit
    return kept.rstrip(" ") + _ELLIPSIS


def printed_width(text: str) -> int:
    """Return how many terminal columns a visible text takes."""
    return max(0, wcswidth(text))


def isolated(text: str) -> str:
    """Return the text so that its direction does not reach its neighbours.

    Only a text with right-to-left parts needs it; others are returned as they are.
    """
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in text):
        return f"{_ISOLATE}{text}{_POP}"
    return text


def name_texts(names: Sequence[str], *, columns: int) -> list[str]:
    """Return each name as a table of text shows it; those cut alike stay whole."""
    short = [shortened(name, columns=columns) for name in names]
    return [
        isolated(visible(name) if short.count(cut) > 1 else cut)
        for name, cut in zip(names, short, strict=True)
    ]


def with_names(
    sentence: str,
    names: Collection[str],
    *,
    name: Callable[[str], str],
    prose: Callable[[str], str],
) -> str:
    """Return a sentence with the names in it through `name`, and all else through `prose`.

    A name stands after the start, a colon or a comma, and before a comma, a full stop, a bracket
    or the end. Where other words are taken for a name, they are only shown in its way.
    """
    known = sorted((n for n in names if n), key=len, reverse=True)
    if not known:
        return prose(sentence)
    one_of = "|".join(map(re.escape, known))
    found = re.compile(rf"(?:(?<=^)|(?<=[:,] ))({one_of})(?=\.?$|, | \()")
    parts, end = [], 0
    for match in found.finditer(sentence):
        parts.append(_between(sentence[end : match.start()], prose))
        parts.append(name(match.group(1)))
        end = match.end()
    parts.append(_between(sentence[end:], prose))
    return "".join(parts)


def _between(text: str, prose: Callable[[str], str]) -> str:
    """Spaces beside a name are no outer spaces of the sentence."""
    inner = text.strip(" ")
    if not inner:
        return text
    start = text.index(inner)
    return text[:start] + prose(inner) + text[start + len(inner) :]


def _units(text: str) -> list[str]:
    """Return the pieces that a line may be cut between: clusters of letters, or escapes."""
    return list(_clusters(text))


def _clusters(text: str) -> Iterator[str]:
    cluster, marks = "", 0
    for place, letter in enumerate(text):
        if _extends(text, place, cluster, marks=marks):
            marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
            cluster += letter
            continue
        if cluster:
            yield cluster
        cluster, marks = "", 0
        if _is_plain(text, place):
            cluster = letter
        else:
            yield _escape(letter)
    if cluster:
        yield cluster


def _extends(text: str, place: int, cluster: str, *, marks: int) -> bool:
    """Tell whether the letter at a place belongs to the cluster before it."""
    letter = text[place]
    if not cluster or cluster == " " or letter in _BLANKS:
        return False
    if cluster[-1] == "\u200d":
        return True
    if letter in _JOINERS:
        following = text[place + 1 : place + 2]
        return (
            cluster[-1] not in _JOINERS
            and ord(cluster[0]) >= _FIRST_JOINED_SCRIPT
            and following > chr(_FIRST_JOINED_SCRIPT)
            and _is_plain(text, place + 1)
        )
    if letter in _EMOJI_STYLES or unicodedata.category(letter)[0] == "M":
        return marks < _MARKS_IN_A_ROW
    if "\U0001f3fb" <= letter <= "\U0001f3ff":
        return ord(cluster[0]) >= _FIRST_JOINED_SCRIPT
    return _is_flag_half(letter) and len(cluster) == 1 and _is_flag_half(cluster)


def _is_plain(text: str, place: int) -> bool:
    """Tell whether a letter may begin a cluster as it is."""
    letter = text[place]
    if letter == " ":
        return 0 < place < len(text) - 1 and text[place - 1] != " "
    if letter == "\\" or letter in _BLANKS:
        return False
    category = unicodedata.category(letter)
    return category not in _HIDDEN and category[0] != "M" and not _is_no_character(letter)


def _is_no_character(letter: str) -> bool:
    return 0xFDD0 <= ord(letter) <= 0xFDEF or ord(letter) & 0xFFFE == 0xFFFE


def _is_flag_half(letter: str) -> bool:
    return "\U0001f1e6" <= letter <= "\U0001f1ff"


def _escape(letter: str) -> str:
    number = ord(letter)
    if letter in _SHORT:
        return _SHORT[letter]
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"
