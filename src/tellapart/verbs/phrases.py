"""What a comparison says in words: the sentence to paste, and the notes a careful reader needs."""

import math
from dataclasses import dataclass

import numpy as np

from tellapart.decision import Verdict, rejects
from tellapart.significance import Procedure
from tellapart.summaries import Independent
from tellapart.verbs.analysis import Analysis
from tellapart.verbs.foresight import detectable
from tellapart.wording import decimals_for, number, percent, pvalue, signed, significant, thousands


@dataclass(frozen=True, eq=False)
class Told:
    """A comparison about to be put into words."""

    names: tuple[str, str]
    measure: str
    analysis: Analysis
    margin: float | None
    verdict: Verdict

    @property
    def label(self) -> str:
        """What the numbers are: the measure, and the metric when it is no plain mean."""
        metric = str(self.analysis.metric)
        return (
            self.measure
            if metric == "mean"
            else metric
            if self.measure == "score"
            else f"{metric} of {self.measure}"
        )


def sentence(told: Told) -> str:
    """The result in one paragraph: both systems, the difference with its interval and test, what the items can detect."""
    return " ".join(filter(None, [_finding(told), _conclusion(told), _reach(told)]))


def _finding(told: Told) -> str:
    analysis, (a, b) = told.analysis, told.names
    bounds = analysis.interval_result
    places = decimals_for((bounds.high - bounds.low) / 2.0)
    means = (number(m, places) for m in reversed(analysis.means))
    interval = f"{percent(bounds.level)} CI [{signed(bounds.low, places)}, {signed(bounds.high, places)}]"
    if analysis.interval.target != "mean difference":
        interval += f" for the {analysis.interval.target}"
    sides = (
        "two-sided" if analysis.test.alternative == "two-sided" else f"one-sided, {analysis.test.alternative}"
    )
    clusters = "" if analysis.clusters is None else f" in {thousands(analysis.clusters)} clusters"
    side_note = sides if analysis.test.claim == "difference" else "one-sided"
    return (
        f"{b} {next(means)} vs {a} {next(means)} ({told.label}, {thousands(analysis.items)} items{clusters}): "
        f"Δ = {signed(analysis.effect, places)}, {interval}, {pvalue(float(analysis.outcome.pvalue))} ({analysis.test.label}, {side_note})."
    )


def _conclusion(told: Told) -> str:
    analysis, (a, b) = told.analysis, told.names
    if analysis.test.claim == "non-inferiority":
        met = bool(rejects(analysis.outcome.pvalue, analysis.alpha))
        return (
            f"{b} is no worse than {a} beyond the margin."
            if met
            else f"That {b} is no worse than {a} beyond the margin is not shown."
        )
    if told.verdict == "equivalent" and told.margin is not None:
        return f"The systems are equivalent within ±{significant(told.margin)}."
    if analysis.test.estimand != "mean difference":
        return f"The test is about the {analysis.test.estimand}, not about means."
    return ""


def _reach(told: Told) -> str:
    analysis = told.analysis
    found = detectable(analysis.planned, analysis.alpha, analysis.test.alternative)
    if found is None:
        return ""
    if analysis.discordance is not None:
        at = f" at this discordance ({percent(round(analysis.discordance, 4))} of items)"
    else:
        at = "" if analysis.correlation is None else f" at this correlation (r = {analysis.correlation:.2f})"
    return f"{thousands(analysis.items)} items detect {significant(found.effect)} with {percent(found.power)} power{at}."


def notes(told: Told) -> tuple[str, ...]:
    """Everything that limits the answer, and nothing that does not."""
    said = [
        _lost(told),
        _repeats(told.analysis),
        _undefined(told),
        _disagreement(told.analysis),
        _ignored_clusters(told.analysis),
        _few_nonzero(told.analysis),
        _own_estimand(told.analysis.test),
        _precision(told.analysis),
        _direction(told),
    ]
    return tuple(n for n in said if n)


def _lost(told: Told) -> str:
    dropped = [f"{n} of {name}" for name, n in zip(told.names, told.analysis.pair.lost, strict=True) if n]
    return f"items dropped because the other system lacks them: {', '.join(dropped)}" if dropped else ""


def _repeats(analysis: Analysis) -> str:
    repeats = analysis.repeats()
    if repeats is None:
        return ""
    spread = ", ".join(
        significant(v) for v in (repeats.within_item_variance_a, repeats.within_item_variance_b)
    )
    return (
        f"runs ({repeats.runs_a} of A, {repeats.runs_b} of B) were averaged within each item, and items are the sample; "
        f"variance between runs of the same item: {spread} (A, B)"
    )


def _undefined(told: Told) -> str:
    if told.analysis.metric.linear:
        return ""
    flat = [name for name, value in zip(told.names, told.analysis.means, strict=True) if value == 0.0]
    return (
        f"{told.analysis.metric} of {' and '.join(flat)} is 0, or undefined and counted as 0" if flat else ""
    )


def _disagreement(analysis: Analysis) -> str:
    if analysis.test.claim != "difference" or analysis.agrees:
        return ""
    tells = "excludes" if analysis.outcome.pvalue > analysis.alpha else "includes"
    return f"test and interval disagree at the edge (the interval {tells} 0); the test decides"


def _ignored_clusters(analysis: Analysis) -> str:
    if analysis.clusters is None or "cluster" in analysis.test.name:
        return ""
    return f"{analysis.test} ignores the {analysis.clusters} clusters: its p-value is too small if items in a cluster resemble each other"


def _few_nonzero(analysis: Analysis) -> str:
    if not analysis.paired or analysis.clusters is not None:
        return ""
    nonzero = int(np.count_nonzero(analysis.differences.snapped))
    smallest = math.ldexp(1.0, 1 - nonzero) if nonzero else 1.0
    if smallest <= analysis.alpha or analysis.test.name in {"paired_t", "bootstrap"}:
        return ""
    return (
        f"the systems differ on only {nonzero} items: no sign-based p-value below {smallest:.3g} can come out of them, "
        f"so {percent(1 - analysis.alpha)} confidence cannot be reached"
    )


def _own_estimand(test: Procedure) -> str:
    return (
        ""
        if test.estimand == "mean difference"
        else f"{test} tests the {test.estimand}: its p-value is no claim about means"
    )


def _precision(analysis: Analysis) -> str:
    method, error = analysis.outcome.method, float(analysis.outcome.error)
    return f"p-value by {method}" + (f", off by at most about {error:.1g}" if error > 0.0 else "")


def _direction(told: Told) -> str:
    analysis = told.analysis
    if isinstance(analysis.planned, Independent):
        return "the systems share no item: an unpaired test needs many more items than a paired one"
    against = float(analysis.outcome.direction) * analysis.effect < 0.0
    return (
        f"{analysis.test} and the mean difference point in opposite directions; the verdict follows the test"
        if against
        else ""
    )
