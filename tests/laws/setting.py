"""What laws are tried in: every registered plug-in in every variant, with every metric, with and without clusters."""

import contextlib
import itertools
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import special

from tellapart.data.pair import Pair
from tellapart.data.summaries import Summary
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.spelling import Registry, options
from tellapart.methods.significance.judge_regression import Judged
from tellapart.metrics import METRICS, Metric

RESAMPLES = 499
"""Enough for a law; the default of thousands is for answers."""

TRIED = ("mean", "f1", "mcc")
"""Metrics that methods are tried with: a mean, one of whose parts all count alike, and one that may bend. A method sees no more of any other."""

SEEDS, SEED_SD, SEED_ITEM_SD = 4, 0.1, 0.4
"""Trainings of each system for what looks at them, how much they move all items, and each item."""

CLUSTER = 4
"""Items per cluster."""


def variants(registry: Registry[Any]) -> list[Any]:
    """One instance for each combination of choices, numbers at their default or, where required, at 0.1."""
    found = []
    for name in registry:
        kind = registry[name]
        own = [o for o in options(kind) if o.name != "alternative"]
        fixed: dict[str, Any] = {o.name: 0.1 for o in own if o.required}
        fixed |= {o.name: RESAMPLES for o in own if o.name == "resamples" and o.default}
        # A spelling may leave a margin to the question, and says its interval's resamples inside that interval's spelling.
        fixed |= {o.name: 0.1 for o in own if o.name == "margin"}
        fixed |= {o.name: f"bootstrap(kind=studentised, resamples={RESAMPLES})" for o in own if o.name == "interval"}
        choices = {o.name: o.choices for o in own if o.choices}
        for combination in itertools.product(*choices.values()):
            # Some choices of one option have no meaning beside those of another, and are refused.
            with contextlib.suppress(SpellingError):
                found.append(kind(**fixed, **dict(zip(choices, combination, strict=True))))
    return found


