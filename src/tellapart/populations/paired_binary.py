import math
from collections.abc import Collection, Mapping
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from scipy import special

from tellapart import populations
from tellapart.data.pair import Pair
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import STATISTIC_NOISE
from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import finite, fraction
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Option, options
from tellapart.foundation.surfaces import option
from tellapart.populations.noise import Noise
from tellapart.populations.population import POPULATIONS, Design, Population, as_scores

OVERLAPS = ("discordance", "agreement", "correlation")


@POPULATIONS.add("paired_binary")
@dataclass(frozen=True, kw_only=True)
class PairedBinary(Population):
    """Both systems answer the same items right or wrong; how often only one of them is right decides the power.

    Give exactly one of `discordance` (share of items that one gets right and the other wrong), `agreement` (one minus
    that) and `correlation` (of the right-or-wrong scores); it keeps its own meaning when the effect changes. With
    `accuracy` and none of the three, `plan` takes it from evidence. Assumes independent items. Without `accuracy`, the
    items on which the systems agree are half right, half wrong; McNemar's test does not look at them. The wrong choice
    for partial credit (`beta`), for systems run on different items (`proportions`) and for several runs per item. On
    real submissions the correlation falls as the effect grows, so one correlation for a whole curve is too hopeful at
    its upper end.
    """

    accuracy: float | None = field(default=None, metadata={"help": "share of items A gets right"})
    discordance: float | None = field(default=None, metadata={"help": "share of items only one system gets right"})
    agreement: float | None = field(default=None, metadata={"help": "share of items both get right or both wrong"})
    correlation: float | None = field(default=None, metadata={"help": "of the right-or-wrong scores"})

    label = "right-or-wrong scores"
    test = "mcnemar(variant=mid_p)"
    examples = (
        "paired_binary(effect=0.02, accuracy=0.7, discordance=0.1)",
        "paired_binary(effect=-0.03, accuracy=0.9, agreement=0.85)",
        "paired_binary(effect=0.05, accuracy=0.6, correlation=0.5)",
        "paired_binary(effect=0.02, accuracy=0.85, evidence=squad2_pairs)",
    )
    latent = 1
    right_or_wrong = True

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self._given_overlaps
        if len(given) > 1 or not (given or self.accuracy is not None):
            raise self._overlap_missing(given)
        for name, low in (("accuracy", 0.0), ("discordance", 0.0), ("agreement", 0.0), ("correlation", -1.0)):
            if getattr(self, name) is not None:
                fraction(self.name, name, getattr(self, name), low)
        if self.correlation is not None:
            self._check_correlation_defined()
        self._check_effect()

    @property
    def _given_overlaps(self) -> list[str]:
        """The given overlaps."""
        return [name for name in OVERLAPS if getattr(self, name) is not None]

    @classmethod
    def options_beside(cls, given: Collection[str]) -> list[Option]:
        return options(populations.FromEvidence) if "evidence" in given else options(cls)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Population:
        return populations.FromEvidence(**values) if "evidence" in values else super().build(values)

    @property
    def complete(self) -> bool:
        return bool(self._given_overlaps)

    def with_effect(self, effect: float | None) -> Self:
        # A search for the effect takes dozens of them, and each would have all the other options checked again.
        moved = copy(self)
        known = effect is None or (type(effect) is float and math.isfinite(effect))
        object.__setattr__(moved, "effect", effect if known else finite(self.name, "effect", effect))
        moved._check_effect()  # noqa: SLF001  (of its own kind)
        return moved

    def _check_effect(self) -> None:
        if self.effect is not None:
            if not -1.0 <= self.effect <= 1.0:
                fraction(self.name, "effect", self.effect, low=-1.0)
            self._check_feasible(self._given_overlaps)

    @property
    def accuracies(self) -> tuple[float, float]:
        """How often A and B are right."""
        a = 0.5 * (1.0 - self.known_effect) if self.accuracy is None else self.accuracy
        return a, a + self.known_effect

    def discordant_probabilities(self) -> tuple[float, float]:
        """The probability that only B is right on an item, and that only A is."""
        share = self._share()
        # At the edge of what is possible rounding may fall below 0, and a chance must not.
        return max(0.5 * (share + self.known_effect), 0.0), max(0.5 * (share - self.known_effect), 0.0)

    def probabilities(self) -> tuple[float, float, float, float]:
        """The probabilities that both are right, only B, only A, and neither."""
        win, loss = self.discordant_probabilities()
        both = min(max(self.accuracies[0] - loss, 0.0), max(1.0 - win - loss, 0.0))
        return both, win, loss, max(1.0 - both - win - loss, 0.0)

    @property
    def effect_range(self) -> tuple[float, float]:
        if self.correlation is not None:
            low, high = _accuracies_with(self.correlation, self._known_accuracy)
            return low - self._known_accuracy, high - self._known_accuracy
        share = self._fixed_share()
        if self.accuracy is None:
            return -share, share
        # Both accuracies must leave room for the share: they add up to no less than it, and to no more than 2 minus it.
        return max(-share, share - 2.0 * self.accuracy), min(share, 2.0 * (1.0 - self.accuracy) - share)

    @property
    def share_range(self) -> tuple[float, float]:
        """The smallest and largest share of discordant items that these accuracies leave possible."""
        a, b = self.accuracies
        return abs(self.known_effect), min(a + b, 2.0 - a - b)

    @property
    def sd_difference(self) -> float:
        return math.sqrt(max(self._share() - self.known_effect**2, 0.0))

    def scores(self, noise: Noise) -> Pair:
        """One normal per item, cut at four places, from "only A" up to "only B": the difference rises with it."""
        _, win, loss, neither = self.probabilities()
        normal = noise.layers[0]
        b = normal >= special.ndtri(loss + neither)
        a = (normal < special.ndtri(loss)) | (b & (normal < special.ndtri(1.0 - win)))
        return Pair(as_scores(a.astype(np.float64)), as_scores(b.astype(np.float64)))

    def draw_summary(self, needs: type, design: Design, size: int, rng: Generator) -> Discordance | None:
        if needs is not Discordance:
            return None
        counts = rng.multinomial(design.items, self.probabilities(), size=size)
        return Discordance(*(np.ascontiguousarray(c) for c in counts.T))

    def width(self, needs: type, design: Design) -> int:
        return 4 if needs is Discordance else design.items

    @property
    def _known_accuracy(self) -> float:
        assert self.accuracy is not None
        return self.accuracy

    def _fixed_share(self) -> float:
        """The share of discordant items where it does not depend on the effect."""
        if self.discordance is not None:
            return self.discordance
        if self.agreement is None:
            raise self._overlap_missing([])
        return 1.0 - self.agreement

    def _share(self) -> float:
        if self.correlation is None:
            return self._fixed_share()
        a, b = self.accuracies
        # Independent systems are both right with chance a·b; a correlation is the covariance over the product of spreads.
        both = a * b + self.correlation * _spread(a, b)
        return a + b - 2.0 * both

    @staticmethod
    def _overlap_missing(given: list[str]) -> UsageError:
        return UsageError(
            f"paired_binary needs exactly one of {', '.join(OVERLAPS)}, and got {' and '.join(given) or 'none'}; "
            f"discordance is the share of items only one system gets right. With {option('accuracy')} and none of them, plan "
            "takes it from evidence"
        )

    def _check_correlation_defined(self) -> None:
        if self.accuracy is None:
            raise UsageError(
                f"paired_binary: a correlation means something only with the accuracy of A; give {option('accuracy')}"
            )
        if self.accuracy in {0.0, 1.0}:
            raise UsageError(
                f"paired_binary: a system with accuracy={self.accuracy:g} has no correlation; give {option('discordance')}"
            )

    def _check_feasible(self, given: list[str]) -> None:
        a, b = self.accuracies
        if not -STATISTIC_NOISE <= b <= 1.0 + STATISTIC_NOISE:
            raise UsageError(
                f"paired_binary: effect={self.effect:g} cannot be: with accuracy={a:g} it lies between {-a:.4g} and "
                f"{1.0 - a:.4g}"
            )
        low, high = self.share_range
        possible = {
            "discordance": (low, high),
            "agreement": (1.0 - high, 1.0 - low),
            "correlation": _correlations(a, b),
        }
        for name in given:
            bounds, slack = possible[name], STATISTIC_NOISE
            # Where scores hardly vary, a rounding error of the share is a large correlation; an accuracy of 0 may be a
            # rounded one, of the order of the correlation's square.
            if name == "correlation":
                slack /= _spread(a, b) or math.sqrt(STATISTIC_NOISE)
            if not bounds[0] - slack <= getattr(self, name) <= bounds[1] + slack:
                raise UsageError(
                    f"paired_binary: {name}={getattr(self, name):g} cannot be: accuracies {a:.4g} and {b:.4g} leave it "
                    f"between {bounds[0]:.4g} and {bounds[1]:.4g}"
                )


def _spread(a: float, b: float) -> float:
    """The product of the standard deviations of right-or-wrong scores with these means."""
    return math.sqrt(max(a * (1.0 - a) * b * (1.0 - b), 0.0))


def _correlations(a: float, b: float) -> tuple[float, float]:
    """The lowest and highest correlation of right-or-wrong scores with these two means."""
    spread = _spread(a, b)
    if spread == 0.0:
        return 0.0, 0.0
    return (max(0.0, a + b - 1.0) - a * b) / spread, (min(a, b) - a * b) / spread


def _accuracies_with(correlation: float, accuracy: float) -> tuple[float, float]:
    """The accuracies of B that can have this correlation with A: the bounds on a correlation, solved for B's odds."""
    odds, square = accuracy / (1.0 - accuracy), correlation**2
    if correlation < 0.0:
        return square / (odds + square), 1.0 / (1.0 + square * odds)
    return square * odds / (1.0 + square * odds), odds / (odds + square)
