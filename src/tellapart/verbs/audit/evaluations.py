"""Power and detectable effect of an audited evaluation: McNemar's test of accuracies, paired t test of means."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import ClassVar

from tellapart.claims.means import smallest_mean, smallest_mean_of_shares
from tellapart.claims.table_pvalues import smallest_gap
from tellapart.compute.work import Budget
from tellapart.foundation.errors import UsageError
from tellapart.numerics.null_laws.noncentral_t import t_shift
from tellapart.planning.power import power_of
from tellapart.planning.solve import solve
from tellapart.planning.solved_axes import EffectAxis
from tellapart.planning.study import Study
from tellapart.planning.tally import ErrorRates, error_rates
from tellapart.populations.paired_binary import PairedBinary
from tellapart.verbs.audit.question import Criterion


@dataclass(frozen=True)
class Evaluation(ABC):
    """Base of evaluations: nothing in it depends on the difference that was claimed."""

    items: int
    known: ClassVar[bool] = True
    """Whether anything can be said of what it shows."""

    @abstractmethod
    def detectable(self, criterion: Criterion) -> float | None:
        """The smallest effect that these items detect with the wanted power; None if there is none."""

    @abstractmethod
    def smallest(self, criterion: Criterion) -> float | None:
        """The smallest observed difference that is significant; None if none is."""

    @abstractmethod
    def rates(self, effect: float, criterion: Criterion) -> ErrorRates | None:
        """How an effect would fare, if it were the true one; None where it cannot be."""


@dataclass(frozen=True)
class AccuracyEvaluation(Evaluation):
    """Systems from a worse accuracy upwards; `share` is that of the items on which the two are supposed to differ."""

    population: PairedBinary
    share: float

    def detectable(self, criterion: Criterion) -> float | None:
        try:
            study = Study(self.population, criterion.test, self.items, criterion.alpha)
            return solve(EffectAxis(study, criterion.power, Budget())).effect
        except UsageError:
            return None

    def smallest(self, criterion: Criterion) -> float | None:
        return smallest_gap(criterion.test, self.items, self.share, criterion.alpha)

    def rates(self, effect: float, criterion: Criterion) -> ErrorRates | None:
        # Evidence may expect no gain at all near the top; there is nothing to find then.
        if effect <= 0.0:
            return None
        try:
            population = self.population.with_effect(effect)
            found = power_of(Study(population, criterion.test, self.items, criterion.alpha), Budget())
        except UsageError:
            return None
        return ErrorRates(found.power, found.type_s, found.type_m)

    def over(self, baseline: float) -> "AccuracyEvaluation":
        """The items with another accuracy of the worse system."""
        return replace(self, population=self.population.replace(accuracy=baseline))


@dataclass(frozen=True)
class RepeatedRunsEvaluation(AccuracyEvaluation):
    """An evaluation whose accuracies are means over several runs of every item, judged by the paired t test.

    Single runs scatter more than their means, so what is said from the share on which those differ is an upper limit.
    """

    runs: int

    def smallest(self, criterion: Criterion) -> float:
        answers = self.items * self.runs
        return math.ceil(smallest_mean_of_shares(self.share, self.items, criterion.alpha) * answers) / answers


@dataclass(frozen=True)
class MeanEvaluation(Evaluation):
    """Items whose differences have this standard deviation."""

    sd: float

    def detectable(self, criterion: Criterion) -> float:
        # Without spread any effect is found.
        shift = t_shift(criterion.power, self.items - 1.0, criterion.alpha, "two-sided")
        return float(shift) * self.sd / math.sqrt(self.items)

    def smallest(self, criterion: Criterion) -> float:
        return smallest_mean(self.sd, self.items, criterion.alpha)

    def rates(self, effect: float, criterion: Criterion) -> ErrorRates:
        if self.sd == 0.0:
            return ErrorRates(1.0, 0.0, 1.0)
        error = self.sd / math.sqrt(self.items)
        return error_rates(effect, error, df=self.items - 1.0, alpha=criterion.alpha)


@dataclass(frozen=True)
class UnknownSpreadEvaluation(Evaluation):
    """Items of whose differences nothing is known: what was reported of them is not about them."""

    known = False

    def detectable(self, criterion: Criterion) -> None:  # noqa: ARG002  (nothing depends on it)
        return None

    def smallest(self, criterion: Criterion) -> None:  # noqa: ARG002  (nothing depends on it)
        return None

    def rates(self, effect: float, criterion: Criterion) -> None:  # noqa: ARG002  (nothing depends on it)
        return None
