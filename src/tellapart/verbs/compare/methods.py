"""The test and the interval that two systems are judged by: chosen, with what was named in its place."""

import math
from dataclasses import replace

from tellapart.choosing.paired_sample import PairedSample
from tellapart.choosing.pairs import Choice, choose
from tellapart.choosing.score_profile import ScoreProfile
from tellapart.distributions.bootstrap.limits import AT_FIRST, AUTOMATIC, MOST_RESAMPLES
from tellapart.doors import option
from tellapart.errors import Unsuitable, UsageError
from tellapart.intervals import Interval
from tellapart.metrics import Metric
from tellapart.results.note import Note
from tellapart.scores import Pair
from tellapart.significance import Procedure
from tellapart.verbs.compare.analysis import Analysis, deciding_bootstrap
from tellapart.verbs.compare.question import CompareQuestion

FOR_A_FAMILY = 8.0
"""Times the inverse of a family's smallest level, that many resamples: the level is then four of the smallest p-values there can be."""


def analyse(pair: Pair, metric: Metric, question: CompareQuestion) -> tuple[Analysis, tuple[Note, ...]]:
    """Two systems' scores with the methods they are judged by, and why these."""
    sample = PairedSample(pair, metric)
    choice = choose_methods(sample, question)
    margin = question.margin_of(choice.test)
    analysis = Analysis(
        pair, metric, choice.test, choice.interval, question.alpha, margin, question.seed, made=sample.made
    )
    return enough_for_family(analysis, 1), choice.reasons


def enough_for_family(analysis: Analysis, tests: int) -> Analysis:
    """The analysis with as many resamples as alpha over so many tests takes, where the bootstrap decides."""
    resamples = math.ceil(FOR_A_FAMILY * tests / analysis.alpha) - 1
    bootstrap = deciding_bootstrap(analysis.test)
    if bootstrap is None or bootstrap.resamples != AUTOMATIC or resamples <= AT_FIRST:
        return analysis
    more, drawn = f"resamples={min(resamples, MOST_RESAMPLES)}", f"bootstrap(kind={bootstrap.kind}"
    test, interval = (
        str(one).replace(f"{drawn})", f"{drawn}, {more})") for one in (analysis.test, analysis.interval)
    )
    return replace(analysis, test=Procedure.parse(test), interval=Interval.parse(interval))


def choose_methods(sample: PairedSample, question: CompareQuestion) -> Choice:
    """The default choice, with what was named in its place and the reason replaced by that."""
    test, bounds = question.named_test, question.named_interval
    if test is None:
        default = choose(ScoreProfile.of(sample))
        if bounds is None:
            return default
        choice = replace(default, bounds=bounds, reasons=(*default.reasons, Note("named_interval")))
    elif bounds is None:
        choice = Choice(test, Interval.parse(test.interval), (Note("named_test"),))
    else:
        choice = Choice(test, bounds, (Note("named_test_and_interval"),))
    _check_interval(choice)
    return choice


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
