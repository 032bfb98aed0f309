import math
from collections.abc import Collection
from dataclasses import InitVar, dataclass, field
from dataclasses import replace as replaced
from functools import cached_property
from typing import Any, Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.provenance import Better
from tellapart.data.scores import Scores
from tellapart.data.summaries import Differences, coding_of
from tellapart.data.summaries.counts import CODINGS, coding
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray
from tellapart.foundation.errors import ItemMismatch, Unsuitable, UsageError
from tellapart.foundation.seeds import Generator, shown
from tellapart.foundation.surfaces import option
from tellapart.metrics.metric import Metric
from tellapart.numerics.run_variance import RunVariance, cross_disagreement
from tellapart.populations import pilot_items
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.population import MEAN, POPULATIONS, Design, Population
from tellapart.populations.tilted_items import SAME, TiltedItems


@POPULATIONS.add("pilot")
@dataclass(frozen=True, kw_only=True)
class Pilot(Population):
    """Items like those of a pilot evaluation, drawn again and again, with the effect you ask for instead of its own.

    Items are drawn with unequal chances, w ∝ exp(θ · difference), that give the wanted effect exactly; no score is
    changed, so bounded scores stay bounded and repeated runs stay together. Of right or wrong scores a larger effect makes systems differ on
    more items; what `compare` calls detectable is so at the share of items that they were seen to differ on, and a little smaller. Clusters are drawn whole; for a place of
    another size some of its items are taken at random, or all of them in turn: where items of one cluster are hardly more alike than any,
    uneven clusters then have a little less power than they would. A small pilot scatters about its own mean, so its power is a little
    high (0.01 at fifty items), and one with heavy tails rarely shows them: an assurance of 80 % holds seven times in ten
    where differences are as heavy-tailed as t with 5 degrees of freedom. The wrong choice below some thirty items, whose
    tails say little, and for plans many times larger than the pilot, in which rare items it never met will turn up.
    """

    sample: InitVar[Pair | None] = None
    metric: InitVar[Metric] = MEAN
    pair: Pair = field(init=False, repr=False, compare=False)
    digest: str = field(init=False, repr=False)
    """Of the scores and what is compared: pilots are equal when these and the effect are."""

    label = "pilot scores"
    test = "paired_t"
    examples = ()
    from_spelling = False

    @classmethod
    def from_pair(cls, pair: Pair, effect: float | None = None, metric: Metric | str = MEAN) -> Self:
        return cls(sample=pair, effect=effect, metric=Metric.parse(metric))

    def __post_init__(self, sample: Pair | None, metric: Metric) -> None:
        if sample is None:
            raise UsageError(
                "a pilot needs its scores: tellapart plan pilot FILE --a … --b …, or in Python tellapart.plan(Pilot.from_pair("
                "tellapart.read(FILE).pair(A, B)), …) with Pilot from tellapart.populations.pilot"
            )
        object.__setattr__(self, "pair", pilot_items.checked(sample, metric))
        object.__setattr__(self, "metric", metric)
        object.__setattr__(self, "digest", pilot_items.digest_of(self.pair, metric))
        super().__post_init__()
        if self.effect is not None and not self._can_have(self.effect):
            raise self._infeasible(self.effect, *self.effect_range)

    def _can_have(self, effect: float) -> bool:
        low, high = self.effect_range
        if self._tilted.constant:
            return abs(effect - low) <= SAME * self._tilted.largest
        return low < effect < high

    def _infeasible(self, effect: float, low: float, high: float) -> UsageError:
        return UsageError(f"pilot: effect={effect:g} cannot be: the pilot's {self._possible_effects(low, high)}")

    def _possible_effects(self, low: float, high: float) -> str:
        groups = "differences" if self.pair.clusters is None else "cluster means of the difference"
        if self._tilted.constant:
            return f"{groups} are all {low:.4g}, so it has no spread to plan with; give a pilot whose items differ"
        if not self.metric.linear:
            return f"its items can only be reweighted to a difference of {self.metric} between {low:.4g} and {high:.4g}"
        return f"{groups} lie between {low:.4g} and {high:.4g}, and their mean lies strictly inside"

    def replace(self, **changes: Any) -> Self:
        return replaced(self, **{"sample": self.pair, "metric": self.metric, **changes})

    def __reduce__(self) -> tuple[Any, ...]:
        # Arrays that travelled may arrive unaligned, and sums of such differ in the last bit: build it anew.
        return type(self).from_pair, (self.pair, self.effect, self.metric)

    def __str__(self) -> str:
        effect = "" if self.effect is None else f"effect={self.effect!r}, "
        metric = "" if self.metric.linear else f", metric={self.metric}"
        return f"pilot({effect}items={self.items}{metric})"

    @property
    def source(self) -> str:
        return f"{self} {shown(self.digest)}"

    @property
    def better(self) -> Better | None:
        return self.pair.better

    @property
    def items(self) -> int:
        return len(self.differences)

    @cached_property
    def _tilted(self) -> TiltedItems:
        return TiltedItems.of(self.pair, self.metric)

    @cached_property
    def _cluster_chances(self) -> FloatArray:
        """The chance of each cluster to be drawn."""
        return self._tilted.chances(self.known_effect)

    @property
    def differences(self) -> FloatArray:
        """The contribution of each item to the difference B − A, averaged over runs."""
        return self._tilted.parts.differences

    @property
    def observed_effect(self) -> float:
        """The pilot's own effect: an estimate, and never used as the true one unless asked for."""
        return float(self.differences.mean())

    @property
    def effect_range(self) -> tuple[float, float]:
        return self._tilted.effect_range

    @property
    def weights(self) -> FloatArray:
        """The chance of each item to be drawn, `(item,)`."""
        return self._tilted.weights(self._cluster_chances)

    @property
    def sd_difference(self) -> float:
        """The standard deviation of a drawn item's difference."""
        weights = self.weights
        gaps = self._tilted.parts.weighted_differences(weights) - self.known_effect
        return float(np.sqrt(weights @ gaps**2))

    @property
    def spread(self) -> float:
        """The standard deviation of the mean of many drawn items times the root of their number: larger with clusters."""
        return math.sqrt(self._variance_and_excess[0])

    def variance_limit(self, level: float) -> float:
        """The upper limit of this level on the squared spread, over its value among the pilot's own items.

        The pilot's items scatter about their own mean, so they show a little less than there is.
        """
        share = self.units / (self.units - 1)
        return share * pilot_items.variance_inflation(self.units, level, self._variance_and_excess[1])

    @cached_property
    def _variance_and_excess(self) -> tuple[float, float]:
        """The squared spread, and how much more it varies between pilots than with normal scores, as an excess kurtosis.

        That of sums over items that come together, and what a tilt as far as this adds: its normal scores would have one
        of 6 times the squared tilt, in standard deviations.
        """
        if self._tilted.constant:
            return 0.0, 0.0
        sizes = self._item_clusters.sizes
        gaps = self._tilted.cluster_means(self._cluster_chances) - self.known_effect
        weights, sums = self._cluster_chances / sizes, sizes * gaps
        scale = float(np.abs(sums).max())
        # Fourth powers of very large or small scores would leave the range of floating point.
        variance, fourth = (float(weights @ (sums / scale) ** k) for k in (2, 4))
        tilt = ((self.observed_effect - self.known_effect) / scale) ** 2 / variance
        return variance * scale**2, fourth * float(weights.sum()) / variance**2 - 3.0 + 6.0 * tilt

    @property
    def correlation(self) -> float:
        """Between the two systems' item scores in the pilot; NaN when either never varies."""
        a, b = self._tilted.parts.contributions
        spread = float(a.std() * b.std())
        if not spread > 0.0:
            return math.nan
        found = float(((a - a.mean()) * (b - b.mean())).mean()) / spread
        return math.copysign(1.0, found) if abs(found) > 1.0 - STATISTIC_NOISE else found

    def correlation_interval(self, level: float = 0.95) -> tuple[float, float]:
        return pilot_items.correlation_interval(self.correlation, self.items, level)

    @cached_property
    def binary(self) -> PairedBinary | None:
        """The population by its accuracies and discordance, if the scores are right or wrong and independent."""
        code = coding_of(self.pair) if self.metric.linear and self.pair.clusters is None else None
        if code != (
            0.0,
            1.0,
        ):  # effects in other codings are no differences of accuracies: those are drawn item by item
            return None
        # Weights add up to 1 only to the last bit.
        accuracy = min(float(self.weights @ self._tilted.parts.contributions[0]), 1.0)
        discordance = min(float(self.weights @ np.abs(self.differences)), 1.0)
        return PairedBinary(accuracy=accuracy, discordance=discordance, effect=self.known_effect)

    def discordant_probabilities(self) -> tuple[float, float] | None:
        return None if self.binary is None else self.binary.discordant_probabilities()

    @property
    def units(self) -> int:
        """How many independent pieces the pilot has: its clusters, or its items."""
        return len(self._item_clusters)

    @property
    def unit(self) -> int:
        """The size of its clusters where all have the same; a plan is for whole ones."""
        sizes = self._item_clusters.sizes
        return int(sizes[0]) if (sizes == sizes[0]).all() else 1

    @property
    def usual_unit(self) -> float:
        return self.items / self.units

    def draws(self, design: Design) -> tuple[Draw, ...]:
        return (Draw("uniform", 1 if self.pair.clusters is None else 2, (design.items,)),)

    def scores(self, noise: Noise) -> Pair:
        picked, codes = self._picked_items.at(noise)
        return Pair(self.pair.a[picked], self.pair.b[picked], codes)

    def summary(self, needs: Any, noise: Noise) -> Any:
        if needs is not Differences:
            return super().summary(needs, noise)
        picked, codes = self._picked_items.at(noise)
        if self.metric.linear:
            return Differences(self.differences.take(picked), codes, self._tilted.largest)
        # What an item contributes depends on which others were drawn, and not on how often it was itself.
        own = self._tilted.parts.drawn_differences(picked)
        return Differences(np.take_along_axis(own.values, picked, axis=-1), codes, own.scale)

    def draw_summary(self, needs: type, design: Design, size: int, rng: Generator) -> Any | None:
        return None if self.binary is None else self.binary.draw_summary(needs, design, size, rng)

    def width(self, needs: type, design: Design) -> int:
        if self.binary is not None:
            return self.binary.width(needs, design)
        if needs is Differences and not self.metric.linear:
            return 2 * (design.items + self.items)
        return design.items * int(np.prod(self.pair.a.shape[1:]) + np.prod(self.pair.b.shape[1:]))

    @property
    def _item_clusters(self) -> pilot_items.ItemClusters:
        return self._tilted.clusters

    @cached_property
    def _picked_items(self) -> pilot_items.PickedItems:
        return pilot_items.PickedItems(
            self._item_clusters, self._cluster_chances, together=self.pair.clusters is not None
        )


