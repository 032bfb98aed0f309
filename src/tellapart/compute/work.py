"""Units of parallel work: one function applied to many argument tuples, simulation budgets and cache policies."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, get_args

from tellapart.foundation.errors import UsageError
from tellapart.foundation.quantities import whole

# What may be spent on an answer about power.

EngineName = Literal["formula", "exact", "monte_carlo"]


@dataclass(frozen=True)
class Budget:
    """By which engine power is computed (None: the first that can), and how much is simulated, from which seed.

    With `until`, only so much of the replicates that power is known to within so much on either side.
    """

    engine: str | None = None
    replicates: int = 10_000
    seed: int = 0
    until: float | None = None

    def __post_init__(self) -> None:
        if self.engine is not None and self.engine not in get_args(EngineName):
            raise UsageError(f"no engine is called {self.engine!r}; known: {', '.join(get_args(EngineName))}")
        object.__setattr__(self, "replicates", whole("replicates", self.replicates, least=1))
        object.__setattr__(self, "seed", whole("seed", self.seed, least=0, most=math.inf))

    def exceeds(self, replicates: int | None) -> bool:
        """Whether more was asked for than these replicates, which an interrupt cut short (None: nothing is simulated)."""
        return replicates is not None and replicates < self.replicates and self.until is None


Result = TypeVar("Result")
Call = tuple[Any, ...]


@dataclass(frozen=True)
class BlockKey:
    """Where a store has the result of a call: which study it is of, how many replicates of that are wanted, its block and how many that has."""

    study: str
    wanted: int
    block: int
    size: int


@dataclass(frozen=True)
class CachePolicy(Generic[Result]):
    """How results are known in a store, and how they are written there: as numbers, texts, arrays and sequences of these."""

    key: Callable[[Call], BlockKey]
    written: Callable[[Result], Any] = lambda found: found
    read: Callable[[Any], Result] = lambda written: written


@dataclass(frozen=True)
class Work(Generic[Result]):
    """`function` on each tuple of arguments; what many calls are about travels once.

    Where there are `subjects`, each call starts with the number of its own, and the function is given that subject in its place.
    `count` is how many calls there are, where that is known; `named` says in words what a call computes, for the error that names it.
    `heard` is told of every result as soon as it is there, in whatever order. Work with a `cache` is kept where there is a store, and
    taken from there.
    """

    function: Callable[..., Result]
    calls: Iterable[Call]
    subjects: Sequence[Any] | None = None
    count: int | None = None
    named: Callable[[Call], str] | None = None
    on_result: Callable[[Call, Result], None] | None = None
    cache: CachePolicy[Result] | None = None

    def done_here(self, call: Call) -> Result:
        arguments = call if self.subjects is None else (self.subjects[call[0]], *call[1:])
        found = self.function(*arguments)
        self.tell(call, found)
        return found

    def tell(self, call: Call, found: Result) -> None:
        if self.on_result is not None:
            self.on_result(call, found)

    def in_words(self, number: int, call: Call) -> str:
        return f"call {number + 1}" if self.named is None else self.named(call)
