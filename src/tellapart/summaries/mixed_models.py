"""How a mixed model is estimated and judged: the options that its test and its interval share."""

from typing import Literal

from tellapart.errors import SpellingError

Degrees = Literal["kenward_roger", "cochran", "satterthwaite", "normal"]
DEGREES_IN_WORDS: dict[Degrees, str] = {
    "kenward_roger": "Kenward–Roger",
    "cochran": "Cochran's t",
    "satterthwaite": "Satterthwaite",
    "normal": "normal law",
}
Estimation = Literal["reml", "ml"]


def refuse_unfit(name: str, df: str, fit: str) -> None:
    """Kenward and Roger's correction is one of REML."""
    if df == "kenward_roger" and fit == "ml":
        raise SpellingError(
            f"{name}: df=kenward_roger corrects the spreads that REML finds, and fit=ml finds others; leave fit out, or name df=satterthwaite or "
            "df=normal"
        )
