"""What a board says of each pair beyond its p-value: intervals that hold together, correlations, the law behind the p-value."""

from typing import Any

import numpy as np
import pytest
from scipy import optimize

from tellapart import Scores, rank
from tellapart.answers.parts import codes
from tellapart.verbs.rank import RankQuestion
from tellapart.verbs.rank.pair_intervals import joint_test
from tellapart.verbs.rank.prepared_board import prepare_board


def numbers(rng: np.random.Generator, systems: int = 5, items: int = 60, step: float = 0.0) -> dict[str, Any]:
    ease = rng.normal(size=items)
    return {f"s{i}": ease + rng.normal(size=items) + step * i for i in range(systems)}


def flags(rng: np.random.Generator, systems: int = 5, items: int = 120, step: float = 0.0) -> dict[str, Any]:
    hard = rng.normal(size=items)
    return {f"s{i}": (hard + rng.normal(size=items) < 0.5 + step * i).astype(float) for i in range(systems)}


def criticals(scores: Scores, **options: Any) -> dict[frozenset[str], float]:
    """The critical value of the step that decided each pair, from the same flips."""
    question = RankQuestion(**options)
    board = prepare_board(scores, question).board
    pairs = np.triu_indices(len(board.systems), 1)
    (flips,) = joint_test(board, pairs, question).joint.ways
    names = [frozenset((board.systems[a], board.systems[b])) for a, b in zip(*pairs, strict=True)]
    return dict(zip(names, flips.pvalues.criticals(question.alpha), strict=True))


def test_an_interval_is_where_the_flipped_statistic_does_not_reject() -> None:
    """|Σ(d − x)| / √Σ(d − x)² equals the critical value at both ends."""
    values = numbers(np.random.default_rng(1), step=0.2, items=120)
    scores = Scores.from_arrays(values)
    limits, answer = criticals(scores, resamples=999), rank(scores, resamples=999)
    assert "skewed_pairs" not in codes(answer.notes)
    assert len(set(limits.values())) > 2
    for pair in answer.pairs:
        limit = limits[frozenset((pair.a, pair.b))]
        difference = np.asarray(values[pair.b]) - values[pair.a]
        for end in (pair.low, pair.high):
            moved = difference - end
            assert abs(moved.sum()) / np.sqrt(moved @ moved) == pytest.approx(limit, rel=1e-9, abs=0.0)


def test_right_or_wrong_has_tangos_score() -> None:
    """The score of Tango's interval, with discordance estimated under each difference, equals the critical value at both ends."""
    values = flags(np.random.default_rng(2), step=0.4)
    scores = Scores.from_arrays(values)
    limits, answer = criticals(scores, resamples=999), rank(scores, resamples=999)
    assert answer.pair_interval == "tango"
    for pair in answer.pairs:
        limit = limits[frozenset((pair.a, pair.b))]
        wins = int(((values[pair.b] == 1) & (values[pair.a] == 0)).sum())
        losses = int(((values[pair.b] == 0) & (values[pair.a] == 1)).sum())
        for end in (pair.low, pair.high):
            assert abs(_score(wins, losses, 120, end)) == pytest.approx(limit, rel=1e-6, abs=0.0)


def _score(wins: int, losses: int, items: int, difference: float) -> float:
    """Tango's score from a likelihood that is maximised numerically: no formula of ours."""

    def unlikely(q: float) -> float:
        p = q + difference
        return float(-(wins * np.log(p) + losses * np.log(q) + (items - wins - losses) * np.log(1.0 - p - q)))

    low, high = max(0.0, -difference) + 1e-12, (1.0 - difference) / 2.0 - 1e-12
    q = optimize.minimize_scalar(unlikely, bounds=(low, high), method="bounded", options={"xatol": 1e-13}).x
    return float((wins - losses - items * difference) / np.sqrt(items * (2.0 * q + difference * (1.0 - difference))))


@pytest.mark.parametrize("make", [numbers, flags])
def test_intervals_hold_for_all_pairs_together(make: Any) -> None:
    """Of 300 boards, about 95 in 100 have every true difference inside; intervals at 95 % each would hold in fewer than 85."""
    held = 0
    for seed in range(300):
        answer = rank(Scores.from_arrays(make(np.random.default_rng(seed))), resamples=299)
        held += all(pair.low <= 0.0 <= pair.high for pair in answer.pairs)
    assert 0.91 <= held / 300 <= 0.985


def leaning(rng: np.random.Generator) -> dict[str, Any]:
    """Steady systems, and some that gain a little and fail now and then."""
    values = {f"s{i}": 0.2 * rng.normal(size=60) + 0.1 * i for i in range(4)}
    return values | {f"r{i}": np.where(rng.random(60) < 0.1, -0.9, 0.1 + 0.2 * i) for i in range(3)}


@pytest.mark.parametrize(
    "correction",
    ["max_t", "max_t(resampling=bootstrap)", "max_t(resampling=flips)", "max_t(steps=single)"],
)
@pytest.mark.parametrize("clusters", [None, 13])
@pytest.mark.parametrize("make", [numbers, flags, leaning])
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_decision_and_interval_are_one(make: Any, correction: str, clusters: int | None, alpha: float) -> None:
    """A pair is told apart exactly where its interval leaves 0 out; with uneven clusters, and where the larger p-value counts."""
    apart = 0
    for seed in range(6):
        rng = np.random.default_rng(seed)
        values = make(rng, step=0.25) if make is not leaning else make(rng)
        items = len(values["s0"])
        uneven = np.sort(rng.integers(0, clusters or 1, items) * rng.integers(0, 2, items)).tolist()
        scores = Scores.from_arrays(values, clusters=uneven if clusters else None)
        answer = rank(scores, correction=correction, resamples=999, alpha=alpha)
        for pair in answer.pairs:
            assert pair.significant == (pair.low > 0.0 or pair.high < 0.0)
            assert pair.low <= pair.effect <= pair.high
        assert "claims_beyond_intervals" not in codes(answer.notes)
        apart += sum(pair.significant for pair in answer.pairs)
    assert apart > 0


