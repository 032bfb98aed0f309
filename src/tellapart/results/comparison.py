"""The answer of `compare`: two systems on the same items."""

from dataclasses import dataclass, field
from typing import ClassVar

from tellapart.decision import Verdict
from tellapart.results.answer import Answer


@dataclass(frozen=True)
class IntervalResult:
    low: float
    high: float
    level: float
    method: str


@dataclass(frozen=True)
class SystemResult:
    name: str
    mean: float
    interval: IntervalResult


@dataclass(frozen=True)
class Detectable:
    """The smallest true effect that this many items find with this power."""

    effect: float
    power: float


@dataclass(frozen=True)
class EquivalenceResult:
    margin: float
    pvalue: float


@dataclass(frozen=True)
class Needed:
    """How many items would settle the question that was left open."""

    question: str
    items: int
    power: float


@dataclass(frozen=True)
class Repeats:
    """Runs of each system an item, and how much scores vary between runs of the same item."""

    runs_a: int
    runs_b: int
    within_item_variance_a: float | None
    within_item_variance_b: float | None


@dataclass(frozen=True)
class TestResult:
    __test__: ClassVar[bool] = False  # pytest takes the name for one of its own

    test: str
    pvalue: float
    statistic: float


@dataclass(frozen=True)
class Comparison(Answer):
    """Whether B differs from A: `effect` is B − A in raw metric units, always."""

    schema: ClassVar[str] = "tellapart/comparison/1"

    a: SystemResult
    b: SystemResult
    metric: str
    measure: str
    items: int
    clusters: int | None
    lost: dict[str, int]
    effect: float
    interval: IntervalResult
    pvalue: float
    pvalue_error: float
    test: str
    correlation: float | None
    sd_difference: float | None
    discordance: float | None
    detectable: Detectable | None
    effects: dict[str, float | None]
    equivalence: EquivalenceResult | None
    needed: Needed | None
    repeats: Repeats | None
    lower_is_better: bool
    verdict: Verdict
    headline: str
    sentence: str
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    signature: str
    tests: tuple[TestResult, ...] | None = field(default=None, metadata={"optional": True})
