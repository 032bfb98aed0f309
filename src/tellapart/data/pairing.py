"""Pairing of items by the text of their question, where the same id means different questions."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from tellapart.data.provenance import Remark
from tellapart.data.rows import Labels, Records
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import ReadError
from tellapart.foundation.surfaces import option

Home: TypeAlias = tuple[int, int]
"""The dataset and the group of an item."""
Item: TypeAlias = tuple[int, int, int]
"""Dataset, group and the number of an item's name."""
Asked: TypeAlias = dict[Item, dict[int, set[int]]]
"""The texts that each system saw under the name of an item."""
Places: TypeAlias = dict[tuple[Home, int], Item]
"""Of one system the item that each text is."""


def pair_by_text(rows: Records) -> tuple[Records, tuple[Remark, ...]]:
    """The rows with items that are the same question for all systems.

    Ids are often positions in a file. Where one id stands for several texts and every system has each text once, items are called as
    the first system by name calls them; else such rows are refused.
    """
    text = rows.labels.get("text")
    if text is None or len(rows.system.names) < 2 or _one_text_each(rows, text):
        return rows, ()
    asked = _asked(rows, text)
    unlike = [item for item, by in asked.items() if len(set(map(frozenset, by.values()))) > 1]
    if not unlike:
        return rows, ()
    names = _names_by_text(rows, asked)
    if names is None:
        raise _other_questions(rows, unlike)
    codes = np.array([names[home, code][2] for home, code in _home_and_text(rows, text)], dtype=np.int64)
    item = Labels(rows.item.names, codes).only(np.arange(len(rows)))
    remark = Remark("paired_by_text", {"items": len(unlike), "of": len(asked)})
    return replace(rows, labels={**rows.labels, "item": item}), (remark,)


def _codes(rows: Records, role: str) -> IntArray:
    return rows.labels[role].codes if role in rows.labels else np.zeros(len(rows), dtype=np.int64)


def _known(text: Labels) -> IntArray:
    """The rows that have a text."""
    blank = [code for code, name in enumerate(text.names) if not name]
    return np.flatnonzero(~np.isin(text.codes, blank))


def _one_text_each(rows: Records, text: Labels) -> bool:
    """Whether no item has two texts: quick to see in any number of rows."""
    columns = np.stack([_codes(rows, role)[_known(text)] for role in ("dataset", "group", "item")])
    items = np.unique(columns, axis=1, return_inverse=True)[1].ravel()
    pairs = items * np.int64(len(text.names)) + text.codes[_known(text)]
    return len(np.unique(pairs)) == int(items.max(initial=-1)) + 1


def _home_and_text(rows: Records, text: Labels) -> Iterable[tuple[Home, int]]:
    homes = zip(_codes(rows, "dataset").tolist(), _codes(rows, "group").tolist(), strict=True)
    return zip(homes, text.codes.tolist(), strict=True)


def _asked(rows: Records, text: Labels) -> Asked:
    asked: Asked = defaultdict(lambda: defaultdict(set))
    known = set(_known(text).tolist())
    columns = _home_and_text(rows, text), rows.item.codes.tolist(), rows.system.codes.tolist()
    for row, ((home, code), item, system) in enumerate(zip(*columns, strict=True)):
        if row in known:
            asked[*home, item][system].add(code)
    return asked


def _names_by_text(rows: Records, asked: Asked) -> Places | None:
    """The item that each text is; None where texts do not tell the items of every system apart, or systems were asked other ones."""
    met: defaultdict[int, Places] = defaultdict(dict)
    cells = 0
    for item, by in asked.items():
        for system, texts in by.items():
            cells += 1
            for code in texts:
                met[system][item[:2], code] = item
    silent = len(_known(rows.labels["text"])) < len(rows)
    if silent or len(met) < len(rows.system.names) or sum(map(len, met.values())) != cells:
        return None
    if any(len(set(names.values())) < len(names) for names in met.values()):
        return None
    called = rows.system.names
    first = min(met, key=lambda system: (-len(met[system]), called[system]))
    return met[first] if all(names.keys() <= met[first].keys() for names in met.values()) else None


def _other_questions(rows: Records, unlike: list[Item]) -> ReadError:
    found = [_two_texts(rows, item) for item in unlike[:2]]
    more = f" ({len(unlike)} items in all)" if len(unlike) > 2 else ""
    return ReadError(
        f"{' and '.join(found)}{more}: the same id names different questions, and their texts do not match one to one. "
        f"Evaluate all systems on the same questions, name the column of ids that all share with {option('column', 'item=…')}, "
        f"or, if this text is not part of the item, leave it out: {option('column', 'text=none')}"
    )


def _two_texts(rows: Records, item: Item) -> str:
    """Two rows of an item that say something else."""
    text = rows.labels["text"]
    same = np.all(
        [_codes(rows, role) == code for role, code in zip(("dataset", "group", "item"), item, strict=True)], axis=0
    )
    mine = np.intersect1d(np.flatnonzero(same), _known(text))
    first = int(mine[0])
    others = mine[(text.codes[mine] != text.codes[first]) & (rows.system.codes[mine] != rows.system.codes[first])]
    other = int(others[0]) if len(others) else int(mine[text.codes[mine] != text.codes[first]][0])
    said = {row: repr(rows.label("text", row)) for row in (first, other)}
    return f"item {rows.show_item(first)!r} is {said[first]} in {rows.where(first)} and {said[other]} in {rows.where(other)}"
