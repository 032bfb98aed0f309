"""Functions that tell when they are entered, in a program that does what it did."""

import ast
import sys
from types import ModuleType

import pytest
from tests.mutation.marks import MODULE, marked

SOURCE = '''"""Words."""
from __future__ import annotations


class Box:
    """A box."""

    def size(self) -> int:
        """How large."""
        def twice(x: int) -> int:
            return 2 * x
        return twice(3)

    @property
    def name(self) -> str:
        return "box"


def first(n: int):
    yield from range(n)


def never() -> None:
    """Nothing."""
'''


def run(monkeypatch: pytest.MonkeyPatch) -> tuple[dict[str, object], set[str]]:
    names: set[str] = set()
    module = ModuleType(MODULE)
    module.entered = names.add  # type: ignore[attr-defined]  # as in the module of a marked package
    monkeypatch.setitem(sys.modules, f"tellapart.{MODULE}", module)
    space: dict[str, object] = {}
    exec(marked(SOURCE, "box.py"), space)  # noqa: S102  (it stands above)
    return space, names


def test_what_is_entered_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the names that Python gives: methods, properties, inner functions, generators once they run; and nothing else."""
    space, names = run(monkeypatch)
    assert names == set()
    box = space["Box"]()  # type: ignore[operator]  # a class
    assert box.size() == 6
    assert names == {"box.py::Box.size", f"box.py::{box.size.__qualname__}.<locals>.twice"}
    assert box.name == "box"
    assert list(space["first"](2)) == [0, 1]  # type: ignore[operator]  # a function
    assert {"box.py::Box.name", "box.py::first"} < names
    assert "box.py::never" not in names


def test_words_stay_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Docstrings are docstrings still, of the module, classes and functions."""
    space, _ = run(monkeypatch)
    docs = [space["__doc__"], *(space[name].__doc__ for name in ("Box", "never"))]
    assert docs == ["Words.", "A box.", "Nothing."]
    assert ast.get_docstring(ast.parse(marked(SOURCE, "box.py"))) == "Words."
