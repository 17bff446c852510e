"""What a bot is made of, as one digest: so that a rebuilt program is noticed on resume.

In it are the command and `env` as written, and the SHA-256 of the bytes of the program, of every
argument that is a file, and of all that `files` names. Contents count and places do not: a folder
that is moved as a whole keeps its fingerprint. Bytes are always read anew, because sizes and times
of files can be set by anyone.

Of `{python}` only the word counts, not the interpreter's bytes: the referee runs on the same one,
its version is among the noted conditions, and the bytes would say little, for its library lies
elsewhere. A program written out, as in `["python3", "bot.py"]`, is hashed like any other.

Folders called `__pycache__` inside a folder are left out: Python writes them when the bot starts,
and every bot would be another one from its first start on.

Nothing but regular files is ever opened. A symbolic link to a file counts as that file; a link to
a folder is not followed, a pipe or device not opened: its kind and target count instead, and the
fingerprint is not complete.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from referee.tourney.commands import PYTHON, resolve_command
from referee.tourney.config import Bot, Config
from referee.tourney.identity import Json, content_digest

__all__ = ["Fingerprint", "Part", "fingerprint", "fingerprints"]

_FORMAT: Final = "schmier-fingerprint-v1"
_CHUNK: Final = 1 << 20
_NOT_A_FILE: Final = "not a file"
_WRITTEN_BY_PYTHON: Final = "__pycache__"


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that a fingerprint is made of: what it is called, and its SHA-256 in hex."""

    label: str
    digest: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """A bot's fingerprint; `complete` is False when parts of the bot are known not to be in it.

    An incomplete one is stamped "not fingerprinted": a module run by `-m`, a folder given as an
    argument without `files`, a link to a folder.
    """

    digest: str
    complete: bool
    parts: tuple[Part, ...]

    def to_json(self) -> dict[str, Json]:
        """Return it as plain JSON."""
        parts: list[Json] = [[part.label, part.digest] for part in self.parts]
        return {"digest": self.digest, "complete": self.complete, "parts": parts}

    @staticmethod
    def from_json(data: Mapping[str, object]) -> Fingerprint:
        """Return what `to_json` wrote; raises `ValueError` if it is none."""
        match data:
            case {"digest": str(digest), "complete": bool(complete), "parts": list(parts)}:
                return Fingerprint(digest, complete, tuple(_part(part) for part in parts))
            case _:
                raise ValueError(f"not a fingerprint: {data!r}")


def fingerprints(config: Config) -> dict[str, Fingerprint]:
    """Return the fingerprint of every bot by its name, reading each file once.

    Raises `ConfigError` like `resolve_command`, or for a file that is missing or unreadable.
    """
    seen: dict[tuple[int, int], str] = {}
    return {bot.name: _fingerprint(bot, seen) for bot in config.bots}


def fingerprint(bot: Bot) -> Fingerprint:
    """Return the fingerprint of one bot; raises `ConfigError` like `fingerprints`."""
    return _fingerprint(bot, {})


def _fingerprint(bot: Bot, seen: dict[tuple[int, int], str]) -> Fingerprint:
    program = resolve_command(bot)[0]
    reader = _Reader(bot, seen)
    command: list[Json] = list(bot.command)
    env: list[Json] = [[name, value] for name, value in bot.env]
    parts = [Part("command", content_digest(command)), Part("env", content_digest(env))]
    if bot.is_attached:
        return _of_parts(parts, complete=False)  # what a person starts is not ours to read
    if bot.command[0] != PYTHON:
        parts.append(Part("program", reader.file(Path(program), key="command", entry=0)))
    complete = bool(bot.files) or not _has_module(bot)
    for number, argument in enumerate(bot.command[1:], start=1):
        path = _argument_path(bot, argument)
        if path is None:
            continue
        if path.is_dir():
            complete = complete and bool(bot.files)
        elif path.is_file():
            digest = reader.file(path, key="command", entry=number)
            parts.append(Part(f"argument {argument}", digest))
    for number, name in enumerate(bot.files):
        parts.extend(reader.tree(bot.directory / name, entry=number))
    complete = complete and not any(part.digest.startswith(_NOT_A_FILE) for part in parts)
    return _of_parts(parts, complete=complete)


