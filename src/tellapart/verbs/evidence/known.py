"""The list of all evidence, made of the registry."""

from tellapart.answers.evidence import EvidenceList, KnownEvidence
from tellapart.answers.texts import add_text
from tellapart.populations.evidence import EVIDENCE, Evidence
from tellapart.populations.evidence.choice import DEFAULT_GAIN, DEFAULT_OVERLAPS
from tellapart.verbs.signature import sign


def known_evidence(spelling: str | None = None) -> EvidenceList:
    """What past results say, with source, range and uncertainty; any of it can be named to `plan` and `audit`.

    One spelling: that piece alone.
    """
    every = sorted((name for name in EVIDENCE if EVIDENCE[name].published), key=_kind_order)
    pieces = [EVIDENCE[name].examples[0] for name in every] if spelling is None else [spelling]
    rows = tuple(map(_known_row, map(EVIDENCE.parse, pieces)))
    signed = sign("evidence", f"{len(rows)} registered" if spelling is None else rows[0].example)
    return add_text(EvidenceList(rows, tuple(map(str, DEFAULT_OVERLAPS)), str(DEFAULT_GAIN), signed))


def _kind_order(name: str) -> tuple[int, str]:
    """Overlaps, gains, spreads, contributions, ratings: as questions need them."""
    return ("overlap", "gain", "spread", "contributions", "ratings").index(EVIDENCE[name].kind), name


def _known_row(piece: Evidence) -> KnownEvidence:
    low, high = piece.accuracies
    return KnownEvidence(
        piece.name, piece.kind, piece.about, str(piece), piece.seen_on, piece.coefficients, low, high,
        piece.uncertainty, piece.source, piece.caution,
    )  # fmt: skip
