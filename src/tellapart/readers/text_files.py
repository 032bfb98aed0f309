"""Files of hypotheses, one system each, beside files of references: counted into tables of a metric's parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tellapart.arrays import FloatArray
from tellapart.counting.texts import Mapper, count_once
from tellapart.errors import ReadError
from tellapart.metrics.from_texts import TextMetric
from tellapart.readers.origin import Origin
from tellapart.readers.segments import Segments, refuse_other_length
from tellapart.readers.table import Block, Table
from tellapart.remarks import Remark

TOKENISED = 0.05
"""A share of lines with a blank before the full stop from which on a text looks tokenised; sacrebleu warns at 100 lines."""


@dataclass(frozen=True)
class TextFiles:
    """What systems wrote, the references, and which lines belong to one document."""

    hypotheses: tuple[Segments, ...]
    references: tuple[Segments, ...]
    documents: Segments | None = None

    @classmethod
    def of(
        cls, hypotheses: Sequence[Origin], references: Sequence[Origin], documents: Origin | None
    ) -> "TextFiles":
        wrote, wanted = (tuple(map(Segments.of, origins)) for origins in (hypotheses, references))
        together = None if documents is None else Segments.of(documents)
        for other in (*wrote, *wanted[1:], *([together] if together else [])):
            refuse_other_length(other, wanted[0])
        if together is not None and together.empty:
            line = together.lines.index("") + 1
            raise ReadError(
                f"{together.name}, line {line}: found a blank; wanted the document that the line is of"
            )
        return cls(wrote, wanted, together)

    def tables(self, metric: TextMetric, mapper: Mapper) -> list[Table]:
        """One table per system, with the metric's parts as its columns."""
        wanted = list(zip(*(one.lines for one in self.references), strict=True))
        segments = list(chain(*(zip(one.lines, wanted, strict=True) for one in self.hypotheses)))
        counts = np.split(count_once(segments, metric.counter(mapper)), len(self.hypotheses))
        return [self._table(one, metric, found) for one, found in zip(self.hypotheses, counts, strict=True)]

    def _table(self, system: Segments, metric: TextMetric, counts: FloatArray) -> Table:
        numbers = range(1, len(system.lines) + 1)
        columns: dict[str, Sequence[object]] = {"item": [str(number) for number in numbers]}
        if self.documents is not None:
            columns["cluster"] = self.documents.lines
        roles = {role: role for role in columns}
        columns |= dict(zip(metric.parts(), counts.T.tolist(), strict=True))
        blocks = [Block(tuple(columns), numbers, columns.__getitem__, roles)]
        return Table(system.name, system.label, blocks, format="texts")

    def remarks(self) -> Iterator[Remark]:
        """What of the texts is unusual."""
        for text in self.hypotheses:
            of = {"system": text.label}
            if text.empty:
                yield Remark(
                    "empty_hypotheses", {**of, "lines": text.empty, "of": len(text.lines)}, text.label
                )
            if text.tokenised > TOKENISED * len(text.lines):
                yield Remark(
                    "looks_tokenised", {**of, "lines": text.tokenised, "of": len(text.lines)}, text.label
                )
            if text.marked:
                yield Remark("byte_order_mark", {"file": text.name}, text.label)
        for text in self.references:
            if text.empty:
                yield Remark(
                    "empty_references", {"file": text.name, "lines": text.empty, "of": len(text.lines)}
                )
            if text.marked:
                yield Remark("byte_order_mark", {"file": text.name})
