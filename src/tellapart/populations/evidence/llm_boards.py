"""Evidence from benchmarks of language models: discordance of two systems by mean accuracy and gap.

Quantiles of discordance were computed in bins of both. A bin is told by the correlations that these quantiles mean at its middle;
between middles correlations are interpolated, because they say the same at every accuracy, while a discordance must stay possible.
"""

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, Literal

import numpy as np

from tellapart.populations.evidence.evidence import EVIDENCE, Band, Overlap, correlated

Benchmark = Literal["typical", "mmlu", "math", "gsm8k", "arc", "bbh"]

_CORRELATIONS = {
    "typical": Band(0.56, 0.40, 0.70),
    "mmlu": Band(0.62, 0.55, 0.71),
    "math": Band(0.41, 0.31, 0.55),
    "gsm8k": Band(0.58, 0.48, 0.70),
    "arc": Band(0.69, 0.62, 0.78),
    "bbh": Band(0.49, 0.38, 0.59),
}


@EVIDENCE.add("benchmark_correlation")
@dataclass(frozen=True)
class BenchmarkCorrelation(Overlap):
    """Language models that answer the same benchmark are right on the same items more often than by chance.

    `typical` is the mean of the five benchmarks with the range its source calls typical. Boyi (2026).
    """

    benchmark: Benchmark = field(default="typical", metadata={"help": "the benchmark", "spell": "always"})

    accuracies = 0.0, 1.0
    about = "correlation of two language models' right-or-wrong scores on a benchmark"
    seen_on = "28 pairs of language models"
    source = "Boyi, “Power Analysis for Pairwise Model Comparisons on Reasoning Benchmarks” (2026), section 4: 28 pairs"
    band = "half of the pairs"
    uncertainty = "half of the pairs (interquartile range); typical: 0.4 to 0.7"
    examples = ("benchmark_correlation(benchmark=mmlu)", "benchmark_correlation(benchmark=typical)")
    caution = "the pairs behind it are not published"

    @property
    def among(self) -> str:
        board = "five benchmarks" if self.benchmark == "typical" else self.benchmark.upper()
        return f"language models on {board}"

    @property
    def coefficients(self) -> dict[str, float]:
        return {"correlation": self.correlation.expected}

    @property
    def correlation(self) -> Band:
        return _CORRELATIONS[self.benchmark]

    def past(self, a: float, b: float) -> Band:
        return correlated(a, b, self.correlation)


@dataclass(frozen=True)
class Bin:
    """Pairs of systems with a mean accuracy and a gap around these middles, and the quantiles of their discordance."""

    mean: float
    gap: float
    pairs: int
    tenth: float
    median: float
    ninetieth: float

    def correlations(self) -> tuple[float, float, float]:
        """The correlations behind the median, the 90 % and the 10 % quantile of discordance: expected, low, high."""
        a, b = self.mean - self.gap / 2.0, self.mean + self.gap / 2.0
        spread = math.sqrt(a * (1.0 - a) * b * (1.0 - b))
        shares = (self.median, self.ninetieth, self.tenth)
        expected, low, high = ((0.5 * (a + b - share) - a * b) / spread for share in shares)
        return expected, low, high


class BoardPairs(Overlap):
    """Base of evidence from one board."""

    bins: ClassVar[tuple[Bin, ...]]
    # Accuracies vary within a bin, and discordance with them: around a given accuracy the band holds more of the pairs.
    band = "at least 80 % of pairs"
    uncertainty = "at least 80 % of pairs: the 10 % and 90 % quantiles of discordance in bins of mean accuracy and gap"

    @property
    @abstractmethod
    def among(self) -> str:
        """Which systems they are."""

    @property
    def coefficients(self) -> dict[str, float]:
        middle = sorted({one.gap for one in self.bins})[1]
        return {f"discordance at {one.mean:g}": one.median for one in self.bins if one.gap == middle}

    @cached_property
    def _knots(self) -> list[tuple[float, list[float], list[tuple[float, float, float]]]]:
        """For each mean accuracy the gaps that were seen, and the correlations there."""
        means = sorted({one.mean for one in self.bins})
        rows = ([one for one in self.bins if one.mean == mean] for mean in means)
        return [(row[0].mean, [one.gap for one in row], [one.correlations() for one in row]) for row in rows]

    def correlation(self, mean: float, gap: float) -> Band:
        """The correlation of right-or-wrong scores, interpolated; beyond the outermost bins as there."""
        means = [knot[0] for knot in self._knots]
        at = [
            [np.interp(gap, gaps, [r[i] for r in correlations]) for _, gaps, correlations in self._knots]
            for i in range(3)
        ]
        expected, low, high = (float(np.interp(mean, means, row)) for row in at)
        return Band(expected, low, high)

    def past(self, a: float, b: float) -> Band:
        return correlated(a, b, self.correlation(0.5 * (a + b), abs(b - a)))


