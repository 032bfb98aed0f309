"""Dataclasses of the `evidence` answer: a list of published evidence with sources and ranges of accuracy."""

from dataclasses import dataclass
from typing import ClassVar

from tellapart.answers.answer import Answer


@dataclass(frozen=True)
class KnownEvidence:
    """One piece of evidence: what it is about, the accuracies it was seen at, and how far results lie from it."""

    name: str
    kind: str
    about: str
    example: str
    seen_on: str
    coefficients: dict[str, float]
    accuracy_low: float
    accuracy_high: float
    uncertainty: str
    source: str
    caution: str


@dataclass(frozen=True)
class EvidenceList(Answer):
    """Everything that can be named as evidence, or the piece of it that was asked about.

    Where none is named, the first of `default_overlaps` that was seen at the accuracy speaks for an overlap, and
    `default_gain` for a gain on a dataset of which nothing is known.
    """

    schema: ClassVar[str] = "tellapart/evidence/2"

    rows: tuple[KnownEvidence, ...]
    default_overlaps: tuple[str, ...]
    default_gain: str
    signature: str
    headline: str = ""
    sentence: str = ""
