"""Equivalence and non-inferiority tests, made of any test of a difference and a margin."""

import copy
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from tellapart.data.summaries import Aggregation, Summary
from tellapart.foundation.errors import SpellingError, UsageError
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.foundation.surfaces import option
from tellapart.methods.significance.paired_t import PairedT
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.null_laws.tails import Alternative


@dataclass(frozen=True)
class Margin(Procedure):
    """A test of a difference and the margin, in raw metric units, that it is asked about."""

    test: Procedure = field(default=PairedT(), metadata=ALWAYS)
    margin: float | None = field(default=None, kw_only=True, metadata={"help": "in raw metric units"})

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.margin is not None and not self.margin > 0.0:
            raise SpellingError(f"{self.name}: margin={self.margin:g} should be above 0, in raw metric units")
        if isinstance(self.test, Margin) or self.test.alternative != "two-sided":
            raise SpellingError(
                f"{self.name}: test={self.test} should be a plain two-sided test; the margin gives the direction"
            )

    @property
    def known_margin(self) -> float:
        """The margin, which a spelling may leave to the question."""
        if self.margin is None:
            raise UsageError(f"{self.name} needs a margin; write {self.name}(margin=…), or give {option('margin')}")
        return self.margin

    @property
    def needs(self) -> type[Summary]:
        return self.test.needs

    @property
    def interval(self) -> str:
        return self.test.interval

    @property
    def estimand(self) -> str:  # type: ignore[override]  # that of the test it moves
        return self.test.estimand

    @property
    def advice(self) -> str:
        """The margin with the test that has an answer."""
        return str(self.replace(test=TESTS.parse(self.test.advice)))

    @property
    def resampling(self) -> bool:  # type: ignore[override]  # depends on the options
        return self.test.resampling

    @property
    def resample_count(self) -> int:
        return self.test.resample_count

    def sees_clusters(self, metric: Aggregation) -> bool:
        return self.test.sees_clusters(metric)

    def _one_sided_outcome(self, sample: Any, side: Alternative, bound: float, rng: Generator) -> Outcome:
        """Is the effect above (`greater`) or below (`less`) this bound?"""
        return replace(self.test, alternative=side).against(sample, bound, rng)


@TESTS.add("equivalence")
@dataclass(frozen=True)
class Equivalence(Margin):
    """Is the difference smaller than the margin in either direction? Two one-sided tests, both must reject.

    p = the larger of the p-values for "above −margin" and "below +margin", each by the test inside; at alpha it is small
    where the interval at 1 − 2·alpha lies within the margin. A small p-value says "equivalent". True where the inner test
    is. The wrong choice as a reading of a large p-value of a plain test, which shows nothing: choose the margin, in units
    of the metric, before looking. Schuirmann (1987).
    """

    claim = "equivalence"

    @property
    def label(self) -> str:
        return f"equivalence within ±{self.known_margin:g} by {self.test.label}"

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        # Both sides see the same resamples, which are also those of each side alone.
        low = self._one_sided_outcome(sample, "greater", -self.known_margin, copy.deepcopy(rng))
        high = self._one_sided_outcome(sample, "less", self.known_margin, rng)
        worse = low.pvalue >= high.pvalue
        return Outcome(
            np.maximum(low.pvalue, high.pvalue),
            np.where(worse, low.statistic, high.statistic),
            # Equivalent systems have no better one.
            np.zeros_like(low.pvalue),
            np.maximum(low.error, high.error),
            f"two one-sided tests: {low.method}",
        )


@TESTS.add("non_inferiority")
@dataclass(frozen=True)
class NonInferiority(Margin):
    """Is B worse than A by less than the margin?

    One one-sided test, "above −margin", by the test inside; a small p-value says "no worse". With `alternative=less`
    lower scores are better, and the question is whether B is above A by less than the margin. True where the inner test
    is. The wrong choice where being better by far would matter too: then test for a difference. Blackwelder (1982).
    """

    claim = "non-inferiority"

    @property
    def label(self) -> str:
        return f"non-inferiority within {self.known_margin:g} by {self.test.label}"

    def apply(self, sample: Any, rng: Generator) -> Outcome:
        if self.alternative == "less":
            return self._one_sided_outcome(sample, "less", self.known_margin, rng)
        return self._one_sided_outcome(sample, "greater", -self.known_margin, rng)
