"""README's first command, played for real: its table is the one that README shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
SHOWN = re.compile(
    r"(<!-- leaderboard of tournaments/demo/config\.toml: begin -->\n```text\n)(.*?)"
    r"(```\n<!-- leaderboard of tournaments/demo/config\.toml: end -->)",
    re.DOTALL,
)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """The demo, played into a folder of its own."""
    command = [sys.executable, "-c", "from referee.cli import main; main()"]
    folder = tmp_path_factory.mktemp("demo") / "run"
    return subprocess.run(
        [*command, "tourney", "tournaments/demo/config.toml", "--out", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_first_command_ends_with_the_table_that_readme_shows(
    played: subprocess.CompletedProcess[str], request: pytest.FixtureRequest
) -> None:
    assert played.returncode == 0, played.stderr
    text = README.read_text(encoding="utf-8")
    if request.config.getoption("--regenerate"):
        new = SHOWN.sub(lambda found: found[1] + played.stdout + found[3], text)
        README.write_text(new, encoding="utf-8")
        return
    shown = SHOWN.search(text)
    assert shown is not None
    assert shown[2] == played.stdout


def test_the_first_command_tells_the_commitment_and_each_sitting_on_stderr(
    played: subprocess.CompletedProcess[str],
) -> None:
    assert "commitment: ec42a44d41818164" in played.stderr
    assert played.stderr.count("sitting") == 12


def test_readme_begins_with_the_two_commands_and_each_is_complete_in_itself() -> None:
    blocks = re.findall(r"^```sh\n(.*?)^```$", README.read_text(encoding="utf-8"), re.M | re.S)
    for block in blocks[:2]:
        assert block.count("\n") == 1
        assert block.startswith("python3 -m venv .venv && ")
        assert "git clone" not in block
    assert "schmier-referee tourney tournaments/demo/config.toml" in blocks[0]
    assert "pytest" in blocks[1]


def test_the_house_has_these_rooms_at_its_top_and_no_others() -> None:
    listed = subprocess.run(
        ["git", "ls-tree", "--name-only", "HEAD"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    shown = {name for name in listed if not name.startswith(".")}
    assert shown == {
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "proto",
        "pyproject.toml",
        "referee",
        "sample_bots",
        "tests",
        "tournaments",
    }
