"""Reference tables of `tests/reference/frontier` as rows and arrays."""

import csv
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from tellapart.foundation.arrays import FloatArray

FOLDER = Path(__file__).parents[1] / "reference" / "frontier"


def rows(table: str) -> list[dict[str, str]]:
    with (FOLDER / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def quantities(table: str, case: str, **where: str) -> dict[str, float]:
    """The numbers of a case in a table of (case, quantity, value)."""
    chosen = (r for r in rows(table) if r["case"] == case and all(r[k] == v for k, v in where.items()))
    return {row["quantity"]: float(row["value"]) for row in chosen if _is_number(row["value"])}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def runs(case: str) -> dict[str, FloatArray]:
    """Scores `(item, run)` of each system, NaN where an item has fewer runs."""
    table = rows(f"data/{case}")
    items = {name: i for i, name in enumerate(sorted({row["item"] for row in table}))}
    most = max(int(row["run"]) for row in table) + 1
    scores = {system: np.full((len(items), most), np.nan) for system in sorted({r["system"] for r in table})}
    for row in table:
        scores[row["system"]][items[row["item"]], int(row["run"])] = float(row["score"])
    return scores


def designs(table: str, key: str) -> Iterator[tuple[str, list[dict[str, str]]]]:
    """The rows of a table, grouped by a column."""
    groups = defaultdict(list)
    for row in rows(table):
        groups[row[key]].append(row)
    yield from groups.items()
