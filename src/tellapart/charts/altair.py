"""The one place that imports altair, and only when a chart is drawn: names, captions and tables of numbers do without it."""

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any, TypeAlias

from tellapart.errors import UsageError

__all__ = ["INSTALL", "Picture", "alt", "over", "ready", "required"]

INSTALL = "pip install 'tellapart[plot]'"


class _Lazy:
    """A module that is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(required(self._name), attribute)


def required(module: str) -> Any:
    """A module of the extra `plot`, or one message that says how to get it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        raise UsageError(
            f"charts need {module.replace('_', '-')}, which is not installed here. Install it: {INSTALL}"
        ) from None


def ready() -> bool:
    """Whether charts can be drawn here."""
    return all(importlib.util.find_spec(module) is not None for module in ("altair", "vl_convert"))


if TYPE_CHECKING:
    import altair as alt
else:
    alt = _Lazy("altair")

Picture: TypeAlias = "alt.Chart | alt.LayerChart | alt.VConcatChart | alt.HConcatChart | alt.FacetChart"


def over(rows: "list[dict[str, Any]]") -> "alt.Chart":
    """A chart over these rows, to be given its marks."""
    # A plain dictionary: altair's own class for it would look at every value.
    return alt.Chart({"values": rows})
