"""Trial selections from the described files, so that every suggested command has an answer."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations, islice, product
from typing import Any

import numpy as np

from tellapart.data.judged_pair import JudgedScores
from tellapart.data.pair import Missing
from tellapart.data.ratings import Ratings
from tellapart.data.roles import PEOPLE
from tellapart.data.scores import Scores
from tellapart.foundation.errors import TellapartError
from tellapart.readers.logs.collect import CollectedLogs
from tellapart.readers.logs.log_rows import LogRows, scorable
from tellapart.readers.logs.reading import select_rows
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.raters import scores_or_ratings
from tellapart.readers.tables.score_columns import judge_and_people
from tellapart.verbs.judged_scores import correctable

MOST_ROWS = 4_000_000
"""Rows that trials look at before they give up; each looks at all."""
MOST_TRIALS = 400
"""However few rows each looks at."""


@dataclass(frozen=True)
class Trial:
    """A selection, the systems that it leaves, the two that share most items, and what keeps them from being complete."""

    asked: LogRequest
    systems: tuple[str, ...]
    pair: tuple[str, str]
    lacking: bool
    """Whether one of the two lacks an item."""
    board: str | None
    """The `--missing` option that ranking all needs: none, drop, or None where no value helps."""
    raters: bool
    clustered: bool = False
    """Whether items belong together."""


def first_that_answers(harvest: CollectedLogs, origins: Sequence[Origin]) -> Trial | None:
    """The first selection of which two systems share at least two items."""
    rows = max(1, sum(map(len, harvest.found)))
    most = min(MOST_TRIALS, max(12, MOST_ROWS // rows))
    tried = (_tried(harvest, origins, asked) for asked in islice(_selections(harvest.found), most))
    return next((trial for trial in tried if trial is not None), None)


def _tried(harvest: CollectedLogs, origins: Sequence[Origin], asked: LogRequest) -> Trial | None:
    # Files of other datasets would not have been kept.
    kept = [one for one in harvest.found if asked.dataset in {None, *one.dataset_of_rows()}]
    found = _read_again(replace(harvest, found=kept), origins, asked)
    if found is None:
        return None
    return _of_ratings(asked, found) if isinstance(found, Ratings) else _of_scores(asked, found)


def _read_again(harvest: CollectedLogs, origins: Sequence[Origin], asked: LogRequest) -> Scores | Ratings | None:
    with suppress(TellapartError):
        records = select_rows(replace(harvest, found=[one.copy() for one in harvest.found]), origins, asked)
        return scores_or_ratings(records.rows, records.measure, ("score",))
    return None


def way_to_correct(harvest: CollectedLogs, origins: Sequence[Origin], trial: Trial) -> tuple[str, str, Missing] | None:
    """A judge's measure and people's, and what to do with items that lack a score, where the judge can be corrected by these labels."""
    both = _judge_and_people(harvest)
    if both is None:
        return None
    read = [_read_again(harvest, origins, replace(trial.asked, measure=name)) for name in both]
    judge, human = (one.averaged() if isinstance(one, Ratings) else one for one in read)
    found = None if judge is None or human is None else correctable(JudgedScores(human, judge), trial.pair)
    return None if found is None else (*both, found)


def _judge_and_people(harvest: CollectedLogs) -> tuple[str, str] | None:
    """By their names; beside people's the program's main measure, or the only other, is the judge's."""
    names = list(dict.fromkeys(name for one in harvest.found for name in one.measures))
    others = {one.facts.primary for one in harvest.found} - {None} or {n for n in names if folded(n) not in PEOPLE}
    people = [name for name in names if folded(name) in PEOPLE]
    if (both := judge_and_people(names)) is not None or not people or len(others) != 1:
        return both
    return str(others.pop()), people[0]


def _of_scores(asked: LogRequest, scores: Scores) -> Trial | None:
    scored = np.stack([scores.scored(name) for name in scores.systems])
    shared = scored.astype(np.int64) @ scored.T.astype(np.int64)
    np.fill_diagonal(shared, -1)
    a, b = sorted(divmod(int(shared.argmax()), len(scores.systems)))
    if shared[a, b] < 2:
        return None
    # An item that no system has a score on is one that both lack.
    lacking = bool((scored[a] != scored[b]).any() or not scored.any(axis=0).all())
    pair = scores.systems[a], scores.systems[b]
    return Trial(asked, scores.systems, pair, lacking, _board(scored), raters=False)


