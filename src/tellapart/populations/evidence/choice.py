"""Default evidence on discordance, by accuracy, and on gains, by dataset."""

import re
from dataclasses import dataclass, field

from tellapart.populations.evidence.card2020 import GlueGain, GlueOverlap, Squad2Gain, Squad2Pairs
from tellapart.populations.evidence.contributions import Card2020Bleu
from tellapart.populations.evidence.evidence import (
    EVIDENCE,
    HIGH,
    LOW,
    Band,
    Gain,
    Overlap,
    TypicalGain,
    possible_discordance,
)
from tellapart.populations.evidence.llm_boards import Gsm8kPairs, SweBenchPairs
from tellapart.populations.evidence.spread import RatingSpreads, TrecRuns


@EVIDENCE.add("no_prior")
@dataclass(frozen=True)
class NoPrior(Overlap):
    """Nothing is known: halfway between the least and the most that two accuracies leave possible.

    True whatever the systems are; the band is everything possible. Lachenbruch (1992).
    """

    measured = False
    accuracies = 0.0, 1.0
    about = "discordance from the two accuracies alone"
    seen_on = "no data: all that is possible"
    source = "Lachenbruch (1992): |Δ| ≤ discordance ≤ min(a + b, 2 − a − b), and its middle"
    band = "all that is possible"
    uncertainty = "everything that is possible"
    examples = ("no_prior",)
    among = ""

    @property
    def coefficients(self) -> dict[str, float]:
        return {"weight of the largest": 0.5}

    def past(self, a: float, b: float) -> Band:
        least, most = possible_discordance(a, b)
        return Band(0.5 * (least + most), least, most)


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
RATING_BAND_ENDS = {LOW: RatingSpreads(setting="pplm"), HIGH: RatingSpreads(setting="high")}
"""The settings at the ends of the band of ratings; whichever was named is what is expected."""
DEFAULT_RATINGS = RatingSpreads(setting="low")
"""Speaks for ratings of which nothing is known: between the two other settings."""
DEFAULT_GAIN = TypicalGain()
"""Speaks for gains on datasets of which nothing is known."""


@EVIDENCE.add("boards")
@dataclass(frozen=True)
class Boards(Overlap):
    """One board, in a band that covers every board seen at such accuracies.

    A plan uses it where nobody names evidence: systems may overlap as they do on any of these boards.
    """

    first: Overlap = field(metadata={"help": "the board whose number is expected", "spell": "always"})

    about = "discordance as one board has it, bounded by all boards seen at such accuracies"
    seen_on = "several boards"
    source = "the boards that it covers"
    band = "80 % of pairs of each board"
    uncertainty = "the lowest and the highest end of the bands of these boards"
    examples = ("boards(first=squad2_pairs)",)
    published = False

    @property
    def accuracies(self) -> tuple[float, float]:
        return self.first.accuracies

    @property
    def coefficients(self) -> dict[str, float]:
        return self.first.coefficients

    @property
    def among(self) -> str:
        return self.first.among

    @property
    def label(self) -> str:
        return self.first.label

    def covered(self, a: float, b: float) -> tuple[Overlap, ...]:
        """The first board, and the others seen near these accuracies."""
        return (self.first, *boards_near(self.first, min(a, b)))

    def past(self, a: float, b: float) -> Band:
        bands = [one.past(a, b) for one in self.covered(a, b)]
        return Band(bands[0].expected, min(one.low for one in bands), max(one.high for one in bands))


def overlap_at(accuracy: float) -> Overlap:
    """The first evidence on discordance that was seen at this accuracy (of the worse system)."""
    return next(evidence for evidence in DEFAULT_OVERLAPS if evidence.covers(accuracy))


def boards_at(accuracy: float) -> Overlap:
    """The evidence with a band that covers the other boards seen near this accuracy."""
    first = overlap_at(accuracy)
    return Boards(first) if first.measured and boards_near(first, accuracy) else first


def boards_near(first: Overlap, accuracy: float) -> tuple[Overlap, ...]:
    """The boards beside the first that were seen near this accuracy of the worse system."""
    return tuple(one for one in BOARDS if one != first and one.covers_nearly(accuracy, NEAR))


def others_at(speaking: Overlap, a: float, b: float) -> tuple[Overlap, ...]:
    """The boards seen near these accuracies whose discordance lies outside the band of the one that speaks."""
    said, near = speaking.discordance(a, b), boards_near(speaking, min(a, b))
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
