"""Selection among the sums of all pairs: what writing them all out and sorting would find."""

from fractions import Fraction
from typing import Any, Literal

import numpy as np
import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.numerics.null_laws import walsh_averages
from tellapart.numerics.null_laws.walsh_averages import ranked_pair_sum

RNG = np.random.default_rng(0)
NUMBERS = {
    "normal": RNG.normal(size=80),
    "ratings": RNG.integers(0, 3, 80) / 10.0,
    "one decimal": RNG.normal(size=80).round(1),
    "heavy": RNG.standard_cauchy(80) * 1e5,
    "far apart": RNG.normal(size=80) * 10.0 ** RNG.integers(-30, 30, 80),
    "cancelling": np.concatenate([[-1e20, 1e20], RNG.normal(size=78)]),
    "mostly zero": np.where(RNG.random(80) < 0.8, 0.0, RNG.normal(size=80)),
    "one number": np.full(80, 0.3),
    "one other": np.repeat([0.0, 1.0], [79, 1]),
    "two": np.array([0.1, 0.2]),
}


def every_sum(values: FloatArray) -> FloatArray:
    """The sums of all pairs, each number with itself too, in order."""
    first, second = np.triu_indices(len(values))
    return np.sort(values[first] + values[second])


@pytest.mark.parametrize("name", NUMBERS)
def test_selection_is_sorting(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the ends, in the middle and in between, the selected sum is the sorted one, ties or not."""
    monkeypatch.setattr(walsh_averages, "WRITTEN_OUT", 4)
    monkeypatch.setattr(walsh_averages, "FEWEST_SAMPLED", 16)
    values = np.sort(NUMBERS[name])
    sums = every_sum(values)
    ranks = {1, 2, len(sums), (len(sums) + 1) // 2, len(sums) // 2 + 1, *range(3, len(sums), 97)}
    found = np.array([ranked_pair_sum(values, rank) for rank in sorted(ranks)])
    # Sums that are next to each other among doubles may be taken for one.
    np.testing.assert_allclose(found, sums[np.array(sorted(ranks)) - 1], rtol=3e-16, atol=0.0)


def test_large_samples_take_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the two hundred million sums of twenty thousand numbers only a few steps' worth is ever looked at."""
    steps: list[int] = []
    bracket = walsh_averages._Pairs.bracket

    def counted(self: Any, rng: Generator) -> tuple[float, float]:
        steps.append(self.count)
        return bracket(self, rng)

    monkeypatch.setattr(walsh_averages._Pairs, "bracket", counted)
    values = np.sort(np.random.default_rng(1).normal(size=20_000))
    rank = 20_000 * 20_001 // 4
    found = ranked_pair_sum(values, rank)
    assert len(steps) <= 4
    up_to = np.searchsorted(values, found - values, side="right")
    assert abs(int((up_to.sum() + np.count_nonzero(2.0 * values <= found)) // 2) - rank) <= 1


def test_any_bracket_finds_the_same_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance, or anything else, decides how long it takes and never what is found: here brackets are made up."""
    rng = np.random.default_rng(4)
    monkeypatch.setattr(walsh_averages, "WRITTEN_OUT", 4)
    monkeypatch.setattr(walsh_averages._Pairs, "bracket", lambda *_: tuple(np.sort(rng.normal(0.0, 2.0, 2)).tolist()))
    values = np.sort(NUMBERS["normal"])
    sums = every_sum(values)
    for rank in (1, 700, 1620, len(sums)):
        assert ranked_pair_sum(values, rank) == pytest.approx(float(sums[rank - 1]), rel=3e-16, abs=0.0)


@pytest.mark.parametrize("side", ["left", "right"])
def test_partners_are_counted_without_rounding(side: Literal["left", "right"]) -> None:
    """How many pairs have a sum below a bound, or up to it, in exact fractions: a rounded difference would count others."""
    rng = np.random.default_rng(3)
    for _ in range(40):
        values = np.sort(np.round(rng.normal(size=25), 1) * 10.0 ** rng.integers(-3, 3, 25))
        bound = float(rng.choice(values) + rng.choice(values))
        partners = walsh_averages._exact_partners(bound, values, side)
        counted = np.searchsorted(values, partners, side)
        exact = [Fraction(value) for value in values.tolist()]
        for one, count in zip(exact, counted.tolist(), strict=True):
            sums = [one + other for other in exact]
            limit = Fraction(bound)
            assert count == sum(total < limit if side == "left" else total <= limit for total in sums)


@pytest.mark.parametrize(
    ("rank", "found"), [(1, 0.0), (500_500, 0.0), (500_501, 1.0), (1_500_500, 1.0), (1_500_501, 2.0)]
)
def test_sums_of_two_levels(rank: int, found: float) -> None:
    """At the edges between half a million equal sums and a million, samples hold both levels however often they are drawn."""
    assert ranked_pair_sum(np.repeat([0.0, 1.0], 1_000), rank) == found
