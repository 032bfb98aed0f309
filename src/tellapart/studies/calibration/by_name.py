"""Calibration of tests and intervals run only by name, where their assumptions hold and where they do not."""

import contextlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from tellapart.answers.calibration import Calibrated
from tellapart.data.summaries.rater_samples import ByRaters, VotesByOrder
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.spelling import Registry, options
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.methods.significance import TESTS, Procedure
from tellapart.methods.significance.betting import OrderedDifferences
from tellapart.methods.significance.judge_regression import Judged
from tellapart.numerics.null_laws.proportions import connett_detectable
from tellapart.studies.calibration.binary import WeightedTables, one_system, same_items, separate_items
from tellapart.studies.calibration.difference_laws import normal, rarely_lost, skewed
from tellapart.studies.calibration.laws import EXPONENTIAL, NORMAL, OFTEN, RATINGS, SIZE, Law, clustered
from tellapart.studies.calibration.measure import ALPHA, certain, judged
from tellapart.studies.calibration.raters import VotesInBothOrders, rated
from tellapart.studies.calibration.scenario import (
    DETECTED,
    JudgedAnswers,
    JudgedItems,
    Scenario,
    SeparateItems,
    TrainedSystems,
)

GROUP = "by name"
MARGIN = 0.4
"""Of tests against a margin, in standard deviations of a difference."""

MARGINS = {"equivalence": MARGIN, "non_inferiority": -MARGIN}
"""The effect at which each of the tests against a margin must not reject; without an effect it should."""

WINS = "the sign test is about the share of items won, and Hodges and Lehmann's interval about the pseudo-median"
SKEW = "skewed differences: tests and intervals of a mean need more items before its error looks normal"
PERCENTILES = "percentiles of resamples lack the t factor, and allow for no skew"
NO_SMALL_SAMPLE = "BCa and percentiles lack the t factor of few items"
LEANING = "with an effect these ratings lean to one side, and their pseudo-median is not their mean"
ON_AVERAGE = "the level is kept on average over accuracies, and near right always or never it is not at some"

SIMULATED: tuple[tuple[Law, int, str, str, str], ...] = (
    (NORMAL, 40, "sign", "hodges_lehmann", ""),
    (EXPONENTIAL, 200, "sign", "hodges_lehmann", WINS),
    (NORMAL, 40, "wilcoxon", "hodges_lehmann", ""),
    (NORMAL, 40, "wilcoxon(method=asymptotic)", "student_t", ""),
    (NORMAL, 40, "wilcoxon(method=corrected)", "student_t", ""),
    (RATINGS, 60, "wilcoxon(zeros=pratt)", "hodges_lehmann", LEANING),
    (NORMAL, 40, "permutation(resamples=999)", "student_t", ""),
    *(
        (law, 60, method, method, known)
        for law, knowns in ((NORMAL, ("", NO_SMALL_SAMPLE, NO_SMALL_SAMPLE)), (EXPONENTIAL, (SKEW, SKEW, PERCENTILES)))
        for kind, known in zip(("studentised", "bca", "percentile"), knowns, strict=True)
        for method in (f"bootstrap(kind={kind}, resamples=999)",)
    ),
    *(
        (law, 60, f"{name}(test=paired_t, margin={MARGIN:g})", "student_t", known)
        for law, known in ((NORMAL, ""), (EXPONENTIAL, SKEW))
        for name in MARGINS
    ),
)  # fmt: skip
"""Which law, how many items, the test, the interval, and why they fail if they do."""

SAME_ITEMS = (
    ("mcnemar(variant=asymptotic)", "newcombe"),
    ("mcnemar(variant=corrected)", "bonett_price"),
    ("mcnemar(variant=exact)", "wald"),
    ("mcnemar(variant=unconditional)", "tango"),
)
SEPARATE_ITEMS = ("two_proportion_z", "newcombe_independent")
ONE_SYSTEM = ("wilson", "clopper_pearson", "jeffreys", "agresti_coull")


