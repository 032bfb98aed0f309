"""What a store has of a calibration: the blocks of every line, under a name that says which line it is."""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any

from tellapart.calibration.measure import ALPHA, Occurrences
from tellapart.calibration.pieces import ReportLine, told
from tellapart.results.calibration import Calibrated, Rate
from tellapart.workers import Call, Filed, Filing
from tellapart.workers.naming import name_of

Measured = Occurrences | Calibrated


def filing(lines: Sequence[ReportLine], seed: int) -> Filing[Measured]:
    of = {(line.kind, line.number): (line, _name(line, seed)) for line in lines}

    def filed(call: Call) -> Filed:
        kind, number, block = call
        line, name = of[kind, number]
        return Filed(name, line.replicates, block.number, block.size)

    return Filing(filed, _written, _read)


def _name(line: ReportLine, seed: int) -> str:
    return name_of(
        "calibrate", study=told(line), line=[line.kind, line.number], data=None, alpha=ALPHA, seed=seed
    )


def _written(found: Measured) -> Any:
    return astuple(found) if isinstance(found, Calibrated) else found


def _read(written: Any) -> Measured:
    """Counts as they are; the row of what was enumerated begins with the name of its group."""
    if not isinstance(written[0], str):
        counts: Occurrences = written
        return counts
    group, scenario, items, test, interval, effect, *rates, verdict, why, _ = written
    size, coverage, power = (None if rate is None else Rate(*rate) for rate in rates)
    assert coverage is not None
    return Calibrated(group, scenario, items, test, interval, effect, size, coverage, power, verdict, why)
