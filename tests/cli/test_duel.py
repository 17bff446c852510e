"""`duel`: two bots and one of the house, until it is known which is better."""

from __future__ import annotations

import json
import shlex
import signal
import sqlite3

from tests.cli.referees import FIRST, RANDOM, RULES, Place, wait_until

BETTER = ("duel", RULES[1], FIRST[1], "--house", RANDOM[1], "--cap", "200", "--seed", "x")


def test_a_duel_that_is_stopped_goes_on_and_ends_when_it_knows(place: Place) -> None:
    begun = place.start(*BETTER)
    wait_until(lambda: "leg 1: 25 blocks" in begun.said, what="the first look", deadline_s=120)
    begun.process.send_signal(signal.SIGINT)
    stopped = begun.end()
    assert stopped.code == 130
    told = stopped.lines[-1].partition("to go on: ")[2]
    assert shlex.split(told) == ["schmier-referee", *BETTER]

    ended = place.type(told)
    assert ended.code == 0, ended.stderr
    assert ended.stdout.splitlines()[-2] == (
        "BETTER: rule_based is better than first_legal (50 blocks, 300 games)"
    )
    assert "duel: BETTER" in ended.stdout and "not finished" not in ended.stdout

    folder = place.path / "runs" / "duel-rule_based-first_legal"
    assert place.run("verify", folder).code == 0
    export = place.run("export", folder).stdout
    (place.path / "duel.jsonl").write_text(export, encoding="utf-8")
    assert place.run("verify", "duel.jsonl").code == 0
    lines = export.splitlines()
    manifest = json.loads(lines[0])
    assert (manifest["legs"], manifest["closed"]) == (2, True)
    forged = export.replace('"closed":true', '"closed":false', 1)
    (place.path / "duel.jsonl").write_text(forged, encoding="utf-8")
    assert place.run("verify", "duel.jsonl").code != 0

    with sqlite3.connect(folder / "run.sqlite") as run:
        run.execute("INSERT INTO sittings SELECT leg + 1, sitting, out FROM sittings WHERE leg = 1")
    run.close()
    forged_end = place.run("verify", folder)
    assert forged_end.code == 1 and "an end of sitting 1 of leg 3 is stored" in forged_end.stdout
    with sqlite3.connect(folder / "run.sqlite") as run:
        run.execute("DELETE FROM sittings WHERE leg = 2")
    run.close()

    again = place.run(*BETTER)
    assert (again.code, again.stdout) == (0, ended.stdout)
    assert "this run is finished" in again.stderr


def test_what_is_no_duel_is_told_in_one_line(place: Place) -> None:
    for words, told in (
        (("--cap", "0"), "--cap must be from 1 to 100000, is 0"),
        (("--effect", "0.7"), "--effect must be from 0.001 to 0.499, is 0.7"),
        (("--effect", "nan"), "--effect must be from 0.001 to 0.499, is nan"),
        (("--error", "inf"), "--error must be from 0.001 to 0.499, is inf"),
        (("--error", "0"), "--error must be from 0.001 to 0.499, is 0"),
        (("--seed", ""), "--seed must not be empty"),
    ):
        ended = place.run("duel", FIRST[1], RANDOM[1], *words)
        assert ended.code == 2 and len(ended.lines) == 1, ended.stderr
        assert told in ended.stderr
    assert not (place.path / "runs").exists()
