"""What `sample_bots/README.md` shows is what works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from referee.tourney import load_config
from tests.sdk.scripted_referee import DEADLINE, OpenTable, finish, over_the_stream, started

ROOT = Path(__file__).parents[2]
README = (ROOT / "sample_bots" / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_the_bot_in_15_lines_has_15_and_plays_a_game(tmp_path: Path) -> None:
    code = blocks("python")[0]
    assert len([line for line in code.splitlines() if line.strip()]) <= 15
    path = tmp_path / "my_bot.py"
    path.write_text(code, encoding="utf-8")
    with started(str(path)) as (referee, bot):
        assert referee.welcome().name == "my bot"
        assert finish([OpenTable(2)], over_the_stream(referee), batch=1) == []
        referee.goodbye()
        assert bot.end() == (0, "", "")


def test_the_front_page_shows_the_same_bot() -> None:
    assert f"```python\n{blocks('python')[0]}```" in (ROOT / "README.md").read_text("utf-8")


def test_a_decision_can_be_looked_into_without_a_referee(tmp_path: Path) -> None:
    bot, look = blocks("python")
    (tmp_path / "my_bot.py").write_text(bot, encoding="utf-8")
    (tmp_path / "look.py").write_text(look, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "look.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=DEADLINE,
    )
    assert done.stdout == "1\n"


def test_the_entry_is_a_configuration(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    for name in ("my_bot.py", "weights.bin"):
        (tmp_path / "mine" / name).touch()
    (entry,) = blocks("toml")
    others = "".join(f'[[partnerships]]\nname = "{name}"\nbots = ["mine"]\n' for name in ("A", "B"))
    path = tmp_path / "config.toml"
    path.write_text(f'[event]\nid = "e"\nname = "E"\n{entry}{others}', encoding="utf-8")
    config = load_config(path)
    assert config.partnerships[0].name == "Me and myself"
    assert config.bots[0].command == ("{python}", "my_bot.py", "--level", "3")


@pytest.mark.parametrize("link", re.findall(r"\]\((?!http)([^)#]+)", README))
def test_every_link_leads_somewhere(link: str) -> None:
    assert (ROOT / "sample_bots" / link).exists()
