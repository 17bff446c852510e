"""The package's front door is honest: all that its modules make public, once, and nothing else."""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter

import referee.engine as engine


def test_the_package_exports_exactly_what_its_modules_make_public() -> None:
    offered: Counter[str] = Counter()
    for found in pkgutil.iter_modules(engine.__path__):
        module = importlib.import_module(f"referee.engine.{found.name}")
        offered.update(module.__all__)
        for name in module.__all__:
            assert getattr(engine, name) is getattr(module, name)
    assert max(offered.values()) == 1
    assert sorted(engine.__all__) == sorted(offered)


def test_every_public_function_and_class_has_a_docstring() -> None:
    bare = [
        name
        for name in engine.__all__
        if callable(getattr(engine, name)) and not getattr(engine, name).__doc__
    ]
    assert bare == []
