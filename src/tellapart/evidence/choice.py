"""Which evidence speaks when none was named."""

import re

from tellapart.evidence.gain import Gain, TypicalGain
from tellapart.evidence.glue import GlueGain, GlueOverlap
from tellapart.evidence.no_prior import NoPrior
from tellapart.evidence.overlap import Overlap
from tellapart.evidence.squad2 import Squad2Gain, Squad2Pairs

DEFAULT_OVERLAPS: tuple[Overlap, ...] = (Squad2Pairs(), GlueOverlap(), NoPrior())
"""From the most pairs to none; the first that was seen at the accuracy speaks."""
DEFAULT_GAIN = TypicalGain()
"""Speaks for gains on datasets of which nothing is known."""


def overlap_at(accuracy: float) -> Overlap:
    """The evidence on discordance with the most pairs around this accuracy (of the worse system)."""
    return next(evidence for evidence in DEFAULT_OVERLAPS if evidence.covers(accuracy))


def gain_over(baseline: float, dataset: str | None = None) -> Gain:
    """The evidence on gains for this dataset if there is any and it still expects one, else the typical gain."""
    for evidence in _gains_on(dataset or ""):
        if evidence.covers(baseline) and evidence.gain(baseline).expected > 0.0:
            return evidence
    return DEFAULT_GAIN


def _gains_on(dataset: str) -> list[Gain]:
    word = re.sub(r"[^a-z0-9]", "", dataset.casefold())
    tasks = {task.replace("-", ""): task for task in GlueGain.offsets}
    if word in tasks:
        return [GlueGain(task=tasks[word])]  # type: ignore[arg-type]  # the keys of the offsets are its choices
    return [Squad2Gain()] if word in {"squad2", "squad20", "squadv2"} else []
