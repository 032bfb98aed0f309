"""Registry of recomputed tables, one function each, and the rule by which printed numbers agree."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import numpy as np
from scipy import special

from tellapart.answers.reproduction import CellResult, CellVerdict
from tellapart.compute import Runner
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import digest
from tellapart.studies.reproduction.published import PublishedRow, lines_of

# Does a printed number agree with ours? Rounding and their own Monte Carlo error are allowed for, nothing
# else.

LEVEL = 0.999
"""So high because many numbers are held against it: of a thousand that are right one is called different."""
SLACK = 1e-9
"""Of a unit of the last printed digit: what floats may miss an edge by."""
ROUNDING = 0.05
"""A number that is off by less than one in its last digit differs by rounding, unless that is more than this part of it."""


@dataclass(frozen=True)
class Ours:
    """Our number.

    `half_width` is how far it can be off, `replicates` what it was simulated from (None when exact); `share` says that the
    printed one is a share of replicates, with the error that comes with them; `below_rounding` that ours is too small for the
    precision it is computed with, and taken for 0.
    """

    value: float
    half_width: float = 0.0
    replicates: int | None = None
    share: bool = False
    below_rounding: bool = False


def judge(row: PublishedRow, ours: Ours | None, replicates: int | None) -> CellResult:
    """The cell of a printed number from this many replicates (None when it was computed)."""
    if ours is None:
        return _compared_cell(row, None, (None, None), "as published", row.why)
    if row.digits is None and row.means is None:
        return _compared_cell(row, ours, (ours.value, ours.value), "as published", row.why)
    low, high = _agreement_bounds(row, ours, replicates)
    verdict = _cell_verdict(row, ours, (low, high))
    why = row.why if verdict in {"differs", "differs by rounding"} else ""
    return _compared_cell(row, ours, (low, high), verdict, why)


def _compared_cell(
    row: PublishedRow, ours: Ours | None, bounds: tuple[float | None, float | None], verdict: CellVerdict, why: str
) -> CellResult:
    value, below = (None, False) if ours is None else (ours.value, ours.below_rounding)
    cell = CellResult(row.label, row.published, row.printed, value, *bounds, verdict, why)
    return replace(cell, below_rounding=True) if below else cell


def _agreement_bounds(row: PublishedRow, ours: Ours, replicates: int | None) -> tuple[float, float]:
    """Between which values a printed number agrees with ours; words are judged by our number itself."""
    if row.means is not None:
        return ours.value - ours.half_width, ours.value + ours.half_width
    room = 0.5 * row.unit + ours.half_width
    if replicates is None or not ours.share:
        return ours.value - room, ours.value + room
    low, high = predicted(ours, replicates)
    return low - room, high + room


def _cell_verdict(row: PublishedRow, ours: Ours, bounds: tuple[float, float]) -> CellVerdict:
    if row.means is not None:
        low, high = row.means
        slack = SLACK * max(abs(low), abs(high), 1.0)
        return "agrees" if low - slack <= ours.value <= high + slack else "differs"
    printed, slack = float(row.published), SLACK * row.unit
    if bounds[0] - slack <= printed <= bounds[1] + slack:
        return "agrees"
    beyond = max(bounds[0] - printed, printed - bounds[1])
    near = beyond < 0.5 * row.unit and abs(printed - ours.value) <= ROUNDING * abs(ours.value)
    return "differs by rounding" if near else "differs"


def predicted(ours: Ours, replicates: int) -> tuple[float, float]:
    """The 99.9 % range of shares from this many replicates if ours is true.

    Binomial where ours is exact; where it was simulated too, beta-binomial, which adds the error of our own replicates.
    """
    below = _cumulative(ours, replicates)
    low, high = np.searchsorted(below, [0.5 * (1.0 - LEVEL), 0.5 * (1.0 + LEVEL)])
    return float(low) / replicates, float(min(high, replicates)) / replicates


def _cumulative(ours: Ours, replicates: int) -> FloatArray:
    """P(count ≤ k) for k = 0 … replicates."""
    k = np.arange(replicates + 1.0)
    if ours.replicates is None:
        return np.asarray(special.bdtr(k, replicates, ours.value))
    # Jeffreys' prior: half a hit and half a miss more than were seen.
    hits, misses = (x * ours.replicates + 0.5 for x in (ours.value, 1.0 - ours.value))
    logs = special.betaln(k + hits, replicates - k + misses) - special.betaln(hits, misses)
    ways = -special.betaln(k + 1.0, replicates - k + 1.0) - np.log(replicates + 1.0)
    return np.asarray(np.cumsum(np.exp(logs + ways)))


FILES = {
    "glue": ("nlppower_glue_paper_annotations.csv.gz", "nlppower_glue_test_sizes.csv.gz"),
    "pplm": ("pplm_human_ratings.csv.gz",),
    "survey": (
        "nlppower_humaneval_master.csv.gz",
        "nlppower_likert_ratings_meta.csv.gz",
        "nlppower_num_items_vs_effect_size.csv.gz",
    ),
    "squad": ("nlppower_squad2_models.csv.gz", "nlppower_squad2_pairs_dev.csv.gz"),
    "wmt17": ("wmt17_ende_bleu_stats.csv.gz", "wmt17_ende_system_outputs.csv.gz"),
}
"""Real data that some tables are recomputed from; they lie beside the checkout and are never part of it."""
LIBRARIES = {"mt": "sacrebleu"}
"""Extras that some tables need, by the library that they install."""


def beside_checkout() -> Path:
    """Where the real data lie when this package is used from a checkout that has them beside it."""
    return Path(__file__).parents[4] / "shared" / "data"


@dataclass(frozen=True)
class Setting:
    """From which seed and how often to simulate, and where the real data are."""

    seed: int
    replicates: int
    data: Path
    runner: Runner | None = field(default=None, compare=False)
    """The runner of simulations, where one is given."""

    def lacks(self, needs: Sequence[str]) -> list[str]:
        """The files that are needed and not there, and libraries that are not installed."""
        files = [name for need in needs for name in FILES.get(need, ()) if not (self.data / name).is_file()]
        libraries = [LIBRARIES[need] for need in needs if need in LIBRARIES]
        return [*files, *(name for name in libraries if find_spec(name) is None)]

    def digest(self, needs: Sequence[str]) -> str:
        """The hash of the files that are needed, and the versions of the libraries."""
        files = [self.data / name for need in needs for name in FILES.get(need, ())]
        libraries = [LIBRARIES[need] for need in needs if need in LIBRARIES]
        told = (f"|{name} {version(name)}|".encode() for name in libraries)
        return digest([*(file.read_bytes() for file in files), *told])[:16]

    def table(self, name: str) -> list[list[str]]:
        """The rows of a real table, its header first."""
        return lines_of(self.data / name)


Recompute = Callable[[Sequence[PublishedRow], Setting], Sequence[Ours | None]]
"""Our number for each row; None where there is none."""

RECOMPUTED: dict[str, Recompute] = {}
SIMULATED: set[str] = set()
"""Tables whose numbers are simulated as plans are: block by block, by all workers together."""


Function = TypeVar("Function", bound=Recompute)


def recomputes(name: str, *, simulating: bool = False) -> Callable[[Function], Function]:
    def register(function: Function) -> Function:
        assert name not in RECOMPUTED, name
        RECOMPUTED[name] = function
        if simulating:
            SIMULATED.add(name)
        return function

    return register


def nothing(rows: Sequence[PublishedRow], setting: Setting) -> list[None]:  # noqa: ARG001  (the shape of every table)
    """A table that is shown as published."""
    return [None for _ in rows]


# Whether the values of a figure grow or fall along each of its axes, as its text says.

PRECISION = 1e-12
"""Of two values' size: a step between them that is smaller is made of their rounding, which is another's on another processor."""

Place = tuple[float, ...]
"""Where a point of a figure lies, axis by axis."""


def worst_step(values: Mapping[Place, float], axis: int, worst: Callable[[Iterable[float]], float]) -> Ours:
    """The step that speaks most against the text, of those from each point to the next one along an axis, the others being the same."""
    lines: dict[Place, list[tuple[float, float]]] = {}
    for place, value in values.items():
        lines.setdefault(place[:axis] + place[axis + 1 :], []).append((place[axis], value))
    step = worst(_float_step(a, b) for line in lines.values() for (_, a), (_, b) in pairwise(sorted(line)))
    return Ours(step, below_rounding=step == 0.0)


def _float_step(a: float, b: float) -> float:
    return 0.0 if math.isclose(a, b, rel_tol=PRECISION) else b - a
