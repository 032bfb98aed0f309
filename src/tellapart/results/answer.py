"""What every public answer has in common: frozen, plain Python values, and one way into JSON."""

import dataclasses
import json
import math
import textwrap
from typing import Any, ClassVar

from tellapart.results.notebook import shown
from tellapart.results.pictures import DRAWERS

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
