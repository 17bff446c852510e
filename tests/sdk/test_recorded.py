"""Recorded decisions can be put to a bot without a referee."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from referee.sdk import DiscardDecision, read_decision
from sample_bots.python.rule_based import RuleBased

VECTORS = Path(__file__).parents[2] / "sample_bots" / "vectors"


def test_every_recorded_decision_can_be_asked() -> None:
    bot = RuleBased()
    for line in json.loads((VECTORS / "decisions.json").read_text(encoding="utf-8")):
        decision = read_decision(line["decision"])
        match decision.message.WhichOneof("question"):
            case "play":
                assert bot.play(decision) in decision.legal
            case "call":
                assert bot.call(decision) in decision.legal
            case "trump":
                assert bot.trump(decision) in decision.legal
            case _:
                assert isinstance(decision, DiscardDecision)
                assert set(bot.discards(decision)) <= set(decision.legal)


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"seat": 7.5}, "not the JSON of a decision"),
        ({"sead": 1}, "not the JSON of a decision"),
        ({"seat": 1}, "asks nothing"),
    ],
)
def test_what_is_no_decision_is_told(fields: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_decision(fields)


def test_the_lines_of_the_page_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (code,) = re.findall(
        r"^```python\n(.*?)^```$",
        (VECTORS / "README.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
    (tmp_path / "my_bot.py").write_text(
        "class MyBot:\n    def play(self, decision):\n        return decision.legal[0]\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(VECTORS.parents[1])
    exec(
        compile(code.replace("json.load(open(", "json.load(_open("), "page", "exec"),
        {"_open": _open},
    )
    assert capsys.readouterr().out.count("| mine: ") > 50


def _open(path: str) -> object:
    return Path(path).open(encoding="utf-8")
