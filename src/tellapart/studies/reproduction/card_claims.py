"""Claims of improvement on GLUE annotated by Card et al. (2020): predicted gains, power and p-values.

Their leave-one-out leaves out the row of that number in the whole table of annotations instead of the claim that is
predicted (newdata[-i,] where i counts claims, in the authors' notebook); both are computed here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import BoolArray, FloatArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.numerics.null_laws.proportions import connett_power
from tellapart.populations.evidence import GlueOverlap
from tellapart.studies.reproduction.card_detectable import (
    ALPHA,
    NO_PRIOR,
    POWER,
    Gains,
    discordance,
    regression_normal,
    two_sample,
)
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.regression import Regression, fit, printed_statistics
from tellapart.studies.reproduction.table import FILES, Ours, Setting, recomputes

OVERLAP = GlueOverlap()
CORRECTED = TESTS.parse("mcnemar(variant=corrected)")


@dataclass(frozen=True)
class AnnotatedGain:
    """A new system against the best before it, in points; `row` is its place in the whole table."""

    row: int
    task: str
    before: float
    after: float
    claimed: bool

    @property
    def gain(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Annotations:
    """Every annotated comparison, and how many items each task's test set has."""

    comparisons: tuple[AnnotatedGain, ...]
    items: dict[str, int]

    @property
    def claims(self) -> list[AnnotatedGain]:
        return [c for c in self.comparisons if c.claimed]

    @property
    def tasks(self) -> list[str]:
        return sorted({c.task for c in self.claims})

    def design(self, comparisons: Sequence[AnnotatedGain]) -> FloatArray:
        """A constant, the accuracy to beat, and which task it is (the first task is what others are compared with)."""
        return np.array([[1.0, c.before, *(float(c.task == task) for task in self.tasks[1:])] for c in comparisons])

    def fitted(self, without: int | None = None) -> Regression:
        """Gains regressed on these, from all claims but the one in this row of the table."""
        kept = [c for c in self.claims if c.row != without]
        return fit(self.design(kept), np.array([c.gain for c in kept]))


def annotations(setting: Setting) -> Annotations:
    return _read_annotations(setting.data)


@lru_cache(maxsize=4)
def _read_annotations(data: Path) -> Annotations:
    setting = Setting(0, 0, data)
    papers, sizes = (setting.table(name) for name in FILES["glue"])
    comparisons = tuple(
        AnnotatedGain(i, task, float(before), float(after), (compared, claimed) == ("Y", "Y"))
        for i, (task, _, before, after, compared, claimed, *_) in enumerate(papers[1:])
    )
    return Annotations(comparisons, {name.strip(): int(size) for name, size in sizes[2:]})


def gains(setting: Setting, task: str) -> Gains:
    """Gains of the claims on this task."""
    return Gains.of([c.gain for c in annotations(setting).claims if c.task == task])


@recomputes("card2020-table-7")
def effect_regression(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    told = annotations(setting)
    return printed_statistics(rows, told.fitted(), ["Constant", "Previous best", *told.tasks[1:]])


@recomputes("card2020-figure-12")
def all_differences(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (three numbers, in order)
    found = Gains.of([c.gain for c in annotations(setting).comparisons])
    return [Ours(found.mean), Ours(found.error), Ours(found.count)]


@recomputes("card2020-figure-14")
def reached(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    """The share of claims whose gain, taken for the true one, has 80 % power by each definition."""
    told = annotations(setting)
    claims = [c for c in told.claims if c.gain > 0.0]
    definitions = (two_sample, NO_PRIOR["middle"], NO_PRIOR["most"], NO_PRIOR["least"], regression_normal)
    shares = (
        np.mean([power(told.items[c.task], c.before / 100.0, c.gain / 100.0) >= POWER for c in claims])
        for power in definitions
    )
    return [*(Ours(100.0 * float(share)) for share in shares), Ours(float(len(claims)))]


@dataclass(frozen=True, eq=False)
class Worth:
    """Of each claim with a predicted gain: the power at that gain, and the p at the reported one."""

    power: FloatArray
    pvalue: FloatArray

    @property
    def powered(self) -> BoolArray:
        return np.asarray(self.power >= POWER)

    @property
    def significant(self) -> BoolArray:
        return rejects(self.pvalue, ALPHA)


def worth(told: Annotations, *, as_coded: bool) -> Worth:
    """Each claim predicted without itself or, as coded, without the row that has its number among the claims."""
    powers, pvalues = [], []
    for number, claim in enumerate(told.claims):
        found = told.fitted(without=number if as_coded else claim.row)
        gap, items = float(found.predict(told.design([claim]))[0]) / 100.0, told.items[claim.task]
        if claim.gain <= 0.0 or gap <= 0.0:
            continue
        share = discordance(OVERLAP, claim.before / 100.0, gap)
        powers.append(float(connett_power(items, share, gap, ALPHA)))
        pvalues.append(_pvalue(claim, items))
    return Worth(np.array(powers), np.array(pvalues))


def _pvalue(claim: AnnotatedGain, items: int) -> float:
    """McNemar's corrected test on the counts that the predicted overlap and the reported gain imply, cut to integers."""
    gap = claim.after / 100.0 - claim.before / 100.0
    share = discordance(OVERLAP, claim.before / 100.0, gap)
    wins, losses = (np.asarray(int(0.5 * (share + side * gap) * items)) for side in (1.0, -1.0))
    zero = np.asarray(0)
    return float(CORRECTED.apply(Discordance(zero, wins, losses, zero), stream(0)).pvalue)


@recomputes("card2020-table-10")
def claims_worth(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:
    told = annotations(setting)
    found = {"as coded": worth(told, as_coded=True), "the claim itself": worth(told, as_coded=False)}
    return [Ours(_worth(row, found[row.settings["left out"]])) for row in rows]


def _worth(row: PublishedRow, found: Worth) -> float:
    quantity, statistic = row.settings["quantity"], row.settings["statistic"]
    if statistic:
        return _STATISTICS[statistic](found.power if quantity == "power" else found.pvalue)
    both = found.powered & found.significant
    shares = {
        "claims": len(found.power),
        "share with power of at least 0.8": found.powered.mean(),
        "share significant": found.significant.mean(),
        "share significant and powered": both.mean(),
        "significant among the powered": both.sum() / found.powered.sum(),
    }
    return float(shares[quantity])


_STATISTICS: dict[str, Callable[[FloatArray], float]] = {
    "mean": lambda values: float(values.mean()),
    "sd": lambda values: float(values.std(ddof=1)),
    "smallest": lambda values: float(values.min()),
    "first quartile": lambda values: float(np.quantile(values, 0.25)),
    "third quartile": lambda values: float(np.quantile(values, 0.75)),
    "largest": lambda values: float(values.max()),
}
