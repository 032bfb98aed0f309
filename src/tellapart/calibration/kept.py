"""What a store has of a calibration: the blocks of every line, under a name that says which line it is."""

from collections.abc import Sequence
from dataclasses import astuple, fields
from typing import Any

from tellapart.calibration.measure import ALPHA, Occurrences
from tellapart.calibration.pieces import ReportLine, told
from tellapart.results.calibration import Calibrated, Rate
from tellapart.workers import Call, Filed, Filing
from tellapart.workers.naming import name_of

Measured = Occurrences | Calibrated
FIELDS = tuple(field.name for field in fields(Calibrated))


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
    rates = {
        name: Rate(*rate)
        for name, rate in zip(FIELDS, written, strict=True)
        if isinstance(rate, list | tuple)
    }
    return Calibrated(**dict(zip(FIELDS, written, strict=True)) | rates)
