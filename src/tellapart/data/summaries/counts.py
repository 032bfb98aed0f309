"""Right-or-wrong scores, coded by any two numbers, and counts of right items by system."""

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Self

import numpy as np

from tellapart.data.pair import Pair
from tellapart.data.summaries.differences import Aggregation, Summary, average_runs, contributions
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.errors import Unsuitable


class Coding(NamedTuple):
    """The scores of a wrong and of a right answer."""

    wrong: float
    right: float

    @property
    def step(self) -> float:
        """By how much a right answer is above a wrong one: the effect of being always right instead of never."""
        return self.right - self.wrong


CODINGS = (Coding(0.0, 1.0), Coding(0.0, 100.0), Coding(-1.0, 1.0))
"""Shares, percent, and signs. Where all scores are equal several may fit, and the first is taken."""


def coding(*scores: FloatArray) -> Coding | None:
    """The coding that all these scores, NaN where there is none, are written in; None if they are no right or wrong ones."""
    return next((code for code in CODINGS if all(_written_in(code, x) for x in scores)), None)


def _written_in(code: Coding, scores: FloatArray) -> bool:
    return bool(((scores == code.wrong) | (scores == code.right) | np.isnan(scores)).all())


def coding_of(pair: Pair) -> Coding | None:
    """The coding of a pair whose items were run once each."""
    single = pair.a.shape[-2:] == (1, 1) and pair.b.shape[-2:] == (1, 1)
    return coding(pair.a, pair.b) if single else None


def coded_entries(pair: Pair) -> BoolArray:
    """Which entries of a batch are written in one coding, each by itself, `(*batch,)`."""
    found = np.zeros(pair.a.shape[:-3], dtype=np.bool_)
    if pair.a.shape[-2:] != (1, 1) or pair.b.shape[-2:] != (1, 1):
        return found
    for code in CODINGS:
        # The first item tells most evaluations of other scores without a look at the rest.
        fits = np.asarray(_all_in(code, pair.a[..., :1, :, :]))
        if fits.any():
            fits &= _all_in(code, pair.a) & _all_in(code, pair.b)
        found |= fits
    return found


def _all_in(code: Coding, scores: FloatArray) -> BoolArray:
    return np.asarray(((scores == code.wrong) | (scores == code.right)).all(axis=(-3, -2, -1)))


def right(scores: FloatArray) -> BoolArray:
    """Which scores are right ones: in every coding a half lies between both numbers."""
    return np.asarray(scores > 0.5)


def is_right_or_wrong(sample: object, metric: Aggregation) -> bool:
    """Whether a sample is a pair of such scores, and their mean is what counts."""
    return isinstance(sample, Pair) and metric.linear and coding_of(sample) is not None


def needed_coding(sample: Pair, metric: Aggregation, way: str) -> Coding:
    """The coding of a pair that a method of counts is asked about; of any other pair a refusal that says the way out."""
    code = coding_of(sample) if metric.linear else None
    if code is None:
        raise Unsuitable(
            f"this method needs right-or-wrong scores (0 and 1, 0 and 100 or −1 and 1, one run per item); these are not. {way}"
        )
    return code


def count(which: BoolArray) -> IntArray:
    """Of how many items something is true, `(*batch,)`."""
    return np.asarray(which.sum(axis=-1), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Discordance(Summary):
    """Counts of items by which system was right: both, only B (`wins`), only A (`losses`), neither; each `(*batch,)`."""

    both: IntArray
    wins: IntArray
    losses: IntArray
    neither: IntArray
    step: float = field(default=1.0, kw_only=True)
    """The score of a right answer minus that of a wrong one: effects are in the scores' own unit."""

    binary = True

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return is_right_or_wrong(sample, metric)

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        way = "Leave the method to be chosen, or name one for numbers, such as paired_t or permutation"
        code = needed_coding(sample, metric, way)
        a, b = (right(average_runs(x)[..., 0]) for x in (sample.a, sample.b))
        return cls(count(a & b), count(b & ~a), count(a & ~b), count(~a & ~b), step=code.step)

    @property
    def items(self) -> IntArray:
        return np.asarray(self.both + self.wins + self.losses + self.neither)

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.step * ((self.wins - self.losses) / self.items))

    @property
    def share(self) -> FloatArray:
        """The share of items on which the systems differ."""
        return np.asarray((self.wins + self.losses) / self.items)


@dataclass(frozen=True, eq=False)
class Proportion(Summary):
    """How often one system was right: successes out of trials, which are its items; each `(*batch,)`."""

    successes: IntArray
    trials: IntArray

    # One system has no pair: it is made of that system's scores alone.
    made_of: ClassVar[type] = np.ndarray
    systems = 1
    binary = True

    @classmethod
    def of(cls, sample: FloatArray, metric: Aggregation) -> Self:
        """Of one system's scores, `(*batch, item, run, part)`, each right or wrong."""
        values = contributions(sample, metric)
        successes = count(right(values))
        return cls(successes, np.full_like(successes, values.shape[-1]))

    @property
    def items(self) -> IntArray:
        return self.trials

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.successes / self.trials)


@dataclass(frozen=True, eq=False)
class SeparateCounts(Summary):
    """How often each of two systems that share no item was right."""

    a: Proportion
    b: Proportion
    step: float = field(default=1.0, kw_only=True)
    """The score of a right answer minus that of a wrong one: effects are in the scores' own unit."""

    paired = False
    binary = True

    @classmethod
    def suits(cls, sample: object, metric: Aggregation) -> bool:
        return is_right_or_wrong(sample, metric)

    @classmethod
    def of(cls, sample: Pair, metric: Aggregation) -> Self:
        code = needed_coding(sample, metric, "Use welch_t for numbers")
        return cls(Proportion.of(sample.a, metric), Proportion.of(sample.b, metric), step=code.step)

    @property
    def items(self) -> IntArray:
        """The items of both systems together."""
        return np.asarray(self.a.trials + self.b.trials)

    @property
    def effect(self) -> FloatArray:
        return np.asarray(self.step * (self.b.effect - self.a.effect))
