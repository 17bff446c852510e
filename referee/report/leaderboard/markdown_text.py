"""Text for GitHub Markdown: nothing that a stranger named becomes a link, a mention or a table bar.

A name of plain words stands as it is. Any other stands in a code span, where GitHub looks for no
mention, issue, commit, link, image, emphasis, formula or HTML. Sentences are escaped sign by sign.
"""

from __future__ import annotations

import re

from referee.report.names import isolated, visible

__all__ = ["code", "markdown_name", "markdown_prose", "markdown_table"]

_PLAIN = re.compile(r"[^\W_]+(?: [^\W_]+)*")
_COMMIT = re.compile(r"\b[0-9a-fA-F]{7,}\b")
_SIGNS = re.compile(r"[\\`*_{}\[\]<>~&#$!^]")
_BLOCK_START = re.compile(r"^(?:[-+=](?= |$)|\d+(?=[.)]))")
_ACTIVE = re.compile(
    r"(?<=@)|(?<=#)(?=\d)|(?<=\bGH)(?=-)|(?=://)|(?<=[Ww]{3})(?=\.)"
    r"|(?<=\b[0-9a-fA-F]{3})(?=[0-9a-fA-F]{4,}\b)",
    re.ASCII,
)
"""Inside a mention, an issue, an address, a commit."""
_BAR = "\\|"
_SILENT = "\u200b"
"""A space of no width: GitHub's readers of mentions, links and issues do not look past it."""


def markdown_name(name: str) -> str:
    """Return a name that is itself and nothing else in a table cell or a sentence."""
    text = visible(name)
    plain = _PLAIN.fullmatch(text) and not _COMMIT.search(text)
    return isolated(text) if plain else isolated(code(text))


def code(text: str) -> str:
    """Return visible text as a code span."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    padding = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{padding}{text}{padding}{fence}"


def markdown_prose(text: str) -> str:
    """Return a sentence or reason as plain text, whatever is in it."""
    parted = _ACTIVE.sub(_SILENT, visible(text))
    escaped = _SIGNS.sub(lambda sign: "\\" + sign.group(), parted)
    escaped = escaped.replace("|", "&#124;").replace(_SILENT, "&#8203;")
    return _BLOCK_START.sub(_as_text, escaped)


def markdown_table(
    headers: list[str], rows: list[list[str]], *, right: frozenset[int]
) -> list[str]:
    """Return the lines of a table of cells that are Markdown already; `right` are numbers.

    A bar that is left in a cell stands in a code span, where only a table takes a backslash.
    """
    rules = ["---:" if column in right else ":---" for column in range(len(headers))]
    return [
        f"| {' | '.join(cell.replace('|', _BAR) for cell in cells)} |"
        for cells in (headers, rules, *rows)
    ]


def _as_text(start: re.Match[str]) -> str:
    """A sign is escaped; of a number, the full stop behind it."""
    text = start.group()
    return text + "\\" if text[0].isdigit() else "\\" + text
