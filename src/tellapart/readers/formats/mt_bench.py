from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Axis, Certainty, Log, OpenLog, Row, text_of
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Facts


@FORMATS.add("mt_bench")
@dataclass(frozen=True)
class MtBench(Log):
    """MT-bench single judgments: a score per question and turn; the two turns of a question belong together.

    −1 says that the judge gave no score. Judging again appends to the file: such a score comes twice, and is refused.
    """

    label = "MT-bench judgments"
    program = "FastChat MT-bench"
    items = "question_id/turn"
    axes = (Axis("judge"), Axis("turn", forced=False))

    def example(self) -> bytes:
        one = '{"question_id": 81, "model": "m", "judge": ["gpt-4", "single-v1"], "judgment": "", "score": %d, "turn": %d}\n'
        return "".join((one % (8, 1), one % (9, 2))).encode()

    def claim(self, origin: Origin) -> Certainty:
        known = origin.preview.has("question_id", "model", "judge", "score", "turn")
        return Certainty.CERTAIN if known else Certainty.NONE

    def open_log(self, origin: Origin) -> OpenLog:
        return OpenLog(Facts(cluster="question_id"), _rows(origin))

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return {"question_id": record}


def _rows(origin: Origin) -> Iterator[Row]:
    with walk_json(origin) as walk:
        for line, record in walk.values():
            if not isinstance(record, dict):
                continue
            question, turn = text_of(record.get("question_id")), text_of(record.get("turn"))
            judge = record.get("judge")
            # The second part is the prompt, which goes with the category of the question.
            by = text_of(judge[0]) if isinstance(judge, list) and judge else text_of(judge)
            score = record.get("score")
            yield Row(
                line,
                f"{question}/{turn}",
                "score",
                None if score == -1 else score,
                axes=(by, turn),
                system=text_of(record.get("model")),
                record=question,
            )
