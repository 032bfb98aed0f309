"""Neither the order of systems nor the order or the names of items change a leaderboard, to the last bit."""

from typing import Any

import numpy as np
import pytest

from tellapart.answers.leaderboard import Leaderboard
from tellapart.data.scores import Scores
from tellapart.verbs.rank import rank

ITEMS = 60


def numbers(rng: np.random.Generator) -> Any:
    return rng.normal(size=(5, ITEMS)) + 0.15 * np.arange(5)[:, None]


def right_or_wrong(rng: np.random.Generator) -> Any:
    return (rng.random((5, ITEMS)) < 0.6).astype(float)


def with_gaps(rng: np.random.Generator) -> Any:
    return np.where(rng.random((5, ITEMS)) < 0.15, np.nan, rng.normal(size=(5, ITEMS)))


CASES: dict[str, tuple[Any, dict[str, Any]]] = {
    "numbers": (numbers, {}),
    "right or wrong": (right_or_wrong, {}),
    "pairwise": (with_gaps, {"missing": "pairwise"}),
    "drop": (lambda rng: np.where(rng.random((5, ITEMS)) < 0.02, np.nan, numbers(rng)), {"missing": "drop"}),
    "bootstrap": (numbers, {"correction": "max_t(resampling=bootstrap)"}),
    "against one": (numbers, {"correction": "holm", "baseline": "s3"}),
    "several scales": (
        lambda rng: numbers(rng) * np.where(np.arange(ITEMS) < 20, 50.0, 1.0),
        {"datasets": True},
    ),
}


def answer(table: Any, order: Any, systems: list[str], **options: Any) -> Leaderboard:
    """A leaderboard of unnamed items that came in this order."""
    rows = {name: table[int(name[1:])][order] for name in systems}
    homes = [("one", "two", "three")[i // 20] for i in order] if "datasets" in options else None
    codes = options.pop("clusters", None)
    clusters = None if codes is None else codes[order].tolist()
    return rank(Scores.from_arrays(rows, datasets=homes, clusters=clusters), resamples=299, **options)


@pytest.mark.parametrize("grouped", [False, True], ids=["items", "clusters"])
@pytest.mark.parametrize("name", CASES)
def test_order_changes_nothing(name: str, *, grouped: bool) -> None:
    """Unnamed items and systems, shuffled, give the same answer in every number, sentence and signature."""
    make, options = CASES[name]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        table, names = make(rng), [f"s{i}" for i in range(5)]
        extra = {"clusters": rng.integers(0, 14, ITEMS)} if grouped else {}
        one = answer(table, np.arange(ITEMS), names, **options, **extra)
        shuffled = rng.permutation(names).tolist()
        assert one == answer(table, rng.permutation(ITEMS), shuffled, **options, **extra)


def test_the_order_of_metrics_parts() -> None:
    """F1 from counts does not depend on the order of items either."""
    rng = np.random.default_rng(9)
    parts = {f"s{i}": rng.integers(0, 5, (40, 1, 3)).astype(float) for i in range(4)}
    order = rng.permutation(40)
    one, other = (
        rank(Scores.from_arrays(values, parts=("tp", "fp", "fn")), resamples=299)
        for values in (parts, {name: parts[name][order] for name in reversed(parts)})
    )
    assert one == other


def test_renaming_items_changes_nothing() -> None:
    """What items are called is not evidence."""
    rows = {f"s{i}": row for i, row in enumerate(numbers(np.random.default_rng(3)))}
    names = [[f"{word}{i}" for i in range(ITEMS)] for word in ("q", "z")]
    one, other = (rank(Scores.from_arrays(rows, items=items), resamples=299) for items in (names[0], names[1][::-1]))
    assert one == other


def test_seeds_do_matter() -> None:
    """Negative control: another seed gives other random signs."""
    table = numbers(np.random.default_rng(4))
    one, other = (answer(table, np.arange(ITEMS), ["s0", "s1", "s2"], seed=seed) for seed in (0, 1))
    assert one.pairs != other.pairs