def measured_runs(pair: Pair, effects: Collection[float], *, summarised: bool = False) -> dict[str, float]:
    """The numbers of a pair that was run several times, by the names of the options: of answers 0 and 1 rates, of other scores spreads.

    `effects` are those that will be planned for: scores may by chance leave them less room than there is. `summarised` adds the accuracy that
    pass@k depends on.
    """
    a, b = pair.a[..., 0], pair.b[..., 0]
    found = RunVariance.of(a, b)
    right_or_wrong = coding(pair.a, pair.b) == CODINGS[0]
    if not (math.isfinite(float(found.a.within)) and math.isfinite(float(found.b.within))):
        raise Unsuitable(
            "no item has two runs of each system, so the variation between runs is unknown; pass a file with repeats, or give the numbers"
        )
    if summarised and not right_or_wrong:
        raise Unsuitable(
            f"{option('runs_as')} is for answers that are right (1) or wrong (0), and these scores are not; leave it out"
        )
    if not right_or_wrong:
        spreads = {"item_sd": found.item_variance, "run_sd": found.a.within, "run_sd_b": found.b.within}
        return _as_typed({name: math.sqrt(float(value)) for name, value in spreads.items()})
    own = float(found.a.within + found.b.within)
    room = own + (0.0 if summarised else max((effect * effect for effect in effects), default=0.0))
    accuracy = {"accuracy": float(found.a.means.mean())} if summarised else {}
    rates = {
        "discordance": max(float(cross_disagreement(found.a.means, found.b.means)), room),
        "disagreement": 2.0 * float(found.a.within),
        "disagreement_b": 2.0 * float(found.b.within),
    }
    return _as_typed(accuracy | rates)