@dataclass(frozen=True)
class Setting:
    """A plug-in, a metric that it can be asked about, and whether items come in clusters."""

    plug_in: Any
    metric: Metric
    clustered: bool = False

    def __str__(self) -> str:
        return f"{self.plug_in}-{self.metric}{'-clusters' if self.clustered else ''}"

    @property
    def needs(self) -> type[Summary]:
        needs: type[Summary] = self.plug_in.needs
        return needs

    @property
    def numbers(self) -> bool:
        """Whether scores are numbers that may be scaled and moved, and the metric their mean; what is won by bets depends on their place in the range."""
        return self.metric.linear and not self.needs.binary and not self.ordered

    @property
    def ordered(self) -> bool:
        """Whether it bets on scores between 0 and 1 in order of arrival, and holds at every moment: wider than what looks once."""
        return bool(getattr(getattr(self.plug_in, "test", self.plug_in), "ordered", False))

    @property
    def chance(self) -> bool:
        """Whether the plug-in draws resamples, so that two answers agree within its own noise only."""
        drawn: int = getattr(self.plug_in, "resamples", 0)
        inside = "bootstrap(" in str(self.plug_in)  # a plug-in made of others draws what they draw
        return drawn > 0 or inside or (self.needs.holds_parts and not self.metric.linear)

    @property
    def repeats(self) -> bool:
        """Whether it resamples a second metric that is no mean, which takes long and shows what the first one shows."""
        return self.chance and self.metric.name == "mcc"

    def of(self, plug_in: Any) -> "Setting":
        """The same setting of another plug-in."""
        return replace(self, plug_in=plug_in)

    def pair(self, *, items: int = 60, batch: tuple[int, ...] = (), effect: float = 0.2, seed: int = 1) -> Pair:
        """Scores of two systems that both find some items harder; B is better by `effect` of what moves its scores."""
        rng = np.random.default_rng(seed)
        groups = np.arange(items) // CLUSTER
        common, other, a, b = rng.normal(size=(4, *batch, items))
        a, b = 0.7 * a, 0.7 * b
        if self.clustered:
            # What a cluster shares moves each system in its own way, so that differences are alike within it.
            own = 0.5 * rng.normal(size=(2, *batch, groups[-1] + 1))
            a, b = a + own[0][..., groups], b + own[1][..., groups]
        hardness = (common, common if self.needs.paired else other)
        if self.seeded:
            first, second = (self._of_seeds(common, x, rng) for x in (a, b + effect))
            return Pair(first, second, groups if self.clustered else None)
        first, second = (self._scores(h, x, rng) for h, x in zip(hardness, (a, b + effect), strict=True))
        return Pair(first, second, groups if self.clustered else None)

    @property
    def seeded(self) -> bool:
        """Whether the plug-in looks at systems that were trained several times."""
        return self.needs is Seeded

    def _of_seeds(self, common: FloatArray, own: FloatArray, rng: np.random.Generator) -> FloatArray:
        """Scores of every training, each with a shift of its own and, on every item, another."""
        trainings = []
        for _ in range(SEEDS):
            shift = SEED_SD * rng.normal(size=(*own.shape[:-1], 1)) + SEED_ITEM_SD * rng.normal(size=own.shape)
            trainings.append(self._scores(common, own + shift, rng))
        return np.concatenate(trainings, axis=-2)

    def truth(self, effect: float) -> float:
        """What an endless number of such items would show: the share of B where a plug-in is about one system, else B less A."""
        own = 0.7**2 + (0.5**2 if self.clustered else 0.0)
        own += (SEED_SD**2 + SEED_ITEM_SD**2) if self.seeded else 0.0
        if not self.metric.linear:
            rates = np.exp(0.2**2 / 2.0) * np.linspace(6.0, 3.0, len(self.metric.parts()))
            means = np.stack([rates, rates])
            # The mean of a lognormal; only the first part is moved by how well a system does.
            means[:, 0] *= np.exp(0.4**2 * own / 2.0 + 0.4 * np.array([0.0, effect]))
            return float(np.diff(self.metric.value(means, 10**9))[0])
        if self.ordered:
            points, weights = np.polynomial.hermite_e.hermegauss(80)
            levels = special.expit(np.sqrt(1.0 + own) * points + np.array([[0.0], [effect]])) @ weights
            return float(np.diff(levels)[0] / weights.sum())
        if not self.needs.binary:
            return effect
        share = float(special.ndtr(effect / np.sqrt(1.0 + own)))
        return share if self.needs.systems == 1 else share - 0.5

    def _scores(self, common: FloatArray, own: FloatArray, rng: np.random.Generator) -> FloatArray:
        if self.metric.linear:
            values = special.expit(common + own) if self.ordered else common + own
            return (values > 0.0).astype(float)[..., None, None] if self.needs.binary else values[..., None, None]
        # Counts: how hard an item is moves all of its parts, how well the system does only the first.
        rates = np.linspace(6.0, 3.0, len(self.metric.parts()))
        size = np.exp(0.2 * common)[..., np.newaxis] * rates
        size[..., 0] *= np.exp(0.4 * own)
        return rng.poisson(size).astype(float)[..., np.newaxis, :]

    def summary(self, pair: Pair) -> Any:
        """What the plug-in looks at; one that is about a single system looks at B."""
        return self.needs.of(pair.b if self.needs.systems == 1 else pair, self.metric)


def settings(plug_ins: list[Any]) -> list[Setting]:
    """The plug-ins of scores with every metric whose scores they take, without clusters (unless they need them) and with."""
    return [
        setting
        for plug_in in plug_ins
        if not issubclass(plug_in.needs, ByRaters | Judged)
        for metric in map(METRICS.parse, TRIED)
        for clustered in (False, True)
        for setting in [Setting(plug_in, metric, clustered)]
        if metric.linear or not (plug_in.needs.binary or setting.ordered)
        if clustered or not getattr(plug_in, "needs_clusters", False)
    ]


def reordered(pair: Pair, order: IntArray) -> Pair:
    clusters = None if pair.clusters is None else pair.clusters[order]
    return Pair(pair.a[..., order, :, :], pair.b[..., order, :, :], clusters)


def copied(pair: Pair, times: int) -> Pair:
    """Every item so many times over, its copies in one cluster: as many units as before, and no more that is known."""
    a, b = (np.repeat(x, times, axis=-3) for x in (pair.a, pair.b))
    return Pair(a, b, np.repeat(np.arange(pair.a.shape[-3]), times))


def entry(pair: Pair, which: int) -> Pair:
    """One evaluation of a batch."""
    return Pair(pair.a[which], pair.b[which], pair.clusters)