def test_gaps_too() -> None:
    """Pairs on items of their own, with degrees of freedom of their own."""
    for seed in range(6):
        values = numbers(np.random.default_rng(seed), step=0.25) | {"late": np.full(60, np.nan)}
        values["late"][40:] = values["s3"][40:] + np.random.default_rng(seed).normal(0.8, 1.0, 20)
        for pair in rank(Scores.from_arrays(values), missing="pairwise", resamples=999).pairs:
            assert pair.significant == (pair.low > 0.0 or pair.high < 0.0)


@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_other_corrections_have_intervals_that_hold_for_all_pairs_together(correction: str) -> None:
    """At the critical value of the largest statistic: none leaves 0 out of a pair not told apart, and how many do the reverse is said."""
    for seed in range(8):
        scores = Scores.from_arrays(numbers(np.random.default_rng(seed), step=0.2))
        answer = rank(scores, correction=correction, resamples=999)
        assert all(p.significant or p.low <= 0.0 <= p.high for p in answer.pairs)
        beyond = sum(p.significant and p.low <= 0.0 <= p.high for p in answer.pairs)
        assert ("claims_beyond_intervals" in codes(answer.notes)) == (beyond > 0)
        together = {
            p.a + p.b: (p.low, p.high) for p in rank(scores, correction="max_t(steps=single)", resamples=999).pairs
        }
        for p in answer.pairs:
            if p.significant and "skewed_pairs" not in codes(answer.notes):
                assert (p.low, p.high) == pytest.approx(together[p.a + p.b], rel=0.15, abs=0.05)


def test_too_few_items_bound_nothing() -> None:
    """Where flips cannot reject anything no difference is left out, and the JSON has null."""
    answer = rank(Scores.from_arrays(numbers(np.random.default_rng(1), items=4)))
    assert not any(pair.bounded for pair in answer.pairs)
    assert answer.to_dict()["pairs"][0]["low"] is None
    binary = rank(Scores.from_arrays({"a": [0, 1, 0], "b": [1, 1, 0], "c": [1, 1, 1]}))
    assert {(pair.low, pair.high) for pair in binary.pairs} == {(-1.0, 1.0)}


def test_each_pair_names_its_law() -> None:
    """Signs or draws, of items or of clusters."""
    values, clusters = numbers(np.random.default_rng(3)), np.repeat(np.arange(20), 3).tolist()
    for codes_, correction, law in (
        (None, "max_t(resampling=flips)", "joint_sign_flips"),
        (clusters, "max_t(resampling=flips)", "joint_cluster_sign_flips"),
        (None, "max_t(resampling=bootstrap)", "joint_bootstrap"),
        (clusters, "max_t(resampling=bootstrap)", "joint_cluster_bootstrap"),
    ):
        answer = rank(Scores.from_arrays(values, clusters=codes_), correction=correction, resamples=199)
        assert {pair.test for pair in answer.pairs} == {law}


def test_correlations_are_numpys() -> None:
    """The matrix is that of numpy, in the order of the systems; its range leaves the diagonal out."""
    values = numbers(np.random.default_rng(4), step=0.3)
    answer = rank(Scores.from_arrays(values), resamples=99)
    expected = np.corrcoef([values[s.name] for s in answer.systems])
    assert answer.correlations is not None
    assert np.array(answer.correlations.matrix) == pytest.approx(expected, abs=1e-12)
    between = expected[np.triu_indices(5, 1)]
    assert answer.correlations.low == pytest.approx(between.min())
    assert answer.correlations.high == pytest.approx(between.max())
    assert answer.correlations.median == pytest.approx(np.median(between))


def test_correlations_on_what_two_share() -> None:
    """With gaps each two systems on the items that both have; one that never varies has none."""
    values = numbers(np.random.default_rng(5), systems=3) | {"flat": np.full(60, 0.1)}
    for place, row in enumerate(values.values()):
        row[3 * place : 3 * place + 5] = np.nan
    answer = rank(Scores.from_arrays(values), missing="pairwise", resamples=99)
    assert answer.correlations is not None
    names = [s.name for s in answer.systems]
    for i, one in enumerate(names):
        for j, other in enumerate(names):
            found = answer.correlations.matrix[i][j]
            if "flat" in {one, other}:
                assert found is None
            else:
                both = ~np.isnan(values[one]) & ~np.isnan(values[other])
                assert found == pytest.approx(np.corrcoef(values[one][both], values[other][both])[0, 1], abs=1e-12)


def test_systems_that_never_vary_have_no_correlation() -> None:
    """Nothing to correlate is no number, and no error."""
    assert rank(Scores.from_arrays({"a": [1.0, 1.0, 1.0], "b": [0.1, 0.1, 0.1]})).correlations is None


def test_close_calls_and_neighbours() -> None:
    """A claim above a tenth of alpha is a close call; neighbours are next to each other in rank."""
    answer = rank(Scores.from_arrays(numbers(np.random.default_rng(6), items=80, step=0.25)))
    order = {s.name: place for place, s in enumerate(answer.systems)}
    for pair in answer.pairs:
        assert pair.close_call == (pair.significant and pair.adjusted_pvalue > 0.005)
        assert pair.neighbours == (order[pair.a] - order[pair.b] == 1)
    assert {pair.close_call for pair in answer.pairs} == {True, False}
