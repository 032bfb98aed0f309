import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import SpellingError, Unsuitable, UsageError
from tellapart.numerics.roots import increasing_root
from tellapart.populations import rating_values
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design, Population
from tellapart.populations.ratings import RatedSystems, looks_at_raters
from tellapart.populations.wrapper import Wrapper

SAME = 1e-9
"""How far an effect in rating points may be from that of the latent ratings given beside it."""


@POPULATIONS.add("ordinal")
@dataclass(frozen=True, kw_only=True)
class Ordinal(Wrapper):
    """Ratings on a few steps: latent normal ratings, as the wrapped `ratings` describe them, cut at thresholds.

    The first step is 1, and each threshold passed is one more. `effect` is in rating points, after the cuts; one given inside is that of
    the latent ratings, and converted. `mean` is the latent level in the middle between both systems: far from the middle of
    the thresholds ratings pile up at an end, and power is lost. Assumes thresholds that all raters share. The wrong choice where ratings
    have many steps, which are as good as numbers (`ratings`).
    """

    thresholds: tuple[float, ...] = field(metadata={"help": "where latent ratings are cut, rising: -1.5:-0.5:0.5:1.5"})
    mean: float = field(default=0.0, metadata={"help": "latent level between both systems"})

    label = "ratings on a few steps"
    test = RatedSystems.test
    by_raters = True
    examples = (
        "ordinal(effect=0.3, population=ratings(raters=5, rater_effect_sd=0.3, item_effect_sd=0.4, residual_sd=1), thresholds=-1.5:-0.5:0.5:1.5)",
        "ordinal(effect=0.2, population=ratings(raters=4, rater_effect_sd=0.3, item_effect_sd=0.4, residual_sd=1, per_item=2, item_sd=0.5), thresholds=-1:1, mean=0.5)",
    )

    def __post_init__(self) -> None:
        # A wrapper takes the effect inside for its own, and here the two have different units.
        super(Wrapper, self).__post_init__()
        if list(self.thresholds) != sorted(set(self.thresholds)):
            raise SpellingError(
                f"ordinal: thresholds={':'.join(f'{t:g}' for t in self.thresholds)} should rise from one to the next"
            )
        if not isinstance(self.population, RatedSystems):
            raise Unsuitable(
                f"ordinal cannot wrap {self.population}: it cuts latent ratings; give ratings(…) with raters and all three sds, in latent units"
            )
        self._convert(self.population.effect)
        low, high = self.effect_range
        if self.effect is not None and not low < self.effect < high:
            raise UsageError(
                f"ordinal: effect={self.effect:g} cannot be: with {len(self.thresholds) + 1} steps it lies between {low:g} and {high:g}"
            )

    def _convert(self, latent: float | None) -> None:
        if latent is None:
            return
        effect = self.effect_of(latent)
        if self.effect is not None and abs(self.effect - effect) > SAME:
            raise UsageError(
                f"ordinal: the latent effect of {latent:g} is {effect:.4g} rating points and effect={self.effect:g} is given; give one of them"
            )
        object.__setattr__(self, "effect", effect)
        object.__setattr__(self, "population", self.population.with_effect(None))

    @property
    def rated(self) -> RatedSystems:
        assert isinstance(self.population, RatedSystems)
        return self.population

    @property
    def raters(self) -> int:
        return self.rated.raters

    @property
    def one_rater_per_item(self) -> bool:
        return self.rated.one_rater_per_item

    def ratings(self, items: int) -> int:
        return self.rated.ratings(items)

    @property
    def effect_range(self) -> tuple[float, float]:
        most = float(len(self.thresholds))
        return -most, most

    @cached_property
    def _latent_sd(self) -> float:
        """The standard deviation of one latent rating of a system."""
        spread = self.rated.variances
        of_effects = (spread["rater_effect_sd"] + spread["item_effect_sd"]) / 4.0
        return math.sqrt(spread["rater_sd"] + spread["item_sd"] + spread["residual_sd"] + of_effects)

    def effect_of(self, latent: float) -> float:
        """The effect in rating points of a latent effect."""
        cuts = np.array(self.thresholds) - self.mean
        a, b = (special.ndtr((side * latent / 2.0 - cuts) / self._latent_sd).sum() for side in (-1.0, 1.0))
        return float(b - a)

    @cached_property
    def latent_effect(self) -> float:
        """The latent effect that is this effect in rating points."""
        effect, most = (self.known_effect, 100.0 * (self._latent_sd + max(map(abs, self.thresholds)) + abs(self.mean)))

        def gap(latent: FloatArray) -> FloatArray:
            return np.asarray(self.effect_of(float(latent)) - abs(effect))

        return math.copysign(float(increasing_root(gap, np.asarray(0.0), np.asarray(most))), effect)

    @cached_property
    def inner(self) -> Population:
        """The latent ratings with their effect."""
        return self.population.with_effect(self.latent_effect)

    def draws(self, design: Design) -> tuple[Draw, ...]:
        return self.population.draws(design)

    def scores(self, noise: Noise) -> Pair:
        return rating_values.scores(self._latent_ratings, noise, self._rating_steps)

    def summary(self, needs: Any, noise: Noise) -> Any:
        if looks_at_raters(needs, self.rated.design):
            return rating_values.by_raters(self._latent_ratings, noise, self._rating_steps)
        return super().summary(needs, noise)

    @property
    def _latent_ratings(self) -> RatedSystems:
        assert isinstance(self.inner, RatedSystems)
        return self.inner

    def _rating_steps(self, latent: FloatArray) -> FloatArray:
        """The step of each latent rating, from 1 up."""
        cuts = np.array(self.thresholds) - self.mean
        return np.asarray(1.0 + np.searchsorted(cuts, latent, side="right"))
