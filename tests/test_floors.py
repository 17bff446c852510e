"""Imports go only downwards: this table decides, and is the documentation of, who may import whom.

Every module of `referee/` is read with `ast`, imports inside functions included; nothing is run.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TypeGuard

import pytest

from referee.wire import sample_files

ROOT = Path(__file__).parent.parent / "referee"

SAMPLE_BOTS = ROOT.parent / "sample_bots"
BOT_HOMES = frozenset({"grpc", "google", "schmier"})
"""What a sample bot may import besides the standard library, `referee.sdk` and its neighbours."""

FLOORS: tuple[frozenset[str], ...] = (
    frozenset({"engine", "ranking"}),
    frozenset({"table"}),
    frozenset({"wire", "tourney"}),
    frozenset({"bots", "sdk", "store"}),
    frozenset({"report"}),
    frozenset({"runner"}),
    frozenset({"cli"}),
)
"""A package may import the packages of lower floors, and none of its own floor but itself."""

FOR_ALL = frozenset({"errors", "__version__"})
"""What any module may import from `referee`; `referee/errors.py` itself imports nothing of ours."""

TOP = frozenset({"__main__"})
"""Modules above every floor: they only start the command line."""

HOMES: dict[str, frozenset[str]] = {
    "numpy": frozenset({"ranking"}),
    "scipy": frozenset({"ranking"}),
    "google": frozenset({"wire"}),
    "grpc": frozenset({"bots", "sdk"}),
    "sqlite3": frozenset({"store"}),
    "tabulate": frozenset({"report"}),
    "wcwidth": frozenset({"report"}),
    "typer": frozenset({"cli"}),
    "rich": frozenset({"cli"}),
}
"""Where each third-party package (and sqlite3) is imported; one that is not listed has no home."""

LAZY = frozenset({"numpy", "scipy"})
"""Slow to import: only inside functions, so that no command waits for what it does not use."""

GENERATED = "wire/pb/"
"""Made by the protobuf compiler: free to import protobuf and grpcio, and without `__all__`."""

PURE = ("engine/", "ranking/", "table/", "runner/conversation.py", "runner/rulings.py")
"""No clock, file, environment, socket, log, process or global random: all that is an argument."""

WORLD = frozenset(
    {"asyncio", "concurrent", "datetime", "io", "logging", "multiprocessing", "os", "pathlib"}
    | {"random", "secrets", "select", "selectors", "shutil", "signal", "socket", "subprocess"}
    | {"sys", "tempfile", "threading", "time", "uuid"}
)
"""Standard-library modules that touch the world: closed to the pure floors."""

WORLDLY_CALLS = frozenset({"open", "print", "input", "breakpoint", "exec", "eval"})

STANDARD_LIBRARY_ONLY = frozenset({"warden_main.py"})
"""Run by a bare interpreter that sees no installed package, ours included."""


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module or name, absolute; `lazy` when importing the module does not load it."""

    name: str
    line: int
    lazy: bool


def is_type_checking(node: ast.AST) -> TypeGuard[ast.If]:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def absolute(node: ast.ImportFrom, path: str) -> str:
    """The module a `from` statement in `referee/<path>` names, leading dots resolved."""
    if not node.level:
        return node.module or ""
    parents = ("referee", *path.split("/"))[: -node.level]
    return ".".join((*parents, node.module) if node.module else parents)


def is_lazy_door(node: ast.AST, path: str) -> bool:
    """A package's `__getattr__`: it may compute the name of what TYPE_CHECKING declares."""
    named = isinstance(node, ast.FunctionDef) and node.name == "__getattr__"
    return named and path.endswith("__init__.py")


def imports(tree: ast.AST, path: str, *, lazy: bool = False) -> Iterator[Import]:
    """Every import below `tree`, import_module("...") with a literal name included."""
    for node in ast.iter_child_nodes(tree):
        match node:
            case ast.FunctionDef() if is_lazy_door(node, path):
                inside_door = imports(ast.Module(node.body, []), path, lazy=True)
                yield from (item for item in inside_door if item.name != "?")
            case ast.Import():
                yield from (Import(alias.name, node.lineno, lazy) for alias in node.names)
            case ast.ImportFrom():
                module = absolute(node, path)
                for alias in node.names:
                    yield Import(f"{module}.{alias.name}", node.lineno, lazy)
            case ast.Call() if ast.unparse(node.func).split(".")[-1] in (
                "import_module",
                "__import__",
            ):
                target = node.args[0] if node.args else None
                literal = isinstance(target, ast.Constant) and isinstance(target.value, str)
                name = str(target.value) if literal else "?"  # type: ignore[union-attr]
                yield Import(name, node.lineno, lazy)
                yield from imports(node, path, lazy=lazy)
            case _:
                function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
                inside = lazy or function or is_type_checking(node)
                yield from imports(node, path, lazy=inside)


def floor_of(package: str) -> int:
    return next(i for i, packages in enumerate(FLOORS) if package in packages)


