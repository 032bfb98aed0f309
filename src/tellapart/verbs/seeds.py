"""Training seeds, by the option `seeds_as`: a random sample of trainings, or fixed and averaged like runs."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, TooFew
from tellapart.foundation.formatting import amount
from tellapart.foundation.surfaces import option
from tellapart.verbs.judging_options import JudgingOptions


def seeds_of(scores: Scores, system: str) -> int:
    """How many trainings of a system have a score."""
    assert scores.seed_runs is not None
    values = scores.values[scores.system(system)]
    scored = ~np.isnan(values).any(axis=-1).all(axis=0)
    return int(scored.reshape(-1, scores.seed_runs).any(axis=1).sum())


def resolve_seeds(scores: Scores, systems: Sequence[str], question: JudgingOptions) -> Scores:
    """The scores with their seeds where these are random, else without: runs of one item are then averaged.

    Random by default where every system has two seeds or more.
    """
    asked = question.seeds_as
    if scores.seed_runs is None:
        if asked == "random":
            raise DataError(
                f"no column says which training each score is of; name one, {option('column', 'seed=…')}, or pass {option('seeds_as', 'fixed')}"
            )
        return scores
    counts = {name: seeds_of(scores, name) for name in systems}
    once = next((name for name, count in counts.items() if count < 2), None)
    if asked == "random" and scores.groups is not None:
        raise DataError(f"groups are compared for these trainings only; pass {option('seeds_as', 'fixed')}")
    if asked == "random" and once is not None:
        raise TooFew(
            f"system {once!r} has {amount(counts[once], 'seed')}, and the spread between trainings takes two or "
            f"more; train it again, or pass {option('seeds_as', 'fixed')} for these trainings only"
        )
    if asked == "fixed" or once is not None or scores.groups is not None:
        return replace(scores, seed_runs=None)
    return scores