_SWE_BENCH = (
    Bin(0.15, 0.035, 7, 0.1627, 0.1707, 0.2084),
    Bin(0.15, 0.075, 17, 0.1440, 0.1860, 0.2418),
    Bin(0.25, 0.010, 31, 0.1800, 0.2100, 0.2640),
    Bin(0.25, 0.035, 47, 0.1860, 0.2300, 0.2762),
    Bin(0.25, 0.075, 72, 0.1886, 0.2320, 0.2756),
    Bin(0.35, 0.010, 48, 0.2100, 0.2320, 0.2625),
    Bin(0.35, 0.035, 72, 0.2104, 0.2360, 0.2725),
    Bin(0.35, 0.075, 146, 0.2220, 0.2460, 0.2843),
    Bin(0.45, 0.010, 155, 0.1920, 0.2240, 0.2720),
    Bin(0.45, 0.035, 229, 0.1960, 0.2280, 0.2744),
    Bin(0.45, 0.075, 341, 0.2080, 0.2320, 0.2700),
    Bin(0.55, 0.010, 158, 0.1780, 0.2220, 0.2426),
    Bin(0.55, 0.035, 243, 0.1860, 0.2180, 0.2520),
    Bin(0.55, 0.075, 397, 0.1860, 0.2200, 0.2602),
    Bin(0.65, 0.010, 134, 0.1406, 0.1660, 0.2175),
    Bin(0.65, 0.035, 280, 0.1380, 0.1640, 0.2140),
    Bin(0.65, 0.075, 531, 0.1500, 0.1800, 0.2104),
    Bin(0.75, 0.010, 213, 0.1080, 0.1320, 0.1540),
    Bin(0.75, 0.035, 261, 0.1040, 0.1340, 0.1560),
    Bin(0.75, 0.075, 190, 0.1220, 0.1440, 0.1702),
)

_GSM8K = (
    Bin(0.75, 0.035, 7, 0.2211, 0.2502, 0.2628),
    Bin(0.75, 0.075, 10, 0.2105, 0.2320, 0.2761),
    Bin(0.85, 0.010, 22, 0.1245, 0.1736, 0.2221),
    Bin(0.85, 0.035, 48, 0.1199, 0.1660, 0.2133),
    Bin(0.85, 0.075, 86, 0.1384, 0.1592, 0.2062),
    Bin(0.935, 0.010, 179, 0.0364, 0.0543, 0.0823),
    Bin(0.935, 0.035, 130, 0.0553, 0.0743, 0.1017),
    Bin(0.935, 0.075, 95, 0.0884, 0.1092, 0.1243),
)


def _pairs_in_bins(bins: tuple[Bin, ...]) -> str:
    return f"{sum(one.pairs for one in bins):,} pairs"


def _close_pairs(bins: tuple[Bin, ...]) -> str:
    return f"{_pairs_in_bins(bins)} with a gap below 0.1"


@EVIDENCE.add("swe_bench_pairs")
@dataclass(frozen=True)
class SweBenchPairs(BoardPairs):
    """Two systems that repair software differ on about a fifth of the issues, whatever their accuracy between 0.2 and 0.6.

    Assumes systems as different as entries of a leaderboard: language models with their tools. Gaps above 0.1 are judged by the
    correlation at 0.075.
    """

    bins = _SWE_BENCH
    accuracies = 0.1, 0.8
    among = "systems on SWE-bench Verified"
    about = "discordance of two systems from their mean accuracy and the gap"
    seen_on = f"{_pairs_in_bins(_SWE_BENCH)} on SWE-bench Verified"
    source = f"SWE-bench Verified (500 items): {_close_pairs(_SWE_BENCH)} among its 158 systems"
    examples = ("swe_bench_pairs",)
    caution = "one board of one task; its pairs share systems, and larger gaps were not looked at"


@EVIDENCE.add("gsm8k_pairs")
@dataclass(frozen=True)
class Gsm8kPairs(BoardPairs):
    """Two language models that solve word problems differ on the more items, the more they get wrong.

    Assumes models as different as those of a leaderboard, each asked once. Gaps above 0.1 are judged by the correlation at 0.075.
    """

    bins = _GSM8K
    accuracies = 0.7, 0.97
    among = "language models on GSM8K"
    about = "discordance of two systems from their mean accuracy and the gap"
    seen_on = f"{_pairs_in_bins(_GSM8K)} of language models on GSM8K"
    source = f"GSM8K (1,319 items): {_close_pairs(_GSM8K)} among the 44 language models of ZeroEval"
    examples = ("gsm8k_pairs",)
    caution = "one board of one task; its pairs share systems, only 17 of them lie below a mean accuracy of 0.8, and larger gaps were not looked at"
