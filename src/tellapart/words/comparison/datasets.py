"""What a comparison says of its datasets, in words."""

from tellapart.results.comparison_parts import AcrossDatasets
from tellapart.wording import confidence, short_share, thousands


def across_datasets(found: AcrossDatasets, b: str, alpha: float) -> str:
    """On how many datasets B is ahead, which chance gives half of the time, and on how many significantly."""
    bounds = f"{confidence(alpha)} CI of that share [{short_share(found.wins_low)}, {short_share(found.wins_high)}]"
    after = f"after {found.correction_label}"
    losses = (
        f", and significantly behind on {found.uncorrected_losses} before and {found.significant_losses} {after}"
        if found.uncorrected_losses
        else ""
    )
    return (
        f"{b} is ahead on {found.wins} of {thousands(found.datasets)} datasets ({bounds}); "
        f"significantly on {found.uncorrected_wins} before and {found.significant_wins} {after}{losses}."
    )
