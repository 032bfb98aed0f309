"""Two systems on the same items: is B different from A, by how much, and what could these items have shown?"""

from dataclasses import dataclass

from tellapart.decision import Verdict, rejects, verdict
from tellapart.errors import DataError, TooFew, Unsuitable, UsageError
from tellapart.intervals import Interval
from tellapart.metrics import Metric
from tellapart.results.comparison import Comparison, Needed
from tellapart.scores import Missing, Pair, Scores
from tellapart.significance import Procedure
from tellapart.summaries import Independent
from tellapart.verbs import foresight, phrases
from tellapart.verbs.analysis import Analysis
from tellapart.verbs.choose import Choice, Shape, choose
from tellapart.verbs.signature import fingerprint, sign

ALL = "all"


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
    question = Question(alpha, margin, effect, lower_is_better)
    first, second = two_systems(scores, a, b)
    aggregation = Metric.parse(metric)
    _check_parts(scores, aggregation)
    named = None if test is None or test == ALL else Procedure.parse(test)
    pair = _pair(scores, first, second, named, missing)
    choice = _choose(pair, aggregation, named, interval)
    analysis = Analysis(pair, aggregation, choice.test, choice.interval, alpha, seed)
    told = phrases.Told((first, second), scores.measure, analysis, margin, _verdict(analysis, question))
    return _report(told, question, choice.reasons, every=test == ALL)


@dataclass(frozen=True)
class Question:
    """What is asked beyond "is there a difference"."""

    alpha: float
    margin: float | None
    effect: float | None
    lower_is_better: bool

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 0.5:
            raise UsageError(f"alpha is {self.alpha:g}; it should lie between 0 and 0.5, usually 0.05")
        for name, value in (("margin", self.margin), ("effect", self.effect)):
            if value is not None and not 0.0 < abs(value) < float("inf"):
                raise UsageError(
                    f"{name} is {value:g}; it should be a number above 0, in the units of the scores"
                )
        if self.margin is not None and self.margin < 0.0:
            raise UsageError(f"margin is {self.margin:g}; it should be above 0, in the units of the scores")


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


def _check_parts(scores: Scores, metric: Metric) -> None:
    if scores.parts != metric.parts:
        raise DataError(
            f"metric {metric} is made of {', '.join(metric.parts)} of every item, but the scores hold {', '.join(scores.parts)}; "
            f"read them with parts={metric.parts!r}"
        )


def _pair(scores: Scores, a: str, b: str, test: Procedure | None, missing: Missing) -> Pair:
    if test is not None and issubclass(test.needs, Independent):
        shared = int((scores.scored(a) & scores.scored(b)).sum())
        if shared:
            raise Unsuitable(
                f"{test} is for systems scored on different items, but {a!r} and {b!r} share {shared} of them: it would throw the "
                "pairing away. Leave the test to be chosen, or name a paired one such as paired_t"
            )
        pair = scores.unpaired(a, b)
    else:
        pair = scores.pair(a, b, missing)
    if min(pair.a.shape[-3], pair.b.shape[-3]) < 2:
        raise TooFew(
            f"{a!r} and {b!r} share {pair.a.shape[-3]} item; at least two are needed to see how scores vary"
        )
    return pair


def _choose(pair: Pair, metric: Metric, test: Procedure | None, interval: Interval | str | None) -> Choice:
    """The default choice, with what was named in its place and the reason replaced by that."""
    if test is None:
        default = choose(Shape.of(pair, metric))
        if interval is None:
            return default
        return Choice(
            default.test, Interval.parse(interval), (*default.reasons, "the interval was named by the user")
        )
    bounds = Interval.parse(test.interval if interval is None else interval)
    said = (
        "the test was named by the user"
        if interval is None
        else "the test and the interval were named by the user"
    )
    return Choice(test, bounds, (said,))


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
        detectable=foresight.detectable(analysis.planned, analysis.alpha, analysis.test.alternative),
        effects=analysis.effect_sizes(),
        equivalence=None if question.margin is None else analysis.equivalence(question.margin),
        needed=_needed(analysis, question) if told.verdict == "undetermined" else None,
        repeats=analysis.repeats(),
        lower_is_better=question.lower_is_better,
        verdict=told.verdict,
        sentence=phrases.sentence(told),
        reasons=reasons,
        notes=phrases.notes(told),
        signature=_signature(analysis, question),
        tests=analysis.every_test() if every else None,
    )


def _verdict(analysis: Analysis, question: Question) -> Verdict:
    outcome, claim = analysis.outcome, analysis.test.claim
    if claim == "equivalence":
        return "equivalent" if rejects(outcome.pvalue, analysis.alpha) else "undetermined"
    if claim == "non-inferiority":
        return "undetermined"
    return verdict(
        float(outcome.direction),
        float(outcome.pvalue),
        analysis.alpha,
        within_margin=analysis.within(question.margin),
        lower_is_better=question.lower_is_better,
    )


def _needed(analysis: Analysis, question: Question) -> Needed | None:
    planned = analysis.planned
    if isinstance(planned, Independent):
        return None
    if question.effect is not None:
        return foresight.needed_for_effect(
            planned, question.effect, analysis.alpha, analysis.test.alternative
        )
    return (
        None
        if question.margin is None
        else foresight.needed_for_margin(planned, question.margin, analysis.alpha)
    )


def _signature(analysis: Analysis, question: Question) -> str:
    return sign(
        "compare",
        fingerprint(analysis.pair),
        metric=analysis.metric,
        test=analysis.test,
        interval=analysis.interval,
        alpha=analysis.alpha,
        margin=question.margin,
        seed=analysis.seed,
    )
