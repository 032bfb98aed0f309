"""The door: files, standard input or a frame in; `Scores`, `Ratings` or `Votes` out."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeAlias

from tellapart.doors import option
from tellapart.errors import DataError, NoSuchFile, ReadError, TooFew, UsageError
from tellapart.readers.columns import Wanted, winner_column
from tellapart.readers.detect import detect, surest
from tellapart.readers.files import Folder, Several
from tellapart.readers.format import Certainty, Format
from tellapart.readers.group_labels import labelled, refuse_labelled_column
from tellapart.readers.limits import Limits
from tellapart.readers.logs.asked import Asked, Errors
from tellapart.readers.logs.asked import Runs as RunsAs
from tellapart.readers.naming import new_names, renamed
from tellapart.readers.origin import Origin
from tellapart.readers.paths import origins_at, paths_of
from tellapart.readers.raters import by_raters, refuse_raters_as_groups
from tellapart.readers.retrieval import Unretrieved
from tellapart.readers.rows import Rows
from tellapart.readers.table import Table, Tables
from tellapart.scores import Scores

Read: TypeAlias = Any
"""`Scores`, `Ratings` or `Votes`: which of them only the file says, as `json.loads` cannot say what a text holds."""


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
    in_files = {new: old for old, new in names.items()}
    # Where one is still open, any may be it.
    asked = () if None in systems else tuple(in_files.get(str(name), str(name)) for name in systems)
    grouped = dict(columns) if by is None or labels else {**columns, "group": by}
    of_logs = Asked(measure, dataset, where, errors, partial, universe, runs, format, grouped, asked)
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
            from tellapart.readers.counting import Counting  # noqa: PLC0415  (most scores are no counts)

            counting = Counting.of(metric, references, documents, grouped, mapper)
            beside = [name for name, said in tabular.items() if said]
            counting.refuse_beside(beside, of_logs.of_logs_alone)
            given = counting.tables(
                origins, names, lambda: tables_at(source, origins, of_logs), Limits.of(limits)
            )
        elif (tables := tables_at(source, origins, of_logs)) is not None:
            given = Tables(tables, tuple(parts), grouped)
        if given is None:
            return _from_logs(origins or (), of_logs, names)
        rows = Rows(Wanted(measure, given.parts, given.columns, asked, dataset))
        scores = _assembled(labelled(given.tables, labels), rows, names, several=bool(labels))
        if labels and by is not None:
            refuse_labelled_column([(layout.table.name, layout.names) for layout in rows.layouts], by)
        within = scores if dataset is None else scores.within(dataset)
        return within if given.counted is None else _as_counted(within, given)
    except ReadError as error:
        raise error if references else uncounted(error, origins, metric) from None


def _located(source: Any, limits: Limits, *, pair: bool) -> list[Origin] | None:
    """The same where two systems are asked about: `compare scores.csv old new` names systems where files are expected."""
    try:
        return located(source, limits)
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


def _assembled(tables: list[Table], rows: Rows, names: Mapping[str, str], *, several: bool) -> Read:
    """What the rows of all tables make: scores, ratings or votes; `several` says that a table may hold several systems."""
    try:
        first, tables[0] = tables[0].opened()
        if first is not None and winner_column(first, rows.wanted) is not None:
            return _votes(tables, rows.wanted, names)
        for table in tables:
            rows.take(table, alone=len(tables) == 1 or several)
        return _scores(rows, names)
    except MemoryError:
        raise ReadError(
            f"{_sources(rows) or tables[0].name}: too large for the memory there is. Pass fewer rows or columns"
        ) from None


def _as_counted(scores: Read, given: Tables) -> Read:
    """Scores that say how they were counted."""
    if not isinstance(scores, Scores):
        raise UsageError(
            f"{option('metric')} is for what systems wrote or said, and these are judgements of people; leave it out"
        )
    made = replace(scores, counted=given.counted, remarks=(*scores.remarks, *given.remarks))
    if given.beside and made.reading is not None:
        made = replace(made, reading=replace(made.reading, beside=given.beside))
    return made if given.expand is None else given.expand(made)


def uncounted(error: ReadError, origins: Sequence[Origin] | None, metric: object = None) -> ReadError:
    """The refusal of files as scores; of texts and labels one that says what counts them."""
    from tellapart.readers.uncounted import advised  # noqa: PLC0415  (only a refusal needs it)

    return advised(error, origins or (), metric)


def located(source: Any, limits: Limits) -> list[Origin] | None:
    """The files that are meant, or None where the source is no path and no list of them."""
    paths = paths_of(source)
    return None if paths is None else list(origins_at(paths, limits))


def _from_logs(origins: Sequence[Origin], asked: Asked, names: Mapping[str, str]) -> Read:
    from tellapart.readers.logs.reading import read_logs  # noqa: PLC0415  (no table needs it)

    rows, measure, reading, remarks = read_logs(origins, asked)
    records = renamed(rows, names, ())
    called = tuple(replace(one, system=names.get(one.system, one.system)) for one in reading.sources)
    reading = replace(reading, sources=called)
    if "rater" not in records.labels:
        return replace(Scores.from_records(records, measure), reading=reading, remarks=remarks)
    found = by_raters(records, measure, ("score",))
    if isinstance(found, Scores):
        return replace(found, reading=reading, remarks=(*found.remarks, *remarks))
    return replace(found, reading=reading)


def tables_at(source: Any, origins: list[Origin] | None, asked: Asked) -> list[Table] | None:
    """The tables of all files, or of a frame; None where one is a log, or something is asked that only logs answer."""
    if origins is None:
        table = _frame(source)
        if asked.special:
            raise UsageError(
                "this is a frame, and where, errors, partial, universe, runs and format pick among what logs hold. Leave them out, and pass a "
                "frame of the rows that are meant"
            )
        return [table]
    # A format of many files, such as runs with their judgements, takes them as one; else each stands for itself.
    whole = Several(", ".join(origin.name for origin in origins), "files", tuple(origins))
    together, _ = surest(whole) if len(origins) > 1 else (None, None)
    if together is not None:
        return [together.table(whole)]
    formats = None if asked.special else [_format(origin) for origin in origins]
    if formats is None or not all(format_ is not None and format_.tabular for format_ in formats):
        return None
    return [
        format_.table(origin) for format_, origin in zip(formats, origins, strict=True) if format_ is not None
    ]


def _format(origin: Origin) -> Format | None:
    """The format of an origin; of a folder or an archive that no format takes as a whole none."""
    if isinstance(origin, Folder) or origin.sight.kind == "zip":
        format_, certainty = surest(origin)
        return format_ if certainty == Certainty.CERTAIN else None
    return detect(origin)


def _frame(source: Any) -> Table:
    from tellapart.readers import frames  # noqa: PLC0415  (narwhals is only imported for those who bring a frame)

    frame = frames.as_frame(source)
    if frame is None:
        raise UsageError(
            f"found {type(source).__name__} where scores should be. Pass a path, a list of paths or a frame; of arrays use Scores.from_arrays"
        )
    return frames.table(frame)


def _votes(tables: Sequence[Table], wanted: Wanted, names: Mapping[str, str]) -> Read:
    from tellapart.readers.vote_rows import votes_in  # noqa: PLC0415  (only for those who bring votes)

    return votes_in(tables, wanted, names)


def _scores(rows: Rows, names: Mapping[str, str]) -> Read:
    rows.checked()
    table = rows.table()
    systems = () if table is None else new_names(table.rows.systems, names, rows.systems_met)
    records = None if table is not None else rows.read(renamed(rows.records(), names, rows.systems_met))
    try:
        if table is not None:
            return table.scores(systems, rows.measure)
        assert records is not None
        if "rater" in records.labels:
            refuse_raters_as_groups(layout.roles for layout in rows.layouts)
            return by_raters(records, rows.measure, rows.wanted.parts)
        return Scores.from_records(records, rows.measure, rows.wanted.parts)
    except TooFew as error:
        raise TooFew(f"{_sources(rows)}: {error.message}. {_second_system(rows)}") from None
    except DataError as error:
        stand_ins = [layout.stand_in for layout in rows.layouts if layout.stand_in is not None]
        if not stand_ins:
            raise
        raise ReadError(
            f"{error.message}. No column is called an item, so {stand_ins[0]!r} was taken: is it {option('column', 'item=…')}?"
        ) from None


def _sources(rows: Rows) -> str:
    return ", ".join(layout.table.name for layout in rows.layouts)


def _second_system(rows: Rows) -> str:
    layout, named = rows.layouts[0], option("column", "system=…")
    if "system" in layout.roles:
        return (
            f"Column {layout.roles['system']!r} says the system: add the other's rows, or pass its file too"
        )
    if layout.wide:
        return f"Each column without a role is a system: add one, or name the system column with {named}"
    return f"No column says the system, so the file is one: pass the other's file too, or name the column with {named}"
