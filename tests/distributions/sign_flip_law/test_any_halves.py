"""Meeting in the middle: which sizes are in which half changes the time and never the tail."""

import numpy as np
import pytest
from tests.distributions.sign_flip_law.subsets import asked

from tellapart.numerics.sign_flip_law import enumeration
from tellapart.numerics.sign_flip_law.enumeration import enumerated_tails


@pytest.mark.parametrize("levels", [3, 40])
def test_any_halves_give_the_same_tail(levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Groups of equal sizes dealt by chance: all subsets are met, whatever was dealt where."""
    rng = np.random.default_rng(levels)
    question = asked(rng.integers(1, levels, 16) * rng.choice([-1.0, 1.0], 16))
    exact = enumerated_tails(question)
    for _ in range(6):
        monkeypatch.setattr(
            enumeration,
            "_balanced_halves",
            lambda groups: tuple([g for g, x in zip(groups, side, strict=True) if x] for side in _sides(rng, groups)),
        )
        found = enumeration.grouped_tail(question)
        assert found is not None
        assert float(found.at_most[0]) == pytest.approx(float(exact.at_most[0]), rel=1e-13, abs=0.0)
        assert float(found.below[0]) == pytest.approx(float(exact.below[0]), rel=1e-13, abs=0.0)


def _sides(rng: np.random.Generator, groups: list[tuple[float, int]]) -> tuple[list[bool], list[bool]]:
    dealt = (rng.random(len(groups)) < 0.5).tolist()
    return dealt, [not x for x in dealt]


def test_halves_have_about_as_many_sums() -> None:
    """The most repeated sizes are dealt first, each to the half with fewer sums."""
    groups = [(1.0, 1), (2.0, 9), (3.0, 4), (5.0, 4), (7.0, 1)]
    first, second = enumeration._balanced_halves(groups)
    assert sorted(first + second) == groups
    lengths = [np.prod([count + 1 for _, count in half]) for half in (first, second)]
    assert max(lengths) <= 2 * min(lengths)


@pytest.mark.parametrize(("most", "listed"), [(13_200, True), (12_400, False), (12_300, False)])
def test_what_would_take_too_much_memory_is_not_listed(
    most: int, listed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six sizes eleven times each: of 4,368 sums and twelve times the last 52,416 are written down, and 12,376 are small enough to stay."""
    monkeypatch.setattr(enumeration, "LISTED", most)
    found = enumeration._weighted_sums([(1.0, 11)] * 6, 11.0)
    assert (found is not None) is listed
    assert found is None or len(found[0]) == 12_376
