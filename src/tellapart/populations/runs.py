"""Items run several times by each system: the variance of a difference by the number of runs."""

import math
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tellapart.data.pair import Pair
from tellapart.foundation.arrays import STATISTIC_NOISE, BoolArray, FloatArray
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.quantities import fraction, positive, several
from tellapart.foundation.spelling import options
from tellapart.foundation.surfaces import option
from tellapart.numerics.k_samples import RunSummary
from tellapart.numerics.solve_rates import SampledPair, SolveRates, range_of_scores, sampled_pair
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design, Population, as_scores

WAYS = ("disagreement", "consistency", "icc")
"""Ways to say how often two runs of one system disagree."""


@POPULATIONS.add("runs")
@dataclass(frozen=True, kw_only=True)
class RepeatedRuns(Population):
    """Every item is run several times by each system, and what is compared are averages over runs.

    Right or wrong: `discordance` is the share of items on which one run of A and one of B disagree, `disagreement` that on which two runs of
    one system do (`consistency` is one minus it, `icc` one minus its share of 2p(1 − p) at A's `accuracy` p). Then, for any law of solve
    rates, a run has variance disagreement/2 and endless runs leave discordance − disagreement − effect². Of scores give `item_sd`, of an
    item's difference with endless runs, and `run_sd`, of one run. Runs of an item are independent. Power is Student's t with that spread.
    An `accuracy` without discordance is planned from evidence on past pairs. With `runs_as`, what is compared is pass@k, pass^k or majority@k of the
    runs, and `effect` is in that score: solve rates are then Beta, and those of the two systems tied by a Gaussian copula.
    The wrong choice for trainings with several seeds, which shift all items of a system at once (`seeds`). Miller (2024).
    """

    runs: int = field(metadata={"help": "runs of A on an item, and of B unless runs_b says otherwise"})
    runs_b: int | None = field(default=None, metadata={"help": "runs of B on an item"})
    accuracy: float | None = field(default=None, metadata={"help": "share of right answers of A"})
    discordance: float | None = field(
        default=None, metadata={"help": "share of items on which a run of A and a run of B disagree"}
    )
    disagreement: float | None = field(
        default=None, metadata={"help": "share of items on which two runs of one system disagree"}
    )
    disagreement_b: float | None = field(default=None, metadata={"help": "the same for B, if different"})
    consistency: float | None = field(default=None, metadata={"help": "one minus the disagreement"})
    icc: float | None = field(
        default=None, metadata={"help": "how alike runs of an item are: 1 − disagreement / 2p(1 − p)"}
    )
    item_sd: float | None = field(
        default=None, metadata={"help": "for scores: standard deviation of the items' true differences"}
    )
    run_sd: float | None = field(
        default=None, metadata={"help": "for scores: standard deviation between runs of one item"}
    )
    run_sd_b: float | None = field(default=None, metadata={"help": "the same for B, if different"})

    runs_as: str | None = field(
        default=None, metadata={"help": "compare pass@k, pass^k or majority@k of the runs, in place of their mean"}
    )
    samples: int | None = field(
        default=None, metadata={"help": "with runs_as: samples of each item, another word for runs"}
    )

    label = "averages over repeated runs"
    test = "paired_t"
    examples = (
        "runs(effect=0.02, accuracy=0.7, discordance=0.2, disagreement=0.12, runs=5)",
        "runs(effect=0.02, discordance=0.3, consistency=0.8, runs=3, runs_b=2)",
        "runs(effect=0.03, item_sd=0.3333, run_sd=0.4082, runs=4)",
        "runs(effect=0.05, accuracy=0.3, discordance=0.3, icc=0.4, runs=10, runs_as=pass@5)",
    )
    open_numbers = frozenset({"runs"})

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> Population:
        """Samples are runs by the word that goes with pass@k."""
        samples = values.get("samples")
        if samples is None or values.get("runs") or values.get("runs_as") is None:
            return super().build(values)
        return super().build({name: value for name, value in values.items() if name != "samples"} | {"runs": samples})

    def __post_init__(self) -> None:
        super().__post_init__()
        several(self.name, "runs", self.runs)
        if self.samples is not None:
            raise UsageError(
                f"runs: samples={self.samples} is another word for runs that {option('runs_as')} makes one score of; "
                + (
                    f"give {option('runs_as')} too"
                    if self.runs_as is None
                    else f"leave {option('runs')} or {option('samples')} out"
                )
            )
        if self.runs_b is not None:
            several(self.name, "runs_b", self.runs_b)
        if self.runs_as is not None and not self._of_scores:
            self._check_summary(RunSummary.parse(self.runs_as))
        (self._check_scores if self._of_scores else self._check_right_or_wrong)()
        if self.runs_as is not None and self.complete and self.effect is not None:
            _ = self.sd_difference  # refuses rates that cannot be

    @property
    def _of_scores(self) -> bool:
        return self.item_sd is not None or self.run_sd is not None or self.run_sd_b is not None

    def _check_scores(self) -> None:
        others = [
            name
            for name in ("accuracy", "discordance", "disagreement_b", *WAYS, "runs_as")
            if getattr(self, name) is not None
        ]
        if others or self.item_sd is None or self.run_sd is None:
            raise UsageError(
                f"runs: for scores give item_sd and run_sd, for right or wrong discordance and one of {', '.join(WAYS)}; "
                f"given: {', '.join([*others, *(n for n in ('item_sd', 'run_sd') if getattr(self, n) is not None)])}"
            )
        for name in ("item_sd", "run_sd", "run_sd_b"):
            value = getattr(self, name)
            if value is not None and value < 0.0:
                raise SpellingError(f"runs: {name}={value:g} should not be below 0")
        if self.item_sd == self.run_sd == 0.0:
            positive(self.name, "run_sd", self.run_sd)

    def _check_right_or_wrong(self) -> None:
        given = [name for name in WAYS if getattr(self, name) is not None]
        if len(given) != 1 or (self.discordance is None and self.accuracy is None):
            raise UsageError(
                f"runs: give discordance (or accuracy, and it comes from evidence) and one of {', '.join(WAYS)} for right or wrong, or item_sd and "
                f"run_sd for scores; given: {', '.join(given) or 'none of them'}"
            )
        for name in ("accuracy", "discordance", "disagreement", "disagreement_b", "consistency", "icc"):
            if getattr(self, name) is not None:
                fraction(self.name, name, getattr(self, name))
        if self.icc is not None and self.accuracy is None:
            raise UsageError("runs: icc means something only with the accuracy of A; give accuracy, or disagreement")
        if self.accuracy is not None:
            self._check_disagreements(self.accuracy)
        if self.complete:
            self._check_discordance()

    def _check_discordance(self) -> None:
        if self._own_disagreement() > self.cross_disagreement + STATISTIC_NOISE:
            raise UsageError(
                f"runs: two runs of one system disagree more ({self._own_disagreement():g}) than the two systems do "
                f"({self.cross_disagreement:.4g}), which is impossible; lower one or raise the other"
            )
        low, high = self.effect_range
        if self.effect is not None and not low - STATISTIC_NOISE <= self.effect <= high + STATISTIC_NOISE:
            raise UsageError(
                f"runs: effect={self.effect:g} cannot be: with these disagreements it lies between {low:.4g} and {high:.4g}"
            )

    def _check_summary(self, summary: RunSummary) -> None:
        if self.accuracy is None or self.runs_b is not None:
            raise UsageError(f"runs: {summary} takes the accuracy of A, and as many samples of both systems")
        if self.runs < summary.k:
            raise UsageError(f"runs: {summary} needs {summary.k} samples of an item, and {self.runs} are planned")

    def _check_disagreements(self, accuracy: float) -> None:
        shares = [(accuracy, self._disagreements()[0], "A")]
        if self.effect is not None and self.runs_as is None:
            other = accuracy + self.effect
            if not -STATISTIC_NOISE <= other <= 1.0 + STATISTIC_NOISE:
                raise UsageError(
                    f"runs: effect={self.effect:g} cannot be: with accuracy={accuracy:g} it lies between {-accuracy:.4g} and {1.0 - accuracy:.4g}"
                )
            shares.append((other, self._disagreements()[1], "B"))
        for share, disagreement, system in shares:
            most = 2.0 * share * (1.0 - share)
            if disagreement > most + STATISTIC_NOISE:
                raise UsageError(
                    f"runs: two runs of {system} disagree on at most {most:.4g} of items where {share:.4g} of its answers are right, and "
                    f"{disagreement:.4g} was given"
                )

    def _disagreements(self) -> tuple[float, float]:
        """How often two runs of A, and of B, disagree."""
        if self.disagreement is not None:
            first = self.disagreement
        elif self.consistency is not None:
            first = 1.0 - self.consistency
        else:
            assert self.icc is not None
            assert self.accuracy is not None
            first = 2.0 * self.accuracy * (1.0 - self.accuracy) * (1.0 - self.icc)
        return first, first if self.disagreement_b is None else self.disagreement_b

    def _own_disagreement(self) -> float:
        return 0.5 * sum(self._disagreements())

    @property
    def complete(self) -> bool:
        return self._of_scores or self.discordance is not None

    @property
    def cross_disagreement(self) -> float:
        """The share of items on which a run of A and a run of B disagree."""
        if self.discordance is None:
            raise UsageError(f"runs needs {option('discordance')} here; only a plan takes it from evidence")
        return self.discordance

    @property
    def effect_range(self) -> tuple[float, float]:
        if self._of_scores:
            return super().effect_range
        if self.runs_as is not None:
            summary = RunSummary.parse(self.runs_as)
            return range_of_scores(self._rates_of_a, self.disagreement_b, self.discordance, summary)
        most = math.sqrt(max(self.cross_disagreement - self._own_disagreement(), 0.0))
        if self.accuracy is None:
            return -most, most
        # Runs of B disagree so often only where not nearly all, nor nearly none, of its answers are right.
        half = math.sqrt(max(0.25 - 0.5 * self._disagreements()[1], 0.0))
        return max(-most, 0.5 - half - self.accuracy), min(most, 0.5 + half - self.accuracy)

    @property
    def item_variance(self) -> float:
        """The variance of an item's difference that endless runs leave."""
        if self.item_sd is not None:
            return self.item_sd**2
        if self.runs_as is not None:
            return self.solved.endless_variance
        return max(self.cross_disagreement - self._own_disagreement() - self.known_effect**2, 0.0)

    @property
    def run_variances(self) -> tuple[float, float]:
        """The variance between runs of one item, of A and of B."""
        if self.run_sd is not None:
            return self.run_sd**2, (self.run_sd if self.run_sd_b is None else self.run_sd_b) ** 2
        a, b = self._disagreements()
        return 0.5 * a, 0.5 * b

    @property
    def runs_of_each(self) -> tuple[int, int]:
        return self.runs, self.runs if self.runs_b is None else self.runs_b

    @property
    def _rates_of_a(self) -> SolveRates:
        assert self.accuracy is not None
        return SolveRates.disagreeing(self.accuracy, self._disagreements()[0])

    def _accuracy_of_b(self) -> float:
        if self.runs_as is not None:
            return self._rates_of_b.accuracy
        return (self.accuracy or 0.0) + (self.effect or 0.0)

    @property
    def _rates_of_b(self) -> SolveRates:
        """Of pass@k and its kin runs of B are as alike as those of A, unless its own disagreement is given."""
        if self.runs_as is None:
            return SolveRates.disagreeing(self._accuracy_of_b(), self._disagreements()[1])
        summary = RunSummary.parse(self.runs_as)
        return self._rates_of_a.better_by(self.effect or 0.0, self.disagreement_b, summary)

    @property
    def solved(self) -> SampledPair:
        """Beta solve rates of both systems that have these numbers; refused where there are none."""
        summary = RunSummary.parse(self.runs_as or "pass@1")
        return sampled_pair(self._rates_of_a, self._rates_of_b, self.cross_disagreement, summary)

    @property
    def sd_difference(self) -> float:
        if self.runs_as is not None:
            return self.solved.sd_difference(self.runs)
        shares = zip(self.run_variances, self.runs_of_each, strict=True)
        return math.sqrt(self.item_variance + sum(variance / runs for variance, runs in shares))

    @property
    def simulated(self) -> Population:
        """Answers, where their numbers say how solve rates are spread and some Beta rates have them; else averages, as the formula has them."""
        if self._of_scores or self.accuracy is None:
            return self
        given = {one.name: getattr(self, one.name) for one in options(RepeatedRuns)}
        answered = AnsweredRuns(**{**given, "discordance": self.cross_disagreement})
        with suppress(UsageError):
            _ = answered.solved
            return answered
        return self

    @property
    def standardised(self) -> Population:
        return _NORMAL

    def draws(self, design: Design) -> tuple[Draw, ...]:
        return (Draw("normal", 1, (design.items, 1, 1)),)

    def scores(self, noise: Noise) -> Pair:
        """Normal differences with that spread, runs averaged: what the formula stands for. A has its mean on every item."""
        (item,) = noise.layers
        a = np.full_like(item, self._mean_of_a)
        return Pair(a, a + item * self.sd_difference + self.known_effect)

    @property
    def _mean_of_a(self) -> float:
        if self.runs_as is not None:
            return self._rates_of_a.moments(RunSummary.parse(self.runs_as), self.runs)[0]
        return self.accuracy or 0.0

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (whatever is looked at)
        return design.items


