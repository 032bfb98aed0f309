"""Calibration of `compare --by` on simulated groups of items, with and without a change of the difference."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from tellapart.answers.calibration import Calibrated
from tellapart.boards.contrast_laws import AdjustedContrasts, adjusted_contrasts
from tellapart.boards.group_contrasts import UnitTotals
from tellapart.foundation.arrays import STATISTIC_NOISE, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import Generator, block_of, stream
from tellapart.studies.calibration.difference_laws import lognormal, normal, rarely_failing
from tellapart.studies.calibration.laws import RARE
from tellapart.studies.calibration.measure import ALPHA, Occurrences, StreamBlock, judged, rate
from tellapart.studies.calibration.scenario import DETECTED, Draw

OFTEN = 500
"""Evaluations of one kind at scale 1."""

RESAMPLES = 999
"""Enough for a p-value of 0.05 to be counted: fifty of them."""

STEADY = 0.1
"""How much a group varies that does not fail, in standard deviations of one that does."""


@dataclass(frozen=True, eq=False)
class Groups:
    """Groups of items, each with its law of differences and their spread; `repeated` ones hold the same items.

    Items that repeat have a part of their difference in common, as large as what is their own in each group.
    """

    kind: str
    sizes: tuple[int, ...]
    laws: tuple[Draw, ...]
    spreads: tuple[float, ...]
    repeated: bool = False
    known: str = ""

    @property
    def name(self) -> str:
        return f"{self.kind}, {' + '.join(map(str, self.sizes))}"

    @property
    def number(self) -> int:
        """The stream number, from its own name, so that other kinds may come and go."""
        return zlib.crc32(f"changes/{self.name}".encode())

    @property
    def effect(self) -> float:
        """The change of the last group that a z test of it alone would find four times in five."""
        (first, *_, last), (of_first, *_, of_last) = self.sizes, self.spreads
        return DETECTED * float(np.hypot(of_first / np.sqrt(first), of_last / np.sqrt(last)))

    def drawn(self, change: float, rng: Generator) -> UnitTotals:
        """One evaluation; the last group has changed by so much since all others."""
        own = [
            spread * law((1, size), 0.0, rng)[0]
            for law, spread, size in zip(self.laws, self.spreads, self.sizes, strict=True)
        ]
        own[-1] = own[-1] + change
        if not self.repeated:
            return UnitTotals.of(own, self._group_places())
        common = rng.standard_normal(max(self.sizes))
        return UnitTotals.of([values + common[: len(values)] for values in own], self._group_places())

    def _group_places(self) -> list[IntArray]:
        starts = np.cumsum((0, *self.sizes[:-1])) * (not self.repeated)
        return [start + np.arange(size) for start, size in zip(starts, self.sizes, strict=True)]


def unchanged_groups() -> Iterator[Groups]:
    """Every kind on which changes are tried, in the order of the report."""
    alike = (1.0, 1.0, 1.0)
    yield Groups("normal", (40, 40, 40), (normal,) * 3, alike)
    yield Groups("normal, the same items again", (40, 40, 40), (normal,) * 3, alike, repeated=True)
    for sizes in ((40, 40, 40), (60, 20, 20), (6, 6, 6)):
        yield Groups("normal, spreads 1 to 4", sizes, (normal,) * 3, (1.0, 2.5, 4.0))
    for sizes in ((40, 40, 40), (30, 6, 6), (6, 6, 6)):
        yield Groups("lognormal", sizes, (lognormal,) * 3, alike)
    yield Groups("lognormal, the other way in the second", (40, 40, 40), (lognormal,) * 3, (1.0, -1.0, 1.0))
    yield Groups("8 % failures", (60, 60, 60), (rarely_failing,) * 3, alike)
    for size in (60, 8):
        laws = (normal, normal, rarely_failing)
        yield Groups(
            "8 % failures in the last alone", (size,) * 3, laws, (STEADY, STEADY, 1.0), known=RARE if size < 30 else ""
        )  # fmt: skip


def counted_changes(groups: Groups, block: StreamBlock) -> Occurrences:
    """These of one block of evaluations."""
    rng, effect = block_of(stream(block.seed, groups.number), block.number), groups.effect
    counts = np.zeros(3, dtype=np.int64)
    for _ in range(block.size):
        none, some = (adjusted_contrasts(groups.drawn(change, rng), ALPHA, rng, RESAMPLES) for change in (0.0, effect))
        counts += [_is_told_apart(none), _held(some, effect), _is_told_apart(some)]
    return tuple(map(int, counts))


def as_changes(groups: Groups, counts: Occurrences, replicates: int) -> Calibrated:
    """The report row of these counts."""
    size, coverage, power = (rate(count, replicates) for count in counts)
    return judged(
        Calibrated(
            "changes", None, groups.name, sum(groups.sizes), "max_t", "max_t", groups.effect, size, coverage, power, None, "holds", groups.known
        ),
        min(groups.sizes),
    )  # fmt: skip


def _is_told_apart(found: AdjustedContrasts) -> bool:
    return bool(rejects(float(found.adjusted.min()), ALPHA))


def _held(found: AdjustedContrasts, effect: float) -> bool:
    """Whether all intervals together hold the truth: no change, but in the last group."""
    truth: FloatArray = np.zeros(len(found.estimate))
    truth[-1] = effect
    slack = STATISTIC_NOISE * max(effect, 1.0)
    return bool(((found.low - slack <= truth) & (truth <= found.high + slack)).all())
