"""Collection of rows from all given log files, folders and archives, with a record of the files skipped."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from tellapart.data.rows import Labels
from tellapart.foundation.errors import OpenScore, ReadError
from tellapart.foundation.files import refuse_rows
from tellapart.foundation.surfaces import option, verb
from tellapart.readers.detect import best_format, detect, summary_only
from tellapart.readers.format import FORMATS, Certainty, Format, Log, TableKind, text_of
from tellapart.readers.logs.combine import by_label
from tellapart.readers.logs.folders import NO_FORMAT, NO_ITEMS, Skipped, files_in
from tellapart.readers.logs.log_rows import LogRows, count_measures, read_rows
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.naming import name_systems, stem
from tellapart.readers.storage.files import File, Folder
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Facts
from tellapart.readers.tables.values import ABSENT, SCORED, marked


@dataclass
class CollectedLogs:
    """All files found: their rows, the skipped files, and datasets left out."""

    found: list[LogRows] = field(default_factory=list)
    skipped: Skipped = field(default_factory=Skipped)
    other_datasets: dict[str, None] = field(default_factory=dict)
    alone: bool = False
    """Whether one file was named, which may then hold several systems side by side."""
    single: bool = False
    """Whether one file or folder was named."""
    dataset_of: dict[str, str] = field(default_factory=dict)
    """Of files whose folder is a system, the dataset that their names say."""


def collect_logs(origins: Sequence[Origin], asked: LogRequest) -> CollectedLogs:
    """Read all files, whatever is selected later."""
    harvest = CollectedLogs(alone=len(origins) == 1 or bool(asked.labels), single=len(origins) == 1 and not asked.side)
    labels = asked.labels or [None] * len(origins)
    for path, label in zip(origins, labels, strict=True):
        _take_path(path, label, asked, harvest)
    for files in by_label(harvest.found):
        _name_files(files)
    return harvest


def _take_path(path: Origin, label: str | None, asked: LogRequest, harvest: CollectedLogs) -> None:
    """Take the files under a path, all in the group of this label if there is one."""
    for origin, format_, named in _formats_of_files(path, asked, harvest):
        found = _rows_of_file(origin, format_, asked, harvest, named=named)
        if found is not None and found.measures:
            dataset = harvest.dataset_of.get(origin.name, found.facts.dataset)
            found.facts = replace(found.facts, group=label, dataset=dataset)
            harvest.found.append(found)
            refuse_rows(sum(map(len, harvest.found)))
        elif found is not None and named and not asked.survey:
            refuse_unfinished([found], asked)
            raise ReadError(
                f"{origin.name}: holds no items ({format_.label}). Was the evaluation finished, and scored?"
            )
        elif found is not None:
            harvest.skipped.add(*_without_items(found), origin.name)


def _without_items(found: LogRows) -> tuple[str, str]:
    """The reason to skip a log without items: an unfinished evaluation, if it says so."""
    what, why = NO_ITEMS
    return (what, f"{why}: {found.facts.because}") if found.facts.because else (what, why)


def _rows_of_file(
    origin: Origin, format_: Format, asked: LogRequest, harvest: CollectedLogs, *, named: bool
) -> LogRows | None:
    """The rows of a file; none if all are of a dataset that was not asked for."""
    if isinstance(format_, TableKind):
        if asked.survey:
            return of_kind(origin, format_, named=named)
        refuse_votes(origin, format_)
    if not isinstance(format_, Log):
        try:
            return of_table(origin, format_, asked, alone=harvest.alone)
        except ReadError as error:
            # Settings and means lie beside the tables of a folder; what is wrong with a table is told.
            if named or not any(said in error.message for said in NO_SCORES):
                raise
            harvest.skipped.add(*NO_FORMAT, origin.name)
            return None
    opened = format_.open_log(origin)
    dataset = opened.facts.dataset
    if asked.dataset is not None and dataset is not None and dataset != asked.dataset:
        harvest.other_datasets[dataset] = None
        return None
    facts = opened.facts.about(asked.measure)
    return read_rows(LogRows(origin, format_, facts, "", named), format_, opened, asked)


def _name_files(found: Sequence[LogRows]) -> None:
    """Files that say no system are called after their names."""
    unnamed = [one for one in found if one.facts.system is None and "system" not in one.texts]
    paths = [one.origin.name for one in unnamed]
    ends = [one.format.system_name(one.origin.path) for one in unnamed]
    # Two files of one folder that are called after it are told apart by their own names.
    places = Counter((str(Path(path).parent), end) for path, end in zip(paths, ends, strict=True))
    ends = [
        end if places[str(Path(one.origin.name).parent), end] == 1 else stem(one.origin.path)
        for one, end in zip(unnamed, ends, strict=True)
    ]
    for one, label in zip(unnamed, name_systems(paths, ends), strict=True):
        one.label = label


def _formats_of_files(
    origin: Origin, asked: LogRequest, harvest: CollectedLogs
) -> Iterator[tuple[Origin, Format, bool]]:
    inner: Iterable[Origin] | None = None
    known = FORMATS[asked.format]() if asked.format else None
    if isinstance(origin, Folder):
        _refuse_saved_dataset(origin)
        inner = files_in(origin.name, origin.limits, harvest.skipped)
    elif origin.preview.kind == "zip":
        format_, certainty = best_format(origin)
        if certainty < Certainty.CERTAIN:
            inner = members_of(origin)
        known = known or format_
    if inner is None:
        yield origin, known or detect(origin), True
        return
    logs, tables = 0, []
    for file in inner:
        format_ = _format_in_folder(file, asked, harvest.skipped)
        if format_ is not None and format_.plain_table:
            tables.append((file.name, format_))
        elif format_ is not None:
            logs += 1
            yield file, format_, False
    if logs:
        for name, _ in tables:
            harvest.skipped.add(*NO_FORMAT, name)
        return
    yield from _tables_of_folder(origin, tables, harvest)


def _tables_of_folder(
    folder: Origin, tables: Sequence[tuple[str, Format]], harvest: CollectedLogs
) -> Iterator[tuple[Origin, Format, bool]]:
    """The tables of a folder without logs: a system each; of several folders each is a system, and its tables are datasets."""
    labels = name_systems([name for name, _ in tables])
    if not harvest.single and len(tables) > 1:
        harvest.dataset_of |= {name: label for (name, _), label in zip(tables, labels, strict=True)}
    if not harvest.single or len(tables) == 1:
        labels = [folder.label] * len(tables)
    harvest.alone = harvest.alone and len(tables) == 1
    for (name, format_), label in zip(tables, labels, strict=True):
        yield File(name, label, limits=folder.limits), format_, False


def _claim(origin: Origin, asked: LogRequest) -> tuple[Format | None, Certainty]:
    """The format that is asked for, or the one that is surest."""
    return (FORMATS[asked.format](), Certainty.CERTAIN) if asked.format else best_format(origin)


def _format_in_folder(origin: Origin, asked: LogRequest, skipped: Skipped) -> Format | None:
    """The format of a file in a folder, if it has one; unreadable files are no error here."""
    try:
        format_, certainty = _claim(origin, asked)
    except ReadError:
        skipped.add(*NO_FORMAT, origin.name)
        return None
    if isinstance(format_, Log) and certainty == Certainty.CERTAIN:
        return format_
    if isinstance(format_, TableKind) and certainty == Certainty.CERTAIN:
        if asked.survey:
            return format_
        skipped.add("files", f"{format_.label}; {format_.way}", origin.name)
        return None
    said = summary_only(origin)
    if said is None and format_ is not None and format_.plain_table and _named_as_table(origin):
        return format_
    skipped.add(*(NO_FORMAT if said is None else ("files without items", said)), origin.name)
    return None


def _refuse_saved_dataset(folder: Origin) -> None:
    names = {Path(one.name).name for one in folder.children()}
    if "dataset_dict.json" in names or {"dataset_info.json", "state.json"} <= names:
        raise ReadError(
            f"{folder.name}: found a dataset of Hugging Face (save_to_disk), in Arrow. Export it in Python: "
            f"datasets.load_from_disk({folder.name!r}).to_csv('scores.csv')"
        )


def _named_as_table(origin: Origin) -> bool:
    """Whether the name of a file says that it is a table: any text could be read as one."""
    return isinstance(origin, File) and origin.name.lower().removesuffix(".gz").endswith(TABLES)


NO_SCORES = ("no column holds scores", "holds no items")
TABLES = (".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".xlsx", ".parquet")


def refuse_unfinished(found: Sequence[LogRows], asked: LogRequest) -> None:
    """Half an evaluation is read only by who asks for it."""
    for one in found:
        if one.facts.status in {"unfinished", "withdrawn"} and not asked.partial:
            raise ReadError(
                f"{one.origin.name}: the evaluation did not finish ({one.facts.because}). To read it anyway, pass "
                f"{option('partial')}"
            )


# Votes, ratings, predictions, texts and runs: told of as rows where they are described, and refused where
# rows of logs are wanted.

_TOLD = ("item", "measure", "run", "system", "dataset", "rater")


def of_kind(origin: Origin, kind: TableKind, *, named: bool) -> LogRows:
    """The rows of a file of a kind, for `describe`."""
    rows = kind.survey(origin)
    found = LogRows(origin, kind, Facts(), origin.label, named)
    if not rows:
        return found
    for name in _TOLD:
        cells = rows[name]
        if isinstance(cells, Labels):
            found.coded[name] = cells
        elif any(cells):
            found.texts[name] = [text_of(cell) for cell in cells]
    found.lines = list(rows["line"])
    found.values, found.marks = marked(rows["score"], rows["status"])
    count_measures(found, found.labels("measure"), found.marks)
    return found


def refuse_votes(origin: Origin, kind: TableKind) -> None:
    """Refuse votes among rows of logs: they are no scores of items."""
    if kind.of_votes:
        raise ReadError(
            f"{origin.name}: found votes, not scores. Pass them alone to {verb('compare')}, without options for logs "
            f"({option('errors')}, {option('same_system')} and the like)"
        )


# The files of an archive that is no log itself, as the files of a folder are read.

_WORKBOOK = "xl/workbook.xml"


def members_of(origin: Origin) -> Iterator[Origin]:
    """Every file in an archive; an archive inside it is refused, as the number of its files is unknown."""
    if _WORKBOOK in origin.contents:
        raise ReadError(f"{origin.name}: found an Excel workbook. Export the scores to CSV, TSV, JSON or Parquet")
    for member in origin.children():
        if member.preview.kind == "zip":
            raise ReadError(f"{member.name}: an archive inside an archive. Unpack the outer one and pass the files")
        yield member


# A plain table beside logs: its rows as those of a log.


def of_table(origin: Origin, format_: Format, asked: LogRequest, *, alone: bool) -> LogRows:
    """The rows of a table by the requested measure, or by each of its measures if all are wanted."""
    try:
        return _of_measure(origin, format_, asked, alone=alone)
    except OpenScore as error:
        if not (asked.survey or asked.whole):
            raise
        return _join_measures(
            [_of_measure(origin, format_, replace(asked, measure=name), alone=alone) for name in error.columns]
        )


def _join_measures(parts: list[LogRows]) -> LogRows:
    """The rows of one table by one measure after those by the other."""
    found = parts[0]
    roles = dict.fromkeys(role for one in parts for role in one.texts)
    texts = {role: [cell for one in parts for cell in one.column(role)] for role in roles}
    ends = np.cumsum([len(one) for one in parts])

    def where(row: int) -> str:
        part = int(np.searchsorted(ends, row, side="right"))
        return parts[part].place(row - (int(ends[part - 1]) if part else 0))

    return replace(
        found,
        texts=texts,
        lines=list(range(1, int(ends[-1]) + 1)),
        values=np.concatenate([one.values for one in parts]),
        marks=np.concatenate([one.marks for one in parts]),
        measures={name: counts for one in parts for name, counts in one.measures.items()},
        where=where,
    )


def _of_measure(origin: Origin, format_: Format, asked: LogRequest, *, alone: bool) -> LogRows:
    rows = Rows(TableRequest(asked.measure, ("score",), asked.columns))
    rows.take(format_.table(origin), alone=alone)
    records = rows.records()
    found = LogRows(origin, format_, Facts(), origin.label, named=True)
    for role, labels in records.labels.items():
        found.texts[role] = [labels.names[code] for code in labels.codes.tolist()]
    found.texts["measure"] = [rows.measure] * len(records)
    found.lines, found.where = list(range(1, len(records) + 1)), records.where
    found.values = records.values[:, 0]
    found.marks = np.where(np.isnan(found.values), ABSENT, SCORED).astype(np.int8)
    found.measures = {rows.measure: Counter(found.marks.tolist())}
    return found
