"""Numbers are compared by their digits: beside a relative tolerance an absolute one is said, which otherwise is 1e-12."""

import ast
from pathlib import Path

TESTS = Path(__file__).parents[1]


def _half_said(source: str) -> list[int]:
    """The lines of comparisons with a relative tolerance alone: any number below 1e-12 passes those for any other."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    named = [(call, {keyword.arg for keyword in call.keywords}) for call in calls if _is_approx(call.func)]
    return [call.lineno for call, names in named if "rel" in names and "abs" not in names]


def _is_approx(function: ast.expr) -> bool:
    return "approx" in {getattr(function, "attr", None), getattr(function, "id", None)}


def test_both_tolerances_are_said() -> None:
    found = {
        str(path.relative_to(TESTS)): lines
        for path in sorted(TESTS.rglob("*.py"))
        if (lines := _half_said(path.read_text()))
    }
    assert not found


def test_a_half_said_one_is_found() -> None:
    """So that what finds them is not blind."""
    assert _half_said("x == pytest.approx(y, rel=1e-9)\nx == approx(y, rel=1e-9, abs=0.0)\n") == [1]