def own_import_problem(package: str, name: str) -> str | None:
    """Why a module of `package` may not import `name` (which begins with `referee`)."""
    target = name.split(".")[1] if "." in name else ""
    if target in FOR_ALL or target == package or package in TOP:
        return None
    if package in ("", "errors"):
        return f"referee/{package or '__init__'}.py must import nothing of ours"
    if not any(target in packages for packages in FLOORS):
        return f"{name} is on no floor"
    if floor_of(target) >= floor_of(package):
        return f"{package} (floor {floor_of(package)}) may not import {target}"
    return None


def import_problem(path: str, found: Import) -> str | None:
    """Why `referee/<path>` may not hold the import `found`, or None."""
    package = path.split("/")[0].removesuffix(".py").removesuffix("__init__")
    top = found.name.split(".")[0]
    bare = path.split("/")[-1] in STANDARD_LIBRARY_ONLY
    pure = path.startswith(PURE)
    problem = None
    if top == "?":
        problem = "an import by a computed name cannot be checked"
    elif bare:
        if top not in sys.stdlib_module_names:
            problem = f"{top} is not of the standard library"
    elif top == "referee":
        problem = own_import_problem(package, found.name)
    elif pure and top in WORLD:
        problem = f"a pure module may not import {top}"
    elif top in HOMES:
        if package not in HOMES[top] and not path.startswith(GENERATED):
            problem = f"{top} has its home in {', '.join(sorted(HOMES[top]))}"
        elif top in LAZY and not found.lazy:
            problem = f"{top} is imported inside functions only"
    elif top not in sys.stdlib_module_names and not path.startswith(GENERATED):
        problem = f"{top} has no home on any floor"
    return problem


def problems(path: str, source: str) -> list[str]:
    """All that `referee/<path>` with this source does against the floors, with its line."""
    tree = ast.parse(source)
    found = [
        f"referee/{path}:{item.line}: {problem}"
        for item in imports(tree, path)
        if (problem := import_problem(path, item))
    ]
    if path.startswith(PURE):
        found += [
            f"referee/{path}:{node.lineno}: a pure module may not call {node.func.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in WORLDLY_CALLS
        ]
    return found


def modules() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", modules())
def test_each_module_keeps_to_its_floor(path: str) -> None:
    assert problems(path, (ROOT / path).read_text()) == []


def test_every_package_is_on_exactly_one_floor() -> None:
    packages = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
    assert packages == sorted(name for floor in FLOORS for name in floor)


def bot_problems(source: str, *, neighbours: frozenset[str] = frozenset()) -> list[str]:
    """What a sample bot imports that an author elsewhere could or should not."""
    return [
        f"line {item.line}: {item.name}"
        for item in imports(ast.parse(source), "")
        if not f"{item.name}.".startswith("referee.sdk.")
        and item.name.split(".")[0] not in BOT_HOMES | neighbours | sys.stdlib_module_names
    ]


@pytest.mark.parametrize(
    "path",
    [
        f"{folder.name}/{path}"
        for folder in sorted(SAMPLE_BOTS.iterdir())
        if folder.is_dir()
        for path in sample_files(folder)
        if path.suffix == ".py"
    ],
)
def test_a_sample_bot_imports_of_ours_only_the_sdk(path: str) -> None:
    file = SAMPLE_BOTS / path
    neighbours = frozenset(other.stem for other in file.parent.glob("*.py"))
    assert bot_problems(file.read_text(), neighbours=neighbours) == []


def test_a_sample_bot_that_reaches_past_the_sdk_is_found() -> None:
    assert bot_problems("from referee.engine import Hand") == ["line 1: referee.engine.Hand"]
    assert bot_problems("import numpy") == ["line 1: numpy"]
    assert bot_problems("from referee.sdk import run\nimport os, grpc.aio") == []
    assert bot_problems("import trumps") == ["line 1: trumps"]
    assert bot_problems("import trumps", neighbours=frozenset({"trumps"})) == []


BREACHES = {
    "upwards": ("engine/cards.py", "import referee.table", "may not import table"),
    "sideways": ("tourney/plan.py", "from referee.wire import codec", "may not import wire"),
    "sideways on the ground": ("engine/a.py", "from referee import ranking", "import ranking"),
    "relative": ("store/run.py", "from ..bots import endpoint", "may not import bots"),
    "relative at the package": ("store/a/b.py", "from ... import runner", "import runner"),
    "in a function": ("table/x.py", "def f():\n    from referee.wire import y", "import wire"),
    "through a lazy door": (
        "sdk/__init__.py",
        "def __getattr__(name):\n    from referee.store import x\n    return import_module(name)",
        "may not import store",
    ),
    "for types only": (
        "table/x.py",
        "if TYPE_CHECKING:\n    import referee.store",
        "may not import store",
    ),
    "by name": ("table/x.py", "importlib.import_module('referee.cli')", "may not import cli"),
    "a lazy door elsewhere": ("sdk/x.py", "def __getattr__(n):\n    import_module(n)", "computed"),
    "by a computed name": ("cli/x.py", "importlib.import_module(name)", "computed name"),
    "no such package": ("cli/x.py", "import referee.utils", "on no floor"),
    "errors import ours": ("errors.py", "import referee.engine", "nothing of ours"),
    "the root imports ours": ("__init__.py", "from referee import cli", "nothing of ours"),
    "guest away from home": ("tourney/x.py", "import sqlite3", "home in store"),
    "grpc in the codec": ("wire/codec.py", "import grpc.aio", "home in bots, sdk"),
    "homeless": ("cli/x.py", "import requests", "no home"),
    "eager scipy": ("ranking/x.py", "import scipy.special", "inside functions only"),
    "clock": ("engine/x.py", "from time import monotonic", "may not import time"),
    "clock in a function": ("table/x.py", "def f():\n    import time", "may not import time"),
    "global random": ("ranking/x.py", "import random", "may not import random"),
    "pure conversation": ("runner/conversation.py", "import asyncio", "may not import asyncio"),
    "open": ("table/x.py", "def f():\n    return open('x')", "may not call open"),
    "print": ("engine/x.py", "print(1)", "may not call print"),
    "warden": ("bots/warden/warden_main.py", "import referee.errors", "standard library"),
}

