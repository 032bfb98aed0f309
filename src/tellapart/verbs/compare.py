"""Two systems on the same items: is B different from A, by how much, and what could these items have shown?"""

from dataclasses import dataclass

from tellapart.arrays import FINEST, LARGEST
from tellapart.decision import Verdict, verdict
from tellapart.errors import TooFew, Unsuitable, UsageError
from tellapart.intervals import Interval
from tellapart.metrics import Metric
from tellapart.results.comparison import Comparison, Needed
from tellapart.scores import Missing, Pair, Scores
from tellapart.significance import Equivalence, NonInferiority, Procedure
from tellapart.significance.cluster_sign_flip import ClusterSignFlip
from tellapart.verbs import foresight, phrases
from tellapart.verbs.analysis import Analysis
from tellapart.verbs.beside import effect_sizes, every_test, repeats
from tellapart.verbs.choose import Choice, Shape, choose
from tellapart.verbs.remarks import notes
from tellapart.verbs.signature import fingerprint, sign
from tellapart.wording import amount

ALL = "all"

SMALLEST_ALPHA = 1e-12
"""Below this the tail that an interval leaves out is lost in the rounding of its level."""


def compare(  # noqa: PLR0913  (a verb has as many words as its question)
    scores: Scores,
    a: str | None = None,
    b: str | None = None,
    *,
    metric: Metric | str = "mean",
    test: Procedure | str | None = None,
    interval: Interval | str | None = None,
    alpha: float = 0.05,
    margin: float | None = None,
    effect: float | None = None,
    lower_is_better: bool = False,
    missing: Missing = "error",
    seed: int = 0,
) -> Comparison:
    """Is B different from A? Test and interval are chosen by the shape of the scores unless named.

    `margin` asks whether the systems are equivalent within it; `effect` asks how many items would find a difference of
    that size. The effect is B − A always; `lower_is_better` changes the verdict, not the sign. `test="all"` runs every
    test that suits the scores beside the chosen one.

    >>> from tellapart import Scores, compare
    >>> scores = Scores.from_arrays({"old": [0, 1, 0, 1, 0, 0, 1, 0], "new": [1, 1, 1, 1, 0, 1, 1, 1]})
    >>> answer = compare(scores)
    >>> answer.effect, answer.verdict
    (0.5, 'undetermined')
    """
    question = Question(alpha, margin, effect, lower_is_better, seed)
    first, second = two_systems(scores, a, b)
    aggregation = Metric.parse(metric)
    aggregation.check(scores)
    named = None if test is None or test == ALL else question.turned(Procedure.parse(test))
    pair = _pair(scores, first, second, named, missing)
    choice = _choose(pair, aggregation, named, interval)
    analysis = Analysis(
        pair, aggregation, choice.test, choice.interval, alpha, question.margin_of(choice.test), seed
    )
    _check_effect(analysis, question)
    told = phrases.Told((first, second), scores.measure, analysis, _verdict(analysis, question))
    return _report(told, question, choice.reasons, every=test == ALL)


@dataclass(frozen=True)
class Question:
    """What is asked beyond "is there a difference"."""

    alpha: float
    margin: float | None
    effect: float | None
    lower_is_better: bool
    seed: int

    def __post_init__(self) -> None:
        if not SMALLEST_ALPHA <= self.alpha < 0.5:
            raise UsageError(
                f"alpha is {self.alpha:g}; it should lie between 0 and 0.5 ({SMALLEST_ALPHA:g} at least), usually 0.05"
            )
        for name, value in (("margin", self.margin), ("effect", self.effect)):
            if value is not None and not FINEST <= abs(value) <= LARGEST:
                raise UsageError(
                    f"{name} is {value:g}; it should be above 0 ({FINEST:g} to {LARGEST:g}), in the units of the scores"
                )
        if self.margin is not None and self.margin < 0.0:
            raise UsageError(f"margin is {self.margin:g}; it should be above 0, in the units of the scores")
        if self.seed < 0:
            raise UsageError(f"seed is {self.seed}; it should be 0 or more")

    def turned(self, test: Procedure) -> Procedure:
        """The test with the side on which B is worse: above A, if lower scores are better."""
        if not (isinstance(test, NonInferiority) and self.lower_is_better):
            return test
        if test.alternative == "greater":
            raise UsageError(
                f"{test} takes higher scores for better ones, and lower ones are said to be; name one side"
            )
        return test.replace(alternative="less")

    def margin_of(self, test: Procedure) -> float | None:
        """The margin that was asked about: the test's own, if it has one."""
        if not isinstance(test, Equivalence | NonInferiority):
            return self.margin
        if self.margin not in {None, test.margin}:
            raise UsageError(
                f"{test} has a margin of its own, and {self.margin:g} was given too; leave one out"
            )
        return test.margin


def two_systems(scores: Scores, a: str | None, b: str | None) -> tuple[str, str]:
    """The systems to compare: those named, else the only two there are."""
    for name in (a, b):
        if name is not None:
            scores.system(name)
    if a is not None and a == b:
        raise UsageError(f"a and b are both {a!r}; name two different systems")
    others = [s for s in scores.systems if s not in {a, b}]
    unnamed = (a is None) + (b is None)
    if unnamed and len(others) > unnamed:
        shown = ", ".join(map(repr, scores.systems[:8])) + (", …" if len(scores.systems) > 8 else "")
        raise UsageError(
            f"{len(scores.systems)} systems were found ({shown}); name two of them with --a and --b, or use `tellapart rank` to compare all"
        )
    first = a if a is not None else others.pop(0)
    return first, b if b is not None else others.pop(0)


