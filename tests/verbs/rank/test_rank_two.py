"""A board of two systems answers with the decision of `compare`: the same p-value, interval, test and verdict."""

from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, rank
from tellapart.answers.leaderboard.parts import PairResult
from tellapart.answers.parts import codes

Table = tuple[dict[str, Any], list[int] | None]


def _binary(rng: np.random.Generator) -> Table:
    items, ease = int(rng.integers(20, 200)), rng.random()
    gain = 0.15 * rng.random()
    hard = rng.random(items)
    return {
        "a": (hard < ease).astype(float),
        "b": (hard + rng.normal(0, 0.3, items) < ease + gain).astype(float),
    }, None


def _continuous(rng: np.random.Generator) -> Table:
    items = int(rng.integers(20, 300))
    base = rng.normal(size=items)
    return {"a": base, "b": base + 0.5 * rng.normal(size=items) + 0.1}, None


def _skewed(rng: np.random.Generator) -> Table:
    items = int(rng.integers(20, 150))
    base = rng.normal(size=items)
    return {"a": base, "b": base + rng.lognormal(0.0, 1.0, items) - 1.2}, None


def _clustered(rng: np.random.Generator) -> Table:
    clusters = int(rng.integers(4, 70))
    sizes = rng.integers(1, 9, clusters)
    codes_ = np.repeat(np.arange(clusters), sizes)
    shared = np.repeat(rng.normal(0.2, 0.5, clusters), sizes)
    base = rng.normal(size=len(codes_))
    return {"a": base, "b": base + shared + 0.3 * rng.normal(size=len(codes_))}, codes_.tolist()


def _tiny(rng: np.random.Generator) -> Table:
    items = int(rng.integers(2, 9))
    return {"a": rng.normal(size=items), "b": rng.normal(size=items) + 1.0}, None


def _stars(rng: np.random.Generator) -> Table:
    items = int(rng.integers(5, 60))
    return {name: rng.integers(1, 6, items).astype(float) for name in "ab"}, None


KINDS = (_binary, _continuous, _skewed, _clustered, _tiny, _stars)


def scores_of(table: Table) -> Scores:
    values, clusters = table
    return Scores.from_arrays(values, clusters=clusters)


def only_pair(scores: Scores, **options: Any) -> PairResult:
    (pair,) = rank(scores, **options).pairs
    return pair


def assert_same(scores: Scores, pair: PairResult, **options: Any) -> None:
    alone = compare(scores, a=pair.a, b=pair.b, **options)
    assert (pair.effect, pair.pvalue, pair.adjusted_pvalue) == (alone.effect, alone.pvalue, alone.pvalue)
    assert (pair.low, pair.high) == (alone.interval.low, alone.interval.high)
    assert (pair.test, pair.verdict) == (alone.test, alone.verdict)
    assert pair.significant == (alone.verdict in {"a better", "b better"})


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_as_compare(kind: Any, seed: int) -> None:
    """On right or wrong, numbers, skewed ones, clusters, few items and ratings; with a baseline, another level and seed too."""
    scores = scores_of(kind(np.random.default_rng(seed)))
    assert_same(scores, only_pair(scores))
    options = {"alpha": 0.2, "seed": 5, "lower_is_better": True}
    pair = only_pair(scores, baseline="b", **options)
    assert (pair.a, pair.b) == ("b", "a")
    assert_same(scores, pair, **options)


def test_decisions_of_both_kinds_are_met() -> None:
    """The files above hold some that differ and some that do not, by several tests."""
    found = [only_pair(scores_of(kind(np.random.default_rng(seed)))) for kind in KINDS for seed in range(3)]
    assert {pair.significant for pair in found} == {True, False}
    assert len({pair.test for pair in found}) >= 4


def test_whatever_the_correction() -> None:
    """One pair needs no correction, whichever is named; drawing items again is what was asked for where that is."""
    scores = scores_of(_continuous(np.random.default_rng(1)))
    for name in ("holm", "bonferroni", "bh", "none", "max_t(steps=single)"):
        assert_same(scores, only_pair(scores, correction=name, resamples=999))
    drawn = only_pair(scores, correction="max_t(resampling=bootstrap)", resamples=999)
    assert drawn.test == "joint_bootstrap"


def test_items_that_only_one_has() -> None:
    """They are dropped, or left out of the pair, as compare drops them."""
    values, _ = _continuous(np.random.default_rng(2))
    values["a"][:3] = np.nan
    scores = Scores.from_arrays(values)
    for missing in ("drop", "pairwise"):
        assert_same(scores, only_pair(scores, missing=missing), missing="drop")


def test_f1_and_runs() -> None:
    """A metric that is no mean is computed again, and runs are averaged, as compare does."""
    rng = np.random.default_rng(3)
    counts = {name: rng.integers(0, 6, (60, 3)).astype(float) for name in "ab"}
    f1 = Scores.from_arrays(counts, parts=("tp", "fp", "fn"))
    assert_same(f1, only_pair(f1, metric="f1"), metric="f1")
    values = rng.normal(size=(2, 40, 3, 1))
    names = tuple(("", f"q{i:02d}") for i in range(40))
    runs = Scores(("a", "b"), names, values)
    assert_same(runs, only_pair(runs))


def test_every_dataset_alone() -> None:
    """Two systems on one dataset of several are judged as compare judges them there."""
    rng = np.random.default_rng(4)
    values, homes = {"a": rng.normal(size=90), "b": rng.normal(0.3, 1.0, 90)}, ["x", "y", "z"] * 30
    scores = Scores.from_arrays(values, datasets=homes)
    answer = rank(scores, datasets=True)
    assert answer.datasets is not None
    for alone in answer.datasets.within:
        assert_same(scores.within(alone.name), alone.pairs[0])


def test_clusters_that_all_differ_by_the_same() -> None:
    """No spread: signs of clusters judge them, for `compare` and the board."""
    clusters = np.repeat(np.arange(60), 2).tolist()
    scores = Scores.from_arrays({"a": np.zeros(120), "b": np.tile([0.0, 1.0], 60)}, clusters=clusters)
    pair = only_pair(scores)
    assert (pair.test, pair.significant) == (compare(scores).test, True)


def test_notes_name_the_test() -> None:
    """A board of two says that it is judged as compare does; a larger one how it was resampled."""
    values, _ = _continuous(np.random.default_rng(5))
    two = rank(Scores.from_arrays(values))
    assert codes(two.notes)[0] == "judged_as_compare"
    assert two.corrected.resampling is None
    three = rank(Scores.from_arrays(values | {"c": -values["a"]}))
    assert "judged_as_compare" not in codes(three.notes)
    assert {pair.test for pair in three.pairs} == {"joint_sign_flips"}
