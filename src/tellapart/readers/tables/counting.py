"""Inputs of a metric that is counted from files: texts with references, labels with predictions, or counts."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tellapart.data.provenance import Counted, Remark
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.surfaces import option
from tellapart.metrics import METRICS, Metric
from tellapart.metrics.counting.texts import Mapper
from tellapart.metrics.from_labels import LabelMetric
from tellapart.metrics.from_texts import TextMetric
from tellapart.readers.storage.files import origins_at
from tellapart.readers.storage.limits import Limits
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.counted_columns import CodedLabels, Texts, coded, counted_columns
from tellapart.readers.tables.expanding import expand_labels, expand_texts
from tellapart.readers.tables.table import Block, Table, Tables
from tellapart.readers.tables.text_files import TextFiles


@dataclass(frozen=True)
class Counting:
    """A metric, the files of references and documents, and which columns play which role."""

    metric: Metric
    references: tuple[str, ...]
    documents: str | None
    columns: Mapping[str, str]
    mapper: Mapper = map

    @classmethod
    def of(
        cls, metric: Any, references: Any, documents: Any, columns: Mapping[str, str], mapper: Mapper | None = None
    ) -> "Counting":
        wanted = _listed(references)
        if metric is None:
            texts = [name for name in METRICS if METRICS[name].counted_from == TextMetric.counted_from]
            raise UsageError(
                f"{option('reference')} and {option('documents')} are for metrics of texts; name one with {option('metric')}: {', '.join(texts)}"
            )
        made = cls(
            Metric.parse(metric), wanted, None if documents is None else os.fsdecode(documents), columns, mapper or map
        )
        made.refuse_unfit()
        return made

    def refuse_unfit(self) -> None:
        if self.references and not isinstance(self.metric, TextMetric):
            raise UsageError(
                f"{option('reference')} is for metrics of texts, and {self.metric} is none; leave it out, or name another {option('metric')}"
            )
        if self.documents is not None and not self.references:
            raise UsageError(
                f"{option('documents')} says which lines of text files belong together; for a table, name the "
                f"column: {option('column', 'cluster=…')}"
            )

    def refuse_beside(self, of_tables: Sequence[str], of_logs: Sequence[str]) -> None:
        """A text file is no table and no log: its items are its lines, and which of these belong together another file says."""
        if not self.references:
            return
        for given, those in ((of_tables, "tables"), (of_logs, "logs of evaluation programs")):
            if given:
                clusters = list(self.columns) == ["cluster"]
                together = f"; {option('documents')} says which lines belong together" if clusters else ""
                raise UsageError(
                    f"{option('cluster' if clusters else given[0])} is for {those}, and {option('reference')} says that the files are texts, "
                    f"whose items are their lines{together}. Leave one of them out"
                )

    def tables(
        self,
        origins: list[Origin] | None,
        names: Mapping[str, str],
        tables_in: Callable[[], list[Table] | None],
        limits: Limits,
    ) -> Tables:
        """The counts of the metric, from files or a frame, computed or as found there; systems may be renamed."""
        made = self._of_texts(origins, limits) if self.references else self._of_tables(tables_in)
        return replace(made, remarks=_remarks_renamed(made.remarks, names))

    def _of_texts(self, origins: list[Origin] | None, limits: Limits) -> Tables:
        """Text files, one system each."""
        assert isinstance(self.metric, TextMetric)
        if origins is None:
            raise UsageError(f"with {option('reference')} wanted the paths of text files, one system each")
        together = None if self.documents is None else origins_at([self.documents], limits)[0]
        files = TextFiles.of(origins, origins_at(self.references, limits), together)
        counted = Counted(str(self.metric), self.metric.signature(len(self.references)))
        remarks = tuple(files.remarks())
        tables = files.tables(self.metric, self.mapper)
        return Tables(tables, self.metric.parts(), self.columns, counted, remarks)

    def _of_tables(self, tables_in: Callable[[], list[Table] | None]) -> Tables:
        """Tables that hold the parts as columns, or what they are counted from."""
        tables = tables_in()
        if tables is None:
            raise UsageError(
                f"{self.metric} is counted from tables, and these are logs of an evaluation program; leave {option('metric')} out"
            )
        if not self.metric.counted_from:
            return Tables(tables, self.metric.parts(), self.columns)
        first = self._first_block(tables)
        classes = None if first is None else self._classes_of(first)
        if first is not None and classes is None:
            self._refuse_uncountable(tables[0], first)
            return self._coded(tables)
        counted = Counted(str(self.metric), None, classes or (), here=False)
        return Tables(tables, self.metric.parts(classes or ()), self.columns, counted)

    def _first_block(self, tables: list[Table]) -> Block | None:
        """The first block of the first table, which is put back; texts that are no table need references."""
        try:
            first, tables[0] = tables[0].peek()
        except ReadError as error:
            if not isinstance(self.metric, TextMetric):
                raise
            raise ReadError(
                f"{tables[0].name}: {self.metric} of text files, one segment per line, needs {option('reference')}, "
                f"and as a table the file cannot be read ({error.message})"
            ) from None
        return first

    def _refuse_uncountable(self, table: Table, first: Block) -> None:
        wanted = self.metric.counted_from
        if counted_columns(table.name, first, wanted, self.columns) is not None:
            return
        texts = (
            f"; text files, one segment per line, need {option('reference')}"
            if isinstance(self.metric, TextMetric)
            else ""
        )
        raise ReadError(
            f"{table.name}: {self.metric} is counted from columns {' and '.join(wanted)}, or made of columns "
            f"{', '.join(self.metric.parts()[:10])}; found {', '.join(map(repr, first.names[:8]))}. Name them: "
            f"{option('column', f'{wanted[0]}=…')}{texts}; if a column holds the score itself, leave {option('metric')} out and pick it "
            f"with {option('measure')}"
        )

    def _classes_of(self, first: Block) -> tuple[str, ...] | None:
        """The classes that columns called like tp[cat] are counts of, none where parts have none; None where parts are lacking."""
        names = {folded(name): name for name in first.names}
        part = self.metric.parts()[0].partition("[")[0]
        found = (re.fullmatch(rf"{part}\[(.*)\]", name.strip()) for name in names.values())
        classes = tuple(match[1] for match in found if match is not None)
        wanted = {folded(self.columns.get(one, one)) for one in self.metric.parts(classes)}
        return classes if wanted <= names.keys() else None

    def _coded(self, tables: list[Table]) -> Tables:
        """Tables of texts or labels: codes now, counts when all of them are known."""
        kept: Texts | CodedLabels
        parts: tuple[str, ...]
        if isinstance(self.metric, TextMetric):
            kept, parts = Texts(), ("segment",)
            expand = expand_texts(self.metric, kept, self.mapper)
        else:
            assert isinstance(self.metric, LabelMetric)
            kept, parts = CodedLabels(), ("label", "prediction")
            expand = expand_labels(self.metric, kept)
        made = [coded(table, kept, self.metric.counted_from, self.columns) for table in tables]
        others = {role: name for role, name in self.columns.items() if role not in self.metric.counted_from}
        return Tables(made, parts, others, Counted(str(self.metric)), expand=expand)


def _remarks_renamed(remarks: Iterable[Remark], names: Mapping[str, str]) -> tuple[Remark, ...]:
    """Remarks about systems by their new names."""
    return tuple(
        Remark(one.code, {**one.values, "system": new}, new) if (new := names.get(str(one.system))) is not None else one
        for one in remarks
    )


def _listed(given: Any) -> tuple[str, ...]:
    """One path, or several."""
    several = [given] if isinstance(given, str | os.PathLike) else list(given or ())
    return tuple(os.fsdecode(one) for one in several)
