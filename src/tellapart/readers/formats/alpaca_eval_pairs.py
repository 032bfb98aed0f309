from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from tellapart.readers.format import FORMATS, Certainty, text_of
from tellapart.readers.formats.votes import VoteKind
from tellapart.readers.storage.json_objects import numbered_records
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.labels import question_key
from tellapart.readers.tables.table import Block, Table

TIES = (0, 1.5)
"""Preferences that are ties: half way, and 0 in old files."""


@FORMATS.add("alpaca_eval_pairs")
@dataclass(frozen=True)
class AlpacaEvalPairs(VoteKind):
    """AlpacaEval annotations as votes between the two models that each record names: with `--as alpaca_eval_pairs` alone.

    `generator_1` is one system and `generator_2` the other; a preference above 1.5 is for the second. Instructions are items and annotators
    raters. Without it they are scores of the model beside its baseline (`alpaca_eval`), which keep how sure the judge was.
    """

    label = "AlpacaEval pairs"
    items = "instruction"
    unit = "record"

    def example(self) -> bytes:
        one = '{"instruction": "%s", "generator_1": "old", "generator_2": "new", "annotator": "j", "preference": %s}'
        return f"[{one % ('Name a river', 2.0)}, {one % ('Name a tree', 1.5)}]".encode()

    def matches(self, names: frozenset[str]) -> bool:
        return {"instruction", "generator_1", "generator_2", "preference"} <= names

    def claim(self, origin: Origin) -> Certainty:  # noqa: ARG002  (the same file is scores, unless votes are asked for)
        return Certainty.NONE

    def table(self, origin: Origin) -> Table:
        return replace(Table(origin.name, origin.label, self.blocks(origin)), format=self.name, unit=self.unit)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        found = [(number, _preferred(record)) for number, record in numbered_records(origin)]
        columns = {name: [vote[name] for _, vote in found] for name in ("a", "b", "winner", "item", "rater")}
        if found:
            yield Block(
                tuple(columns), [number for number, _ in found], columns.__getitem__, {name: name for name in columns}
            )


def _preferred(record: dict[str, Any]) -> dict[str, str]:
    a, b = text_of(record.get("generator_1")), text_of(record.get("generator_2"))
    preference = record.get("preference")
    winner = "missing"
    if isinstance(preference, int | float):
        winner = "tie" if preference in TIES else b if preference > max(TIES) else a
    return {
        "a": a,
        "b": b,
        "winner": winner,
        "item": question_key(record.get("instruction")),
        "rater": text_of(record.get("annotator")),
    }
