"""Names as labels: whole, in lines."""

import re
from collections import Counter

import numpy as np
import pytest

from tellapart import Scores, compare, rank
from tellapart.answers.drawing import caption, named
from tellapart.answers.drawing.files import written
from tellapart.answers.drawing.theme import CYCLE, SHAPES, height, label, lines, turned
from tellapart.answers.leaderboard import Leaderboard


@pytest.mark.parametrize("name", ["", " ", "a", "x" * 100, "a/b-c_d " * 20, "--//__", "é" * 40, "a\tb", "名前" * 30])
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


def test_looks_differ_for_as_many_as_colours_and_shapes_make() -> None:
    looks = {(CYCLE[place % len(CYCLE)], turned(SHAPES, place)) for place in range(36)}
    assert len(looks) == 36


def test_long_names_above_columns_stand_in_lines() -> None:
    """A matrix of two systems is not as tall as the longest name."""
    rng = np.random.default_rng(1)
    answer = rank(Scores.from_arrays({"x" * 30 + f" {i} " + "y" * 60: rng.random(20) for i in range(2)}))
    for name in ("pairs", "correlations"):
        size = re.search(rb'height="(\d+)', written(answer.chart(name), ".svg"))
        assert size is not None
        assert int(size[1]) < 350


def test_items_are_counted_in_whole_numbers() -> None:
    answer = compare(Scores.from_arrays({"a": [0.5, 0.1], "b": [0.7, 0.9]}), "a", "b")
    words = re.findall(r"<text[^>]*>([^<]*)</text>", written(answer.chart("items"), ".svg").decode())
    assert "0.5" not in words
    assert "1" in words


@pytest.mark.parametrize("size", [1e-9, 1e12])
def test_very_small_and_very_large_numbers_are_short(size: float) -> None:
    rng = np.random.default_rng(2)
    answer = compare(Scores.from_arrays({"a": size * rng.random(20), "b": size * rng.random(20)}), "a", "b")
    for name in answer.charts:
        drawn = written(answer.chart(name), ".svg").decode()
        assert not re.search(r">[−-]?[\d.,]{9,}<", drawn), name


def words_of(answer: Leaderboard, chart: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", written(answer.chart(chart), ".svg").decode())


def test_axes_of_right_or_wrong_are_in_points_and_percent() -> None:
    """As the text prints them; of right ones that count 100, too. The rows stay what the JSON has."""
    rng = np.random.default_rng(4)
    marks = {name: (rng.random(200) < share).astype(float) for name, share in (("a", 0.5), ("b", 0.7))}
    for factor in (1.0, 100.0):
        scores = Scores.from_arrays({name: factor * right for name, right in marks.items()})
        answer = compare(scores, "a", "b", margin=0.05 * factor)
        words = re.findall(r">([^<>]+)<", written(answer.chart("difference"), ".svg").decode())
        assert {"0", "10", "20", "b − a, points"} <= set(words)
        assert "points" in caption(answer, "difference")
        assert "±5 points" in caption(answer, "difference")
        assert named(answer, "difference").rows(answer)[0]["value"] == answer.effect
    board = rank(Scores.from_arrays(marks))
    assert {"score (%)", "50", "70"} <= set(words_of(board, "means"))


@pytest.mark.parametrize("systems", [21, 30, 60])
def test_columns_of_a_matrix_are_named_however_many_they_are(systems: int) -> None:
    """All but the last have a row, and all but the first a column: from 21 on no column had a name."""
    rng = np.random.default_rng(3)
    names = [f"system {i}" for i in range(systems)]
    answer = rank(Scores.from_arrays({name: rng.random(12) for name in names}), resamples=99)
    best, worst = answer.systems[0].name, answer.systems[-1].name
    for chart in ("pairs", "correlations"):
        found = Counter(words_of(answer, chart))
        assert {name: found[name] for name in names} == {name: 1 if name in {best, worst} else 2 for name in names}


@pytest.mark.parametrize(("systems", "numbered"), [(10, True), (11, False), (30, False)])
def test_correlations_have_numbers_or_a_key(systems: int, numbered: bool) -> None:
    """From 11 systems on colours were all there was, and nothing said what they mean."""
    rng = np.random.default_rng(4)
    values = {f"system {i}": rng.random(12) for i in range(systems)}
    found = words_of(rank(Scores.from_arrays(values), resamples=99), "correlations")
    assert ("correlation" in found) is not numbered
    assert {"−1.0", "0.0", "1.0"} <= set(found) or numbered
    assert (len([word for word in found if re.fullmatch(r"[−-]?0\.\d\d", word)]) > 20) is numbered
