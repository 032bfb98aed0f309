"""Steps of a drawn figure: those that rounding could have made are none, and are told as that."""

import json
import math
from collections.abc import Callable, Iterable
from fractions import Fraction

import pytest

from tellapart.render import render
from tellapart.studies.reproduction import reproduce
from tellapart.studies.reproduction.table import Ours, Place, worst_step

UP: dict[Place, float] = {
    (1.0, 1.0): 0.25,
    (2.0, 1.0): 0.5,
    (3.0, 1.0): 0.875,
    (1.0, 2.0): 0.125,
    (2.0, 2.0): 0.625,
}


def test_the_worst_step_of_each_axis() -> None:
    """From each point to the next one, all else the same: 0.25, 0.375 and 0.5 along the first axis, -0.125 and 0.125 along the second."""
    assert [worst_step(UP, axis, min) for axis in (0, 1)] == [Ours(0.25), Ours(-0.125)]
    assert [worst_step(UP, axis, max) for axis in (0, 1)] == [Ours(0.5), Ours(0.125)]


@pytest.mark.parametrize("worst", [min, max])
@pytest.mark.parametrize("towards", [0.0, 2.0])
@pytest.mark.parametrize("size", [1.0, 1e-107])
def test_a_step_of_rounding_is_none(worst: Callable[[Iterable[float]], float], towards: float, size: float) -> None:
    """Whichever way the last bits of two numbers fall, however small both are, and where they are the same."""
    near: dict[Place, float] = {(1.0,): size, (2.0,): math.nextafter(size, towards * size)}
    assert worst_step(near, 0, worst) == Ours(0.0, below_rounding=True)
    assert worst_step({(1.0,): size, (2.0,): size}, 0, worst) == Ours(0.0, below_rounding=True)


def test_a_small_step_stays() -> None:
    """Of values of 1 a step of 1e-11 is known to four digits; of smaller values a smaller one is, also down to 0."""
    assert worst_step({(1.0,): 1.0, (2.0,): 1.0 - 1e-11}, 0, min).value == pytest.approx(-1e-11, rel=1e-4, abs=0.0)
    assert worst_step({(1.0,): 1e-17, (2.0,): 0.0}, 0, max) == Ours(-1e-17)


def test_it_is_told_in_words_and_marked_in_the_json() -> None:
    """Power grows with items up to 1, where the last step is lost in rounding: no document holds its last bits."""
    answer = reproduce("card2020-figure-3")
    first, second = answer.tables[0].cells[:2]
    assert (first.ours, first.below_rounding, first.verdict) == (0.0, True, "agrees")
    assert (second.below_rounding, second.verdict) == (None, "agrees")
    for form in ("text", "markdown", "latex"):
        assert render(answer, form).count("none below rounding") == 1
    told = json.loads(render(answer, "json"))["tables"][0]["cells"]
    assert ["below_rounding" in cell for cell in told[:2]] == [True, False]


def test_no_loss_is_none() -> None:
    """Where every item that differs is a win, no found effect has the wrong sign: 1 - 0.95 is not 0.05 in floats."""
    cells = {cell.label: cell.ours for cell in reproduce("card2020-figure-8").tables[0].cells}
    for items in (100, 250, 500, 1000, 5000):
        assert cells[f"type_s: agreement=0.95, items={items}, effect=0.05"] == 0.0
    assert Fraction(1.0 - 0.95) != Fraction(0.05)
    assert cells["type_s: agreement=0.7, items=5000, effect=0.05"] == pytest.approx(
        1.24282165700e-17, rel=1e-9, abs=0.0
    )
