"""What the charts of fitted evidence find."""

from collections.abc import Callable

from tellapart.results.evidence_fit import EvidenceFit
from tellapart.wording import amount, percent, significant


def pairs(answer: EvidenceFit) -> str:
    return f"Each point is one of {amount(len(answer.pairs), 'pair')} of systems, on the items that both were scored on."


def swaps(answer: EvidenceFit) -> str:
    each = f"Each point is one of {amount(answer.swapped_pairs, 'pair')} of systems, one item of which is swapped between them at a time."
    if answer.contributions is None:
        return each
    said = answer.contributions.coefficients
    shares = f"{percent(said['zero_share'], 3)} of the items change nothing, and the others by a scale of {significant(said['scale'], 3)}"
    return f"{each} The dashed lines are what a plan takes from them: {shares}."


CAPTIONS: dict[str, Callable[[EvidenceFit], str]] = {"pairs": pairs, "swaps": swaps}
