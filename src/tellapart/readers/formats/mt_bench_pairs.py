from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tellapart.readers.format import FORMATS, Certainty, text_of
from tellapart.readers.formats.votes import VoteKind
from tellapart.readers.storage.json_walk import walk_json
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Block, Table

_SIDES = {"model_1": "a", "model_2": "b"}


@FORMATS.add("mt_bench_pairs")
@dataclass(frozen=True)
class MtBenchPairs(VoteKind):
    """MT-bench pairwise judgments: which of two models answered better, judged twice with their order swapped.

    As FastChat has it, judgments that disagree are a tie, and those of which one failed are errors. A question is an item, and its
    turns are runs of it.
    """

    label = "MT-bench pairs"
    items = "question_id"
    unit = "line"

    def example(self) -> bytes:
        one = '{"question_id": %d, "model_1": "old", "model_2": "new", "g1_winner": "%s", "g2_winner": "%s", "judge": ["gpt-4", "pair-v2"], "turn": 1}\n'
        return "".join((one % (81, "model_2", "model_2"), one % (82, "model_1", "model_2"))).encode()

    def matches(self, names: frozenset[str]) -> bool:
        return {"model_1", "model_2", "g1_winner", "g2_winner"} <= names

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.CERTAIN if self.matches(origin.preview.keys) else Certainty.NONE

    def table(self, origin: Origin) -> Table:
        return replace(Table(origin.name, origin.label, self.blocks(origin)), format=self.name)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        with walk_json(origin) as walk:
            found = [(line, _vote(record)) for line, record in walk.values() if isinstance(record, dict)]
        if not found:
            return
        names = list(found[0][1])
        # One judge of all says nothing that could be held against another.
        if len({vote["rater"] for _, vote in found}) < 2:
            names.remove("rater")
        columns = {name: [vote[name] for _, vote in found] for name in names}
        roles = {name: name for name in names}
        yield Block(tuple(names), [line for line, _ in found], columns.__getitem__, roles)


def _vote(record: dict[str, Any]) -> dict[str, str]:
    judge = record.get("judge")
    return {
        "a": text_of(record.get("model_1")),
        "b": text_of(record.get("model_2")),
        "winner": _winner(record),
        "item": text_of(record.get("question_id")),
        "run": text_of(record.get("turn")),
        "rater": text_of(judge[0]) if isinstance(judge, list) and judge else text_of(judge),
    }


def _winner(record: dict[str, Any]) -> str:
    first, second = text_of(record.get("g1_winner")), text_of(record.get("g2_winner"))
    if "error" in {first, second}:
        return "error"
    if not first or not second:
        return "missing"
    return _SIDES.get(first, first) if first == second else "tie"