LAWFUL = {
    "downwards": ("cli/x.py", "import referee.engine\nfrom referee.runner import run"),
    "own package": ("table/x.py", "from referee.table.y import Z\nfrom .y import Z"),
    "errors": ("engine/x.py", "from referee.errors import RefereeError"),
    "version": ("bots/x.py", "from referee import __version__"),
    "home": ("store/x.py", "import sqlite3, os"),
    "lazy scipy": ("ranking/x.py", "def f():\n    from scipy import special"),
    "scipy for types": ("ranking/x.py", "if TYPE_CHECKING:\n    import numpy"),
    "generated": ("wire/pb/x_pb2_grpc.py", "import grpc\nfrom google.protobuf import x"),
    "a method named open": ("engine/x.py", "def f(x):\n    x.open()"),
    "the way in": ("__main__.py", "from referee.cli import main"),
    "a lazy door": ("sdk/__init__.py", "def __getattr__(name):\n    return import_module(name)"),
    "a world of its own": ("runner/run.py", "import asyncio, time\nprint(open('x'))"),
}


@pytest.mark.parametrize("case", BREACHES)
def test_a_breach_of_the_floors_is_found(case: str) -> None:
    path, source, expected = BREACHES[case]
    (problem,) = problems(path, source)
    assert expected in problem


@pytest.mark.parametrize("case", LAWFUL)
def test_a_lawful_module_is_let_through(case: str) -> None:
    assert problems(*LAWFUL[case]) == []


def public_names(tree: ast.Module) -> set[str]:
    """What a package's `__init__` offers: what it takes from our modules, and what it defines."""
    names: set[str] = set()
    declared = [node for block in tree.body if is_type_checking(block) for node in block.body]
    for node in (*tree.body, *declared):
        match node:
            case ast.ImportFrom() if node.level or (node.module or "").startswith("referee"):
                names |= {alias.asname or alias.name for alias in node.names}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {target.id for target in targets if isinstance(target, ast.Name)}
            case _:
                pass
    return {name for name in names if not name.startswith("_")}


def exported(tree: ast.Module) -> list[str]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id="__all__")], value=value):
                return [str(name) for name in ast.literal_eval(value)]
            case _:
                pass
    return []


def sorting(name: str) -> tuple[int, str]:
    """CONSTANTS, then Classes, then functions: the order the linter keeps."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def packages() -> list[str]:
    names = [name for name in modules() if name.endswith("__init__.py") and "/" in name]
    return [name for name in names if not name.startswith(GENERATED)]


@pytest.mark.parametrize("path", packages())
def test_all_is_what_the_package_imports_publicly_sorted(path: str) -> None:
    tree = ast.parse((ROOT / path).read_text())
    assert exported(tree) == sorted(public_names(tree), key=sorting)


@pytest.mark.parametrize("path", packages())
def test_every_name_in_all_can_be_had(path: str) -> None:
    package = import_module("referee." + path.removesuffix("/__init__.py").replace("/", "."))
    for name in getattr(package, "__all__", ()):
        assert getattr(package, name) is not None


def test_a_name_missing_from_all_is_found() -> None:
    tree = ast.parse("from referee.table.x import B, a\nfrom os import path\n__all__ = ['B']")
    assert exported(tree) != sorted(public_names(tree), key=sorting)
    assert public_names(tree) == {"B", "a"}


def loaded_by(statement: str) -> set[str]:
    """The top-level modules a fresh interpreter loads for `statement`, its own start left out."""
    code = (
        "import sys; before = set(sys.modules)\n"
        f"{statement}\n"
        "print(*sorted({name.split('.')[0] for name in set(sys.modules) - before}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.split())


def test_the_sdk_pulls_in_grpcio_and_protobuf_only() -> None:
    loaded = loaded_by("import referee.sdk")
    third_party = {name for name in loaded if name not in sys.stdlib_module_names}
    assert third_party <= {"referee", "grpc", "google", "typing_extensions"}
    assert "sqlite3" not in loaded


def test_no_package_loads_scipy_or_numpy_when_it_is_imported() -> None:
    names = ", ".join(f"referee.{name}" for floor in FLOORS for name in sorted(floor))
    assert not loaded_by(f"import {names}") & LAZY
