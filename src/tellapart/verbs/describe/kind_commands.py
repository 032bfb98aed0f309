"""What to type for votes, ratings, predictions, texts and runs."""

import shlex
from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from tellapart.readers.files import File
from tellapart.readers.formats.trec_run import is_judgements
from tellapart.readers.kind import Kind
from tellapart.readers.logs.found import Found
from tellapart.readers.logs.harvest import Harvest


def is_kind(one: Found) -> bool:
    return isinstance(one.format, Kind)


def commands_of_kinds(found: Sequence[Found], harvest: Harvest) -> tuple[str, ...]:
    """A command per file that holds two systems, and one for runs whose judgements lie among the files."""
    runs = [one for one in found if one.format.name == "trec_run"]
    alone = [one for one in found if one.format.name != "trec_run"]
    said = [command for one in alone if (command := _of_file(one)) is not None]
    said += [["agreement", one.origin.name] for one in alone if one.format.name == "ratings" and shared(one)]
    return tuple(shlex.join(["tellapart", *words]) for words in [*said, *_of_runs(runs, harvest)])


def _of_file(one: Found) -> list[str] | None:
    name = one.format.name
    metric = {"predictions": ["--metric", "accuracy"], "texts": ["--metric", "chrf"]}.get(name, [])
    pair = _pair(one, same_row=name in {"votes", "mt_bench_pairs"})
    if pair is None:
        return None
    several = len(set(one.system_of_rows())) > 2
    sides = ["--a", pair[0], "--b", pair[1]] if several else []
    fixed = ["--raters-as", "fixed"] if name == "ratings" and not _crossed(one, pair) else []
    lacking = [] if name != "predictions" or _complete(one, pair) else ["--missing", "drop"]
    return ["compare", one.origin.name, *metric, *sides, *fixed, *lacking]


def _pair(one: Found, *, same_row: bool) -> tuple[str, str] | None:
    """The two systems that share most: votes, or items."""
    held: dict[str, set[str]] = {}
    for system, item, run in zip(one.system_of_rows(), one.column("item"), one.column("run"), strict=True):
        held.setdefault(system, set()).add(run if same_row else item)
    shared = Counter({(a, b): len(held[a] & held[b]) for a, b in combinations(held, 2)})
    best = shared.most_common(1)
    return best[0][0] if best and best[0][1] > 0 else None


def shared(one: Found) -> bool:
    """Whether two raters judged what one system did with an item."""
    raters: dict[tuple[str, ...], str] = {}
    columns = one.system_of_rows(), one.dataset_of_rows(), one.column("item"), one.column("measure")
    for *cell, rater in zip(*columns, one.column("rater"), strict=True):
        if raters.setdefault(tuple(cell), rater) != rater:
            return True
    return False


def _crossed(one: Found, pair: tuple[str, str]) -> bool:
    """Whether at least two raters judged both."""
    raters: dict[str, set[str]] = {}
    for system, rater in zip(one.system_of_rows(), one.column("rater"), strict=True):
        raters.setdefault(system, set()).add(rater)
    return len(raters[pair[0]] & raters[pair[1]]) > 1


def _complete(one: Found, pair: tuple[str, str]) -> bool:
    items: dict[str, set[str]] = {}
    for system, item, scored in zip(
        one.system_of_rows(), one.column("item"), (one.marks == 0).tolist(), strict=True
    ):
        items.setdefault(system, set()).update([item] if scored else [])
    return items[pair[0]] == items[pair[1]]


def _of_runs(runs: Sequence[Found], harvest: Harvest) -> list[list[str]]:
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
