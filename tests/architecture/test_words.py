"""Words are not decisions: a sentence says numbers that the answer has, and is never taken apart again."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.architecture.measure import SOURCE, name_of, text_of
from tests.architecture.test_imports import layer

TAKING_APART = {"startswith", "endswith", "split", "rsplit", "partition", "rpartition", "removeprefix", "removesuffix"}  # fmt: skip
COMPUTING = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)


def files(highest: int) -> list[Path]:
    """The files of answers that say what an answer holds, and up to this layer how it is told."""
    return [
        path
        for path in sorted((SOURCE / "answers").rglob("*.py"))
        if layer(".".join(path.relative_to(SOURCE).with_suffix("").parts)) <= highest
    ]


def computed(source: str) -> Iterator[str]:
    """Arithmetic, but for how many of a list are not named, places in a list, and a list that is there or not."""
    tree = ast.parse(source)
    places = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Subscript) for part in ast.walk(node.slice)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, COMPUTING) and id(node) not in places:
            counted = any(map(_is_length, (node.left, node.right)))
            if not (counted and isinstance(node.op, ast.Sub)) and not isinstance(node.left, ast.List | ast.Tuple):  # fmt: skip
                yield ast.unparse(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "sum":
            yield ast.unparse(node)


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len"


def taken_apart(source: str) -> Iterator[str]:
    """Texts of which the beginning, the end or a piece is looked at."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in TAKING_APART:
            yield ast.unparse(node)


def test_a_sentence_computes_nothing() -> None:
    """A number that is said is a field or a property of the answer; how it is rounded and spelled is known to `wording`."""
    sentences = [path for path in files(1) if path not in files(0)]
    assert sentences
    assert {name_of(path): found for path in sentences if (found := [*computed(text_of(path))])} == {}


def test_no_text_of_an_answer_is_taken_apart() -> None:
    """Whoever wants to know what a text says asks for the field that it was made of."""
    told = [path for path in files(1) if path.name not in OF_SOURCE]
    assert {name_of(path): found for path in told if (found := [*taken_apart(text_of(path))])} == {}


OF_SOURCE = {"schema.py", "answer.py"}
"""What reads docstrings and names of our own classes, to make schemas of them."""


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("f'{1.0 - answer.alpha}'", True),
        ("round(10.0 * share)", True),
        ("sum(one.rows for one in answer.sources)", True),
        ("1.0 / (1.0 + resamples)", True),
        ("len(names) - MOST_NAMED", False),
        ("answer.rows[place - 1]", False),
        ("['evidence'] * known", False),
        ("first + second", False),
    ],
)
def test_arithmetic_is_seen(line: str, found: bool) -> None:
    """Negative control."""
    assert bool(list(computed(line))) is found


def test_taking_apart_is_seen() -> None:
    """Negative control: what `render/comparison` once asked of a headline."""
    assert list(taken_apart("headline.startswith('undetermined')")) != []
    assert list(taken_apart("answer.verdict == 'undetermined'")) == []
