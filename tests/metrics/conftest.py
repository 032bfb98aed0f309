"""What systems wrote at WMT17, and how it is counted."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from tellapart.foundation.arrays import FloatArray
from tellapart.metrics import METRICS
from tellapart.metrics.from_texts import TextMetric

Row = dict[str, str]


def rows_of(path: Path) -> list[Row]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="session")
def outputs(shared: Path) -> dict[str, list[str]]:
    """What every system wrote, and the reference."""
    with gzip.open(shared / "wmt17_ende_system_outputs.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: [row[name].rstrip() for row in rows] for name in rows[0] if name != "seg"}


@pytest.fixture(scope="session")
def counted(outputs: dict[str, list[str]]) -> Callable[[str, str], FloatArray]:
    """The parts of a system by a metric, counted once."""
    known: dict[tuple[str, str], FloatArray] = {}

    def count(metric: str, system: str) -> FloatArray:
        if (metric, system) not in known:
            made = METRICS.parse(metric)
            assert isinstance(made, TextMetric)
            segments = list(zip(outputs[system], zip(outputs["reference"]), strict=True))
            known[metric, system] = made.count(segments)
        return known[metric, system]

    return count