def simulated_by_name() -> Iterator[Scenario]:
    given: dict[str, Any] = {"group": GROUP, "replicates": OFTEN}
    for law, items, test, interval, known in SIMULATED:
        null = MARGINS.get(test.partition("(")[0])
        against: dict[str, Any] = {} if null is None else {"null": null, "aim": 0.0, "tail": 0}
        yield replace(law.scenario(items), **given, **against, test=test, interval=interval, known=known)
    for kind, draw, known in (("normal scores", normal, ""), ("skewed scores", skewed, SKEW)):
        yield SeparateItems(
            **given, kind=f"{kind}, A on 20 items of its own that vary twice as much", items=40, draw=draw, test="welch_t",
            interval="welch_t", known=known, items_of_a=20, spread_of_a=2.0,
        )  # fmt: skip
    signs: dict[str, Any] = {"test": "cluster_sign_flip", "interval": "cluster_sign_flip"}
    yield replace(clustered(f"8 clusters of {SIZE}", (SIZE,) * 8), **given, **signs)
    yield from judges_by_name()


MISSED = "rare large losses: thirty labels often hold too few of them"
RIGHT_OR_WRONG = (
    (0.05, 0.95, 0.0),
    (0.2, 0.6, 0.0),
    (0.2, 0.8, 0.0),
    (0.2, 0.99, 0.0),
    (0.2, 0.9, 0.3),
    (0.4, 0.85, 0.0),
)
"""Shares of items that differ, of answers on which the judge is right, and of B's wrong answers that it calls right."""


def judges_by_name() -> Iterator[Scenario]:
    """A judge on ten times the labelled items, of one law each."""
    given: dict[str, Any] = {"group": GROUP, "replicates": OFTEN // 2} | dict.fromkeys(
        ("test", "interval"), "judge_regression"
    )
    kind = "labels and a judge on ten times"
    yield JudgedItems(**given, kind=kind, items=60, draw=normal)
    for items in (30, 100):
        yield JudgedItems(**given, kind=f"{kind}, skewed", items=items, draw=skewed, tail=1)
        for differ, right, kinder in RIGHT_OR_WRONG:
            said = f"{kind}, {differ:g} differ, judge right on {right:g}{' and kinder to B' if kinder else ''}"
            law: dict[str, Any] = {"differ": differ, "right": right, "kinder": kinder, "aim": differ / 2.0}
            yield JudgedAnswers(**given, **law, kind=said, items=items, draw=normal)
        lost: dict[str, Any] = {"correlation": 0.92, "tail": -1, "known": MISSED}
        yield JudgedItems(**given, **lost, kind=f"{kind}, 0.05 lose much", items=items, draw=rarely_lost)
    for items in (50, 100):
        yield JudgedItems(**given, kind=f"{kind}, in clusters of 5", items=items, draw=normal, together=5)


def cases_by_name() -> Iterator[Callable[[], Calibrated]]:
    """One function per enumerated row."""
    for share in (0.1, 0.3):
        for test, interval in SAME_ITEMS:
            yield partial(same_items_row, 60, share, test, interval)
    yield partial(separate_items_row, 100, 0.7, *SEPARATE_ITEMS)
    yield partial(separate_items_row, 20, 0.9, *SEPARATE_ITEMS)
    for accuracy in (0.7, 0.95):
        for interval in ONE_SYSTEM:
            yield partial(one_system_row, 50, accuracy, interval)


def same_items_row(items: int, discordance: float, test: str, interval: str) -> Calibrated:
    effect = connett_detectable(items, discordance, 0.8, ALPHA) or discordance
    without, with_effect = (same_items(items, discordance, e, 0.7) for e in (0.0, effect))
    return _enumerated_row(
        f"{discordance:g} of items differ, both right on 0.7 of the others",
        items,
        (test, interval),
        effect,
        (without, with_effect),
    )


