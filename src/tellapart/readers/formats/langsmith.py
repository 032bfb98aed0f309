from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import ERROR, FORMATS, Log, Origin, Row
from tellapart.readers.storage.csv_rows import csv_rows
from tellapart.readers.tables.places import Occurrences

_FEEDBACK = "feedback."


@FORMATS.add("langsmith")
@dataclass(frozen=True)
class LangSmith(Log):
    """LangSmith experiments, to_pandas().to_csv(): an example per row, its feedback, and `error` where the run failed.

    Such rows are scored all the same: they are errors. Rows of one example are its repeats.
    """

    label = "LangSmith experiments"
    first_line = r"feedback\."
    program = "LangSmith"
    items = "example_id"
    unit = "row"

    def example(self) -> bytes:
        return b"inputs.q,outputs.a,error,feedback.correct,example_id,id\nx,1,,1,e1,r1\ny,2,,0,e2,r2\n"

    def recognises(self, origin: Origin) -> bool:
        if origin.preview.kind != "text":
            return False
        names = [name.strip().strip('"') for name in origin.opening.lstrip().partition("\n")[0].split(",")]
        return "example_id" in names and any(name.startswith(_FEEDBACK) for name in names)

    def rows(self, origin: Origin) -> Iterator[Row]:
        header: list[str] | None = None
        repeats = Occurrences()
        for lines, rows in csv_rows(origin, ",", exact=True):
            for line, row in zip(lines, rows, strict=True):
                if header is None:
                    header = [name.strip() for name in row]
                    continue
                cells = dict(zip(header, row, strict=False))
                item = cells.get("example_id", "")
                failed = ERROR if cells.get("error", "").strip() else ""
                run = cells.get("id") or repeats.of(item)
                asked = " ".join(cell for name, cell in sorted(cells.items()) if name.startswith("inputs."))
                for name, score in cells.items():
                    if name.startswith(_FEEDBACK):
                        measure = name.removeprefix(_FEEDBACK)
                        yield Row(line, item, measure, score, failed, run=run, record=cells, text=asked)

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        said: Mapping[str, Any] = record
        return said

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return measure.removeprefix(_FEEDBACK), {}
