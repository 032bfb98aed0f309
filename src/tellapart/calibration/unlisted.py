"""A test or interval that no list names yet is measured all the same, on scores of the kind that it needs.

So a new method has its row as soon as it is registered; where it is known to fail, a line in `by_name` shows that too.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from tellapart.calibration.by_name import GROUP, MARGIN, one_system_row, same_items_row, separate_items_row
from tellapart.calibration.difference_laws import normal
from tellapart.calibration.grid import clustered
from tellapart.calibration.laws import OFTEN
from tellapart.calibration.raters import VotesInBothOrders, rated
from tellapart.calibration.scenario import Scenario, SeparateItems
from tellapart.errors import SpellingError
from tellapart.intervals import INTERVALS, Interval
from tellapart.results.calibration import Calibrated
from tellapart.significance import TESTS, Procedure
from tellapart.spelling import Registry, options
from tellapart.summaries.by_order import ByOrder
from tellapart.summaries.by_raters import ByRaters

RESAMPLES = 999
"""In every one of thousands of simulated evaluations; the default is for one."""
NULLS = {"difference": 0.0, "equivalence": MARGIN, "non-inferiority": -MARGIN}
"""The effect at which a test must not reject, by what it claims."""


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
        test = _made(TESTS, kind)
        found = list(_measured(test, INTERVALS.parse(test.interval), test, measure))
        alone += found
        yield from found
    # The interval of a test that was just measured has its row.
    for kind in unmeasured(INTERVALS, {row.interval for row in alone}):
        interval = _made(INTERVALS, kind)
        yield from _measured(_beside(interval), interval, interval, measure)


def _measured(
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
        scores = _scores(looked_at, test.claim)
        yield measure(replace(scores, group=GROUP, test=str(test), interval=str(interval)))


def _scores(looked_at: Procedure | Interval, claim: str) -> Scenario:
    """Where its assumptions hold: normal scores, in clusters for what needs them."""
    if looked_at.needs_clusters:
        return clustered("10 clusters of 10", (10,) * 10)
    if issubclass(looked_at.needs, ByOrder):
        return VotesInBothOrders(
            group=GROUP, kind="lone votes, B shown first in four of five", items=200, draw=normal, replicates=OFTEN // 2
        )  # fmt: skip
    if issubclass(looked_at.needs, ByRaters):
        return rated(12, 40, (0.22, 0.0, 0.26), replicates=OFTEN // 2)
    if not looked_at.needs.paired:
        return SeparateItems(
            group=GROUP, kind="normal scores", items=40, draw=normal, replicates=OFTEN // 2, items_of_a=20
        )
    aim = None if claim == "difference" else 0.0
    return Scenario(
        group=GROUP, kind="normal differences", items=60, draw=normal, replicates=OFTEN // 2, null=NULLS[claim], aim=aim
    )  # fmt: skip


def _beside(interval: Interval) -> Procedure | None:
    """A test of scores of the same kind, so that the row says all; none where there is one system only."""
    if interval.needs.systems == 1:
        return None
    if interval.needs_clusters:
        return TESTS.parse("cluster_t")
    if issubclass(interval.needs, ByOrder):
        return TESTS.parse("order_score")
    if issubclass(interval.needs, ByRaters):
        return TESTS.parse("mixed_model")
    paired, unpaired = ("mcnemar", "two_proportion_z") if interval.needs.binary else ("paired_t", "welch_t")
    return TESTS.parse(paired if interval.needs.paired else unpaired)


def _made(registry: Registry[Any], kind: PlugInChoice) -> Any:
    """The plug-in with this choice, what it requires at the margin of this room, and few resamples."""
    plug_in = registry[kind.name]
    given: dict[str, Any] = {o.name: MARGIN for o in options(plug_in) if o.required or o.name == "margin"}
    given |= {o.name: RESAMPLES for o in options(plug_in) if o.name == "resamples" and o.default}
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