def separate_items_row(items: int, accuracy: float, test: str, interval: str) -> Calibrated:
    effect = DETECTED * math.sqrt(2.0 * accuracy * (1.0 - accuracy) / items)
    without, with_effect = (separate_items((items, items), (accuracy - gap, accuracy)) for gap in (0.0, effect))
    return _enumerated_row(
        f"B right on {accuracy:g}, each system on its own items",
        items,
        (test, interval),
        effect,
        (without, with_effect),
    )


def _enumerated_row(
    kind: str, items: int, methods: tuple[str, str], effect: float, tables: tuple[WeightedTables, WeightedTables]
) -> Calibrated:
    """The row of a test and an interval, summed over all tables without an effect and with it."""
    test, interval = TESTS.parse(methods[0]), INTERVALS.parse(methods[1])
    without, with_effect = tables
    return judged(
        Calibrated(
            GROUP, None, kind, items, *methods, effect,
            size=certain(without.rejected(test)),
            coverage=certain(with_effect.held(interval, effect)),
            power=certain(with_effect.rejected(test)),
            power_against=None,
            verdict="holds",
            why="",
        ),
        items,
    )  # fmt: skip


def one_system_row(items: int, accuracy: float, interval: str) -> Calibrated:
    held = one_system(items, accuracy).held(INTERVALS.parse(interval), accuracy)
    return judged(
        Calibrated(
            GROUP, None, f"one system, right on {accuracy:g}", items, None, interval, accuracy,
            size=None, coverage=certain(held), power=None, power_against=None, verdict="holds", why=ON_AVERAGE,
        ),
        items,
    )  # fmt: skip


# A test or interval that no list names yet is measured all the same, on scores of the kind that it needs.
# So a new method has its row as soon as it is registered; where it is known to fail, a line in `by_name`
# shows that too.

RESAMPLES = 999
"""In every one of thousands of simulated evaluations; the default is for one."""
NULLS = {"difference": 0.0, "equivalence": MARGIN, "non-inferiority": -MARGIN}
"""The effect at which a test must not reject, by what it claims."""


WIDTH = 2.5
"""Of bets: no rating differs by more standard deviations of a difference."""


class PlugInChoice(NamedTuple):
    """A plug-in by its name, and one choice of those that it offers ("" for the plug-in itself)."""

    name: str
    option: str = ""
    choice: str = ""


def kinds(registry: Registry[Any]) -> Iterator[PlugInChoice]:
    """All that has to be measured; the sides of a test mirror each other and are one."""
    for name in registry:
        yield PlugInChoice(name)
        for option in options(registry[name]):
            if option.name != "alternative":
                yield from (PlugInChoice(name, option.name, choice) for choice in option.choices)


def unmeasured(registry: Registry[Any], spellings: set[str]) -> list[PlugInChoice]:
    """The kinds that none of these spellings is of."""
    found = [registry.parse(spelling) for spelling in spellings]
    return [kind for kind in kinds(registry) if not any(_is_of(method, kind) for method in found)]


def unlisted(rows: Sequence[Calibrated], measure: Callable[[Scenario], Calibrated]) -> Iterator[Calibrated]:
    """A row for every kind of test, then of interval, that has none of its own among `rows`."""
    alone = [row for row in rows if not row.choices]
    tests = {row.test for row in alone if row.test is not None}
    for kind in unmeasured(TESTS, tests):
        test = _chosen_plug_in(TESTS, kind)
        # A method by itself has the first of its choices.
        if str(test) in tests:
            continue
        tests.add(str(test))
        found = list(_measured_rows(test, INTERVALS.parse(test.interval), test, measure))
        alone += found
        yield from found
    # The interval of a test that was just measured has its row.
    for kind in unmeasured(INTERVALS, {row.interval for row in alone}):
        interval = _chosen_plug_in(INTERVALS, kind)
        yield from _measured_rows(_fitting_test(interval), interval, interval, measure)


