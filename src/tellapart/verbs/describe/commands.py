"""Suggested commands: comparisons and rankings that the described files can answer."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from tellapart.foundation.errors import TellapartError
from tellapart.readers.format import TableKind
from tellapart.readers.formats.trec_run import is_judgements
from tellapart.readers.logs.collect import CollectedLogs
from tellapart.readers.logs.log_rows import LogRows
from tellapart.readers.logs.reading import select_tidy_rows
from tellapart.readers.logs.request import LogRequest, SameSystem
from tellapart.readers.storage.files import File
from tellapart.readers.storage.origin import Origin
from tellapart.verbs.describe.trials import Trial, first_that_answers, way_to_correct

# What to type for votes, ratings, predictions, texts and runs.


def is_kind(one: LogRows) -> bool:
    return isinstance(one.format, TableKind)


def commands_of_kinds(found: Sequence[LogRows], harvest: CollectedLogs) -> tuple[str, ...]:
    """A command per file that holds two systems, and one for runs whose judgements lie among the files."""
    runs = [one for one in found if one.format.name == "trec_run"]
    alone = [one for one in found if one.format.name != "trec_run"]
    said = [command for one in alone if (command := _of_file(one)) is not None]
    said += [
        ["agreement", one.origin.name] for one in alone if one.format.name == "ratings" and shared(one) is not None
    ]
    return tuple(shlex.join(["tellapart", *words]) for words in [*said, *_of_runs(runs, harvest)])


def _of_file(one: LogRows) -> list[str] | None:
    name = one.format.name
    metric = {"predictions": ["--metric", "accuracy"], "texts": ["--metric", "chrf"]}.get(name, [])
    of_votes = isinstance(one.format, TableKind) and one.format.of_votes
    pair = _pair(one, same_row=of_votes)
    if pair is None:
        return None
    several = len(one.labels("system").names) > 2
    if several and of_votes:
        return ["rank", one.origin.name]
    sides = ["--a", pair[0], "--b", pair[1]] if several else []
    fixed = ["--raters-as", "fixed"] if name == "ratings" and not _crossed(one, pair) else []
    lacking = [] if name != "predictions" or _complete(one, pair) else ["--missing", "drop"]
    return ["compare", one.origin.name, *metric, *sides, *fixed, *lacking]


def _pair(one: LogRows, *, same_row: bool) -> tuple[str, str] | None:
    """The two systems that share most: votes, or items."""
    systems, cells = one.labels("system"), np.array(one.lines) if same_row else one.labels("item").codes
    held: Any = csr_array((np.ones(len(one)), (systems.codes, cells))).sign()
    shared = np.triu((held @ held.T).toarray(), 1)
    a, b = divmod(int(shared.argmax()), len(shared))
    return (systems.names[a], systems.names[b]) if shared[a, b] > 0 else None


def shared(one: LogRows) -> str | None:
    """The measure by which two raters judged what one system did with an item, if any."""
    raters: dict[tuple[str, ...], str] = {}
    columns = one.system_of_rows(), one.dataset_of_rows(), one.column("item"), one.column("measure")
    for *cell, rater in zip(*columns, one.column("rater"), strict=True):
        if raters.setdefault(tuple(cell), rater) != rater:
            return cell[-1]
    return None


def _crossed(one: LogRows, pair: tuple[str, str]) -> bool:
    """Whether at least two raters judged both."""
    raters: dict[str, set[str]] = {}
    for system, rater in zip(one.system_of_rows(), one.column("rater"), strict=True):
        raters.setdefault(system, set()).add(rater)
    return len(raters[pair[0]] & raters[pair[1]]) > 1


def _complete(one: LogRows, pair: tuple[str, str]) -> bool:
    items: dict[str, set[str]] = {}
    for system, item, scored in zip(one.system_of_rows(), one.column("item"), (one.marks == 0).tolist(), strict=True):
        items.setdefault(system, set()).update([item] if scored else [])
    return items[pair[0]] == items[pair[1]]


def _of_runs(runs: Sequence[LogRows], harvest: CollectedLogs) -> list[list[str]]:
    """Runs on the queries of the first judgements that share a query with all of them."""
    if len(runs) < 2:
        return []
    passed = [name for files in harvest.skipped.found.values() for name in files]
    judged = [name for name in passed if is_judgements(File(name, ""))]
    for name in judged:
        queries = _queries(name)
        fitting = [one.origin.name for one in runs if not queries.isdisjoint(one.column("item"))]
        if len(fitting) > 1:
            asked = ["--qrels", name, "--measure", "nDCG@10"]
            verb = "compare" if len(fitting) == 2 else "rank"
            return [[verb, *fitting, *asked]]
    return []


def _queries(judgements: str) -> set[str]:
    with File(judgements, "").text() as text:
        return {line.split()[0] for line in text if line.strip() and not line.startswith("#")}


def commands_for(
    paths: Sequence[str], given: Sequence[str], origins: Sequence[Origin], harvest: CollectedLogs
) -> tuple[str, ...]:
    """Commands for the shell, as they can be typed where the files are; `given` are flags that all of them need."""
    of_kinds = commands_of_kinds([one for one in harvest.found if is_kind(one)], harvest)
    rows = replace(harvest, found=[one for one in harvest.found if not is_kind(one)])
    if not rows.found:
        return of_kinds
    inside = [*paths, *given]
    trial = first_that_answers(rows, origins)
    found = _converted(inside, rows, origins) if trial is None else _answered(inside, trial)
    if trial is not None and (way := way_to_correct(rows, origins, trial)) is not None:
        judge, human, missing = way
        words = [*_picked(replace(trial.asked, measure=None)), *(_sides(trial)), "--judge", judge, "--human", human]
        lacking = [] if missing == "error" else ["--missing", missing]
        found.insert(0, shlex.join(["tellapart", "compare", *inside, *words, *lacking]))
    rated = next((measure for one in rows.found if (measure := shared(one)) is not None), None)
    asked = LogRequest() if trial is None else trial.asked
    picked = _picked(asked if asked.measure is None else replace(asked, measure=rated))
    # Where only two of all systems go together, nothing can be asked of all.
    whole = len(rows.found) == 1 or (trial is not None and not trial.asked.systems)
    agreed = [["agreement", *inside, *picked]] if whole and rated is not None else []
    return (*found, *(shlex.join(["tellapart", *command]) for command in agreed), *of_kinds)


def _answered(inside: Sequence[str], trial: Trial) -> list[str]:
    asked = trial.asked
    words = [*inside, *_picked(asked)]
    sides = _sides(trial)
    drop = ["--missing", "drop"] if trial.lacking else []
    # A model of raters and items has no place for clusters of items.
    alone = ["--cluster", "none"] if trial.raters and trial.clustered else []
    found = [["compare", *words, *alone, *sides, *drop]]
    if len(trial.systems) > 2 and not asked.systems and trial.board is not None:
        fixed = ["--raters-as", "fixed"] if trial.raters else []
        found.append(["rank", *words, *fixed, *(["--missing", trial.board] if trial.board else [])])
    return [shlex.join(["tellapart", *command]) for command in found]


def _sides(trial: Trial) -> list[str]:
    """The two systems, where there are more."""
    return ["--a", trial.pair[0], "--b", trial.pair[1]] if len(trial.systems) > 2 or trial.asked.systems else []


def _picked(asked: LogRequest) -> list[str]:
    """A selection as it is typed."""
    words: list[str] = []
    words += [] if asked.dataset is None else ["--dataset", asked.dataset]
    words += [] if asked.measure is None else ["--measure", asked.measure]
    for axis, value in asked.where.items():
        words += ["--where", f"{axis}={value}"]
    words += [] if asked.same_system is None else ["--same-system", asked.same_system]
    words += [] if asked.universe is None else ["--universe", str(asked.universe)]
    return [*words, "--partial"] if asked.partial else words


def _converted(inside: Sequence[str], harvest: CollectedLogs, origins: Sequence[Origin]) -> list[str]:
    """One system, or systems that share nothing: all there is in one table."""
    partial = any(one.facts.status in {"unfinished", "withdrawn"} for one in harvest.found)
    universe = "500" if any(one.facts.solved_only for one in harvest.found) else None
    modes: tuple[SameSystem | None, ...] = (None, "separate")
    for asked in (LogRequest(partial=partial, universe=universe, same_system=same) for same in modes):
        copied = replace(harvest, found=[one.copy() for one in harvest.found])
        try:
            select_tidy_rows(copied, origins, asked)
        except TellapartError:
            continue
        return [shlex.join(["tellapart", "convert", *inside, *_picked(asked), "-o", "scores.csv"])]
    return []
