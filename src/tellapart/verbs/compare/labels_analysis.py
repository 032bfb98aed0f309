"""The numbers behind a comparison by a judge and a few human labels."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tellapart.answers.comparison import Detectable, SystemResult
from tellapart.answers.parts import IntervalResult
from tellapart.data.judged_pair import JudgedPair
from tellapart.data.summaries import average_runs
from tellapart.foundation.arrays import FloatArray
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.judge_regression import Judged
from tellapart.numerics.null_laws.noncentral_t import t_shift
from tellapart.verbs.compare.analysis import Analysis, difference_test
from tellapart.verbs.judging_options import POWER


@dataclass(frozen=True, eq=False)
class JudgedAnalysis(Analysis):
    """Labels of two systems beside a judge's scores on all items; `pair` holds the labelled items."""

    judged_pair: JudgedPair

    @cached_property
    def judged(self) -> Judged:
        """What the methods look at."""
        found: Judged = self.made[Judged]
        return found

    @property
    def effect(self) -> float:
        return float(self.judged.effect)

    @property
    def standard_error(self) -> float:
        return float(self.judged.estimate.error)

    @property
    def df(self) -> float:
        return float(self.judged.estimate.df)

    @property
    def signs(self) -> Procedure | None:
        """None: signs of labelled items say nothing of the others."""
        return None

    def _why_none(self) -> str:
        return "people's and the judge's differences never vary, so their error cannot be measured. Label more items"

    def corrected_systems(self, names: tuple[str, str]) -> tuple[SystemResult, SystemResult]:
        """Each system's mean by the same rule, without added labels; of right or wrong within what can be."""
        human, judge = self.judged_pair.human, self.judged_pair.judge
        both = ((human.a, judge.a), (human.b, judge.b))
        a, b = (
            self._corrected_system(name, *(average_runs(scores)[..., 0] for scores in given))
            for name, given in zip(names, both, strict=True)
        )
        return a, b

    def _corrected_system(self, name: str, human: FloatArray, judge: FloatArray) -> SystemResult:
        judged = self.judged
        # A step of 0: labels that are added stand for differences, and a system by itself has none.
        alone = Judged(human, judge, judged.place, judged.clusters, judged.strata, step=0.0)
        low, high = self.interval.interval(alone, level := 1.0 - self.alpha, self.stream("system"))
        numbers = np.array([alone.effect, low, high])
        if self.coding is not None:
            numbers = np.clip(numbers, self.coding.wrong, self.coding.right)
        mean, lowest, highest = numbers.tolist()
        bounds = IntervalResult(lowest, highest, level, str(self.interval), "mean", self.interval.label)
        return SystemResult(name, mean, bounds)

    def detectable(self) -> Detectable | None:
        """The smallest effect that the test finds with 80 % power at this standard error."""
        if not self.standard_error > 0.0:
            return None
        alternative = difference_test(self.test).alternative
        shift = float(t_shift(POWER, self.df, self.alpha, alternative))
        return Detectable(abs(shift) * self.standard_error, POWER, None, "formula")
