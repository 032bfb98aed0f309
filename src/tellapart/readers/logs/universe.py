"""The full set of evaluated items, for log files that list only the solved ones; all others score 0."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.files import UPLOADED_FILES
from tellapart.foundation.surfaces import option
from tellapart.readers.format import Log, text_of
from tellapart.readers.logs.log_rows import LogRows, look_up
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.files import locate
from tellapart.readers.storage.json_objects import small_json
from tellapart.readers.tables.values import FAILED, SCORED

UNLISTED = "(unlisted"
"""How the name begins that stands for an item which no file names."""


def of_both(universe: Any, sides: Sequence[Sequence[str]]) -> tuple[str, ...] | None:
    """All items by name, where two sides were each filled up to a number and name other items; None where they name the same."""
    if universe is None or set(sides[0]) == set(sides[1]):
        return None
    named = dict.fromkeys(item for side in sides for item in side if not item.startswith(UNLISTED))
    return tuple(_items(universe, named, "the baseline"))


def fill_universe(found: Sequence[LogRows], asked: LogRequest) -> None:
    """Give every item of the universe a score: what is not solved is 0. Refuse lists of what was solved without one."""
    lacking = next((one for one in found if one.facts.solved_only), None)
    if asked.universe is None:
        if lacking is not None:
            what = "lists only what was resolved, not what was tried"
            if lacking.marks[0] == FAILED:
                what = "no report lies beside it, and instances with an empty patch have no folder at all"
            raise ReadError(
                f"{lacking.origin.name}: {what}. Say which items there are, or how many: "
                f"{option('universe', 'FILE')} or {option('universe', '500')}"
            )
        return
    other = next((one for one in found if not one.format.lists_only_solved), None)
    if other is not None:
        raise ReadError(
            f"{other.origin.name}: {option('universe')} is for files that list only solved items, and "
            f"{other.format.label} list every item. Leave it out"
        )
    named = dict.fromkeys(item for one in found for item in one.column("item"))
    items = _items(asked.universe, named, found[0].origin.name)
    # SWE-bench writes a file per instance: what none of the files of a run names is missing once.
    runs: dict[tuple[str, ...], list[LogRows]] = {}
    for one in found:
        key = (one.facts.run,) if one.facts.run else (one.origin.name,)
        runs.setdefault((one.facts.system or one.label, one.facts.group or "", *key), []).append(one)
    for files in runs.values():
        known = {item for one in files for item in one.column("item")}
        for one in files:
            missing = [item for item in items if item not in known] if one is files[0] else []
            _score_unlisted(one, missing, asked.role("group") or "")


def _score_unlisted(one: LogRows, missing: Sequence[str], by: str) -> None:
    """Score 0 for every item without a score: failed, never tried or not listed."""
    one.values = np.where(one.marks == SCORED, one.values, 0.0)
    one.marks = np.zeros(len(one), dtype=np.int8)
    systems = dict.fromkeys(one.system_of_rows()) or {one.facts.system or one.label: None}
    if len(systems) > 1:
        raise ReadError(
            f"{one.origin.name}: holds several systems, so {option('universe')} cannot say what each lacks. Pass one system per file"
        )
    for name, column in one.texts.items():
        fill = {
            "item": missing,
            "cluster": [_cluster_of_item(one, item) for item in missing],
            "group": [text_of(look_up(_record_keys(one, item), by)) for item in missing],
        }
        column.extend(fill.get(name, [column[0] if column else ""] * len(missing)))
    one.lines.extend([0] * len(missing))
    one.values = np.concatenate([one.values, np.zeros(len(missing))])
    one.marks = np.concatenate([one.marks, np.zeros(len(missing), dtype=np.int8)])


def _cluster_of_item(one: LogRows, item: str) -> str:
    return str(next(iter(_record_keys(one, item).values()), ""))


def _record_keys(one: LogRows, item: str) -> Mapping[str, Any]:
    return one.format.record_keys(item) if isinstance(one.format, Log) else {}


def _items(universe: Any, named: dict[str, None], file: str) -> list[str]:
    """The names of all items; unnamed ones are numbered."""
    if isinstance(universe, tuple):
        return list(universe)
    text = str(universe).strip()
    # What is given for others to read lies on a uploads, and a number is then never the name of a file.
    if text.isdecimal() and (UPLOADED_FILES.get() is not None or not Path(text).is_file()):
        total = int(text)
        if total < len(named):
            raise ReadError(
                f"{option('universe', text)}: {file} and the files passed with it already name {len(named)} items; give at least that many"
            )
        return [*named, *(f"{UNLISTED} {number})" for number in range(1, total - len(named) + 1))]
    items = _names_in_file(text)
    known = set(items)
    stray = next((item for item in named if item not in known), None)
    if stray is not None:
        raise ReadError(
            f"{text}: {stray!r} is not among its {len(items)} items, but {file}, or a file passed with it, has it. Is it the right list?"
        )
    return items


def _names_in_file(path: str) -> list[str]:
    """A name per line, or a JSON list of names or of objects that say their instance_id."""
    origin = locate(path, path)
    found = small_json(origin)
    if isinstance(found, dict):
        found = list(found)
    if isinstance(found, list):
        names = [str(one.get("instance_id", "")) if isinstance(one, dict) else str(one) for one in found]
    else:
        with origin.text() as text:
            names = [line.strip().split(",")[0] for line in text if line.strip()]
        names = names[1:] if names[:1] == ["instance_id"] else names
    if not any(names):
        raise UsageError(f"{option('universe', path)}: found no names there; wanted one per line")
    return list(dict.fromkeys(names))
