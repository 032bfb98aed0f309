"""Words in lines: nothing is lost, nothing is wider, and what is read together stays together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.render.screen import widest_word, width_of, wrapped

LETTERS = st.text(alphabet="ab模é-/_ (,=<%0.", max_size=60)


@given(words=LETTERS, width=st.integers(2, 30))
def test_lines_fit_and_keep_every_character(words: str, width: int) -> None:
    """No line is wider than asked for, and together they hold all characters but blanks."""
    lines = wrapped(words, width)
    assert max(map(width_of, lines)) <= width
    assert "".join("".join(lines).split()) == "".join(words.split())


@given(words=LETTERS)
def test_what_fits_is_left_alone(words: str) -> None:
    """A text that fits is one line, as it is."""
    assert wrapped(words, 200) == [words.rstrip()]


@pytest.mark.parametrize(
    ("words", "width", "lines"),
    [
        ("found 29.1 % of it", 10, ["found", "29.1 % of", "it"]),
        ("so p < 0.0001 holds", 10, ["so", "p < 0.0001", "holds"]),
        ("organisation/model-name", 14, ["organisation/", "model-name"]),
        ("ab/cdefghijklmnop", 10, ["ab/cdefghi", "jklmnop"]),
        ("abc", 0, ["a", "b", "c"]),
    ],
)
def test_where_lines_break(words: str, width: int, lines: list[str]) -> None:
    """Between words, after a joint of a long name if that fills half a line, else anywhere."""
    assert wrapped(words, width) == lines


def test_widest_word() -> None:
    """Measured in columns of a terminal, with what stays together as one word."""
    assert widest_word("so p = 0.03 it is") == 8
    assert widest_word("模型 a") == 4
    assert widest_word("") == 0
