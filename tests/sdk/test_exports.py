"""What `referee.sdk` gives a bot author, and that it is what it says."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import pytest

import referee.sdk


@pytest.mark.parametrize("name", referee.sdk.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(referee.sdk, name)
    assert not inspect.ismodule(value), "a module of that name would hide it"
    if inspect.isclass(value) or inspect.isfunction(value):
        assert value.__doc__


def test_no_module_has_the_name_of_something_public() -> None:
    modules = {module.name for module in pkgutil.iter_modules(referee.sdk.__path__)}
    assert not modules & set(referee.sdk.__all__)


def test_an_unknown_name_is_told_as_in_any_module() -> None:
    with pytest.raises(AttributeError, match=r"module 'referee\.sdk' has no attribute 'cheat'"):
        _ = referee.sdk.cheat
    with pytest.raises(ImportError):
        import_module("referee.sdk.cheat")


def test_the_bot_of_the_package_docstring_is_a_bot() -> None:
    code = inspect.cleandoc(referee.sdk.__doc__ or "")
    lines = [line[4:] for line in code.splitlines() if line.startswith("    ")]
    source = "\n".join(line for line in lines if not line.startswith("run("))
    names: dict[str, type] = {}
    exec(compile(source, "docstring", "exec"), names)
    bot = names["FirstLegal"]()
    assert all(callable(getattr(bot, name)) for name in ("call", "trump", "discards", "play"))
