"""What the charts of an audit find."""

from collections.abc import Callable

from tellapart.results.audit import Audit
from tellapart.wording import amount, percent, thousands

MOST_CLAIMS = 100
"""Claims that are drawn one below the other."""


def pvalues(answer: Audit) -> str:
    found = answer.summary
    said = (
        f"Of {amount(found.claims, 'claim')}, {found.certain} certain, {found.likely} likely, {found.undecidable} undecidable, "
        f"{found.unlikely} unlikely, {found.not_significant} not significant and {found.impossible} impossible."
    )
    more = len(answer.claims) > MOST_CLAIMS
    cut = f" Shown are the first {MOST_CLAIMS} of {thousands(len(answer.claims))}." if more else ""
    return f"{said} Lines range over every overlap, points stand at the supposed one; below 0.000001 all are drawn alike.{cut}"


def sizes(answer: Audit) -> str:
    found = answer.summary
    return (
        f"{found.above} of {amount(found.claims, 'claim')} lie above what their items detect with {percent(answer.target_power)} power, "
        f"{found.borderline} near it and {found.below} below."
    )


CAPTIONS: dict[str, Callable[[Audit], str]] = {"pvalues": pvalues, "sizes": sizes}
