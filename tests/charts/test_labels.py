"""Names as labels: whole, in lines."""

import pytest

from tellapart.charts.labels import height, label, lines


@pytest.mark.parametrize(
    "name", ["", " ", "a", "x" * 100, "a/b-c_d " * 20, "--//__", "é" * 40, "a\tb", "名前" * 30]
)
def test_nothing_is_cut(name: str) -> None:
    """But for blanks at the ends of lines every character is there, and no line is longer than asked for by more than its break."""
    found = lines(name, 20)
    assert "".join(found).replace(" ", "") == name.replace(" ", "")
    assert max(map(len, found)) <= 21


def test_lines_break_where_they_can_be_read_on() -> None:
    assert lines("gpt-4o-mini-2024-07-18 (temperature 0.7)", 20) == [
        "gpt-4o-mini-2024-07-",
        "18 (temperature 0.7)",
    ]
    assert label("one two three", 8) == "one two\nthree"


def test_steps_leave_room_for_the_tallest() -> None:
    assert height(["a", "b"]) == 16
    assert height(["a", "one two three four five six seven eight nine ten"]) > 24