def _board(scored: Any) -> str | None:
    """How all systems can stand on one board: none lacks an item, or none lacks more than a fifth."""
    met = scored.any(axis=0)
    if scored.all():
        return ""
    enough = scored[:, met].mean(axis=1).min() > 0.8 and scored.all(axis=0).sum() > 1
    return "drop" if enough else None


def _of_ratings(asked: LogRequest, ratings: Ratings) -> Trial | None:
    if len(ratings.systems) < 2:
        return None
    items = [set(ratings.item[ratings.system == place].tolist()) for place in range(len(ratings.systems))]
    pairs = combinations(range(len(ratings.systems)), 2)
    a, b = max(pairs, key=lambda pair: len(items[pair[0]] & items[pair[1]]))
    if len(items[a] & items[b]) < 2 or len(ratings.raters) < 2:
        return None
    pair, clustered = (ratings.systems[a], ratings.systems[b]), ratings.clusters is not None
    return Trial(asked, ratings.systems, pair, False, _board_of(items), raters=True, clustered=clustered)


def _board_of(items: Sequence[set[int]]) -> str | None:
    return "" if all(one == items[0] for one in items) else None


def _selections(found: Sequence[LogRows]) -> Iterator[LogRequest]:
    """From the plainest on: datasets, measures, what varies, what two runs are, and at last two systems alone."""
    base = LogRequest(
        partial=any(one.facts.status in {"unfinished", "withdrawn"} for one in found), universe=_universe(found)
    )
    for dataset in _datasets(found):
        rows = [one for one in found if dataset is None or dataset in one.dataset_of_rows()]
        for measure in _measures(rows):
            for where in _wheres(rows):
                for same in (None, "separate"):
                    asked = replace(base, dataset=dataset, measure=measure, where=where, same_system=same)
                    yield asked
    for pair in _pairs(found):
        for measure in _measures(found):
            yield replace(base, measure=measure, systems=pair)
            yield replace(base, measure=measure, systems=pair, same_system="separate")


def _universe(found: Sequence[LogRows]) -> str | None:
    """The smallest split of SWE-bench that holds all that is named."""
    if not any(one.facts.solved_only for one in found):
        return None
    named = len({item for one in found for item in one.column("item")})
    return str(next((size for size in (500, 2294) if size >= named), named))


def _datasets(found: Sequence[LogRows]) -> list[str | None]:
    systems: dict[str, set[str]] = {}
    for one in found:
        for system, dataset in dict.fromkeys(zip(one.system_of_rows(), one.dataset_of_rows(), strict=True)):
            systems.setdefault(dataset, set()).add(system)
    order = sorted((name for name in systems if name), key=lambda name: -len(systems[name]))
    return [None] if len(systems) < 2 else [*order[:8], None]


def _measures(found: Sequence[LogRows]) -> list[str | None]:
    """None where none has to be named, then those that have scores."""
    counts: dict[str, Counter[int]] = {}
    for one in found:
        for name in one.facts.measures or one.measures:
            counts.setdefault(name, Counter()).update(one.measures.get(name, Counter()))
    fit = [name for name, by in counts.items() if scorable(by)]
    primary = {one.facts.primary for one in found}
    free = len(fit) == 1 or (len(primary) == 1 and None not in primary)
    return [*([None] if free else []), *fit[:6]]


def _wheres(found: Sequence[LogRows]) -> list[dict[str, str]]:
    """Values of what has to be picked, those that most systems have first."""
    choices: dict[str, list[str]] = {}
    for axis in dict.fromkeys(axis for one in found for axis in one.axes if axis.forced):
        systems: dict[str, set[str]] = {}
        for one in found:
            for system, value in dict.fromkeys(zip(one.system_of_rows(), one.column(axis.name), strict=True)):
                systems.setdefault(value, set()).add(system)
        if len(systems) > 1 and axis.neutral not in systems:
            choices[axis.name] = sorted(systems, key=lambda value: -len(systems[value]))[:4]
    return [dict(zip(choices, values, strict=True)) for values in islice(product(*choices.values()), 8)]


def _pairs(found: Sequence[LogRows]) -> list[tuple[str, str]]:
    items: dict[str, set[tuple[str, str]]] = {}
    for one in found:
        rows = zip(one.system_of_rows(), one.dataset_of_rows(), one.column("item"), strict=True)
        for system, dataset, item in rows:
            items.setdefault(system, set()).add((dataset, item))
    names = list(items)[:60]
    pairs = [(a, b) for a, b in combinations(names, 2) if len(items[a] & items[b]) > 1]
    return sorted(pairs, key=lambda pair: -len(items[pair[0]] & items[pair[1]]))[:4]
