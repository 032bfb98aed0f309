"""Base class of all answers: frozen dataclasses of plain Python values, with conversion to JSON and table rows."""

import dataclasses
import functools
import json
import math
import textwrap
from collections.abc import Iterator, Mapping
from os import PathLike
from typing import Any, ClassVar

import tellapart
from tellapart import answers
from tellapart.foundation import frames
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option

# The tables of an answer as rows of plain cells: what CSV and frames hold of it.


def cells(row: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    """Columns and cells of a row; what is nested gets the path to it as its column."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield from cells(value, f"{before}{key}.")
        else:
            yield before + key, value


def columns_of(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """Rows as columns: sentences and notes one after the other, tables within a row left out, for those are tables of their own."""
    flat = [{key: _joined_texts(value) for key, value in cells(row) if not _is_table(value)} for row in rows]
    names = dict.fromkeys(name for row in flat for name in row)
    return {name: [row.get(name) for row in flat] for name in names}


def chosen_table(said: dict[str, Any], usual: str, wanted: str | None) -> list[dict[str, Any]]:
    """The rows of the table that is asked for, else of the usual one; an answer that has no table is a row itself."""
    if wanted is None:
        rows = said.get(usual)
        return list(rows) if isinstance(rows, list) else [said]
    tables = [name for name, value in said.items() if _is_table(value)]
    if wanted not in tables:
        raise UsageError(f"{option('table', wanted)}: this answer has {', '.join(tables) or 'no tables'}")
    return list(said[wanted])


def _is_table(value: Any) -> bool:
    """A list of objects that are no notes, or of lists."""
    return isinstance(value, list) and any(isinstance(v, list) or (isinstance(v, dict) and "text" not in v) for v in value)  # fmt: skip


def _joined_texts(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    texts = [v["text"] if isinstance(v, dict) else v for v in value]
    return "; ".join(texts) if all(isinstance(text, str) for text in texts) else texts


LONGEST_REPR = 300
"""Characters that an answer takes where Python shows it in passing."""


class Answer:
    """Base of every public answer: `to_dict()` is what the JSON holds, `str()` the sentence to quote, `repr()` one short line."""

    schema: ClassVar[str]
    kind: ClassVar[str]
    """The kind of the answer, as its schema names it: comparison, plan, leaderboard, …"""
    table: ClassVar[str] = "rows"
    """Which part is a table of rows, for formats that print nothing else."""
    main_columns: ClassVar[tuple[str, ...]] = ()
    """Columns of a frame of one row; without any, all of them."""
    sentence: str

    def __init_subclass__(cls) -> None:
        cls.kind = cls.schema.split("/")[1]
        # In the class itself, or the decorator `dataclass` would write one that prints every field.
        cls.__repr__ = Answer.__repr__  # type: ignore[method-assign]  # the same one for all

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON-ready values: undefined numbers are None, never NaN."""
        return {"schema": self.schema, **plain(self)}

    def to_json(self) -> str:
        return json.dumps(self.to_dict(), indent=2, ensure_ascii=False, allow_nan=False)

    def to_markdown(self) -> str:
        """The page in Markdown, as `--format markdown` prints it."""
        return tellapart.formatted(self, "markdown")

    def to_latex(self) -> str:
        """Tables and the sentence to quote in LaTeX, as `--format latex` prints them."""
        return tellapart.formatted(self, "latex")

    def to_html(self) -> str:
        """The page in one HTML file, with charts where the extra `plot` is installed."""
        return tellapart.formatted(self, "html")

    def save(self, path: str | PathLike[str]) -> None:
        """Write the answer to a file; its ending says the format: .html, .md, .tex, .txt, .json, or .csv for a table of rows."""
        tellapart.save(self, path)

    def to_frame(self, table: str | None = None, *, backend: frames.Backend | None = None, full: bool = False) -> Any:
        """Its table as a frame of pandas, polars or pyarrow, columns named as in the JSON; `table` picks another, such as pairs.

        An answer without a table is one row of its main columns, or of all with `full`. Without a backend it is a frame of the library that
        the scores came in, else of one that is in use or installed.

        >>> from tellapart import plan
        >>> frame = plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", items=[500, 1000]).to_frame(backend="pandas")
        >>> frame["items"].to_list()
        [500, 1000]
        """
        columns = columns_of(self._table_records(table))
        if table is None and not full and self.main_columns:
            columns = {name: columns[name] for name in self.main_columns if name in columns}
        return frames.frame(columns, backend)

    def _table_records(self, table: str | None) -> list[dict[str, Any]]:
        """The rows of one of its tables, as the JSON has them."""
        return chosen_table(self.to_dict(), self.table, table)

    def __repr__(self) -> str:
        said = getattr(self, "headline", "") or self.sentence
        return f"<{textwrap.shorten(f'{type(self).__name__}: {said}', LONGEST_REPR - 2, placeholder=' …')}>"

    def __str__(self) -> str:
        return self.sentence

    @property
    def charts(self) -> tuple[str, ...]:
        """The names of its charts, the most telling first."""
        return answers.chart_names(self)

    def chart(self, name: str | None = None) -> Any:
        """The chart of this name, or the first: an altair chart, to show, save or restyle (extra `plot`)."""
        picture = answers.chart(self, name)
        if answers.ready():
            object.__setattr__(picture, "_repr_mimebundle_", functools.partial(answers.in_notebook, picture))
        return picture

    def _repr_html_(self) -> str:
        return tellapart.notebook_html(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002  (the notebook picks)
        """The notebook display: the page with the first chart below it, and the chart alone for viewers of pictures only."""
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if answers.ready() and self.charts:
            chart = answers.in_notebook(self.chart())
            html = f"{bundle['text/html']}\n<figure>{chart['image/svg+xml']}</figure>"
            bundle |= {"text/html": html, **chart}
        return bundle


def plain(value: Any) -> Any:
    """Dataclasses as dictionaries, tuples as lists, numbers that are not finite as None."""
    if dataclasses.is_dataclass(value):
        fields = dataclasses.fields(value)
        return {f.name: plain(getattr(value, f.name)) for f in fields if not _hidden(f, value)}
    if isinstance(value, dict):
        return {key: plain(v) for key, v in value.items()}
    if isinstance(value, tuple):
        return [plain(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _hidden(field: "dataclasses.Field[Any]", owner: Any) -> bool:
    """A field marked optional is left out of the JSON when it was not asked for, or where the field it stands beside is."""
    beside = field.metadata.get("beside", field.name)
    return bool(field.metadata.get("optional")) and getattr(owner, beside) is None
