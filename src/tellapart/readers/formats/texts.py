from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.readers.format import FORMATS, Row, TableKind, text_of
from tellapart.readers.formats.predictions import has_columns
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import TableRequest, assign


@FORMATS.add("texts")
@dataclass(frozen=True)
class TextTable(TableKind):
    """System outputs beside references: text files with one segment per line and `--reference`, or columns `hypothesis` and `reference`.

    `--metric bleu`, `chrf` and others are counted from them. A plain text cannot be known by its content: `--reference` says it.
    """

    label = "texts"
    first_line = "(?i)hyp|translation|output"
    items = "line number, or a column of items"
    way = "name the files themselves, with a metric: --metric chrf, and --reference FILE for plain texts"

    def example(self) -> bytes:
        return (
            b"system,item,hypothesis,reference\nold,1,a cat,the cat\nold,2,a dog,a dog\n"
            b"new,1,the cat,the cat\nnew,2,dog,a dog\n"
        )

    def matches(self, names: frozenset[str]) -> bool:
        return has_columns(names, ("hypothesis", "reference"))

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        wanted = TableRequest(None, ("score",), {})
        for block in self.blocks(origin):
            roles = assign(origin.name, block, wanted)
            said = {role: block.column(column) for role, column in roles.items()}
            for place, line in enumerate(block.lines):
                cell = {role: text_of(column[place]) for role, column in said.items()}
                system, dataset = cell.get("system", ""), cell.get("dataset", "")
                yield Row(line, cell.get("item", ""), "text", [], system=system, dataset=dataset)
