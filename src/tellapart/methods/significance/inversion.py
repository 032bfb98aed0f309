"""Base of tests with an interval by inversion, and of these intervals: the effects that are not rejected."""

from abc import abstractmethod
from dataclasses import fields
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from tellapart.data.summaries import Summary
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.methods.intervals.interval import Bounds, Interval
from tellapart.methods.significance.procedure import Outcome, Procedure
from tellapart.numerics.moments import t_ratio
from tellapart.numerics.null_laws.tails import sided, t_quantile, t_tails


class InvertibleTest(Procedure):
    """Base of the tests with an interval of their own, which is an `InversionInterval`."""

    interval_class: ClassVar["type[InversionInterval] | None"] = None
    """Known once its interval is defined, below it in its file."""

    @abstractmethod
    def bounds(self, sample: Any, level: float, rng: Generator) -> Bounds:
        """The lowest and highest null value that the two-sided test at 1 − `level` does not reject."""

    @property
    def own_interval(self) -> "InversionInterval":
        """The interval with the same options."""
        assert self.interval_class is not None, f"{self.name} has an interval in its file"
        return self.interval_class(**_shared_options(self, self.interval_class))

    @property
    def interval(self) -> str:
        return str(self.own_interval)


class InversionInterval(Interval):
    """Base of the intervals that hold what a test does not reject: `class StudentT(InversionInterval, inverts=PairedT)`.

    What the class does not declare is as the test declares it. Options, if there are any, are fields with the names of the test's.
    """

    needs: ClassVar[type[Summary]]
    label: ClassVar[str]
    inverts: ClassVar[type[InvertibleTest]]

    def __init_subclass__(cls, inverts: type[InvertibleTest] | None = None) -> None:
        super().__init_subclass__()
        if inverts is None:
            return
        cls.inverts, inverts.interval_class = inverts, cls
        declared = {name: name for name in ("needs", "label", "needs_clusters", "sees_clusters", "resample_count")}
        for own, of_test in (declared | {"target": "estimand"}).items():
            if own not in vars(cls):
                setattr(cls, own, getattr(inverts, of_test))

    @property
    def test(self) -> InvertibleTest:
        """The test with the same options."""
        return _inverted_test(self)

    @property
    def inverse(self) -> str:
        return str(self.test)

    def interval(self, sample: Any, level: float, rng: Generator) -> Bounds:
        return self.test.bounds(sample, level, rng)


@lru_cache(maxsize=64)
def _inverted_test(interval: InversionInterval) -> InvertibleTest:
    return interval.inverts(**_shared_options(interval, interval.inverts))


def _shared_options(method: Any, other: Any) -> dict[str, Any]:
    names = {field.name for field in fields(method)} & {field.name for field in fields(other)}
    return {name: getattr(method, name) for name in names}


class TTest(InvertibleTest):
    """Base of the tests that refer estimate / standard error to Student's t; their intervals are estimate ± quantile · error."""

    @property
    @abstractmethod
    def method(self) -> str:
        """The computation of the p-value, in words."""

    @abstractmethod
    def estimate(self, sample: Any) -> tuple[FloatArray, FloatArray, FloatArray | float]:
        """The estimated effect, its standard error and the degrees of freedom of that error."""

    def apply(self, sample: Any, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        effect, error, df = self.estimate(sample)
        statistic = t_ratio(effect, error)
        pvalue = sided(*t_tails(statistic, df), self.alternative)
        return Outcome(pvalue, statistic, np.sign(effect), np.zeros_like(effect), self.method)

    def bounds(self, sample: Any, level: float, rng: Generator) -> Bounds:  # noqa: ARG002  (no chance)
        effect, error, df = self.estimate(sample)
        half_width = t_quantile(0.5 + level / 2.0, df) * error
        return effect - half_width, effect + half_width
