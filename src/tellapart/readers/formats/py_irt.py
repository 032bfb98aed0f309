from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Log, Origin, Row, text_of
from tellapart.readers.storage.json_walk import walk_json


@FORMATS.add("py_irt")
@dataclass(frozen=True)
class PyIrt(Log):
    """py-irt: a line per subject with its responses, 0 or 1 by item; an item that a line lacks was not asked."""

    label = "py-irt responses"
    program = "py-irt"
    items = "keys of responses"

    def example(self) -> bytes:
        return b'{"subject_id": "a", "responses": {"q1": 1, "q2": 0}}\n{"subject_id": "b", "responses": {"q1": 1, "q2": 1}}\n'

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.has("subject_id", "responses") and isinstance(origin.preview.at("responses"), dict)

    def rows(self, origin: Origin) -> Iterator[Row]:
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
