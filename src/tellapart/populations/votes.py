from dataclasses import dataclass, field
from functools import cached_property
from typing import Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries import Discordance
from tellapart.data.summaries.rater_samples import ByRaters, VotesByOrder
from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import fraction
from tellapart.foundation.seeds import Generator
from tellapart.populations.noise import Noise
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import POPULATIONS, Design, Population

AGREE = 1e-12
"""How far a share and an effect given together may be apart and still say the same."""


@POPULATIONS.add("votes")
@dataclass(frozen=True, kw_only=True)
class DrawnVotes(Population):
    """People see both answers and vote for one or call a tie; every vote stands by itself, and items count votes.

    `share` is that of B among decided votes, `ties` that of ties among all; a tie counts half for each system, so the effect,
    the mean of votes as 1, 0 and −1, is (2·share − 1)·(1 − ties). Assumes one vote per item and per rater; a test of both orders
    (`order_score`) is given every second vote in either. The wrong choice where
    raters vote more than once or items are voted on by several, whose votes go together: `ratings`, with each vote as a rating.
    """

    # Effect and share say the same, and only one of them may decide which populations are equal.
    share: float | None = field(default=None, compare=False, metadata={"help": "share of B among decided votes"})
    ties: float = field(default=0.0, metadata={"help": "share of ties among all votes"})

    label = "votes for one of two"
    test = "mcnemar(variant=mid_p)"
    examples = ("votes(share=0.6)", "votes(share=0.55, ties=0.2)", "votes(effect=-0.1, ties=0.5)")
    latent = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.share is not None:
            fraction(self.name, "share", self.share)
        if not fraction(self.name, "ties", self.ties) < 1.0:
            raise UsageError("votes: ties=1 leaves nothing to tell systems apart by; give a share of ties below 1")
        if self.share is not None and self.effect is None:
            object.__setattr__(self, "effect", _rounded((2.0 * self.share - 1.0) * self.decided))
        if self.effect is not None:
            self._check_effect(self.effect)
            said = 0.5 + 0.5 * self.effect / self.decided
            if self.share is not None and abs(self.share - said) > AGREE:
                raise UsageError(
                    f"votes: share={self.share:g} is an effect of {(2.0 * self.share - 1.0) * self.decided:g} and effect={self.effect:g} "
                    "is given; give one of them"
                )
            object.__setattr__(self, "share", _rounded(said))

    def _check_effect(self, effect: float) -> None:
        if abs(effect) > self.decided:
            raise UsageError(
                f"votes: effect={effect:g} cannot be: with ties={self.ties:g} it lies between {-self.decided:g} and {self.decided:g}"
            )

    @property
    def decided(self) -> float:
        """The share of votes that are no ties."""
        return 1.0 - self.ties

    def with_effect(self, effect: float | None) -> Self:
        return self.replace(effect=effect, share=None)

    @property
    def effect_range(self) -> tuple[float, float]:
        return -self.decided, self.decided

    @cached_property
    def _decided_votes(self) -> PairedBinary:
        """A decided vote is an item that one system alone gets right."""
        return PairedBinary(effect=self.known_effect, discordance=self.decided)

    @property
    def sd_difference(self) -> float:
        return self._decided_votes.sd_difference

    def discordant_probabilities(self) -> tuple[float, float]:
        return self._decided_votes.discordant_probabilities()

    def scores(self, noise: Noise) -> Pair:
        return self._decided_votes.scores(noise)

    def draw_summary(self, needs: type, design: Design, size: int, rng: Generator) -> Discordance | VotesByOrder | None:
        if not issubclass(needs, ByRaters):
            return self._decided_votes.draw_summary(needs, design, size, rng)
        return self._in_both_orders(design.items, size, rng) if needs is VotesByOrder else None

    def _in_both_orders(self, items: int, size: int, rng: Generator) -> VotesByOrder:
        """Votes with each order for every second vote, and no preference for the first shown."""
        won, lost = self.discordant_probabilities()
        orders = np.array([items // 2, items - items // 2])
        counts = rng.multinomial(orders, [won, max(1.0 - won - lost, 0.0), lost], size=(size, 2))
        return VotesByOrder(*np.moveaxis(counts.astype(np.float64), -1, 0))

    def width(self, needs: type, design: Design) -> int:
        return 6 if needs is VotesByOrder else self._decided_votes.width(needs, design)


def _rounded(value: float) -> float:
    """Without the last digit, which is that of the arithmetic: 0.16 and not 0.15999999999999998."""
    return float(f"{value:.15g}")
