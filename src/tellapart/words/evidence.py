"""What the list of evidence says in words: which speaks where none is named."""

from dataclasses import replace

from tellapart.doors import option
from tellapart.results.evidence import EvidenceList


def told(answer: EvidenceList) -> EvidenceList:
    *others, last = answer.default_overlaps
    sentence = (
        f"{len(answer.rows)} pieces of evidence. If none is named, {', '.join(others)} or {last} speaks for an overlap, the "
        f"first that was seen at the accuracy, and for a gain that on the dataset, else {answer.default_gain}. "
        f"Name one with {option('evidence')}, or fit your own: tellapart evidence fit results.csv"
    )
    return replace(answer, headline="what past results say", sentence=sentence)
