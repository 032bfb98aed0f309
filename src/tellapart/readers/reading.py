"""The door: files, standard input or a frame in; `Scores`, `Ratings` or `Votes` out."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tellapart.data.scores import Scores
from tellapart.foundation.errors import NoSuchFile, ReadError, UsageError
from tellapart.foundation.surfaces import option
from tellapart.readers.logs.request import Errors, LogRequest
from tellapart.readers.logs.request import Runs as RunsAs
from tellapart.readers.naming import label_groups, refuse_labelled_column, rename_systems
from tellapart.readers.retrieval import Unretrieved
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.assembly import Read, assemble, with_counts
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.given import locate_all, tables_at
from tellapart.readers.tables.raters import scores_or_ratings
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Tables


def read(  # noqa: PLR0913  (one argument per thing that a caller may know of the files)
    source: Any,
    *,
    measure: str | None = None,
    parts: Sequence[str] = ("score",),
    columns: Mapping[str, str] = MappingProxyType({}),
    systems: Sequence[str | None] = (),
    dataset: str | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
    limits: Mapping[str, float | str] = MappingProxyType({}),
    by: str | None = None,
    labels: Sequence[str] = (),
    qrels: str | os.PathLike[str] | None = None,
    unretrieved: Unretrieved = "zero",
    where: Mapping[str, str] = MappingProxyType({}),
    errors: Errors = "apart",
    partial: bool = False,
    universe: Any = None,
    runs: RunsAs | None = None,
    format: str | None = None,  # noqa: A002  (what the caller calls it)
    metric: Any = None,
    references: Any = (),
    documents: Any = None,
    mapper: Any = None,
) -> Read:
    """The scores in a file, in several files, in standard input (`-`) or in a frame.

    A column that says who judged makes them `Ratings`, unless one rater judged all; a column that says the winner makes them
    `Votes`; else they are `Scores`. `measure` picks and labels a score where there are several, `parts` are the columns a metric is made of, and
    `columns` says which column plays a role (system, item, score, dataset, cluster, run, rater, measure, or a part; of votes
    a, b, winner, first, item, rater) that its name does not give away. `systems` (two or more, none of them None) and `dataset` leave rows of others out before anything of
    them is checked; where each system is a column, other columns may then hold anything. `names` gives systems another
    name, old to new. `limits` allows larger files than usual: bytes, line, columns, nesting.
    `by` names the column whose groups, such as weeks, `compare` holds against each other; `labels` makes a
    group of each file instead, which then holds all systems. Items are paired by dataset and name, never by position.
    `qrels` is a file of relevance judgements: the files are then TREC runs, one system each, scored by `measure`, such as
    `nDCG@10`, on every judged query; `unretrieved` says what a query counts for which a run has nothing (zero, error, drop).

    Logs of evaluation programs, and folders of them, are read too. `where` picks one value of what varies beside the measure
    (filter, split, reducer, …), `errors="zero"` counts failed evaluations as 0, `partial` reads logs of evaluations that did not
    come to their end, `universe` names all items of a list that names only those solved, `runs` says what two runs of one system
    are (separate, repeat, latest), and `format` names the format where the content leaves it open.
    `metric` counts its parts from texts, from labels and predictions, or takes them as columns. With `references`, one file
    or several, the source is text files, one system each and one segment per line; `documents` says line by line which
    segments belong together. `mapper` spreads counting that takes seconds (TER) over pieces of the texts: by default `map`, or the
    `map` of an executor of processes.
    """
    spoken_of = _in_files(systems, names)
    asked = () if None in systems else spoken_of  # where one is still open, any may be it
    grouped = dict(columns) if by is None or labels else {**columns, "group": by}
    log_options = (measure, dataset, where, errors, partial, universe, runs, format)
    of_logs = LogRequest(*log_options, grouped, asked, tuple(labels))
    counted = tuple(parts) != ("score",) or str(metric) not in {"None", "mean"}
    tabular = {"column": columns, "dataset": dataset, "by": by, "labels": labels}
    if qrels is not None:
        from tellapart.readers.retrieval.runs import Runs  # noqa: PLC0415  (only for those who bring runs)

        found = Runs(os.fsdecode(qrels), measure, unretrieved, names, tuple(systems), Limits.of(limits))
        others = {"metric": counted, "reference": references, "documents": documents, **tabular}
        found.refuse_beside([name for name, given in others.items() if given], of_logs.of_logs_alone)
        return found.read(source)
    refuse_idle(unretrieved)
    origins = _located(source, Limits.of(limits), pair=len(systems) == 2)
    try:
        given: Tables | None = None
        if references or documents is not None or str(metric) not in {"None", "mean"}:
            from tellapart.readers.tables.counting import Counting  # noqa: PLC0415  (most scores are no counts)

            counting = Counting.of(metric, references, documents, grouped, mapper)
            beside = [name for name, said in tabular.items() if said]
            counting.refuse_beside(beside, of_logs.of_logs_alone)
            given = counting.tables(
                origins, names, lambda: tables_at(source, origins, of_logs), Limits.of(limits)
            )
        elif (tables := tables_at(source, origins, of_logs)) is not None:
            given = Tables(tables, tuple(parts), grouped)
        if given is None:
            return _from_logs(origins or (), of_logs, names, by)
        named = frozenset({*names, *spoken_of})
        rows = Rows(TableRequest(measure, given.parts, given.columns, asked, dataset, named))
        scores = assemble(label_groups(given.tables, labels), rows, names, several=bool(labels))
        if labels and by is not None:
            refuse_labelled_column([(layout.table.name, layout.names) for layout in rows.layouts], by)
        within = scores if dataset is None else scores.within(dataset)
        return within if given.counted is None else with_counts(within, given)
    except ReadError as error:
        raise error if references else with_advice(error, origins, metric) from None


def _in_files(systems: Sequence[str | None], names: Mapping[str, str]) -> tuple[str, ...]:
    """The systems that are named, as the files call them."""
    old = {new: old for old, new in names.items()}
    return tuple(old.get(str(name), str(name)) for name in systems if name is not None)


def _located(source: Any, limits: Limits, *, pair: bool) -> list[Origin] | None:
    """The same where two systems are asked about: `compare scores.csv old new` names systems where files are expected."""
    try:
        return locate_all(source, limits)
    except NoSuchFile as error:
        if not pair or os.path.splitext(error.path)[1] or "/" in error.path:  # noqa: PTH122  (nothing else here needs pathlib)
            raise
        way = f"; if it is a system, name it with {option('a')} or {option('b')}"
        raise NoSuchFile(f"{error.message}{way}", error.path) from None


def refuse_idle(unretrieved: Unretrieved) -> None:
    """What is said of queries without documents changes nothing where there are no runs."""
    if unretrieved != "zero":
        raise UsageError(
            f"{option('unretrieved')} is for runs, and they need {option('qrels')}; name it, or leave this out"
        )


def with_advice(error: ReadError, origins: Sequence[Origin] | None, metric: object = None) -> ReadError:
    """The refusal of files as scores; of texts and labels one that says what counts them."""
    from tellapart.readers.tables.uncounted import advise_metric  # noqa: PLC0415  (only a refusal needs it)

    return advise_metric(error, origins or (), metric)


def _from_logs(
    origins: Sequence[Origin], asked: LogRequest, names: Mapping[str, str], by: str | None
) -> Read:
    from tellapart.readers.logs.combine import refuse_unfit_groups  # noqa: PLC0415  (no table needs it)
    from tellapart.readers.logs.reading import read_logs  # noqa: PLC0415  (as above)

    refuse_unfit_groups(asked, len(origins), by)
    rows, measure, reading, remarks = read_logs(origins, asked)
    records = rename_systems(rows, names, ())
    called = tuple(replace(one, system=names.get(one.system, one.system)) for one in reading.sources)
    reading = replace(reading, sources=called)
    if "rater" not in records.labels:
        return replace(Scores.from_records(records, measure), reading=reading, remarks=remarks)
    found = scores_or_ratings(records, measure, ("score",))
    if isinstance(found, Scores):
        return replace(found, reading=reading, remarks=(*found.remarks, *remarks))
    return replace(found, reading=reading)
