"""Scores as a caller gives them by name: for each system a dict from item to score, or a Series of pandas whose index tells."""

from collections.abc import Iterable, Mapping
from typing import Any

from tellapart.errors import DataError


def are_by_item(scores: Mapping[Any, Any]) -> bool:
    """Whether scores are to be matched by the names of their items; a table in which only some are is refused."""
    named = [name for name, values in scores.items() if isinstance(values, Mapping)]
    listed = [name for name in scores if name not in named]
    if named and listed:
        raise DataError(
            f"the scores of {named[0]!r} are a dict of items and those of {listed[0]!r} are not; give all systems as dicts "
            "{item: score}, or all as lists with the items in the same order"
        )
    return bool(named) or _indexed_differently(list(scores.values()))


def aligned(scores: Mapping[Any, Any], beside: object) -> tuple[dict[Any, list[Any]], list[str]]:
    """One list per system in the order of the items' names, None where it has no score, and those names."""
    if beside is not None:
        raise DataError("the scores name their items already; leave items out")
    tables = {name: _by_text(repr(name), values) for name, values in scores.items()}
    items = sorted({item for table in tables.values() for item in table})
    return {name: [table.get(item) for item in items] for name, table in tables.items()}, items


def of_items(label: str, column: Any, items: Iterable[str]) -> list[Any] | None:
    """What is said of each item, in their order; a plain list has an order of its own, which is not known to be theirs."""
    if column is None:
        return None
    if not isinstance(column, Mapping) and not _is_indexed(column):
        raise DataError(
            f"the scores are matched by item, and {label} is a list; give it as a dict too: {{item: …}}"
        )
    said = _by_text(label, column)
    return [said.get(item) for item in items]


def _indexed_differently(series: list[Any]) -> bool:
    """Whether indexes have labels in common and are not the same; those of two parts of a frame have none in common."""
    if not series or not all(map(_is_indexed, series)):
        return False
    first, *others = (one.index for one in series)
    return any(not first.equals(other) and len(first.intersection(other)) > 0 for other in others)


def _is_indexed(values: Any) -> bool:
    return hasattr(values, "index") and hasattr(values, "to_dict")


def _by_text(label: str, values: Any) -> dict[str, Any]:
    """By what names read as: in JSON every name is a text, and in Python 7 and '7' are two."""
    table = {str(item): value for item, value in values.items()}
    if len(table) < len(values):
        raise DataError(f"two items of {label} have the same name; rename one")
    return table
