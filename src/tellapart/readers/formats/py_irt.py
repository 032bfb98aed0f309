from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Certainty, Log, OpenLog, Row, text_of
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Facts


@FORMATS.add("py_irt")
@dataclass(frozen=True)
class PyIrt(Log):
    """py-irt: a line per subject with its responses, 0 or 1 by item; an item that a line lacks was not asked."""

    label = "py-irt responses"
    program = "py-irt"
    items = "keys of responses"

    def example(self) -> bytes:
        return b'{"subject_id": "a", "responses": {"q1": 1, "q2": 0}}\n{"subject_id": "b", "responses": {"q1": 1, "q2": 1}}\n'

    def claim(self, origin: Origin) -> Certainty:
        known = origin.preview.has("subject_id", "responses") and isinstance(
            origin.preview.at("responses"), dict
        )
        return Certainty.CERTAIN if known else Certainty.NONE

    def open_log(self, origin: Origin) -> OpenLog:
        return OpenLog(Facts(), _rows(origin))


def _rows(origin: Origin) -> Iterator[Row]:
    """All subjects of a file were asked the same: what one of them lacks is missing."""
    with walk_json(origin) as walk:
        found = [
            (line, text_of(record.get("subject_id")), record["responses"])
            for line, record in walk.values()
            if isinstance(record, dict) and isinstance(record.get("responses"), dict)
        ]
    items = dict.fromkeys(item for _, _, responses in found for item in responses)
    for line, subject, responses in found:
        for item in items:
            yield Row(line, item, "correct", responses.get(item), system=subject)
