"""What a comparison says beside its effect where people judged: whose ratings, how they spread, and how votes fell."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class RatingsResult:
    """Ratings by raters and items, and the model that was fitted to them.

    `mode` is paired where every rater of an item rated both systems, single where not, and fixed where these raters alone were
    asked about and averaged. `sds` are standard deviations in rating points: of raters' and of items' own B − A, of levels, and of
    one rating or vote; 0 where `singular` names them. `shares` are the parts of the effect's variance that go with more raters, with more
    items, and the rest. `se` is the plain error, `se_adjusted` Kenward and Roger's.
    """

    raters: int
    items: int
    ratings: int
    pairs: int
    mode: Literal["paired", "single", "fixed"]
    sds: dict[str, float]
    shares: dict[str, float]
    se: float | None
    se_adjusted: float | None
    df: float | None
    singular: tuple[str, ...]
    plain_difference: float
    dropped_terms: tuple[str, ...]


@dataclass(frozen=True)
class VotesResult:
    """How votes fell. `log_odds` and `nu` are Davidson's (1970) model of two systems, ln(wins B / wins A) and ties / √(wins A · wins B).

    `first_wins` counts decided votes for the system that was shown first, with the exact p-value that it wins as often as the
    other; `b_first` counts votes that showed B first. `raw_share_b` is B's share of the votes as they are, a tie counting half unless
    it is left out; where `order_adjusted` the comparison weighs both orders alike, and its own share may be another.
    """

    wins_a: int
    wins_b: int
    ties: int
    ties_rule: Literal["half", "drop"]
    first_wins: int | None
    first_pvalue: float | None
    b_first: int | None
    log_odds: float | None
    nu: float | None
    raw_share_b: float
    order_adjusted: bool

    @property
    def counted(self) -> int:
        """Votes that the comparison is made of."""
        return self.wins_a + self.wins_b + (self.ties if self.ties_rule == "half" else 0)


def sds_of_ratings(ratings: RatingsResult, votes: VotesResult | None) -> dict[str, float]:
    """The standard deviations as a plan of ratings takes them: a vote is the difference of two ratings, whose residuals it holds."""
    if votes is None or "residual_sd" not in ratings.sds:
        return ratings.sds
    return ratings.sds | {"residual_sd": ratings.sds["residual_sd"] * 0.5**0.5}
