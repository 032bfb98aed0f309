"""The function `read`: scores, ratings or votes from files, standard input or a data frame."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from tellapart.data.roles import SLICE
from tellapart.data.scales import refuse_unlike_scales, rescaled, without_blanks
from tellapart.data.scores import Scores
from tellapart.foundation.errors import ComesTwice, DataError, NoSuchFile, ReadError, TooFew, UsageError
from tellapart.foundation.surfaces import option, verb
from tellapart.readers import logs, retrieval, tables
from tellapart.readers.detect import best_format, detect
from tellapart.readers.format import FORMATS, Certainty, Format, TableKind
from tellapart.readers.logs.request import Errors, LogRequest, SameSystem
from tellapart.readers.naming import label_groups, refuse_labelled_column, rename_systems
from tellapart.readers.retrieval import Unretrieved
from tellapart.readers.storage.files import FileList, Folder, origins_at, paths_of
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.assembly import ONE_SYSTEM, Read, assemble, with_counts
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.raters import scores_or_ratings, with_remarks
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.score_columns import kind_of
from tellapart.readers.tables.table import Table, Tables


def read(  # noqa: PLR0913  (one argument per thing that a caller may know of the files)
    source: Any,
    *,
    measure: str | None = None,
    measure_name: str | None = None,
    rescale: Mapping[str, float | str] = MappingProxyType({}),
    blank: Any = None,
    parts: Sequence[str] = ("score",),
    columns: Mapping[str, str] = MappingProxyType({}),
    systems: Sequence[str | None] = (),
    dataset: str | None = None,
    names: Mapping[str, str] = MappingProxyType({}),
    limits: Mapping[str, float | str] = MappingProxyType({}),
    by: str | None = None,
    slices: Sequence[str] = (),
    labels: Sequence[str] = (),
    qrels: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] = (),
    unretrieved: Unretrieved = "zero",
    where: Mapping[str, str] = MappingProxyType({}),
    errors: Errors = "apart",
    partial: bool = False,
    universe: Any = None,
    same_system: SameSystem | None = None,
    format: str | None = None,  # noqa: A002  (what the caller calls it)
    metric: Any = None,
    references: Any = (),
    documents: Any = None,
    mapper: Any = None,
    alone: bool = False,
    scored: Sequence[str] = (),
) -> Read:
    """The scores in a file, in several files, in standard input (`-`) or in a frame.

    A column that says who judged makes them `Ratings`, unless one rater judged all; a column that says the winner makes them
    `Votes`; else they are `Scores`. `measure` picks a score by its name, `measure_name` gives a lone one another, `rescale` divides
    the scores of a system, such as percent by 100, `blank` names numbers that stand for no score (or says none), `parts` are the columns a metric is made of, and
    `columns` says which column plays a role (system, item, score, dataset, cluster, run, seed, rater, measure, or a part; of votes
    a, b, winner, first, item, rater) that its name does not give away. `systems` (two or more, none of them None) and `dataset` leave rows of others out before anything of
    them is checked; where each system is a column, other columns may then hold anything. `names` gives systems another
    name, old to new. `limits` allows larger files than usual: bytes, line, columns, nesting.
    `by` names the column whose groups, such as weeks, `compare` holds against each other; `labels` makes a
    group of each file instead, which then holds all systems. Items are paired by dataset and name, never by position.
    `slices` names columns whose values, or tags between separators, say in which slices an item is.
    `qrels` is a file of relevance judgements, or several of different queries: the files are then TREC runs, one system each, scored by `measure`, such as
    `nDCG@10`, on every judged query; `unretrieved` says what a query counts for which a run has nothing (zero, error, drop).

    Logs of evaluation programs, and folders of them, are read too. `where` picks one value of what varies beside the measure
    (filter, split, reducer, …), `errors="zero"` counts failed evaluations as 0, `partial` reads logs of evaluations that did not
    come to their end, `universe` names all items of a list that names only those solved, `same_system` says what two logs of one system
    are (separate, repeat, latest), and `format` names the format where the content leaves it open.
    `metric` counts its parts from texts, from labels and predictions, or takes them as columns. With `references`, one file
    or several, the source is text files, one system each and one segment per line; `documents` says line by line which
    segments belong together. `mapper` spreads counting that takes seconds (TER) over pieces of the texts: by default `map`, or the
    `map` of an executor of processes. `alone` says that one system is enough, as for `score`.
    `scored` names columns that hold scores although they are called like something else, such as `judge`. A `measure` with one `*` is a pattern of
    columns, a system each: `*_human`.
    """
    spoken_of = _in_files(systems, names)
    asked = () if None in systems else spoken_of  # where one is still open, any may be it
    sliced = _columns_by_role(columns, None if labels else by, slices)
    log_options = (measure, dataset, where, errors, partial, universe, same_system, format)
    of_logs = LogRequest(*log_options, sliced, asked, tuple(labels))
    counted = tuple(parts) != ("score",) or str(metric) not in {"None", "mean"}
    tabular = {"column": columns, "dataset": dataset, "by": by, "labels": labels, "slice": slices}
    if qrels:
        judged = tuple(paths_of(qrels) or ()), measure, unretrieved, names, tuple(systems)
        found = retrieval.Runs(*judged, Limits.of(limits), alone)
        others = {"metric": counted, "reference": references, "documents": documents, **tabular}
        found.refuse_beside([name for name, given in others.items() if given], of_logs.of_logs_alone)
        return found.read(source)
    _refuse_at_odds(unretrieved, measure, measure_name)
    origins = _located(source, Limits.of(limits), pair=len(systems) == 2)
    try:
        given: Tables | None = None
        if references or documents is not None or str(metric) not in {"None", "mean"}:
            counting = tables.Counting.of(metric, references, documents, sliced, mapper)
            counting.refuse_beside([name for name, said in tabular.items() if said], of_logs.of_logs_alone)
            given = counting.tables(origins, names, lambda: tables_at(source, origins, of_logs), Limits.of(limits))
        elif (plain := tables_at(source, origins, of_logs)) is not None:
            given = Tables(plain, tuple(parts), sliced)
        _refuse_slices(slices, given)
        if given is None:
            found = _from_logs(origins or (), of_logs, names, by, alone=alone)
            return on_one_scale(with_name(found, measure_name), rescale, blank)
        called = frozenset({*names, *spoken_of})
        wanted = TableRequest(
            measure, given.parts, given.columns, asked, dataset, called, alone, measure_name, tuple(scored)
        )
        try:
            scores = _assembled(given, wanted, names, labels, by)
        except ComesTwice as error:
            separate = _before_and_after(error, origins, of_logs, names, alone=alone)
            return on_one_scale(with_name(separate, measure_name), rescale, blank)
        within = scores if dataset is None else scores.within(dataset)
        return on_one_scale(within if given.counted is None else with_counts(within, given), rescale, blank)
    except ReadError as error:
        raise error if references else with_advice(error, origins, metric) from None


def _assembled(
    given: Tables, wanted: TableRequest, names: Mapping[str, str], labels: Sequence[str], by: str | None
) -> Read:
    rows = Rows(wanted)
    found = assemble(label_groups(given.tables, labels), rows, names, several=bool(labels))
    _refuse_labels(rows, labels, by)
    return found


def _before_and_after(
    error: ComesTwice, origins: Sequence[Origin] | None, asked: LogRequest, names: Mapping[str, str], *, alone: bool
) -> Read:
    """Two files of one and the same system as two systems, called by what differs in their paths, as two logs are; else the refusal stays."""
    if len(origins or ()) != 2 or asked.labels or "group" in asked.columns:
        raise error
    try:
        found = _from_logs(origins or (), replace(asked, same_system="separate"), names, None, alone=alone)
    except DataError:
        raise error from None
    if len(found.systems) != 2:
        raise error
    return found


def _refuse_labels(rows: Rows, labels: Sequence[str], by: str | None) -> None:
    if labels and by is not None:
        refuse_labelled_column([(layout.table.name, layout.names) for layout in rows.layouts], by)


def on_one_scale(found: Read, rescale: Mapping[str, float | str], blank: Any) -> Read:
    """Scores of systems on one scale, as they are or divided as the caller says, without numbers that stand for none."""
    if not isinstance(found, Scores):
        if rescale:
            raise UsageError(f"{option('rescale')} divides scores, and these are ratings or votes; leave it out")
        return found
    made = found if blank is None else without_blanks(found, blank)
    made = rescaled(made, rescale) if rescale else made
    if kind_of(found.measure) != "cost":
        refuse_unlike_scales(made, rescale, asked=blank is not None)
    return made


def _refuse_at_odds(unretrieved: Unretrieved, measure: str | None, measure_name: str | None) -> None:
    refuse_idle(unretrieved)
    refuse_two_names(measure, measure_name)


def refuse_two_names(measure: str | None, measure_name: str | None) -> None:
    """One picks a score by its name, the other gives a name to the only one there is."""
    if measure is not None and measure_name is not None:
        raise UsageError(
            f"{option('measure')} picks one of several scores and {option('measure_name')} names the only one; leave one of them out"
        )


def with_name(found: Read, measure_name: str | None) -> Read:
    """Scores under another name, where one was given."""
    return found if measure_name is None else replace(found, measure=measure_name)


def _columns_by_role(columns: Mapping[str, str], by: str | None, slices: Sequence[str]) -> dict[str, str]:
    """Role to column, with those of the groups and of slices."""
    grouped = dict(columns) if by is None else {**columns, "group": by}
    return grouped | {f"{SLICE}{name}": name for name in slices}


def _refuse_slices(slices: Sequence[str], given: Tables | None) -> None:
    if slices and given is not None and not any(role.startswith(SLICE) for role in given.columns):
        raise UsageError(
            f"{option('slice')} needs a table of scores, and these files are not one. Write their scores to a table "
            f"first: {verb('convert')}, then add the column"
        )


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
            f"{option('unretrieved')} is for runs, which need {option('qrels')} too; add it, or leave both out"
        )


def with_advice(error: ReadError, origins: Sequence[Origin] | None, metric: object = None) -> ReadError:
    """The refusal of files as scores; of texts and labels one that says what counts them."""
    return tables.advise_metric(error, origins or (), metric)


def _from_logs(
    origins: Sequence[Origin], asked: LogRequest, names: Mapping[str, str], by: str | None, *, alone: bool
) -> Read:
    logs.refuse_unfit_groups(asked, len(origins), by)
    rows, measure, reading, remarks = logs.read_logs(origins, asked)
    records = rename_systems(rows, names, ())
    called = tuple(replace(one, system=names.get(one.system, one.system)) for one in reading.sources)
    reading = replace(reading, sources=called)
    try:
        found = scores_or_ratings(records, measure, ("score",), alone=alone)
    except TooFew as error:
        raise TooFew(f"{error.message}. Pass the other's log too. {ONE_SYSTEM}") from None
    return replace(with_remarks(found, remarks), reading=reading)


def locate_all(source: Any, limits: Limits) -> list[Origin] | None:
    """The files that are meant, or None where the source is no path and no list of them."""
    paths = paths_of(source)
    return None if paths is None else list(origins_at(paths, limits))


def tables_at(source: Any, origins: list[Origin] | None, asked: LogRequest) -> list[Table] | None:
    """The tables of all files, or of a frame; None where one is a log, or something is asked that only logs answer."""
    if origins is None:
        table = _frame(source)
        if asked.special:
            raise UsageError(
                "this is a frame, and where, errors, partial, universe, same_system and format are for logs. Leave "
                "them out, and pass a frame with only the rows you want"
            )
        return [table]
    # A format of many files, such as runs with their judgements, takes them as one; else each stands for itself.
    whole = FileList(", ".join(origin.name for origin in origins), "files", tuple(origins))
    together, _ = best_format(whole) if len(origins) > 1 else (None, None)
    if together is not None:
        return [together.table(whole)]
    chosen = asked.of_logs_alone
    formats = [_format(origin, asked.format) for origin in origins] if set(chosen) <= {"where", "as_"} else [None]
    of_votes = all(isinstance(format_, TableKind) and format_.of_votes for format_ in formats)
    if not all(format_ is not None and format_.tabular for format_ in formats) or (chosen and not of_votes):
        return None
    made = [format_.table(origin) for format_, origin in zip(formats, origins, strict=True) if format_ is not None]
    return [tables.rows_where(table, asked.where) for table in made] if asked.where else made


def _format(origin: Origin, name: str | None = None) -> Format | None:
    """The format of an origin, where it is named if that is one of votes; of a folder or an archive that no format takes as a whole none."""
    if name is not None and name in FORMATS:
        return FORMATS[name]()
    if isinstance(origin, Folder) or origin.preview.kind == "zip":
        format_, certainty = best_format(origin)
        return format_ if certainty == Certainty.CERTAIN else None
    return detect(origin)


def _frame(source: Any) -> Table:
    frame = tables.as_frame(source)
    if frame is None:
        raise UsageError(
            f"found {type(source).__name__}; wanted scores. Pass a path, a list of paths or a frame; for arrays use Scores.from_arrays"
        )
    return tables.frame_table(frame)
