"""What a comparison says of its datasets, in words."""

from tellapart.results.comparison_parts import AcrossDatasets
from tellapart.wording import confidence, short_share, thousands


def across_datasets(found: AcrossDatasets, b: str, alpha: float) -> str:
    """On how many datasets B wins: after correction, and by its mean alone, which chance gives half of the time."""
    of = f"of {thousands(found.datasets)}"
    losses = f" and loses significantly on {found.significant_losses}" if found.significant_losses else ""
    bounds = f"{confidence(alpha)} [{short_share(found.wins_low)}, {short_share(found.wins_high)}]"
    return (
        f"{b} wins significantly on {found.significant_wins} {of} datasets{losses} after {found.correction_label} "
        f"({found.wins} {of} nominally, {bounds})."
    )
