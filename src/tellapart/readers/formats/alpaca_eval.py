from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Axis, Log, Origin, Row, text_of
from tellapart.readers.storage.json_objects import numbered_records

MEASURE = "preference"


@FORMATS.add("alpaca_eval")
@dataclass(frozen=True)
class AlpacaEval(Log):
    """AlpacaEval annotations: how a judge prefers the answer of a model to that of the baseline, from 0 to 1; a tie is 0.5.

    The model is generator_2 of each record, whatever folder the file lies in. An instruction is its own name.
    """

    label = "AlpacaEval annotations"
    program = "AlpacaEval"
    items = "instruction"
    unit = "record"
    axes = (Axis("annotator"), Axis("baseline"))

    def example(self) -> bytes:
        one = '{"instruction": "%s", "generator_1": "base", "generator_2": "m", "dataset": "d", "annotator": "j", "preference": %s}'
        return f"[{one % ('Name a river', 1.5)}, {one % ('Name a tree', 2.0)}]".encode()

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.has("instruction", "generator_2", "preference")

    def rows(self, origin: Origin) -> Iterator[Row]:
        for number, record in numbered_records(origin):
            axes = (text_of(record.get("annotator")), text_of(record.get("generator_1")))
            yield Row(
                number,
                record.get("instruction"),
                MEASURE,
                _win(record.get("preference")),
                axes=axes,
                system=text_of(record.get("generator_2")),
                dataset=text_of(record.get("dataset")),
            )

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return MEASURE if measure in {"win_rate", "win"} else measure, {}


def _win(preference: Any) -> Any:
    """1 is the baseline and 2 the model; old files say 0 for a tie."""
    if not isinstance(preference, int | float):
        return preference
    return 0.5 if preference == 0 else preference - 1
