"""What a summary is: the part of a sample that a method looks at, and what it asks of the sample."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Protocol, Self

from tellapart.arrays import FloatArray, IntArray
from tellapart.errors import Unsuitable
from tellapart.scores import Pair


class Aggregation(Protocol):
    """How the items' parts become one number: a smooth function of their means.

    Of how many items the means are is told as `items`, a number or `(*batch,)`: most metrics ignore it, but one that
    smooths counts of zero depends on the counts themselves, which are means times items.
    """

    @property
    def linear(self) -> bool:
        """Whether the number is the plain mean of the only part."""

    def value(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        """The number, `(*batch,)`, from the mean parts, `(*batch, part)`."""

    def gradient(self, means: FloatArray, items: FloatArray | int) -> FloatArray:
        """The derivative of the number by each mean part, `(*batch, part)`."""


class Summary(ABC):
    """Base of every summary. A method names the class it needs, and reads off it what that asks of a sample.

    A sample is what a reader found or a population drew. Today that is a `Pair`; another kind (ratings by raters and
    items, votes) brings summaries `made_of` it, and nothing that joins samples with methods has to know of them.
    """

    made_of: ClassVar[type] = Pair
    systems: ClassVar[int] = 2
    """How many systems it is about: two for a difference, one for a system by itself."""
    paired: ClassVar[bool] = True
    """Whether both systems were scored on the same items."""
    binary: ClassVar[bool] = False
    """Whether scores have to be right or wrong."""
    holds_parts: ClassVar[bool] = False
    """Whether the metric can be computed again from it; else a metric is followed through each item's influence."""

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:  # noqa: ARG003  (some ask for a plain mean)
        """Whether such a sample can be summarised like this."""
        return isinstance(sample, cls.made_of)

    @classmethod
    @abstractmethod
    def of(cls, sample: Any, metric: Aggregation) -> Self:
        """The summary of a sample of the kind in `made_of`; one that does not suit is refused with the way out."""

    @property
    @abstractmethod
    def items(self) -> int | IntArray:
        """How many items were scored: one number, or one per batch entry."""

    @property
    @abstractmethod
    def effect(self) -> FloatArray:
        """The estimate, `(*batch,)`: the metric of B minus that of A, or one system's own."""

    def shifted(self, by: float) -> Self:
        """The sample had B scored this much more: a test of zero on it is a test of `-by` on the original."""
        raise Unsuitable(
            f"what this test looks at cannot be moved by {by:g}; use a test of numbers, such as paired_t or welch_t"
        )
