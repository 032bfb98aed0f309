"""What the charts of fitted evidence find."""

from collections.abc import Callable

from tellapart.results.evidence_fit import EvidenceFit
from tellapart.wording import amount


def pairs(answer: EvidenceFit) -> str:
    return f"Each point is one of {amount(len(answer.pairs), 'pair')} of systems, on the items that both were scored on."


CAPTIONS: dict[str, Callable[[EvidenceFit], str]] = {"pairs": pairs}
