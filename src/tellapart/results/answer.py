"""What every public answer has in common: frozen, plain Python values, and one way into JSON."""

import dataclasses
import json
import math
import textwrap
from typing import Any, ClassVar

from tellapart.results.notebook import DRAWERS, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tellapart.frames import Backend

LONGEST_REPR = 300
"""Characters that an answer takes where Python shows it in passing."""


class Answer:
    """Base of every public answer: `to_dict()` is what the JSON holds, `str()` the sentence to quote, `repr()` one short line."""

    schema: ClassVar[str]
    kind: ClassVar[str]
    """What the answer is, as its schema says: comparison, plan, leaderboard, …"""
    table: ClassVar[str] = "rows"
    """Which part is a table of rows, for formats that print nothing else."""
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

    def to_frame(self, table: str | None = None, *, backend: "Backend | None" = None) -> Any:
        """Its table as a frame of pandas, polars or pyarrow, columns named as in the JSON; `table` picks another, such as pairs.

        An answer without a table is one row. Without a backend it is a frame of the library in use, or of one that is installed.

        >>> from tellapart import plan
        >>> frame = plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", items=[500, 1000]).to_frame(backend="pandas")
        >>> frame["items"].to_list()
        [500, 1000]
        """
        from tellapart.frames import frame  # noqa: PLC0415  (most answers are printed)
        from tellapart.results.table import columns_of  # noqa: PLC0415  (as above)

        return frame(columns_of(self._rows(table)), backend)

    def _rows(self, table: str | None) -> list[dict[str, Any]]:
        """The rows of one of its tables, as the JSON has them."""
        from tellapart.results.table import chosen_table  # noqa: PLC0415  (most answers are printed)

        return chosen_table(self.to_dict(), self.table, table)

    def __repr__(self) -> str:
        said = getattr(self, "headline", "") or self.sentence
        return f"<{textwrap.shorten(f'{type(self).__name__}: {said}', LONGEST_REPR - 2, placeholder=' …')}>"

    def __str__(self) -> str:
        return self.sentence

    @property
    def charts(self) -> tuple[str, ...]:
        """The names of its charts, the most telling first."""
        names: tuple[str, ...] = DRAWERS["names"](self)
        return names

    def chart(self, name: str | None = None) -> Any:
        """The chart of this name, or the first: an altair chart, to show, save or restyle (extra `plot`)."""
        return DRAWERS["chart"](self, name)

    def _repr_html_(self) -> str | None:
        return shown(self, "text/html")

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:  # noqa: ARG002  (the notebook picks)
        """What a notebook shows: the sheet with the first chart below it, and the chart by itself for what shows pictures only."""
        sheet, chart = shown(self, "text/html"), shown(self, "image/svg+xml")
        bundle = {"text/plain": repr(self)}
        if sheet is not None:
            bundle["text/html"] = sheet if chart is None else f"{sheet}\n<figure>{chart}</figure>"
        if chart is not None:
            bundle["image/svg+xml"] = chart
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
