"""The test and the interval that two systems are judged by: chosen, with what was named in its place."""

from dataclasses import replace

from tellapart.doors import option
from tellapart.errors import Unsuitable, UsageError
from tellapart.intervals import Interval
from tellapart.metrics import Metric
from tellapart.results.note import Note
from tellapart.scores import Pair
from tellapart.significance import Procedure
from tellapart.verbs.choose import Choice, choose
from tellapart.verbs.compare.analysis import Analysis
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.sampled import Sampled
from tellapart.verbs.shape import Shape


def analyse(pair: Pair, metric: Metric, question: CompareQuestion) -> tuple[Analysis, tuple[Note, ...]]:
    """Two systems' scores with the methods they are judged by, and why these."""
    sampled = Sampled(pair, metric)
    choice = choose_methods(sampled, question)
    margin = question.margin_of(choice.test)
    analysis = Analysis(
        pair, metric, choice.test, choice.interval, question.alpha, margin, question.seed, made=sampled.made
    )
    return analysis, choice.reasons


def choose_methods(sampled: Sampled, question: CompareQuestion) -> Choice:
    """The default choice, with what was named in its place and the reason replaced by that."""
    test, bounds = question.named_test, question.named_interval
    if test is None:
        default = choose(Shape.of(sampled))
        if bounds is None:
            return default
        choice = replace(default, bounds=bounds, reasons=(*default.reasons, Note("named_interval")))
    elif bounds is None:
        choice = Choice(test, _matching(test, sampled), (Note("named_test"),))
    else:
        choice = Choice(test, bounds, (Note("named_test_and_interval"),))
    _check_interval(choice)
    return choice


def _matching(test: Procedure, sampled: Sampled) -> Interval:
    """The interval that goes with a test; flips of clusters have none of their own, and take what suits the clusters."""
    suited = test.name == "cluster_sign_flip" and sampled.pair.clusters is not None
    return choose(Shape.of(sampled)).interval if suited else Interval.parse(test.interval)


def _check_interval(choice: Choice) -> None:
    needs = choice.interval.needs
    instead = f"leave {option('interval')} out, which gives {choice.test.interval}"
    if needs.systems == 1:
        raise UsageError(
            f"{choice.interval} is for one system's share of right answers, not for a difference; {instead}"
        )
    if needs.paired != choice.test.needs.paired:
        items = "the same items" if needs.paired else "different items"
        raise Unsuitable(
            f"{choice.interval} is for systems scored on {items}, and {choice.test} is not; {instead}"
        )
