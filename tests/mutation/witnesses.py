"""Which tests can notice a change, and in which order they are asked."""

import ast
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.mutation.changes import Mutant, Scope
from tests.mutation.reach import Entered
from tests.mutation.trial import PACKAGE, ROOT

NAMESAKE = 0.1
"""What the seconds of a test count for in the file of tests named after the changed one, which is most likely to notice."""

DECLARATIONS = "test_declarations.py"
"""Tests of what the plug-ins of a room say of themselves."""


def reaching(mutant: Mutant, entered: Sequence[Entered]) -> list[Entered]:
    """The tests that enter the changed function, or one that reads the changed value; else all beside one that enters the file."""
    file = f"{mutant.file.relative_to(PACKAGE)}::"
    if mutant.function:
        return [e for e in entered if file + mutant.function in e.functions]
    readers = None if mutant.constant is None else _readers(mutant.file, mutant.constant)
    if mutant.constant is not None and readers is not None:
        told = {test for test in {e.file for e in entered} if _mentions(ROOT / test, mutant.constant)}
        return [e for e in entered if e.file in told or not readers.isdisjoint(e.functions)]
    beside = {e.file for e in entered if any(name.startswith(file) for name in e.functions)}
    # What a class says of itself is read without entering its file.
    beside |= {e.file for e in entered if beside and Path(e.file).name == DECLARATIONS}
    # A base whose methods are all abstract has no function that a test could enter: any test may notice.
    return [e for e in entered if e.file in beside or not beside]


def in_order(mutant: Mutant, tests: Sequence[Entered]) -> list[Entered]:
    """Quick tests first, and before others of its length one that is named after the changed file."""
    namesake = f"test_{mutant.file.name}"
    return sorted(tests, key=lambda e: e.seconds * (NAMESAKE if Path(e.file).name == namesake else 1.0))


@cache
def _readers(home: Path, constant: str) -> frozenset[str] | None:
    """Functions of the package that read this value of a file; none known if it is read where a module or a class is made."""
    found: set[str] = set()
    for file in PACKAGE.rglob("*.py"):
        if _may_read(file, home, constant):
            functions = _reading(ast.parse(file.read_text(encoding="utf-8")), constant, Scope())
            found |= {f"{file.relative_to(PACKAGE)}::{name}" if name else "" for name in functions}
    return None if "" in found else frozenset(found)


def _may_read(file: Path, home: Path, constant: str) -> bool:
    """Whether it names the value, and the file or the folder to import it from: others have values of that name too."""
    imported = file == home or _mentions(file, home.stem) or _mentions(file, home.parent.name)
    return imported and _mentions(file, constant)


def _reading(parent: ast.AST, constant: str, scope: Scope) -> set[str]:
    found = set()
    for field, value in ast.iter_fields(parent):
        # What stands in the head of a function is computed where it is defined.
        here = scope.within(parent) if field == "body" else scope
        for node in value if isinstance(value, list) else [value]:
            if not isinstance(node, ast.AST):
                continue
            if _is_read(node, constant):
                found.add(here.function)
            found |= _reading(node, constant, here)
    return found


def _is_read(node: ast.AST, constant: str) -> bool:
    match node:
        case ast.Name(name, ast.Load()) | ast.Attribute(attr=name, ctx=ast.Load()):
            return name == constant
    return False


@cache
def _mentions(file: Path, name: str) -> bool:
    return re.search(rf"\b{name}\b", file.read_text(encoding="utf-8")) is not None
