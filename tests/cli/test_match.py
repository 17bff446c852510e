"""`match`: three bots from files, commands or a configuration, and what cannot be played."""

from __future__ import annotations

import shlex
import shutil

from tests.cli.referees import FIRST, RANDOM, RULES, Ended, Place


def games_of(ended: Ended) -> list[str]:
    """The lines of a match that tell its games."""
    return [line for line in ended.stdout.splitlines() if line.startswith("game ")]


def scores_of(ended: Ended) -> list[str]:
    """What each game came to, whoever the bots were called."""
    return [" ".join(part.split()[-1] for part in line.split(",")) for line in games_of(ended)]


def test_files_play_a_block_that_can_be_shown_and_is_verified(place: Place) -> None:
    for command in (FIRST, RANDOM):
        shutil.copy(command[1], place.path)
    ended = place.run("match", "first_legal.py", "random_legal.py", "first_legal.py")
    assert ended.code == 0, ended.stderr
    assert [line.split(":")[0] for line in games_of(ended)] == [f"game 0.0.{n}" for n in range(6)]
    assert "first_legal (2)" in ended.stdout
    table = (place.path / "runs/match-1/leaderboard.txt").read_text(encoding="utf-8")
    assert table in ended.stdout
    command = ended.stdout.splitlines()[-1].partition("to see a game: ")[2]
    assert place.type(command).stdout.startswith("game 0.0.0, ")
    assert place.run("verify", "runs/match-1").code == 0


def test_the_limits_that_hold_are_told_first(place: Place) -> None:
    ended = place.run("match", "exit", "./a", "b")
    assert ended.code == 2 and len(ended.lines) == 1  # nothing is told of a match that cannot be
    limits = {"decision_ms": 700, "start_ms": 9000, "faults_per_game": 2}
    place.configure({"first": FIRST, "gone": ("false",), "rules": RULES}, limits=limits)
    failed = place.run("match", "first", "rules", "gone", "--config", "demo.toml")
    assert failed.lines[0] == (
        "limits: 700 ms a decision, 9000 ms to start, the game is forfeited at fault 2"
    )


def test_a_bot_that_cannot_start_ends_the_match_with_code_1_and_its_reason(place: Place) -> None:
    (place.path / "broken.py").write_text(
        "import sys\nprint('\\x1b[31mno weights\\x1b[0m', file=sys.stderr)\nsys.exit(7)\n",
        encoding="utf-8",
    )
    ended = place.run("match", FIRST[1], FIRST[1], "broken.py --level 3")
    assert (ended.code, ended.stdout) == (1, "")
    told = next(line for line in ended.lines if line.startswith("not started: "))
    assert told.startswith("not started: broken --level 3: ")
    assert "exit code 7" in told
    assert all(line.isprintable() for line in ended.lines)
    assert ended.lines[-1] == (
        "schmier-referee: only 2 partnerships could be started, an event needs 3"
    )


def test_the_same_seed_gives_the_same_games_to_names_of_a_configuration_and_quoted_commands(
    place: Place,
) -> None:
    bots = {"first": FIRST, "random": RANDOM, "rules": RULES}
    pairs = {"[red]Mixed[/red] | <b>": ["random", "rules"]} | {name: [name] for name in bots}
    config = place.configure(bots, partnerships=pairs)
    chosen = place.run(
        *("match", "first", "[red]Mixed[/red] | <b>", "first"),
        *("--config", config, "--seed", "s", "--out", "chosen"),
    )
    assert chosen.code == 0, chosen.stderr
    assert "[red]Mixed[/red] | <b>" in chosen.stdout
    assert "first (2)" in chosen.stdout

    twice = f"{FIRST[1]} "
    again = place.run(
        *("match", shlex.join(("python3", FIRST[1])), "[red]Mixed[/red] | <b>", twice),
        *("--config", config, "--seed", "s", "--out", "again"),
        env={"PATH": f"{place.python.parent}:/usr/bin:/bin"},
    )
    assert again.code == 0, again.stderr
    assert scores_of(again) == scores_of(chosen)


def test_a_command_does_not_replace_a_configured_bot_of_the_same_name(place: Place) -> None:
    shutil.copy(RANDOM[1], place.path / "first.py")
    place.configure({"first": FIRST, "rules": RULES}, partnerships={"Mixed": ["first", "rules"]})
    (place.path / "demo.toml").write_text(
        (place.path / "demo.toml").read_text(encoding="utf-8")
        + "".join(f'[[partnerships]]\nname = "P{n}"\nbots = ["rules"]\n' for n in (1, 2)),
        encoding="utf-8",
    )
    ended = place.run("match", "Mixed", "first.py", "P1", "--config", "demo.toml", "--seed", "x")
    assert ended.code == 0, ended.stderr
    assert "first (2)" in ended.stdout
    run = place.run("export", "runs/match-1").stdout.splitlines()[0]
    assert "first_legal.py" in run and '"{python}","first.py"' in run
