"""Text files of system outputs and references, aligned by line and counted into the parts of a metric."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import ReadError
from tellapart.metrics.counting.texts import Mapper, count_distinct
from tellapart.metrics.from_texts import TextMetric
from tellapart.readers.detect import UNREADABLE
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.table import Block, Table

# Text files: one segment per line, as sacrebleu reads them.

BOM = "\ufeff"


@dataclass(frozen=True)
class Segments:
    """The lines of a text file, without the blanks at their ends."""

    name: str
    label: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, origin: Origin) -> "Segments":
        """Split at line feeds alone, a byte-order mark kept: other breaks inside a segment are part of it."""
        with origin.binary() as file:
            content = file.read()
        _refuse_binary(origin, content)
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ReadError(
                f"{origin.name}, line {line}: found byte 0x{content[error.start]:02x}, which is not UTF-8 text. Save it as UTF-8"
            ) from None
        if not text:
            raise ReadError(f"{origin.name}: the file is empty; wanted one segment per line")
        lines = text.removesuffix("\n").split("\n")
        return cls(origin.name, origin.label, tuple(line.rstrip() for line in lines))

    @property
    def marked(self) -> bool:
        """Whether it begins with a byte-order mark, which is then part of its first segment."""
        return self.lines[0].startswith(BOM)

    @property
    def empty(self) -> int:
        """How many lines hold nothing."""
        return sum(not line for line in self.lines)

    @property
    def tokenised(self) -> int:
        """How many lines end as those of tokenised text do: with a blank before the full stop."""
        return sum(line.endswith(" .") for line in self.lines)


def refuse_other_length(one: Segments, other: Segments) -> None:
    if len(one.lines) != len(other.lines):
        raise ReadError(
            f"{one.name} has {len(one.lines)} lines and {other.name} has {len(other.lines)}; wanted as many in both, one per "
            "segment. Check that no line is missing"
        )


def _refuse_binary(origin: Origin, content: bytes) -> None:
    kind = next((kind for mark, kind in UNREADABLE.items() if content.startswith(mark)), None)
    if kind is None and b"\0" in content:
        kind = "binary content (NUL bytes)"
    if kind is not None:
        raise ReadError(f"{origin.name}: found {kind}; wanted UTF-8 text with one segment per line")


TOKENISED = 0.05
"""A share of lines with a blank before the full stop from which on a text looks tokenised; sacrebleu warns at 100 lines."""


@dataclass(frozen=True)
class TextFiles:
    """System outputs, references, and the document of each line."""

    hypotheses: tuple[Segments, ...]
    references: tuple[Segments, ...]
    documents: Segments | None = None

    @classmethod
    def of(cls, hypotheses: Sequence[Origin], references: Sequence[Origin], documents: Origin | None) -> "TextFiles":
        wrote, wanted = (tuple(map(Segments.of, origins)) for origins in (hypotheses, references))
        together = None if documents is None else Segments.of(documents)
        for other in (*wrote, *wanted[1:], *([together] if together else [])):
            refuse_other_length(other, wanted[0])
        if together is not None and together.empty:
            line = together.lines.index("") + 1
            raise ReadError(f"{together.name}, line {line}: found a blank; wanted the document of the line")
        return cls(wrote, wanted, together)

    def tables(self, metric: TextMetric, mapper: Mapper) -> list[Table]:
        """One table per system, with the metric's parts as its columns."""
        wanted = list(zip(*(one.lines for one in self.references), strict=True))
        segments = list(chain(*(zip(one.lines, wanted, strict=True) for one in self.hypotheses)))
        counts = np.split(count_distinct(segments, metric.counter(mapper)), len(self.hypotheses))
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
        """Remarks on unusual texts."""
        for text in self.hypotheses:
            of = {"system": text.label}
            if text.empty:
                yield Remark("empty_hypotheses", {**of, "lines": text.empty, "of": len(text.lines)}, text.label)
            if text.tokenised > TOKENISED * len(text.lines):
                yield Remark("looks_tokenised", {**of, "lines": text.tokenised, "of": len(text.lines)}, text.label)
            if text.marked:
                yield Remark("byte_order_mark", {"file": text.name}, text.label)
        for text in self.references:
            if text.empty:
                yield Remark("empty_references", {"file": text.name, "lines": text.empty, "of": len(text.lines)})
            if text.marked:
                yield Remark("byte_order_mark", {"file": text.name})