def _as_typed(numbers: dict[str, float]) -> dict[str, float]:
    """Twelve digits, which a signature can show."""
    return {name: float(f"{number:.12g}") for name, number in numbers.items()}


def refuse_separate_items(scores: Scores, names: tuple[str, str]) -> None:
    """Says what to plan instead, with the numbers of the pilot, where both systems have scores and share no item."""
    has_a, has_b = (scores.scored(name) for name in names)
    if (has_a & has_b).any() or not (has_a.any() and has_b.any()):
        return
    a, b = names
    raise ItemMismatch(
        f"systems {a!r} and {b!r} share no item, and a pilot needs pairs. Check the item ids; to plan for separate "
        f"items, use this pilot's numbers:  {_alternative_plan(scores.unpaired(a, b))}"
    )


def _alternative_plan(pair: Pair) -> str:
    """The plan of separate items: of right or wrong by the accuracy of A, of other scores by their spread without correlation."""
    if pair.a.shape[-1] != 1:
        return "tellapart plan proportions --accuracy … --effect …"
    a, b = (np.nanmean(side[..., 0], axis=-1) for side in (pair.a, pair.b))
    code = coding(np.concatenate([a, b])) if pair.a.shape[-2] == pair.b.shape[-2] == 1 else None
    if code is not None:
        return f"tellapart plan proportions --accuracy {float((a.mean() - code.wrong) / code.step):.4g} --effect …"
    return f"tellapart plan gaussian --sd {_pooled_sd(a, b):.4g} --correlation 0 --effect …"


def _pooled_sd(a: FloatArray, b: FloatArray) -> float:
    """Of items of both systems alike; one item alone says nothing of a spread."""
    squares = sum(float(((side - side.mean()) ** 2).sum()) for side in (a, b))
    return float(np.sqrt(squares / max(len(a) + len(b) - 2, 1)))
