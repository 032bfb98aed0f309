from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from scipy import special

from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.seeds import Generator
from tellapart.foundation.spelling import ALWAYS
from tellapart.methods.significance.procedure import TESTS, Outcome, Procedure
from tellapart.numerics.null_laws.score_difference import score_statistic
from tellapart.numerics.null_laws.tails import Alternative, fair_mid_pvalue, fair_pvalue, positive, sided
from tellapart.numerics.null_laws.unconditional_mcnemar import unconditional_critical_counts, unconditional_pvalue

Variant = Literal["mid_p", "exact", "asymptotic", "corrected", "unconditional"]


@TESTS.add("mcnemar")
@dataclass(frozen=True)
class McNemar(Procedure):
    """Among the items only one system got right, does each system win as often as the other?

    With w items that only B got right and l that only A did, w is binomial(w + l, 1/2) under the null. `exact` is its
    tail and is conservative; `mid_p` counts the observed table half and keeps its level except in corners (size 0.065 at
    50 items that all differ); `asymptotic` holds (w − l)/√(w + l) against the normal, `corrected` after taking 1 off
    |w − l|; `unconditional` takes the worst case over the share of items that differ. For independent items, each right
    or wrong. The wrong choice for graded scores or several runs per item (`permutation`) and for clusters (`cluster_t`).
    McNemar (1947); Fagerland, Lydersen & Laake (2013); Suissa & Shuster (1991).
    """

    variant: Variant = field(default="mid_p", metadata=ALWAYS)

    needs = Discordance
    interval = "tango"
    # The same question of the same items, asked of differences: it takes any scores.
    advice = "sign"
    counts_signs = True

    @property
    def label(self) -> str:
        return f"McNemar {self.variant.replace('_', '-')}"

    def apply(self, sample: Discordance, rng: Generator) -> Outcome:  # noqa: ARG002  (a test without chance)
        return self._mcnemar_outcome(sample)

    def _mcnemar_outcome(self, sample: Discordance) -> Outcome:
        wins, losses = sample.wins, sample.losses
        pvalue = _PVALUES[self.variant](sample, self.alternative)
        direction = np.sign(wins - losses).astype(np.float64)
        return Outcome(pvalue, self._statistic(sample), direction, np.zeros_like(pvalue), _WORDS[self.variant])

    def on_counts(self, wins: IntArray, losses: IntArray) -> Outcome:
        """The outcome by the numbers of items won and lost, all that any variant but the unconditional one looks at."""
        nothing = np.zeros_like(wins)
        return self._mcnemar_outcome(Discordance(nothing, wins, losses, nothing))

    def against(self, sample: Discordance, null: float, rng: Generator) -> Outcome:
        """At a non-zero difference McNemar's test is Tango's score test (1998), which equals the asymptotic one at zero."""
        if null == 0.0:
            return self.apply(sample, rng)
        z = score_statistic(sample.wins, sample.losses, sample.items, np.asarray(null / sample.step))
        pvalue = sided(special.ndtr(z), special.ndtr(-z), self.alternative)
        return Outcome(pvalue, z, np.sign(z), np.zeros_like(pvalue), "Tango's score test")

    def critical_counts(self, discordant: IntArray, items: int, alpha: float) -> tuple[IntArray, IntArray] | None:
        """Where the unconditional variant rejects; the others' p-values are quickly searched for it."""
        if self.variant != "unconditional":
            return None
        return unconditional_critical_counts(discordant, items, alpha, self.alternative)

    def _statistic(self, sample: Discordance) -> FloatArray:
        """The signed root of McNemar's chi-square for the normal variants, else the number of items only B got right."""
        # The exact variants look at nothing else than wins, given their sum with losses.
        if self.variant in {"mid_p", "exact"}:
            return sample.wins.astype(np.float64)
        return _signed_root(sample, continuity=float(self.variant == "corrected"))


def _exact_pvalue(sample: Discordance, alternative: Alternative) -> FloatArray:
    return fair_pvalue(sample.wins, sample.wins + sample.losses, alternative)


def _mid_p(sample: Discordance, alternative: Alternative) -> FloatArray:
    return fair_mid_pvalue(sample.wins, sample.wins + sample.losses, alternative)


def _asymptotic(sample: Discordance, alternative: Alternative) -> FloatArray:
    z = _signed_root(sample, continuity=0.0)
    return sided(special.ndtr(z), special.ndtr(-z), alternative)


def _corrected(sample: Discordance, alternative: Alternative) -> FloatArray:
    z = _signed_root(sample, continuity=1.0)
    return sided(special.ndtr(z), special.ndtr(-z), alternative)


def _unconditional(sample: Discordance, alternative: Alternative) -> FloatArray:
    return positive(unconditional_pvalue(sample.wins, sample.losses, sample.items, alternative))


_PVALUES = {
    "mid_p": _mid_p,
    "exact": _exact_pvalue,
    "asymptotic": _asymptotic,
    "corrected": _corrected,
    "unconditional": _unconditional,
}
_WORDS = {
    "mid_p": "mid-p of the exact binomial",
    "exact": "exact binomial",
    "asymptotic": "normal approximation",
    "corrected": "normal approximation with continuity correction",
    "unconditional": "exact, worst case over the share of items that differ",
}


def _signed_root(sample: Discordance, continuity: float) -> FloatArray:
    """(wins − losses) / √(wins + losses), its size reduced by the continuity correction; 0 when nothing differs."""
    gap = (sample.wins - sample.losses).astype(np.float64)
    # Nothing differs: the gap is 0, and 0 by 1 is the 0 that it should be.
    size = np.sqrt(np.maximum(sample.wins + sample.losses, 1))
    return np.asarray(np.sign(gap) * np.maximum(np.abs(gap) - continuity, 0.0) / size)