@dataclass(frozen=True, kw_only=True)
class AnsweredRuns(RepeatedRuns):
    """The answers themselves, right or wrong: every item has a solve rate for each system, Beta and tied by a Gaussian copula."""

    def draws(self, design: Design) -> tuple[Draw, ...]:
        return (Draw("normal", 2, (design.items,)), Draw("uniform", 1, (design.items, sum(self.runs_of_each))))

    def scores(self, noise: Noise) -> Pair:
        first, second, chances = noise.layers
        tied, pair = self.solved.correlation, self.solved
        of_a, of_b = np.split(chances, [self.runs_of_each[0]], axis=-1)
        a = of_a < pair.a.at(first)[..., None]
        b = of_b < pair.b.at(tied * first + math.sqrt(max(1.0 - tied * tied, 0.0)) * second)[..., None]
        return Pair(self._scored(a), self._scored(b))

    def _scored(self, right: BoolArray) -> FloatArray:
        """The score of each item, which its runs together have."""
        if self.runs_as is None:
            return as_scores(right.mean(axis=-1))
        count = right.sum(axis=-1)
        return as_scores(RunSummary.parse(self.runs_as).shares(count, np.full_like(count, right.shape[-1])))

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (whatever is looked at)
        return design.items * (2 + sum(self.runs_of_each))


_NORMAL = RepeatedRuns(effect=0.0, item_sd=1.0, run_sd=0.0, runs=1)