def _of_parts(parts: Sequence[Part], *, complete: bool) -> Fingerprint:
    content: list[Json] = [[part.label, part.digest] for part in parts]
    return Fingerprint(content_digest([_FORMAT, *content]), complete, tuple(parts))


class _Reader:
    """Hashes files, each once: `seen` keeps digests by device and inode for one check."""

    def __init__(self, bot: Bot, seen: dict[tuple[int, int], str]) -> None:
        self._bot = bot
        self._seen = seen

    def tree(self, path: Path, *, entry: int) -> Iterator[Part]:
        """Give the parts of one entry of `files`: a file, or a folder with all that is in it."""
        if not path.is_dir():
            yield Part(f"file {_text(path.name)}", self.file(path, key="files", entry=entry))
            return
        for inner in self._walk(path, entry=entry):
            name = inner.relative_to(path).as_posix()
            yield Part(f"file {_text(name)}", self._any(inner, entry=entry))

    def file(self, path: Path, *, key: str, entry: int) -> str:
        """Return the SHA-256 of a regular file, links to it followed."""
        try:
            # Without O_NONBLOCK a pipe put in its place would hold up the run.
            number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
            with os.fdopen(number, "rb", buffering=0) as file:
                status = os.fstat(number)
                if not stat.S_ISREG(status.st_mode):
                    raise self._bot.error(f"is not a file: {path}", key=key, entry=entry)
                identity = (status.st_dev, status.st_ino)
                if identity not in self._seen:
                    digest = hashlib.sha256()
                    while chunk := file.read(_CHUNK):
                        digest.update(chunk)
                    self._seen[identity] = digest.hexdigest()
        except FileNotFoundError:
            raise self._bot.error(f"does not exist: {path}", key=key, entry=entry) from None
        except OSError as error:
            problem = f"cannot be read: {path} ({error.strerror})"
            raise self._bot.error(problem, key=key, entry=entry) from None
        return self._seen[identity]

    def _any(self, path: Path, *, entry: int) -> str:
        if path.is_symlink() and not path.is_file():
            return f"{_NOT_A_FILE}: link to {_text(str(path.readlink()))}"
        if not path.is_file():
            return f"{_NOT_A_FILE}: {stat.filemode(path.lstat().st_mode)[0]}"
        return self.file(path, key="files", entry=entry)

    def _walk(self, folder: Path, *, entry: int) -> Iterator[Path]:
        """Give all that is in a folder but folders themselves, in the order of their bytes."""
        try:
            paths = sorted(folder.iterdir(), key=os.fsencode)
        except OSError as error:
            problem = f"cannot be read: {folder} ({error.strerror})"
            raise self._bot.error(problem, key="files", entry=entry) from None
        for path in paths:
            if path.is_dir() and not path.is_symlink():
                if path.name != _WRITTEN_BY_PYTHON:
                    yield from self._walk(path, entry=entry)
            else:
                yield path


def _argument_path(bot: Bot, argument: str) -> Path | None:
    """Return the file or folder that an argument names, also in `--option=FILE`."""
    for text in (argument, argument.partition("=")[2] if argument.startswith("-") else ""):
        if text and len(text) < 4096:
            path = bot.directory / text
            try:
                if path.is_file() or path.is_dir():
                    return path
            except (OSError, ValueError):
                continue
    return None


def _text(name: str) -> str:
    """Return a file name as text that can be stored, bytes that are no UTF-8 written out."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _has_module(bot: Bot) -> bool:
    is_python = bot.command[0] == PYTHON or Path(bot.command[0]).name.startswith("python")
    return any(
        argument == "-m" or (is_python and argument.startswith("-m"))
        for argument in bot.command[1:]
    )


def _part(data: object) -> Part:
    match data:
        case [str(label), str(digest)]:
            return Part(label, digest)
        case _:
            raise ValueError(f"not a part of a fingerprint: {data!r}")
