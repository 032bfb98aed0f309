"""Right or wrong may be written 0 and 1, 0 and 100 or −1 and 1: the decision is the same, in the unit of the file."""

from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.answers.comparison import Comparison
from tellapart.foundation.errors import UsageError

RIGHT_A, RIGHT_B = np.random.default_rng(5).random((2, 80)) < np.array([[0.55], [0.75]])
CODINGS = [(0.0, 100.0), (-1.0, 1.0)]


def written(wrong: float, right: float, **options: Any) -> Comparison:
    scores = {"a": np.where(RIGHT_A, right, wrong), "b": np.where(RIGHT_B, right, wrong)}
    return compare(Scores.from_arrays(scores), **options)


@pytest.mark.parametrize("code", CODINGS)
@pytest.mark.parametrize("interval", [None, "newcombe", "bonett_price", "wald"])
def test_effect_interval_and_margin_are_in_the_files_unit(code: tuple[float, float], interval: str | None) -> None:
    step = code[1] - code[0]
    plain = written(0.0, 1.0, interval=interval, margin=0.3, effect=0.1)
    found = written(*code, interval=interval, margin=0.3 * step, effect=0.1 * step)
    assert (found.test, found.pvalue, found.verdict) == (plain.test, plain.pvalue, plain.verdict)
    assert found.shown == plain.shown
    assert found.detectable is not None
    assert plain.detectable is not None
    for mine, theirs in (
        (found.effect, plain.effect),
        (found.interval.low, plain.interval.low),
        (found.interval.high, plain.interval.high),
        (found.detectable.effect, plain.detectable.effect),
    ):
        assert mine == pytest.approx(step * theirs, rel=1e-12, abs=0.0)
    for system, same in ((found.a, plain.a), (found.b, plain.b)):
        assert [system.mean, system.interval.low, system.interval.high] == pytest.approx(
            [code[0] + step * x for x in (same.mean, same.interval.low, same.interval.high)],
            rel=1e-12,
            abs=0.0,
        )


@pytest.mark.parametrize("code", CODINGS)
@pytest.mark.parametrize("asked", [{"effect": 0.01}, {"margin": 0.01}])
def test_the_items_needed_are_the_same(code: tuple[float, float], asked: dict[str, float]) -> None:
    step = code[1] - code[0]
    plain = written(0.0, 1.0, alpha=1e-6, **asked)
    found = written(*code, alpha=1e-6, **{name: value * step for name, value in asked.items()})
    assert plain.needed is not None
    assert found.needed is not None
    assert (found.needed.items, found.needed.size) == (plain.needed.items, 0.01 * step)


@pytest.mark.parametrize("code", CODINGS)
def test_a_named_margin_test_reads_its_margin_in_the_files_unit(code: tuple[float, float]) -> None:
    step = code[1] - code[0]
    plain = written(0.0, 1.0, test="non_inferiority(test=mcnemar, margin=0.05)")
    found = written(*code, test=f"non_inferiority(test=mcnemar, margin={0.05 * step:g})")
    assert found.pvalue == pytest.approx(plain.pvalue, rel=1e-12, abs=0.0)


def test_an_effect_that_no_scores_can_have_is_refused_in_their_unit() -> None:
    with pytest.raises(UsageError, match="differ by 100 at most; a point is 1"):
        written(0.0, 100.0, effect=101.0)
