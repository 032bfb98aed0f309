import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.data.provenance import Better
from tellapart.foundation.formatting import unguarded
from tellapart.readers.format import FORMATS, Axis, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.storage.csv_rows import csv_records
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.tables.parquet import open_parquet
from tellapart.readers.tables.table import BATCH_ROWS

COLUMNS = ("system", "dataset", "item", "measure", "score", "run", "cluster", "rater", "status", "better", "source")
BESIDE = ("format", "primary", "cluster_key")
"""Facts about the file, repeated in each row."""
TEXT = "text"
"""The prompt, or a hash of it, where a log has it: ids that are positions name other items in another file."""


@FORMATS.add("tidy")
@dataclass(frozen=True)
class Tidy(Log):
    """The output of `tellapart convert`, as CSV, JSON lines or Parquet: a row per score, with all that a log says of it."""

    label = "converted logs"
    first_line = r"\bbetter\b"
    program = "tellapart convert"
    items = "item"
    unit = "row"

    def example(self) -> bytes:
        return (
            b"system,dataset,item,measure,score,run,cluster,rater,status,better,source,format,primary,cluster_key\n"
            b"m,sums,q1,match,1.0,,,,scored,,x.eval,inspect,,\nm,sums,q2,match,0.0,,,,scored,,x.eval,inspect,,\n"
        )

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        if preview.kind == "text":
            return origin.opening.lstrip("\ufeff").startswith(",".join(COLUMNS))
        if preview.kind == "parquet":
            return all(name.encode() in origin.tail for name in (*COLUMNS, *BESIDE))
        return preview.has(*COLUMNS)

    def open_log(self, origin: Origin) -> OpenLog:
        records = list(_tidy_records(origin))
        names = dict.fromkeys(name for record in records for name in record)
        written = {text_of(record.get("format")) for record in records}
        known = {axis.name: axis for name in written if name in FORMATS for axis in FORMATS[name].axes}
        axes = tuple(known.get(name, Axis(name)) for name in names if name not in {*COLUMNS, *BESIDE, TEXT})
        facts = Facts(
            primary=_single_name({text_of(record.get("primary")) for record in records}),
            directions=_directions_by_measure(records),
            cluster=_single_name({text_of(record.get("cluster_key")) for record in records}),
            clusters=_clusters_by_measure(records),
            axes=axes,
        )
        return OpenLog(facts, _rows(records, tuple(axis.name for axis in axes)))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        key = text_of(record.get("cluster_key")) or "cluster"
        return {key: record.get("cluster"), **record} if record.get("cluster") else record


def _single_name(names: set[str]) -> str | None:
    """The one name that all rows agree on."""
    (first, *more) = names or {""}
    return first or None if not more else None


def _clusters_by_measure(records: list[dict[str, Any]]) -> dict[str, str]:
    """Of each measure the key that all its rows agree on."""
    said: dict[str, set[str]] = {}
    for record in records:
        if key := text_of(record.get("cluster_key")):
            said.setdefault(text_of(record.get("measure")), set()).add(key)
    return {measure: only for measure, keys in said.items() if (only := _single_name(keys)) is not None}


def _directions_by_measure(records: list[dict[str, Any]]) -> dict[str, Better]:
    said = {text_of(record.get("measure")): text_of(record.get("better")) for record in records if record.get("better")}
    return {measure: "lower" if better == "lower" else "higher" for measure, better in said.items()}


def _rows(records: list[dict[str, Any]], axes: tuple[str, ...]) -> Iterator[Row]:
    for number, record in enumerate(records, 1):
        status = text_of(record.get("status"))
        yield Row(
            number,
            text_of(record.get("item")),
            text_of(record.get("measure")),
            record.get("score"),
            "" if status == "scored" else status,
            tuple(text_of(record.get(axis)) for axis in axes),
            text_of(record.get("run")),
            text_of(record.get("system")),
            text_of(record.get("dataset")),
            text_of(record.get("rater")),
            record,
            record.get(TEXT),
        )


def _tidy_records(origin: Origin) -> Iterator[dict[str, Any]]:
    if origin.preview.kind == "parquet":
        with open_parquet(origin) as file:
            for batch in file.iter_batches(BATCH_ROWS):
                yield from batch.to_pylist()
        return
    if origin.preview.kind != "text":
        with walk_json(origin) as walk:
            yield from (record for _, record in walk.values() if isinstance(record, dict))
        return
    for header, row in csv_records(origin):
        yield dict(zip(header, map(unguarded, row), strict=False))


def as_line(record: Mapping[str, Any]) -> str:
    """A record as a line of JSON."""
    return json.dumps(record, ensure_ascii=False, allow_nan=False) + "\n"
