"""Which evidence speaks when none was named."""

import re

from tellapart.evidence.contributions import Card2020Bleu
from tellapart.evidence.gain import Gain, TypicalGain
from tellapart.evidence.glue import GlueGain, GlueOverlap
from tellapart.evidence.llm_boards import Gsm8kPairs, SweBenchPairs
from tellapart.evidence.no_prior import NoPrior
from tellapart.evidence.overlap import Overlap
from tellapart.evidence.spread import TrecRuns
from tellapart.evidence.squad2 import Squad2Gain, Squad2Pairs

DEFAULT_OVERLAPS: tuple[Overlap, ...] = (Squad2Pairs(), GlueOverlap(), SweBenchPairs(), NoPrior())
"""The first that was seen at the accuracy speaks."""
BOARDS: tuple[Overlap, ...] = (Squad2Pairs(), GlueOverlap(), SweBenchPairs(), Gsm8kPairs())
"""Discordance as it was seen on boards; where others than the one that speaks say something else, that is told."""
NEAR = 0.05
"""So far outside the accuracies it was seen at, a board is still worth telling of."""
DEFAULT_SPREAD = TrecRuns()
"""Speaks for scores that are numbers, of which nothing is known."""
DEFAULT_CONTRIBUTIONS = Card2020Bleu()
"""Speaks for what items contribute to a difference of BLEU: the wider of the two that are known."""
DEFAULT_GAIN = TypicalGain()
"""Speaks for gains on datasets of which nothing is known."""


def overlap_at(accuracy: float) -> Overlap:
    """The first evidence on discordance that was seen at this accuracy (of the worse system)."""
    return next(evidence for evidence in DEFAULT_OVERLAPS if evidence.covers(accuracy))


def others_at(speaking: Overlap, a: float, b: float) -> tuple[Overlap, ...]:
    """The boards seen near these accuracies whose discordance lies outside the band of the one that speaks."""
    worse, said = min(a, b), speaking.discordance(a, b)
    near = (one for one in BOARDS if one != speaking and one.covers_nearly(worse, NEAR))
    return tuple(one for one in near if not said.low <= one.discordance(a, b).expected <= said.high)


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
        return [GlueGain(task=tasks[word])]
    return [Squad2Gain()] if word in {"squad2", "squad20", "squadv2"} else []
