"""The default test of paired ratings, and of votes that share raters or items."""

FEW_LEVELS = 6
"""Raters, and items, from which on Kenward and Roger's correction keeps its level (worst size .056; .060 with five); Cochran's does with fewer."""


def suited_to_raters(raters: int, items: int, *, one_rater_per_item: bool = False) -> str:
    """The spelling of the test for so many raters and items."""
    if one_rater_per_item:
        return "rater_t"
    df = "kenward_roger" if min(raters, items) >= FEW_LEVELS else "cochran"
    return f"mixed_model(df={df})"
