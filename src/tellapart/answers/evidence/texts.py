"""Sentences about the list of evidence: the pieces used by default, or the details of one."""

from dataclasses import replace

from tellapart.answers.evidence import EvidenceList, KnownEvidence
from tellapart.foundation.surfaces import option


def with_texts(answer: EvidenceList) -> EvidenceList:
    if len(answer.rows) == 1:
        return replace(
            answer, headline=f"what {answer.rows[0].example} says", sentence=_single_sentence(answer.rows[0])
        )
    *others, last = answer.default_overlaps
    sentence = (
        f"{len(answer.rows)} pieces of evidence. By default the overlap comes from {', '.join(others)} or {last}, "
        "the first that was seen at the accuracy, and the gain from evidence on the dataset, else "
        f"{answer.default_gain}. Name one with {option('evidence')}, or fit your own: tellapart evidence fit "
        f"results.csv. Numbers, band and source of one: tellapart evidence {answer.default_overlaps[0]}"
    )
    return replace(answer, headline="what past results say", sentence=sentence)


def _single_sentence(piece: KnownEvidence) -> str:
    caution = f" Caution: {piece.caution}." if piece.caution else ""
    return f"{piece.example}: {piece.about}. Band: {piece.uncertainty}. Source: {piece.source}.{caution}"