def _check_effect(analysis: Analysis, question: Question) -> None:
    if question.effect is not None and analysis.binary and abs(question.effect) > 1.0:
        raise UsageError(
            f"effect is {question.effect:g}, and the means of right-or-wrong scores differ by 1 at most; a point is 0.01"
        )


def _pair(scores: Scores, a: str, b: str, test: Procedure | None, missing: Missing) -> Pair:
    if test is not None and not test.needs.paired:
        shared = int((scores.scored(a) & scores.scored(b)).sum())
        if shared:
            raise Unsuitable(
                f"{test} is for systems scored on different items, but {a!r} and {b!r} share {shared} of them: it would throw the "
                "pairing away. Leave the test to be chosen, or name a paired one such as paired_t"
            )
        pair = scores.unpaired(a, b)
        name, fewest = min(((a, len(pair.a)), (b, len(pair.b))), key=lambda entry: entry[1])
        said = f"{name!r} has a score on {amount(fewest, 'item')}"
    else:
        pair = scores.pair(a, b, missing)
        fewest = len(pair.a)
        left = (
            f", with {amount(sum(pair.lost), 'item')} of only one of them left out" if sum(pair.lost) else ""
        )
        said = f"{a!r} and {b!r} share {amount(fewest, 'item')}{left}"
    if fewest < 2:
        raise TooFew(f"{said}; at least two are needed to see how scores vary. Check the item ids")
    return pair


def _choose(pair: Pair, metric: Metric, test: Procedure | None, interval: Interval | str | None) -> Choice:
    """The default choice, with what was named in its place and the reason replaced by that."""
    bounds = None if interval is None else Interval.parse(interval)
    if test is None:
        default = choose(Shape.of(pair, metric))
        if bounds is None:
            return default
        choice = Choice(default.test, bounds, (*default.reasons, "the interval was named by the user"))
    elif bounds is None:
        choice = Choice(test, _matching(test, pair, metric), ("the test was named by the user",))
    else:
        choice = Choice(test, bounds, ("the test and the interval were named by the user",))
    _check_interval(choice)
    return choice


def _matching(test: Procedure, pair: Pair, metric: Metric) -> Interval:
    """The interval that goes with a test; flips of clusters have none of their own, and take what suits the clusters."""
    suited = isinstance(test, ClusterSignFlip) and pair.clusters is not None
    return choose(Shape.of(pair, metric)).interval if suited else Interval.parse(test.interval)


def _check_interval(choice: Choice) -> None:
    needs, instead = choice.interval.needs, f"leave --interval out, which gives {choice.test.interval}"
    if needs.systems == 1:
        raise UsageError(
            f"{choice.interval} is for one system's share of right answers, not for a difference; {instead}"
        )
    if needs.paired != choice.test.needs.paired:
        items = "the same items" if needs.paired else "different items"
        raise Unsuitable(
            f"{choice.interval} is for systems scored on {items}, and {choice.test} is not; {instead}"
        )


def _report(told: phrases.Told, question: Question, reasons: tuple[str, ...], *, every: bool) -> Comparison:
    analysis, names = told.analysis, told.names
    return Comparison(
        a=analysis.system(names[0], 0),
        b=analysis.system(names[1], 1),
        metric=str(analysis.metric),
        measure=told.measure,
        items=analysis.items,
        clusters=analysis.clusters,
        lost=dict(zip(names, analysis.pair.lost, strict=True)),
        effect=analysis.effect,
        interval=analysis.interval_result,
        pvalue=float(analysis.outcome.pvalue),
        pvalue_error=float(analysis.outcome.error),
        test=str(analysis.test),
        correlation=analysis.correlation,
        sd_difference=analysis.sd_difference,
        discordance=analysis.discordance,
        detectable=analysis.detectable,
        effects=effect_sizes(analysis),
        equivalence=analysis.equivalence,
        needed=_needed(analysis, question) if told.verdict == "undetermined" else None,
        repeats=repeats(analysis),
        lower_is_better=question.lower_is_better,
        verdict=told.verdict,
        headline=phrases.headline(told),
        sentence=phrases.sentence(told),
        reasons=reasons,
        notes=notes(told, every=every),
        signature=_signature(analysis, question),
        tests=every_test(analysis) if every else None,
    )


def _verdict(analysis: Analysis, question: Question) -> Verdict:
    if analysis.test.claim == "equivalence":
        return "equivalent" if analysis.rejected else "undetermined"
    if analysis.test.claim == "non-inferiority":
        return "undetermined"
    return verdict(
        float(analysis.outcome.direction),
        float(analysis.outcome.pvalue),
        analysis.alpha,
        within_margin=analysis.within,
        lower_is_better=question.lower_is_better,
    )


def _needed(analysis: Analysis, question: Question) -> Needed | None:
    planned, alpha = analysis.planned, analysis.alpha
    if question.effect is not None:
        return foresight.needed_for_effect(planned, question.effect, alpha, analysis.test.alternative)
    if analysis.margin is None or (analysis.test.claim == "non-inferiority" and analysis.rejected):
        return None
    settle = (
        foresight.needed_for_non_inferiority
        if analysis.test.claim == "non-inferiority"
        else foresight.needed_for_margin
    )
    return settle(planned, analysis.margin, alpha)


def _signature(analysis: Analysis, question: Question) -> str:
    return sign(
        "compare",
        fingerprint(analysis.pair),
        metric=analysis.metric,
        test=analysis.test,
        interval=analysis.interval,
        alpha=analysis.alpha,
        margin=question.margin,
        effect=question.effect,
        lower_is_better=question.lower_is_better or None,
        seed=analysis.seed,
    )
