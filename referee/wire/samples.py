"""The sample bots, for whoever begins one: each is a project that is copied, and then it is theirs.

In an installed wheel they lie in `referee/wire/sample_bots`, in a checkout in `sample_bots/` at its
top. A project is a folder with a `sample.toml`; what its `.gitignore` names is no part of it. The
.proto files lie two folders above a sample, and in a copy inside it.
"""

from __future__ import annotations

import os
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from referee.errors import UsageError
from referee.wire.protos import proto_files

__all__ = ["Sample", "new_bot", "sample_bots", "sample_files"]

_PACKAGED: Final = Path(__file__).parent / "sample_bots"
_CHECKOUT: Final = Path(__file__).parent.parent.parent / "sample_bots"
_KEYS: Final = ("language", "needs", "install", "build", "command")
_PROTOS_OF_A_SAMPLE: Final = b"../../proto"
_PROTOS_OF_A_COPY: Final = b"proto"


@dataclass(frozen=True, slots=True)
class Sample:
    """A sample project, and what its `sample.toml` says.

    `needs` are programs on the PATH and `install` a hint how to get them; `build` is run in the
    project's folder, and is empty if there is nothing to build. `command` starts the bot there; an
    argument more, `random`, makes the legal-random bot of it.
    """

    name: str
    folder: Path
    language: str
    needs: tuple[str, ...]
    install: str
    build: tuple[str, ...]
    command: tuple[str, ...]

    @property
    def unbuilt(self) -> tuple[str, ...]:
        """The files its command names that are not there: the project is not built."""
        return tuple(
            word for word in self.command if "/" in word and not (self.folder / word).exists()
        )

    @property
    def missing(self) -> tuple[str, ...]:
        """What it needs and this machine does not have."""
        return tuple(program for program in self.needs if shutil.which(program) is None)


def sample_bots() -> dict[str, Sample]:
    """Return all sample projects by the name of their folder, sorted.

    Raises UsageError if the installation has lost them.
    """
    for root in (_PACKAGED, _CHECKOUT):
        folders = sorted(path.parent for path in root.glob("*/sample.toml"))
        if folders:
            return {folder.name: _read(folder) for folder in folders}
    raise UsageError(f"the sample bots are missing at {_PACKAGED}: install the package again")


def _read(folder: Path) -> Sample:
    """What a project's `sample.toml` says; ValueError if that is not what it should be."""
    file = folder / "sample.toml"
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    if sorted(given) != sorted(_KEYS):
        raise ValueError(f"{file}: the keys must be {', '.join(_KEYS)}, are {', '.join(given)}")

    def text(key: str) -> str:
        value = given[key]
        if not isinstance(value, str) or not value:
            raise ValueError(f"{file}: {key} must be a text, is {value!r}")
        return value

    def words(key: str) -> tuple[str, ...]:
        value = given[key]
        if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
            raise ValueError(f"{file}: {key} must be a list of texts, is {value!r}")
        return tuple(value)

    return Sample(
        name=folder.name,
        folder=folder,
        language=text("language"),
        needs=words("needs"),
        install=text("install"),
        build=words("build"),
        command=words("command"),
    )


def sample_files(folder: Path) -> list[Path]:
    """Return the files of a project, relative to its folder and sorted: nothing that is built.

    Of what a `.gitignore` can say its lines may use: a name, with wildcards, for any depth; a path
    from the project's folder; a slash at the end, for folders only.
    """
    ignore = folder / ".gitignore"
    lines = ignore.read_text(encoding="utf-8").splitlines() if ignore.is_file() else []
    patterns = [line for line in lines if line and not line.startswith("#")]
    return sorted(_kept(folder, Path(), [*patterns, "__pycache__/"]))


def _kept(root: Path, folder: Path, patterns: list[str]) -> Iterator[Path]:
    with os.scandir(root / folder) as entries:
        for entry in entries:
            path = folder / entry.name
            is_folder = entry.is_dir(follow_symlinks=False)
            if any(_matches(path, pattern, is_folder=is_folder) for pattern in patterns):
                continue
            if is_folder:
                yield from _kept(root, path, patterns)
            else:
                yield path


def _matches(path: Path, pattern: str, *, is_folder: bool) -> bool:
    if pattern.endswith("/") and not is_folder:
        return False
    pattern = pattern.rstrip("/")
    if "/" in pattern:
        return fnmatchcase(path.as_posix(), pattern.removeprefix("/"))
    return fnmatchcase(path.name, pattern)


def new_bot(language: str, directory: Path) -> Sample:
    """Copy the project of a language to `directory`, which is made if need be.

    Where a project makes stubs, the .proto files come with it, in the folder `proto`. Returns the
    copy. Raises UsageError, with nothing written, for a language that is none of `sample_bots()`,
    or if there is anything at the directory already; and if it cannot be written to.
    """
    known = sample_bots()
    if language not in known:
        raise UsageError(f"there is no sample in {language!r}; there is {', '.join(known)}")
    sample = known[language]
    files = {path: (sample.folder / path).read_bytes() for path in sample_files(sample.folder)}
    makes_stubs = any(_PROTOS_OF_A_SAMPLE in content for content in files.values())
    protos = proto_files() if makes_stubs else {}
    try:
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise UsageError(f"{directory} is there already: choose a new or empty folder")
        for path, content in files.items():
            copy = directory / path
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content.replace(_PROTOS_OF_A_SAMPLE, _PROTOS_OF_A_COPY))
            shutil.copymode(sample.folder / path, copy)
        for name, content in protos.items():
            copy = directory / "proto" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(content)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename or directory}: {error.strerror}") from None
    return _read(directory)
