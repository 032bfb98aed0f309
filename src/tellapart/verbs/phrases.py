"""What a comparison says in words: the headline, and the sentence to paste."""

from dataclasses import dataclass
from functools import cached_property

from tellapart.decision import Verdict
from tellapart.results.comparison import IntervalResult
from tellapart.summaries import Discordance
from tellapart.verbs.analysis import Analysis
from tellapart.wording import (
    amount,
    decimals_between,
    number,
    one_line,
    percent,
    pvalue,
    signed,
    significant,
    thousands,
)


@dataclass(frozen=True, eq=False)
class Told:
    """A comparison about to be put into words."""

    names: tuple[str, str]
    measure: str
    analysis: Analysis
    verdict: Verdict

    @cached_property
    def systems(self) -> tuple[str, str]:
        """The systems' names as they stand in a sentence."""
        return one_line(self.names[0]), one_line(self.names[1])

    @property
    def label(self) -> str:
        """What the numbers are: the measure, and the metric when it is no plain mean."""
        metric, measure = str(self.analysis.metric), one_line(self.measure)
        if metric == "mean":
            return measure
        return metric if measure == "score" else f"{metric} of {measure}"

    @property
    def within(self) -> str:
        """The margin in words."""
        return f"within ±{self.analysis.margin:g}"


def headline(told: Told) -> str:
    """The verdict as a sentence, in the terms of what was tested."""
    test, (a, b) = told.analysis.test, told.systems
    if test.claim == "non-inferiority":
        shown = f"{b} is not worse than {a} by more than {told.analysis.margin:g}"
        return shown if told.analysis.rejected else f"undetermined: these items do not show that {shown}"
    if told.verdict == "equivalent":
        return f"{a} and {b} are equivalent {told.within}"
    if told.verdict != "undetermined":
        better, worse = (b, a) if told.verdict == "b better" else (a, b)
        judged = "" if test.estimand == "mean difference" else f", judged by the {test.estimand}"
        return f"{better} is better than {worse}{judged}"
    return f"undetermined: these items do not {_left_open(told)}"


def _left_open(told: Told) -> str:
    test, (a, b) = told.analysis.test, told.systems
    if test.claim == "equivalence":
        return f"show that {a} and {b} are equivalent {told.within}"
    sides = {
        "two-sided": f"tell {a} and {b} apart",
        "greater": f"show that {b} scores higher than {a}",
        "less": f"show that {b} scores lower than {a}",
    }
    nor = "" if told.analysis.margin is None else f", nor show that they are equivalent {told.within}"
    return sides[test.alternative] + nor


def sentence(told: Told) -> str:
    """The result in one paragraph: both systems, the difference with its interval and test, what the items can detect."""
    return " ".join(filter(None, [_finding(told), _conclusion(told), _reach(told)]))


def _finding(told: Told) -> str:
    analysis, (a, b) = told.analysis, told.systems
    bounds = analysis.interval_result
    places = decimals_between(bounds.low, bounds.high)
    of_a, of_b = (number(m, places) for m in analysis.means)
    clusters = "" if analysis.clusters is None else f" in {amount(analysis.clusters, 'cluster')}"
    about = "" if analysis.interval.target == "mean difference" else f" for the {analysis.interval.target}"
    p = pvalue(float(analysis.outcome.pvalue), analysis.alpha)
    return (
        f"{b} {of_b} vs {a} {of_a} ({told.label}, {thousands(analysis.items)} items{clusters}): "
        f"Δ = {signed(analysis.effect, places)}, {interval_in_words(bounds)}{about}, {p} ({analysis.test.label}, {_sides(told)})."
    )


def interval_in_words(bounds: IntervalResult, *marks: float) -> str:
    """For example: 95 % CI [+0.008, +0.022]; rounded so that it stays on its side of the marks."""
    places = decimals_between(bounds.low, bounds.high, *marks)
    return f"{percent(bounds.level)} CI [{signed(bounds.low, places)}, {signed(bounds.high, places)}]"


def _sides(told: Told) -> str:
    test, (a, b) = told.analysis.test, told.systems
    claims = {"equivalence": "two one-sided tests", "non-inferiority": "one-sided"}
    sides = {"greater": f"one-sided, {b} above {a}", "less": f"one-sided, {b} below {a}"}
    return claims.get(test.claim, sides.get(test.alternative, "two-sided"))


def _conclusion(told: Told) -> str:
    analysis, (a, b) = told.analysis, told.systems
    if analysis.test.claim == "non-inferiority":
        worse = f"{b} is not worse than {a} by more than {analysis.margin:g}"
        return f"{worse}." if analysis.rejected else f"That {worse} is not shown."
    if told.verdict == "equivalent":
        return f"The systems are equivalent {told.within}."
    if analysis.test.claim == "equivalence":
        return f"That the systems are equivalent {told.within} is not shown."
    if analysis.test.estimand != "mean difference":
        return f"The test is about the {analysis.test.estimand}, not about means."
    return ""


def _reach(told: Told) -> str:
    analysis = told.analysis
    found = analysis.detectable
    if found is None:
        return ""
    if analysis.discordance is not None and isinstance(analysis.planned, Discordance):
        at = f" at this discordance ({percent(analysis.discordance, 3)} of items)"
    else:
        at = "" if analysis.correlation is None else f" at this correlation (r = {analysis.correlation:.2f})"
    return f"{thousands(analysis.items)} items detect {significant(found.effect)} with {percent(found.power)} power{at}."
