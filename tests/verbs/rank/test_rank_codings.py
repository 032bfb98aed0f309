"""A board of right and wrong answers ranks alike however they are written, and stays in the unit of the file."""

import numpy as np
import pytest

from tellapart import Leaderboard, Scores, rank

RIGHT = np.random.default_rng(8).random((4, 120)) < np.array([[0.5], [0.6], [0.75], [0.95]])
GAPS = np.random.default_rng(9).random(RIGHT.shape) < 0.03


def board(wrong: float, right: float, *, gaps: bool) -> Leaderboard:
    values = np.where(RIGHT, right, wrong)
    if gaps:
        values = np.where(GAPS, np.nan, values)
    scores = Scores.from_arrays(dict(zip("abcd", values, strict=True)))
    return rank(scores, missing="pairwise" if gaps else "error")


@pytest.mark.parametrize("code", [(0.0, 100.0), (-1.0, 1.0)])
@pytest.mark.parametrize("gaps", [False, True])
def test_the_decision_does_not_depend_on_how_right_is_written(code: tuple[float, float], *, gaps: bool) -> None:
    step = code[1] - code[0]
    plain, found = board(0.0, 1.0, gaps=gaps), board(*code, gaps=gaps)
    assert [(s.name, s.tier, s.rank) for s in found.systems] == [(s.name, s.tier, s.rank) for s in plain.systems]
    assert found.corrected == plain.corrected
    for mine, same in zip(found.systems, plain.systems, strict=True):
        assert [mine.mean, mine.low, mine.high] == pytest.approx(
            [code[0] + step * x for x in (same.mean, same.low, same.high)], rel=1e-9, abs=0.0
        )
    for pair, alike in zip(found.pairs, plain.pairs, strict=True):
        assert (pair.adjusted_pvalue, pair.significant) == (alike.adjusted_pvalue, alike.significant)
        assert [pair.effect, pair.low, pair.high] == pytest.approx(
            [step * x for x in (alike.effect, alike.low, alike.high)], rel=1e-9, abs=0.0
        )
