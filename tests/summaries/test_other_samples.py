"""A sample that is no pair stands beside `Pair`: ratings by raters and items, planned and refused without a word in the verbs."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.data.summaries import Differences, Summary
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.significance import TESTS, Outcome, Procedure
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.noise import Noise


@dataclass(frozen=True, eq=False)
class Ratings:
    """How much higher each rater rated B than A on each item, `(*batch, rater, item)`."""

    values: FloatArray


@dataclass(frozen=True, eq=False)
class RaterMeans(Summary):
    """Each rater's mean difference, `(*batch, rater)`: the raters are the sample."""

    values: FloatArray

    made_of = Ratings

    @classmethod
    def of(cls, sample: Ratings, metric: Any) -> "RaterMeans":
        return cls(sample.values.mean(axis=-1))

    @property
    def items(self) -> int:
        return int(self.values.shape[-1])

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.values.mean(axis=-1))


@dataclass(frozen=True)
class OverRaters(Procedure):
    """A t test over raters."""

    name = "over_raters"
    needs = RaterMeans
    label = "t over raters"

    def apply(self, sample: RaterMeans, rng: Generator) -> Outcome:
        return PairedT(alternative=self.alternative).apply(Differences(sample.values), rng)


@dataclass(frozen=True, kw_only=True)
class SingleRatings(Population):
    """Raters who differ in how much they like B better."""

    name = "rated"
    label = "rated"
    test = "over_raters"
    examples: ClassVar[tuple[str, ...]] = ()
    latent = 5

    def scores(self, noise: Noise) -> Any:
        layers = np.stack(noise.layers, axis=-2)
        raters = layers.mean(axis=-1, keepdims=True) * np.sqrt(layers.shape[-1])
        return Ratings(self.known_effect + raters + 0.1 * layers)


def test_power_of_a_test_over_raters() -> None:
    """Monte Carlo asks the summary for itself: without effect the level is kept, with one it is found."""
    studies = [Study(SingleRatings(effect=effect), OverRaters(), 20) for effect in (0.0, 3.0)]
    without, with_effect = simulate_many(studies, Budget(replicates=4_000), Runner())
    assert without.power == pytest.approx(0.05, abs=0.015)
    assert with_effect.power > 0.9


def test_it_does_not_suit_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """Among all tests of plain scores, one that needs ratings is left out."""
    monkeypatch.setitem(TESTS._known, "over_raters", OverRaters)
    assert "over_raters" in list(TESTS)
    scores = Scores.from_arrays({"a": np.arange(9.0), "b": np.arange(9.0) ** 1.1})
    found = compare(scores, test="all").tests
    assert found is not None
    assert len(found) >= 5
    assert all(not one.test.startswith("over_raters") for one in found)
