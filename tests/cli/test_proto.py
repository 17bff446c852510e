"""`proto DIR` writes the protocol's files, and `doctor` tells what the machine offers."""

from __future__ import annotations

import re

from referee.wire import proto_files
from tests.cli.referees import Place, contents


def test_the_files_of_the_protocol_are_written_and_named(place: Place) -> None:
    ended = place.run("proto", "new/folder")
    assert (ended.code, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [f"new/folder/{name}" for name in proto_files()]
    for name, content in proto_files().items():
        assert (place.path / "new/folder" / name).read_bytes() == content


def test_written_again_they_stay_as_they_are(place: Place) -> None:
    first = place.run("proto", ".")
    assert place.run("proto", ".") == first


def test_a_file_with_other_content_is_kept_and_nothing_is_written(place: Place) -> None:
    place.run("proto", "stubs")
    names = list(proto_files())
    (place.path / "stubs" / names[-1]).write_text("mine\n", encoding="utf-8")
    (place.path / "stubs" / names[0]).unlink()
    before = contents(place.path)
    ended = place.run("proto", "stubs")
    assert (ended.code, ended.stdout, len(ended.lines)) == (2, "", 1)
    assert f"stubs/{names[-1]}" in ended.stderr
    assert contents(place.path) == before


def test_the_doctor_tells_versions_machine_and_round_trip(place: Place) -> None:
    ended = place.run("doctor")
    assert (ended.code, ended.stderr) == (0, "")
    told = dict(line.split(": ", 1) for line in ended.stdout.splitlines())
    assert list(told)[:5] == ["schmier-referee", "record format", "grpcio", "protobuf", "python"]
    assert re.fullmatch(r" *\d+ usable \(.*\)", told["cores"])
    assert re.fullmatch(r" *\d+ us a round trip .*", told["echo"])
    assert set(told) >= {"descriptors", "warden", "leftovers"}
    assert contents(place.path) == {}


def test_the_doctor_finds_what_a_dead_run_has_left(place: Place) -> None:
    left = place.temporary / "schmier-999999999-abcdefgh"
    left.mkdir(mode=0o700)
    ended = place.run("doctor")
    assert ended.code == 0
    assert f"rm -r {left}" in ended.stdout
