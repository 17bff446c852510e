"""What the `sample.toml` of a sample project says. Light: the benchmark reads it too."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from pathlib import Path
from shutil import which

__all__ = ["SAMPLES", "Language", "languages", "read_language"]

SAMPLES = Path(__file__).parents[2] / "sample_bots"


@dataclass(frozen=True, slots=True)
class Language:
    """A sample project: `needs` are programs on the PATH, `install` a hint for people."""

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
        return tuple(name for name in self.needs if which(name) is None)


def read_language(folder: Path) -> Language:
    """Return what a project's `sample.toml` says; ValueError if that is not what it should be."""
    file = folder / "sample.toml"
    given = tomllib.loads(file.read_text(encoding="utf-8"))
    keys = [field.name for field in fields(Language) if field.name != "folder"]
    if sorted(given) != sorted(keys):
        raise ValueError(f"{file}: the keys must be {', '.join(keys)}, are {', '.join(given)}")

    def text(key: str) -> str:
        value = given[key]
        if not isinstance(value, str) or not value:
            raise ValueError(f"{file}: {key} must be a text, is {value!r}")
        return value

    def words(key: str) -> tuple[str, ...]:
        value = given[key]
        if not isinstance(value, list) or not value or not all(isinstance(w, str) for w in value):
            raise ValueError(f"{file}: {key} must be a list of texts, is {value!r}")
        return tuple(value)

    return Language(
        folder=folder,
        language=text("language"),
        needs=words("needs"),
        install=text("install"),
        build=words("build"),
        command=words("command"),
    )


def languages() -> dict[str, Language]:
    """Return all sample projects by the name of their folder."""
    folders = sorted(path.parent for path in SAMPLES.glob("*/sample.toml"))
    return {folder.name: read_language(folder) for folder in folders}
