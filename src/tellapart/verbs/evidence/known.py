"""The list of all evidence, made of the registry."""

from tellapart.evidence import EVIDENCE
from tellapart.evidence.choice import DEFAULT_GAIN, DEFAULT_OVERLAPS
from tellapart.results.evidence import EvidenceList, KnownEvidence
from tellapart.verbs.signature import sign
from tellapart.words import tell


def known_evidence() -> EvidenceList:
    """What past results say, with source, range and uncertainty; any of it can be named to `plan` and `audit`."""
    rows = tuple(_row(name) for name in sorted(EVIDENCE, key=_order) if EVIDENCE[name].published)
    overlaps = tuple(map(str, DEFAULT_OVERLAPS))
    return tell(EvidenceList(rows, overlaps, str(DEFAULT_GAIN), sign("evidence", f"{len(rows)} registered")))


def _order(name: str) -> tuple[int, str]:
    """Overlaps, gains, spreads, contributions, ratings: as questions need them."""
    return ("overlap", "gain", "spread", "contributions", "ratings").index(EVIDENCE[name].kind), name


def _row(name: str) -> KnownEvidence:
    kind = EVIDENCE[name]
    first = EVIDENCE.parse(kind.examples[0])
    low, high = first.accuracies
    return KnownEvidence(
        name, kind.kind, kind.about, str(first), first.coefficients, low, high, kind.uncertainty, kind.source,
        kind.caution,
    )  # fmt: skip
