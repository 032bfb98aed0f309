"""Leaderboards of numbers at the edge: far from zero, beside wild systems, with levels and gaps that are hardly there."""

from typing import Any

import numpy as np
import pytest

from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.parts import codes
from tellapart.data.scores import Scores
from tellapart.foundation.errors import UsageError
from tellapart.verbs.rank import rank

BOOTSTRAP = "max_t(resampling=bootstrap)"


def table() -> Any:
    return np.random.default_rng(0).normal(size=(3, 30)) + 0.5 * np.arange(3)[:, np.newaxis]


def ranked(values: Any, **options: Any) -> Leaderboard:
    return rank(Scores.from_arrays({f"s{i}": row for i, row in enumerate(values)}), **options)


@pytest.mark.parametrize("offset", [1e6, 1e9, 1e11, -1e12])
@pytest.mark.parametrize("options", [{}, {"missing": "pairwise"}, {"correction": BOOTSTRAP}], ids=str)
def test_scores_far_from_zero(offset: float, options: dict[str, Any]) -> None:
    """A number added to every score changes nothing beyond what the last digits of scores and the resamples do."""
    values = table()
    if "missing" in options:
        values[0, 3] = np.nan
    here, there = ranked(values, **options), ranked(values + offset, **options)
    assert [(s.name, s.rank, s.rank_low, s.tier) for s in here.systems] == [
        (s.name, s.rank, s.rank_low, s.tier) for s in there.systems
    ]
    for p, q in zip(here.pairs, there.pairs, strict=True):
        assert q.effect == pytest.approx(p.effect, abs=1e-15 * abs(offset) + 1e-12)
        assert q.pvalue == pytest.approx(p.pvalue, abs=0.015)
        assert q.adjusted_pvalue == pytest.approx(p.adjusted_pvalue, abs=0.015)


def test_a_system_of_zeros_beside_far_ones() -> None:
    """What is done for scores far from zero does no harm to a system that is near it."""
    board = ranked([np.zeros(30), *(table() + 1e11)])
    assert board.systems[-1].mean == board.systems[-1].low == board.systems[-1].high == 0.0


def test_far_twins_stay_twins() -> None:
    """Far from zero, columns that agree to fourteen digits are still one system."""
    row = 1e10 + table()[0]
    board = ranked([row, row * (1.0 + 2.0**-52), row + 1.0])
    (twins,) = (pair for pair in board.pairs if {pair.a, pair.b} == {"s0", "s1"})
    assert (twins.effect, twins.pvalue, twins.adjusted_pvalue) == (0.0, 1.0, 1.0)
    assert [s.rank for s in board.systems] == [1, 2, 2]


@pytest.mark.parametrize("factor", [1e13, 1e15])
def test_a_wild_system_does_not_make_the_others_equal(factor: float) -> None:
    """Ranks, effects and claims among sane systems are what they are without a system whose scores explode."""
    values = table()
    alone, beside = ranked(values), ranked([*values, factor * values[0]])
    assert [s.rank for s in beside.systems if s.name != "s3"] == [1, 2, 3]
    sane = [pair for pair in beside.pairs if "s3" not in {pair.a, pair.b}]
    assert [pair.effect for pair in sane] == pytest.approx([pair.effect for pair in alone.pairs], rel=1e-9, abs=0.0)
    assert [pair.significant for pair in sane] == [pair.significant for pair in alone.pairs]


def test_a_constant_gap_has_no_spread() -> None:
    """Rounding in a constant difference is not taken for how much scores vary: no items can be promised for it."""
    row = table()[0]
    assert ranked([row, row + 0.1, row + 0.3]).more_items is None


@pytest.mark.parametrize("gap", [1e-300, 1e-160, 1e-20])
def test_a_gap_that_is_nothing(gap: float) -> None:
    """A gap that no number of items could separate is refused with a reason, not with an overflow."""
    with pytest.raises(UsageError, match="far too small for how much scores vary"):
        ranked(table(), gap=gap)


def test_a_gap_beyond_all_scores() -> None:
    """A huge gap takes the two items that any answer takes."""
    more = ranked(table(), gap=1e300).more_items
    assert more is not None
    assert more.top_two == 2


def test_a_small_alpha_gets_the_flips_it_needs() -> None:
    """Where 10,000 flips cannot reach alpha more are drawn, unless a number was asked for, and then that is said."""
    values = table() + 5.0 * np.arange(3)[:, np.newaxis]
    board = ranked(values, alpha=2e-5)
    assert board.resamples == 200_000
    assert all(pair.significant for pair in board.pairs)
    short = ranked(values, alpha=0.005, resamples=99)
    (note,) = (note for note in short.notes if note.code == "too_few_resamples")
    assert note.values == {"needed": 200, "more": "possible", "multiplied": False}
    assert not any(pair.significant for pair in short.pairs)
    hopeless = ranked(values, alpha=1e-9)
    assert hopeless.resamples == 10_000
    assert [n.values["more"] for n in hopeless.notes if n.code == "too_few_resamples"] == ["too many"]


def test_intervals_at_a_small_alpha() -> None:
    """Beyond what draws can say the level of each interval is Bonferroni's, and it is not printed as 100 %."""
    low = ranked(table(), alpha=3e-5, resamples=99)
    assert low.interval.level == pytest.approx(1.0 - 1e-5, abs=1e-15)
    assert any("99.999 %" in note.text for note in low.notes)
    higher = ranked(table(), alpha=3e-9, resamples=99)
    assert any("99.9999999 %" in note.text for note in higher.notes)
    widths = [[s.high - s.low for s in board.systems] for board in (low, higher)]
    assert all(a < b for a, b in zip(*widths, strict=True))


@pytest.mark.parametrize("options", [{"seed": -1}, {"seed": 0.5}, {"resamples": 99.5}, {"correction": ""}], ids=str)
def test_questions_that_are_none(options: dict[str, Any]) -> None:
    """What cannot be drawn from, and a correction without a name, are mistakes of the user and told as such."""
    with pytest.raises(UsageError):
        ranked(table(), **options)


def test_all_patterns_may_be_too_few_for_a_correction() -> None:
    """Six items have 32 patterns: Holm multiplies what they give beyond alpha, which is said although none are missing."""
    values = np.random.default_rng(1).normal(size=(5, 6)) + 3.0 * np.arange(5)[:, np.newaxis]
    board = ranked(values, correction="holm")
    (note,) = (note for note in board.notes if note.code == "too_few_resamples")
    assert note.values == {"needed": 200, "more": "exhausted", "multiplied": True}
    assert (board.resamples, board.corrected.exhaustive) == (31, True)
    assert any(pair.significant for pair in ranked(values).pairs)


def test_the_edge_of_a_multiplied_pvalue() -> None:
    """Holm multiplies the error of counting too: a p-value that twenty seeds put on both sides of alpha is called close."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(8, 60)) + 0.36 * np.arange(8)[:, np.newaxis]
    boards = [ranked(values, correction="holm", resamples=2000, seed=seed) for seed in range(20)]
    flags = np.array([[pair.significant for pair in board.pairs] for board in boards])
    undecided = int((flags.any(axis=0) & ~flags.all(axis=0)).sum())
    assert undecided > 0
    assert all("near_alpha" in codes(board.notes) for board in boards)
