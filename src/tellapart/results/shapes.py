"""How scores lie, counted in bins: few numbers, whatever the number of items, and enough to draw them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DifferenceBins:
    """Items by their difference B − A: `edges` part the bins, `items` counts those within each, and `ties` those at 0 exactly.

    `higher` and `lower` count those where B's score is the higher and the lower one. No bin holds differences of both signs; one on
    an edge counts to the bin on the side away from 0. Where differences are multiples of one step, bins lie around these.
    """

    edges: tuple[float, ...]
    items: tuple[int, ...]
    ties: int
    higher: int
    lower: int


@dataclass(frozen=True)
class ScoreBins:
    """Items by both scores, over the same `edges` for each system: `items[i][j]` lie in bin i by A's score and in bin j by B's.

    `items` has a row per bin of A. The lower edge belongs to a bin, and the last upper one too.
    """

    edges: tuple[float, ...]
    items: tuple[tuple[int, ...], ...]
