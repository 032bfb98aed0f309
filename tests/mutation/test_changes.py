"""The changes that `make mutate` makes: single, in code and not in words, and placed where they happen."""

import ast
from pathlib import Path

import pytest
from tests.mutation.changes import Change, changes

SOURCE = '''"""Words."""
LIMIT = 3


class Box:
    """Words."""

    label = "box"

    def fits(self, size: int = 1) -> bool:
        if size < 0:
            raise ValueError(f"{size + 1} is below 0")
        return size < LIMIT and not self.full

    @property
    def full(self) -> bool:
        def inner(x: float) -> float:
            return -x

        return min(inner(0.5), 2) == 1
'''


def made(text: str, folder: Path) -> list[Change]:
    file = folder / "box.py"
    file.write_text(text, encoding="utf-8")
    return list(changes(file))


def test_every_kind_of_change(tmp_path: Path) -> None:
    """Operators, constants, conditions, opposites, returns and guards; no docstring, no message, no annotation."""
    words = {(change.function, change.words) for change in made(SOURCE, tmp_path)}
    assert {
        ("", "3  ->  4"),
        ("", "1  ->  0"),
        ("Box.fits", "size < LIMIT  ->  size <= LIMIT"),
        ("Box.fits", "size < LIMIT and (not self.full)  ->  size < LIMIT or not self.full"),
        ("Box.fits", "not self.full  ->  self.full"),
        ("Box.fits", "if size < 0: raise ValueError(f'{size + 1} is below 0')  ->  pass"),
        ("Box.full", "min  ->  max"),
        ("Box.full", "return min(inner(0.5), 2) == 1  ->  return None"),
        ("Box.full.<locals>.inner", "-x  ->  x"),
    } <= words
    assert not any("size + 1" in word and "if" not in word for _, word in words)
    assert not any("box" in word or "Words" in word for _, word in words)


def test_changes_are_single(tmp_path: Path) -> None:
    """Each makes a program that differs from the original and from every other, and leaves the tree as it was."""
    found = made(SOURCE, tmp_path)
    original = ast.unparse(ast.parse(SOURCE))
    texts = [change.made().text for change in found]
    assert len({*texts, original}) == len(found) + 1
    assert ast.unparse(found[0].tree) == original
    for text in texts:
        changed = [
            pair for pair in zip(text.splitlines(), original.splitlines(), strict=False) if pair[0] != pair[1]
        ]
        assert changed
        compile(text, "box.py", "exec")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def f(a, b):\n    return a, b", {"return (a, b)  ->  return (b, a)"}),
        ("def f(a):\n    return a, a", set()),
        ("def f(a):\n    a += 1", {"a += 1  ->  a -= 1", "a += 1  ->  pass", "1  ->  2", "1  ->  0"}),
        ("def f(a):\n    a.sort()", {"a.sort()  ->  pass"}),
        ("def f(a):\n    return 'x' + a", {"return 'x' + a  ->  return None"}),
        ("def f(a):\n    return None", set()),
        ("x = True", {"True  ->  False"}),
        ("x = 0.0", {"0.0  ->  1.0"}),
        ("x = 'text'", set()),
        ("import numpy", set()),
        ("sort(x, axis=-1)", {"sort(x, axis=-1)  ->  pass", "1  ->  2", "1  ->  0"}),
        ("n = x.shape[-1]", {"1  ->  2", "1  ->  0"}),
        ("n = x[-1]", {"-1  ->  1", "1  ->  2", "1  ->  0"}),
        ("n = x.reshape(-1, 3)", {"-1  ->  1", "1  ->  0", "3  ->  4", "3  ->  2"}),
    ],
)
def test_single_lines(text: str, words: set[str], tmp_path: Path) -> None:
    """What can become of a line, and no more."""
    assert {change.words for change in made(text, tmp_path)} == words


def test_the_value_that_a_change_is_in(tmp_path: Path) -> None:
    """By the name that the module gives it; a field of a class and what a function computes have none."""
    text = "A = 3 * B\nC: int = 5\nclass D:\n    e = 7\ndef f(g=9):\n    return 11\n"
    constants = {change.words: change.constant for change in made(text, tmp_path)}
    assert constants["3  ->  4"] == constants["3 * B  ->  3 / B"] == "A"
    assert constants["5  ->  6"] == "C"
    assert [constants[f"{n}  ->  {n + 1}"] for n in (7, 9, 11)] == [None, None, None]
