"""Calibration on simulated ratings and votes: the defaults, and methods rejected because they fail."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from tellapart.choosing.pairs import suited_to_raters
from tellapart.data.pair import Pair
from tellapart.data.summaries.rater_samples import Crossed, UnpairedRatings, VotesByOrder
from tellapart.foundation.arrays import FloatArray, floats
from tellapart.foundation.seeds import Generator
from tellapart.studies.calibration.difference_laws import normal
from tellapart.studies.calibration.scenario import DETECTED, Scenario

GROUP = "raters"
OFTEN, FITTED, SINGLE = 20_000, 4_000, 500
"""Replicates where the fit has a closed form, where it is iterated, and of single ratings, which are fitted one by one."""

WEAK, STRONG = (0.08, 0.26, 0.16), (0.22, 0.28, 0.26)
"""Spreads of raters' and of items' own differences, and of one rating, as Card et al. (2020) found them: low and high."""

AVERAGED = "raters are averaged as if others would agree with them"
SHARED_ITEMS = "raters who share items agree on the accidents of these items"
KNOWN_SPREADS = "spreads estimated from three raters are taken for known"
THREE = "with three raters Kenward and Roger's degrees of freedom are too many"
SIX = "with six raters the spread between raters is often estimated as none, and degrees of freedom as too many"
CUT = "votes are cut at nothing and one: their spread depends on their mean, which the model leaves out"


@dataclass(frozen=True, eq=False)
class RatedItems(Scenario):
    """Differences of raters on `items` items, of whom `per_item` rate each (0: all)."""

    raters: int = 3
    spreads: tuple[float, float, float] = STRONG
    per_item: int = 0
    averaged: bool = False
    """Whether raters are averaged away first."""

    @property
    def held(self) -> int:
        return self.raters * self.items

    @property
    def standard_error(self) -> float:
        rater, item, residual = self.spreads
        each = self.per_item or self.raters
        rest = 2.0 * residual**2 / (each * self.items)
        return float(np.sqrt(rater**2 / self.raters + item**2 / self.items + rest))

    @property
    def effect(self) -> float:
        return DETECTED * self.standard_error

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        values = self._latent_values(size, effect, rng)
        if self.averaged:
            means = values.mean(axis=-2)[..., np.newaxis, np.newaxis]
            return Pair(np.zeros_like(means), means)
        return Crossed(values if not self.per_item else np.where(self._rating_mask, values, np.nan))

    def _latent_values(self, size: int, effect: float, rng: Generator) -> FloatArray:
        rater, item, residual = self.spreads
        raters, items = (rng.standard_normal((size, self.raters, 1)), rng.standard_normal((size, 1, self.items)))
        values = rng.standard_normal((size, self.raters, self.items))
        values *= np.sqrt(2.0) * residual
        values += rater * raters
        values += item * items
        values += effect
        return values

    @property
    def _rating_mask(self) -> FloatArray:
        """Each item by the next raters in turn."""
        distance = (np.arange(self.raters)[:, np.newaxis] - self.per_item * np.arange(self.items)) % self.raters
        return np.asarray(distance < self.per_item)


@dataclass(frozen=True, eq=False)
class VotesOnItems(RatedItems):
    """Latent preferences cut to votes: for B above a half, for A below minus a half, else a tie."""

    @property
    def spread(self) -> float:
        rater, item, residual = self.spreads
        return float(np.sqrt(rater**2 + item**2 + 2.0 * residual**2))

    @property
    def effect(self) -> float:
        """How much more often B wins than A where feelings lean that way: votes are what is judged."""
        return self._net_votes(super().effect)

    def _net_votes(self, lean: float) -> float:
        wins, losses = (float(special.ndtr((side * lean - 0.5 * self.spread) / self.spread)) for side in (1, -1))
        return wins - losses

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        lean = super().effect if effect else 0.0
        felt, half = self._latent_values(size, lean, rng), 0.5 * self.spread
        return Crossed(floats(1.0 * (felt > half) - (felt < -half)), 1.0)


@dataclass(frozen=True, eq=False)
class SingleRatings(RatedItems):
    """Half of the raters rate A and the others B, each on every item: levels of raters, spread as their differences are, stand against the effect."""

    @property
    def standard_error(self) -> float:
        rater, item, residual = self.spreads
        half = self.raters // 2
        return float(np.sqrt(2.0 * rater**2 / half + item**2 / self.items + 2.0 * residual**2 / (half * self.items)))

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        rater, item = (index.ravel() for index in np.indices((self.raters, self.items)))
        of_b = rater >= self.raters // 2
        raters, items = rng.standard_normal((size, self.raters)), rng.standard_normal((2, size, self.items))
        level = self.spreads[0] * raters[:, rater] + items[0][:, item]
        own = (self.spreads[1] * items[1][:, item] + effect) * np.where(of_b, 0.5, -0.5)
        return UnpairedRatings(
            level + own + self.spreads[2] * rng.standard_normal((size, len(rater))), of_b, rater, item
        )


@dataclass(frozen=True, eq=False)
class VotesInBothOrders(Scenario):
    """Lone votes, of which four in five show B first; the one shown first wins 65 % between equal systems."""

    advantage: float = 0.15

    @property
    def standard_error(self) -> float:
        variance = 1.0 - (2.0 * self.advantage) ** 2
        return float(0.5 * np.sqrt(variance * sum(1.0 / votes for votes in self._net_votes)))

    @property
    def effect(self) -> float:
        return DETECTED * self.standard_error

    @property
    def _net_votes(self) -> tuple[int, int]:
        """Those that show A first, and those that show B first."""
        return self.items // 5, self.items - self.items // 5

    def pairs(self, size: int, effect: float, rng: Generator) -> Any:
        half, votes = 0.5 * (1.0 + effect), np.array(self._net_votes)
        wins = rng.binomial(votes, [half - self.advantage, half + self.advantage], (size, 2))
        return VotesByOrder(floats(wins), np.zeros((size, 2)), floats(votes - wins))


def rated(raters: int, items: int, spreads: tuple[float, float, float], **changes: Any) -> RatedItems:
    """The scenario of the default for these raters and items."""
    per_item = int(changes.get("per_item", 0))
    test = suited_to_raters(raters, items, one_rater_per_item=per_item == 1)
    seen = "" if not per_item else ", one per item" if per_item == 1 else f", {per_item} per item"
    given: dict[str, Any] = {
        "group": GROUP,
        "kind": f"{raters} raters{seen}, spreads {', '.join(f'{sd:g}' for sd in spreads)}",
        "replicates": OFTEN if per_item < 2 else FITTED,
        "test": test,
        "interval": test,
    } | changes
    kind = given.pop("of", RatedItems)
    made: RatedItems = kind(items=items, draw=normal, raters=raters, spreads=spreads, **given)
    return made


def by_raters() -> Iterator[Scenario]:
    """The defaults, then what they protect from."""
    for raters in (3, 4, 5, 6, 10):
        for spreads in (WEAK, STRONG):
            yield rated(raters, 100, spreads, known=SIX if raters == 6 else "")
    yield rated(10, 5, STRONG)
    yield rated(20, 20, STRONG)
    yield rated(10, 60, STRONG, per_item=3)
    yield rated(4, 40, STRONG, per_item=2)
    yield rated(10, 100, STRONG, per_item=1)
    yield rated(3, 60, WEAK, per_item=1)
    yield rated(10, 60, STRONG, of=VotesOnItems, kind="votes of 10 raters, spreads 0.22, 0.28, 0.26", known=CUT)
    for raters in (4, 8):
        kind = f"{raters} raters of one system each, spreads 0.22, 0.28, 0.26"
        yield rated(raters, 15, STRONG, of=SingleRatings, kind=kind, replicates=SINGLE)
    yield from rejected_of_raters()


def rejected_of_raters() -> Iterator[Scenario]:
    """Averages, flips, and laws that take too much for known."""
    lone = {"group": "not chosen"}
    yield rated(
        3,
        100,
        STRONG,
        kind="3 raters averaged",
        averaged=True,
        test="paired_t",
        interval="student_t",
        known=AVERAGED,
        **lone,
    )
    yield rated(
        10,
        20,
        WEAK,
        kind="10 raters on shared items",
        test="rater_sign_flip",
        interval="rater_t",
        known=SHARED_ITEMS,
        **lone,
    )
    ml = "mixed_model(df=normal, fit=ml)"
    yield rated(3, 100, STRONG, test=ml, interval=ml, known=KNOWN_SPREADS, replicates=FITTED, **lone)
    few = "mixed_model(df=kenward_roger)"
    yield rated(3, 100, STRONG, test=few, interval=few, known=THREE, **lone)


def raters_by_name() -> Iterator[Scenario]:
    """Methods run only by name, where their assumptions hold."""
    lone = {"group": "by name"}
    named = "mixed_model(df=satterthwaite)"
    yield rated(10, 100, STRONG, test=named, interval=named, **lone)
    yield rated(
        10,
        60,
        (0.22, 0.0, 0.26),
        kind="10 raters, items all alike",
        test="rater_sign_flip",
        interval="rater_t",
        replicates=FITTED,
        **lone,
    )
