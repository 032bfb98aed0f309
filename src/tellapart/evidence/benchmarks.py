from dataclasses import dataclass, field
from typing import Literal

from tellapart.evidence.evidence import EVIDENCE, Band
from tellapart.evidence.overlap import Overlap, correlated

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
