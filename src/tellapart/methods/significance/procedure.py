"""The base of significance tests: a frozen object with its options as fields, applied to one kind of summary."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tellapart.data.summaries import Aggregation, Summary
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import Registry, Spelled
from tellapart.numerics.null_laws.tails import Alternative

TESTS: "Registry[Procedure]" = Registry("test")

BOTH = "both"
"""The name of the test that combines two; here, because most comparisons do not import it."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a test, each `(*batch,)`. A NaN p-value is undefined: the test has no answer on such scores.

    `direction` is the sign of B − A in the eyes of the test; `error` how far the p-value can be off (0 when exact);
    `method` says in words how it was computed.
    """

    pvalue: FloatArray
    statistic: FloatArray
    direction: FloatArray
    error: FloatArray
    method: str


@dataclass(frozen=True)
class Procedure(Spelled):
    """Base of every test of "no difference". The alternative is about B − A."""

    alternative: Alternative = field(default="two-sided", kw_only=True, metadata={"help": "about B − A"})

    registry = TESTS
    claim: ClassVar[Literal["difference", "equivalence", "non-inferiority"]] = "difference"
    """The claim that a small p-value supports."""
    estimand: ClassVar[str] = "mean difference"
    """The quantity under test, in words, as reports name it."""
    counts_signs: ClassVar[bool] = False
    """Whether it gives no smaller p-value than when one system wins every item, or cluster, that differs."""
    needs_clusters: ClassVar[bool] = False
    """Whether it has no answer without knowing which items belong together."""
    ordered: ClassVar[bool] = False
    """Whether it looks at items in order of arrival, and holds whenever one stops."""
    resampling: ClassVar[bool] = False
    """Whether it draws many times from the scores of every sample, so that a simulation of it takes long."""

    @property
    @abstractmethod
    def needs(self) -> type[Summary]:
        """The summary of the scores that it looks at."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Its name in words, as a report prints it."""

    @property
    def interval(self) -> str:
        """The spelling of the interval that is printed beside it."""
        return "student_t"

    @property
    def approximate(self) -> bool:
        """Whether its p-values are right for many items only, so that it may reject too often on a few."""
        return False

    @property
    def advice(self) -> str:
        """The spelling of a test that has an answer where this one is undefined."""
        return "permutation"

    def sees_clusters(self, metric: Aggregation) -> bool:  # noqa: ARG002  (some tests see them for some metrics only)
        """Whether its p-value allows for items that belong together, where that is known."""
        return self.needs_clusters

    @property
    def resample_count(self) -> int:
        """How many times it draws from the scores of one sample; 0 where it does not, or where that depends on them."""
        return 0

    @abstractmethod
    def apply(self, sample: Any, rng: Generator) -> Outcome:
        """The outcome on a sample of the kind in `needs`, for every entry of its batch."""

    def against(self, sample: Any, null: float, rng: Generator) -> Outcome:
        """The test of "B − A is `null`" instead of zero, on which equivalence and non-inferiority rest."""
        return self.apply(sample.shifted(-null), rng)
