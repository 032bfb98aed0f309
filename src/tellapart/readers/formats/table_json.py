from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tellapart.data.roles import QUESTIONS, ROLES
from tellapart.readers.format import FORMATS, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.storage.files import File
from tellapart.readers.storage.json_objects import read_object
from tellapart.readers.tables.columns import folded, known_as

_IDS = (
    *ROLES["item"].columns,
    "sample",
    "example",
    "index",
    "idx",
    "key",
    "uid",
    "uuid",
    "name",
    "prompt",
    "user_input",
    "inputs",
    "input",
    "question",
)
_SCORE = "/score"
_INSIDE = frozenset(("artifacts", "files", "media", "table"))
"""Folders of a run of MLflow and of W&B that tables lie in."""


@FORMATS.add("table_json")
@dataclass(frozen=True)
class TableJson(Log):
    """Tables of W&B and MLflow, {"columns": …, "data": …}: any column of numbers is a measure, and a column of ids names the items.

    The system is the run, by its name or its folder. MLflow's `<name>/score` is `<name>`.
    """

    label = "W&B and MLflow tables"
    program = "W&B, MLflow"
    items = "a column of ids"
    unit = "row"

    def example(self) -> bytes:
        return b'{"columns": ["id", "exact/score"], "data": [["q1", 1], ["q2", 0]]}'

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        return (
            preview.kind == "object"
            and isinstance(preview.at("columns"), list)
            and isinstance(preview.at("data"), list)
            and "index" not in preview.keys
        )

    def open_log(self, origin: Origin) -> OpenLog:
        found = read_object(origin)
        return OpenLog(Facts(system=_run_name(origin)), _rows(found))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        said: Mapping[str, Any] = record
        return said

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removesuffix(_SCORE), {}


def _run_name(origin: Origin) -> str | None:
    """The name of the run, or its folder: tables lie in folders inside it that are called alike in all runs."""
    folders = list(origin.folders)
    while folders and folders[-1] in _INSIDE:
        folders.pop()
    if not folders:
        return None
    named = Path("/", *folders, "tags", "mlflow.runName")
    if isinstance(origin, File) and named.is_file():
        with named.open(encoding="utf-8", errors="replace") as file:
            return file.read(200).strip() or folders[-1]
    return folders[-1]


def _rows(found: dict[str, Any]) -> Iterator[Row]:
    names = [text_of(name) for name in found.get("columns") or ()]
    data = [row for row in found.get("data") or () if isinstance(row, list)]
    records = [dict(zip(names, row, strict=False)) for row in data]
    item = _item(names, records)
    measures = [name for name in names if name != item and _is_numeric([record.get(name) for record in records])]
    text = _question(names, records, item)
    for number, record in enumerate(records, 1):
        # A score is nothing that items are grouped by.
        beside = {name: cell for name, cell in record.items() if name not in measures}
        for measure in measures:
            yield Row(
                number,
                record.get(item or ""),
                measure.removesuffix(_SCORE),
                record.get(measure),
                record=beside,
                text=record.get(text),
            )


def _item(names: list[str], records: list[dict[str, Any]]) -> str | None:
    """The column that names the rows: the first of the usual names whose cells are all different, else any of those names."""
    usual = sorted(
        (name for name in names if known_as(name, _IDS) in _IDS), key=lambda name: _IDS.index(known_as(name, _IDS))
    )
    # Numbers of requests and traces are last: they differ between systems.
    others = [name for name in names if name not in usual and folded(name).endswith("_id")]
    unlike = [name for name in (*usual, *others) if len({text_of(r.get(name)) for r in records}) == len(records)]
    return next(iter(unlike or usual), None)


def _question(names: list[str], records: list[dict[str, Any]], item: str | None) -> str:
    """The column of what was asked beside the ids, if there is one."""
    if item is not None and known_as(item, QUESTIONS) in QUESTIONS:
        return ""
    called = {known_as(name, QUESTIONS): name for name in names if name != item}
    texts = (called[name] for name in QUESTIONS if name in called)
    return next((name for name in texts if not _is_numeric([one.get(name) for one in records])), "")


def _is_numeric(cells: list[Any]) -> bool:
    """Whether a column holds numbers, or nothing else but gaps among them."""
    return any(isinstance(cell, int | float) for cell in cells) and not any(
        isinstance(cell, str | list | dict) for cell in cells
    )
