"""What a sentence says is tested in `tests/words`, pages in `tests/render` and `tests/golden`; everybody else asks for codes, fields and exit codes."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
ABOUT_WORDS = {"words", "render", "golden", "charts", "browser", "web"}
"""Rooms whose tests are about what a reader sees."""
TOLD = {"sentence", "headline", "text"}
"""What `words` fills in."""
PRINTED = {"out", "stdout"}
"""An answer as it was printed; refusals go to stderr, and what they say is what they are."""


def prose_asked_for(source: str) -> Iterator[str]:
    """Every assertion that looks for several words in what an answer says."""
    asserts = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert)]
    for stated in asserts:
        if any(_looks_for_prose(node) for node in ast.walk(stated.test)):
            yield f"line {stated.lineno}: {ast.unparse(stated)}"


def _looks_for_prose(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(map(_is_prose, sides)) and any(map(_is_told, sides))
    called = node.func if isinstance(node, ast.Call) else None
    if isinstance(called, ast.Attribute) and called.attr in {"startswith", "endswith", "count"}:
        return _is_told(called.value) and any(map(_is_prose, node.args))  # type: ignore[attr-defined]  # it is a call
    return False


def _is_prose(node: ast.AST) -> bool:
    text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return len(re.findall(r"[A-Za-z]{2,}", text)) > 1 and " " in text


def _is_told(node: ast.AST) -> bool:
    """A sentence, a headline, the text of a note, or all that was printed, however it is cut."""
    named = {part.attr for part in ast.walk(node) if isinstance(part, ast.Attribute)}
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    keys = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
    return bool(named & (TOLD | {"stdout"}) or names & PRINTED or keys & TOLD)


ASKING = sorted(path for path in TESTS.rglob("test_*.py") if path.relative_to(TESTS).parts[0] not in ABOUT_WORDS)
PAGES = {"test_pytest_plugin.py", "test_chart_flag.py"}
"""Tests of what pytest and the help print."""


def test_answers_are_asked_for_codes_and_fields() -> None:
    found = {path: list(prose_asked_for(path.read_text(encoding="utf-8"))) for path in ASKING}
    assert {str(path): told for path, told in found.items() if told and path.name not in PAGES} == {}


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('assert "is better" in answer.sentence', True),
        ('assert answer.headline == "a is better than b"', True),
        ('assert told["notes"][0]["text"].startswith("left out")', True),
        ('assert "of 3 systems" not in out.split("Notes")[0]', True),
        ('assert any("no item" in note.text for note in answer.notes)', True),
        ('assert "--missing drop" in err', False),
        ('assert answer.verdict == "b better"', False),
        ('assert "large" in out', False),
    ],
)
def test_prose_is_seen(line: str, found: bool) -> None:
    """Negative control: each way to ask for words is seen, and codes, fields and refusals are not taken for one."""
    assert bool(list(prose_asked_for(line))) is found
