from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Axis, Certainty, Log, OpenLog, Row, text_of
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Facts

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

    def claim(self, origin: Origin) -> Certainty:
        known = origin.preview.has("instruction", "generator_2", "preference")
        return Certainty.CERTAIN if known else Certainty.NONE

    def open_log(self, origin: Origin) -> OpenLog:
        return OpenLog(Facts(), _rows(origin))

    def parse_measure(self, measure: str) -> tuple[str, dict[str, str]]:
        return MEASURE if measure in {"win_rate", "win"} else measure, {}


def _rows(origin: Origin) -> Iterator[Row]:
    with walk_json(origin) as walk:
        for number, (_, record) in enumerate(walk.values(), 1):
            if isinstance(record, dict):
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


def _win(preference: Any) -> Any:
    """1 is the baseline and 2 the model; old files say 0 for a tie."""
    if not isinstance(preference, int | float):
        return preference
    return 0.5 if preference == 0 else preference - 1
