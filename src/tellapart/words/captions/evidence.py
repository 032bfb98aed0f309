"""What the chart of the evidence there is finds."""

from collections.abc import Callable

from tellapart.results.evidence import EvidenceList


def accuracies(answer: EvidenceList) -> str:
    first = f"{answer.default_overlaps[0]} is the first to speak for an overlap"
    gain = f"{answer.default_gain} for a gain on a dataset of which nothing is known"
    return f"Bars are the accuracies that each was seen at. Where none is named, {first} at accuracies within its bar, and {gain}."


CAPTIONS: dict[str, Callable[[EvidenceList], str]] = {"accuracies": accuracies}
