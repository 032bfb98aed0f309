"""Refusal of a pilot whose systems share no items, with the unpaired plan to run instead."""

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.scores import Scores
from tellapart.data.summaries import coding
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import ItemMismatch


def refuse_separate_items(scores: Scores, names: tuple[str, str]) -> None:
    """Says what to plan instead, with the numbers of the pilot, where both systems have scores and share no item."""
    has_a, has_b = (scores.scored(name) for name in names)
    if (has_a & has_b).any() or not (has_a.any() and has_b.any()):
        return
    a, b = names
    raise ItemMismatch(
        f"systems {a!r} and {b!r} share no item, and a pilot is planned from by its pairs, whatever the test. Check the item ids; if each "
        f"system is to have items of its own, plan with the numbers of this pilot: {_alternative_plan(scores.unpaired(a, b))}"
    )


def _alternative_plan(pair: Pair) -> str:
    """The plan of separate items: of right or wrong by the accuracy of A, of other scores by their spread without correlation."""
    if pair.a.shape[-1] != 1:
        return "tellapart plan proportions --accuracy … --effect …"
    a, b = (np.nanmean(side[..., 0], axis=-1) for side in (pair.a, pair.b))
    code = coding(np.concatenate([a, b])) if pair.a.shape[-2] == pair.b.shape[-2] == 1 else None
    if code is not None:
        return f"tellapart plan proportions --accuracy {float((a.mean() - code.wrong) / code.step):.4g} --effect …"
    return f"tellapart plan gaussian --sd {_pooled_sd(a, b):.4g} --correlation 0 --effect …"


def _pooled_sd(a: FloatArray, b: FloatArray) -> float:
    """Of items of both systems alike; one item alone says nothing of a spread."""
    squares = sum(float(((side - side.mean()) ** 2).sum()) for side in (a, b))
    return float(np.sqrt(squares / max(len(a) + len(b) - 2, 1)))
