"""Counts of rejections in simulated evaluations, and the power and error rates that follow from them."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING, Self

from tellapart import compute
from tellapart.compute.work import Budget
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import UsageError
from tellapart.numerics.null_laws.noncentral_t import t_error_rates
from tellapart.numerics.null_laws.proportions import anytime_bounds, wilson_bounds
from tellapart.numerics.null_laws.tails import Alternative, Rejections, two_sided_quantile
from tellapart.planning.study import LEVEL, PowerResult, Study


@dataclass(frozen=True)
class Tally:
    """Counts of simulated evaluations; `estimates` is the sum of |estimate| over the rejections."""

    replicates: int = 0
    rejections: int = 0
    wrong_sign: int = 0
    estimates: float = 0.0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.replicates + other.replicates,
            self.rejections + other.rejections,
            self.wrong_sign + other.wrong_sign,
            self.estimates + other.estimates,
        )

    def bounds(self, until: float | None) -> tuple[float, float]:
        """Between which power lies; where a width was waited for, by bounds that hold whenever one stops."""
        if until is not None:
            return anytime_bounds(self.rejections, self.replicates, LEVEL, until)
        _, low, high = wilson_bounds(self.rejections, self.replicates, two_sided_quantile(LEVEL))
        return float(low), float(high)

    def precise(self, until: float | None) -> bool:
        """Whether it is known as well as was asked for."""
        if until is None or self.replicates == 0:
            return False
        low, high = self.bounds(until)
        return high - low <= 2.0 * until

    def result(self, study: Study, until: float | None = None) -> PowerResult:
        low, high = self.bounds(until)
        effect = study.population.known_effect
        # A wrong sign and an exaggeration are those of a claim that there is a difference, beside a true one.
        meant = study.test.claim == "difference" and effect != 0.0 and self.rejections > 0
        return PowerResult(
            power=self.rejections / self.replicates,
            low=low,
            high=high,
            engine="monte_carlo",
            replicates=self.replicates,
            type_s=self.wrong_sign / self.rejections if meant else None,
            type_m=self.estimates / (self.rejections * abs(effect)) if meant else None,
        )


# Tallies that a store holds of studies, under names that say all that their bits depend on.

if TYPE_CHECKING:
    from tellapart.compute.store import Store

Place = tuple[int, int]
"""A block's number and size."""


@dataclass(frozen=True, eq=False)
class StoredTallies:
    """The tallies of each study, in the order of the studies; without a store there are none, and none are kept."""

    store: "Store | None"
    names: Sequence[str]
    there: Sequence[dict[Place, Tally]]

    @classmethod
    def of(cls, store: "Store | None", studies: Sequence[Study], budget: Budget) -> "StoredTallies":
        if store is None:
            return cls(None, (), [{} for _ in studies])
        names = [study_name(study, budget.seed) for study in studies]
        found = [store.blocks(name, budget.replicates) for name in names]
        return cls(store, names, [{place: Tally(*one) for place, one in blocks.items()} for blocks in found])

    def keep(self, study: int, place: Place, tally: Tally) -> None:
        if self.store is not None:
            self.store.keep(self.names[study], place, astuple(tally))

    def enough(self, study: int, replicates: int) -> None:
        """Record that this many replicates were enough."""
        if self.store is not None:
            self.store.enough(self.names[study], replicates)


def study_name(study: Study, seed: int) -> str:
    """A study as the store knows it: its canonical spelling, the hash of its data, the seed, and who computes."""
    return compute.study_name(
        "plan",
        (type(study.population).__module__, type(study.test).__module__),
        study=str(study.population),
        data=getattr(study.population, "digest", None),
        test=str(study.test),
        design=repr(study.design),
        alpha=study.alpha,
        seed=seed,
    )


# What a significant result is worth: how often its sign is wrong, and how much it exaggerates.
# Always from a supposed effect, never from the observed one.


@dataclass(frozen=True)
class ErrorRates:
    """Power, the share of significant results with the wrong sign, and their mean exaggeration; None without effect."""

    power: float
    type_s: float | None
    type_m: float | None

    @classmethod
    def of(cls, effect: float, rates: tuple[FloatArray, FloatArray, FloatArray]) -> Self:
        power, type_s, type_m = (float(rate) for rate in rates)
        return cls(power, type_s, type_m) if effect else cls(power, None, None)


def error_rates(
    effect: float,
    standard_error: float,
    *,
    df: float = math.inf,
    alpha: float = 0.05,
    alternative: Alternative = "two-sided",
) -> ErrorRates:
    """Error rates of a t test with this standard error if the true effect is as assumed.

    Exact for normal differences; at infinite degrees of freedom the z test. Gelman & Carlin (2014).

    >>> round(error_rates(1.0, 1.0).type_m, 4)
    2.4909
    """
    _check_error_rates(effect, standard_error, df, alpha)
    return ErrorRates.of(effect, t_error_rates(effect / standard_error, df, alpha, alternative))


def certain(engine: str, power: float) -> PowerResult:
    """The answer of an engine without simulation that has nothing to say of signs and exaggeration."""
    return PowerResult(power, power, power, engine, None, None, None)


def from_rejections(study: Study, engine: str, found: Rejections) -> PowerResult:
    """The answer of an engine that knows both directions of rejection, sizes in raw units of the effect."""
    effect = study.population.known_effect
    return from_rates(engine, *found.rates(effect if study.test.claim == "difference" else 0.0))


def from_rates(engine: str, power: float, type_s: float | None, type_m: float | None) -> PowerResult:
    """The answer of an engine without simulation."""
    return PowerResult(power, power, power, engine, None, type_s, type_m)


def _check_error_rates(effect: float, standard_error: float, df: float, alpha: float) -> None:
    wanted = {
        "effect": (math.isfinite(effect), effect, "a finite number"),
        "standard_error": (0.0 < standard_error < math.inf, standard_error, "above 0"),
        "df": (df > 0.0, df, "above 0"),
        "alpha": (0.0 < alpha < 0.5, alpha, "between 0 and 0.5"),
    }
    for name, (good, value, words) in wanted.items():
        if not good:
            raise UsageError(f"{name}={value:g} should be {words}")