def _measured_rows(
    test: Procedure | None,
    interval: Interval,
    looked_at: Procedure | Interval,
    measure: Callable[[Scenario], Calibrated],
) -> Iterator[Calibrated]:
    needs = looked_at.needs
    if test is None:
        yield one_system_row(50, 0.7, str(interval))
    elif needs.binary and needs.paired:
        yield same_items_row(60, 0.3, str(test), str(interval))
    elif needs.binary:
        yield separate_items_row(100, 0.7, str(test), str(interval))
    else:
        scores = _fitting_scenario(looked_at, test.claim)
        yield measure(replace(scores, group=GROUP, test=str(test), interval=str(interval)))


def _fitting_scenario(looked_at: Procedure | Interval, claim: str) -> Scenario:
    """Where its assumptions hold: normal scores, in clusters for what needs them."""
    if looked_at.needs_clusters:
        return clustered("10 clusters of 10", (10,) * 10)
    for needs, scenario, _ in _of_their_own():
        if issubclass(looked_at.needs, needs):
            return scenario
    if not looked_at.needs.paired:
        return SeparateItems(
            group=GROUP, kind="normal scores", items=40, draw=normal, replicates=OFTEN // 2, items_of_a=20
        )
    aim = None if claim == "difference" else 0.0
    return Scenario(
        group=GROUP, kind="normal differences", items=60, draw=normal, replicates=OFTEN // 2, null=NULLS[claim], aim=aim
    )  # fmt: skip


def _of_their_own() -> Iterator[tuple[type, Scenario, str]]:
    """Samples that are more than scores of two systems, with a scenario and a test of each."""
    often = OFTEN // 2
    lone = "lone votes, B shown first in four of five"
    votes = VotesInBothOrders(group=GROUP, kind=lone, items=200, draw=normal, replicates=often)
    yield VotesByOrder, votes, "order_score"
    yield ByRaters, rated(12, 40, (0.22, 0.0, 0.26), replicates=often), "mixed_model"
    trained = TrainedSystems(group=GROUP, kind="5 trainings of each system", items=60, draw=normal, replicates=often)
    yield Seeded, trained, "seeds_t"
    yield Judged, next(judges_by_name()), "judge_regression"
    yield OrderedDifferences, replace(RATINGS.scenario(60), replicates=often), f"betting(width={WIDTH:g})"


def _fitting_test(interval: Interval) -> Procedure | None:
    """A test of scores of the same kind, so that the row says all; none where there is one system only."""
    if interval.needs.systems == 1:
        return None
    if interval.needs_clusters:
        return TESTS.parse("cluster_t")
    for needs, _, test in _of_their_own():
        if issubclass(interval.needs, needs):
            return TESTS.parse(test)
    paired, unpaired = ("mcnemar", "two_proportion_z") if interval.needs.binary else ("paired_t", "welch_t")
    return TESTS.parse(paired if interval.needs.paired else unpaired)


def _chosen_plug_in(registry: Registry[Any], kind: PlugInChoice) -> Any:
    """The plug-in with this choice, what it requires at the margin of this room, and few resamples."""
    plug_in = registry[kind.name]
    given: dict[str, Any] = {o.name: MARGIN for o in options(plug_in) if o.required or o.name == "margin"}
    given |= {o.name: RESAMPLES for o in options(plug_in) if o.name == "resamples" and o.default}
    given |= {o.name: WIDTH for o in options(plug_in) if o.name == "width"}
    if not kind.option:
        return plug_in(**given)
    given[kind.option] = kind.choice
    # A choice that the default of another option forbids is measured beside the first one that allows it.
    others = [{}, *({o.name: c} for o in options(plug_in) if o.name != kind.option for c in o.choices)]
    for beside in others:
        with contextlib.suppress(SpellingError):
            return plug_in(**(given | beside))
    raise AssertionError(f"{kind} goes with no other option")


def _is_of(method: Any, kind: PlugInChoice) -> bool:
    return method.name == kind.name and (not kind.option or getattr(method, kind.option) == kind.choice)
