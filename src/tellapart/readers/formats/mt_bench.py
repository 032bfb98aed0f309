from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS, Axis, Facts, Log, Origin, Row, text_of
from tellapart.readers.storage.json_objects import records_by_line


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

    def recognises(self, origin: Origin) -> bool:
        return origin.preview.has("question_id", "model", "judge", "score", "turn")

    def facts(self, origin: Origin) -> Facts:  # noqa: ARG002  (of all its files)
        return Facts(cluster="question_id")

    def rows(self, origin: Origin) -> Iterator[Row]:
        for line, record in records_by_line(origin):
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

    def record_keys(self, record: Any) -> Mapping[str, Any]:
        return {"question_id": record}
