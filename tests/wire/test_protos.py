"""The .proto files: linted, compatible with what was released, fit for every language."""

from __future__ import annotations

import re
import shutil
import subprocess
import sysconfig
from pathlib import Path

import pytest
from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor, FileDescriptor

from referee.errors import UsageError
from referee.wire import proto_files, write_protos
from referee.wire.pb.schmier.v1 import cards_pb2, decision_pb2, referee_service_pb2, rules_pb2

PROTO = Path(__file__).parent.parent.parent / "proto"
DESCRIPTORS: list[FileDescriptor] = [
    cards_pb2.DESCRIPTOR,
    rules_pb2.DESCRIPTOR,
    decision_pb2.DESCRIPTOR,
    referee_service_pb2.DESCRIPTOR,
]
MESSAGES: list[Descriptor] = [
    message for file in DESCRIPTORS for message in file.message_types_by_name.values()
]
ENUMS: list[EnumDescriptor] = [
    enum for file in DESCRIPTORS for enum in file.enum_types_by_name.values()
]
FIELDS: list[FieldDescriptor] = [field for message in MESSAGES for field in message.fields]


@pytest.fixture(scope="module")
def buf() -> str:
    """The buf of this environment."""
    found = shutil.which("buf", path=sysconfig.get_path("scripts")) or shutil.which("buf")
    if found is None:
        pytest.skip("buf is missing: install buf-bin (in the extra `dev`)")
    return found


def run(buf: str, *arguments: str | Path) -> str:
    """Everything buf has to say, "" if it is content."""
    result = subprocess.run([buf, *arguments], capture_output=True, text=True, check=False)
    return result.stdout + result.stderr + ("failed" if result.returncode else "")


def test_buf_finds_nothing_to_lint_comments_included(buf: str) -> None:
    assert run(buf, "lint", PROTO) == ""


def test_the_files_are_formatted(buf: str) -> None:
    assert run(buf, "format", "--diff", "--exit-code", PROTO) == ""


def test_nothing_a_released_bot_relies_on_has_changed(buf: str) -> None:
    """proto/README.md tells how the baseline is renewed when a revision is released."""
    assert run(buf, "breaking", PROTO, "--against", PROTO / "baseline.binpb") == ""


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("decision", "int32 seat = 3;", "int32 place = 3;"),
        ("decision", "int32 seat = 3;", "string seat = 3;"),
        ("cards", "CARD_JOKER = 53;", "CARD_JOKER = 54;"),
        ("referee_service", "(stream PlayRequest)", "(PlayRequest)"),
    ],
)
def test_a_change_that_breaks_bots_is_found(
    buf: str, tmp_path: Path, file: str, old: str, new: str
) -> None:
    shutil.copytree(PROTO / "schmier", tmp_path / "schmier")
    shutil.copy(PROTO / "buf.yaml", tmp_path)
    path = tmp_path / f"schmier/v1/{file}.proto"
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert run(buf, "breaking", tmp_path, "--against", PROTO / "baseline.binpb") != ""


def test_an_addition_breaks_nothing(buf: str, tmp_path: Path) -> None:
    shutil.copytree(PROTO / "schmier", tmp_path / "schmier")
    shutil.copy(PROTO / "buf.yaml", tmp_path)
    path = tmp_path / "schmier/v1/decision.proto"
    text = path.read_text().replace("int32 seat = 3;", "int32 seat = 3;\n  int32 mood = 90;", 1)
    path.write_text(text)
    assert run(buf, "breaking", tmp_path, "--against", PROTO / "baseline.binpb") == ""


# --- fit for every language -----------------------------------------------------------------------


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.full_name)
def test_no_field_is_wider_than_32_bits_or_unsigned(field: FieldDescriptor) -> None:
    assert field.type in (
        FieldDescriptor.TYPE_INT32,
        FieldDescriptor.TYPE_SINT32,
        FieldDescriptor.TYPE_BOOL,
        FieldDescriptor.TYPE_ENUM,
        FieldDescriptor.TYPE_STRING,
        FieldDescriptor.TYPE_MESSAGE,
    )


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.full_name)
def test_every_field_number_is_written_in_one_byte(field: FieldDescriptor) -> None:
    assert field.number <= 15


@pytest.mark.parametrize("enum", ENUMS, ids=lambda enum: enum.full_name)
def test_every_enum_begins_with_unspecified(enum: EnumDescriptor) -> None:
    assert enum.values[0].number == 0
    assert enum.values[0].name.endswith("_UNSPECIFIED")


def test_each_question_is_answered_by_the_choice_of_the_same_name() -> None:
    questions = decision_pb2.Decision.DESCRIPTOR.oneofs_by_name["question"].fields
    choices = decision_pb2.Action.DESCRIPTOR.oneofs_by_name["choice"].fields
    assert [field.name for field in questions] == [field.name for field in choices]


@pytest.mark.parametrize(
    "path", sorted(PROTO.glob("schmier/**/*.proto")), ids=lambda path: path.name
)
def test_each_file_names_its_licence_and_a_home_in_each_language(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("// SPDX-License-Identifier: MIT\n")
    for option in ("go_package", "java_multiple_files", "java_package", "csharp_namespace"):
        assert re.search(rf"^option {option} = \S", text, re.MULTILINE), option
    assert all(len(line) <= 100 for line in text.splitlines())


# --- handing them out -----------------------------------------------------------------------------


def test_the_files_are_written_out_as_they_are(tmp_path: Path) -> None:
    written = write_protos(tmp_path / "new" / "folder")
    originals = sorted(PROTO.glob("schmier/v1/*.proto"))
    assert [path.relative_to(tmp_path / "new/folder") for path in written] == [
        path.relative_to(PROTO) for path in originals
    ]
    assert [path.read_bytes() for path in written] == [path.read_bytes() for path in originals]


def test_writing_them_again_changes_nothing(tmp_path: Path) -> None:
    assert write_protos(tmp_path) == write_protos(tmp_path)


def test_a_file_with_another_content_is_not_overwritten_and_nothing_is_written(
    tmp_path: Path,
) -> None:
    mine = tmp_path / "schmier/v1/rules.proto"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    with pytest.raises(UsageError, match=r"rules\.proto is there and differs"):
        write_protos(tmp_path)
    assert [path.name for path in mine.parent.iterdir()] == ["rules.proto"]
    assert mine.read_text() == "mine"


def test_a_place_that_cannot_be_written_to_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "schmier").write_text("a file where a folder must be")
    with pytest.raises(UsageError, match="cannot write"):
        write_protos(tmp_path)


def test_what_is_handed_out_compiles(buf: str, tmp_path: Path) -> None:
    write_protos(tmp_path)
    assert run(buf, "build", tmp_path, "-o", tmp_path / "image.binpb") == ""


def test_the_files_name_every_import_by_the_path_they_are_handed_out_under() -> None:
    files = proto_files()
    for content in files.values():
        for name in re.findall(rb'^import "(.*)";', content, re.MULTILINE):
            assert name.decode() in files
