"""What a comparison of very many items may hold beside their scores: that decides how many rows fit into a machine."""

import tracemalloc
from functools import partial

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.data.encoded_names import encode_names, unique_names
from tellapart.data.rows import ItemKeys
from tellapart.verbs import signature
from tellapart.verbs.compare import descriptives
from tellapart.verbs.compare.changed import changed_items

ITEMS = 200_000
MOST_COPIES = 6.5
"""Arrays of a number per item: differences, those without float noise, and three that skewness and kurtosis are made of."""


def table(items: int) -> Scores:
    rng = np.random.default_rng(1)
    a = rng.random(items)
    values = np.stack([a, a + rng.normal(0.001, 0.1, items)])[..., np.newaxis, np.newaxis]
    names = encode_names([f"q{i:07d}" for i in range(items)])
    assert names is not None
    return Scores(("a", "b"), ItemKeys(unique_names(names)[0]), values)


def test_no_more_than_some_numbers_per_item(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signature, "NAMES_PER_BLOCK", 1 << 8)
    monkeypatch.setattr(descriptives, "BLOCK", 1 << 12)
    # A list that ends somewhere is large beside these items, and small beside those that fill a machine.
    monkeypatch.setattr(descriptives, "changed_items", partial(changed_items, most=1 << 8))
    compare(table(2_500))  # what is imported on the way is not counted
    scores = table(ITEMS)
    tracemalloc.start()
    compare(scores)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak / (8 * ITEMS) < MOST_COPIES


def test_scores_of_a_pair_are_not_copied() -> None:
    """Where every item has a score of both, a pair looks at the table itself."""
    scores = table(50)
    pair = scores.pair("a", "b")
    assert np.shares_memory(pair.a, scores.values)
    assert np.array_equal(pair.b, scores.values[1])
