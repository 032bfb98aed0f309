"""Evidence from published results, for unknown numbers of a population: one file per publication or kind."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names
from tellapart.populations.evidence.evidence import EVIDENCE

if TYPE_CHECKING:
    from tellapart.populations.evidence.card2020 import (
        GlueGain,
        GlueOverlap,
        Squad2Correlation,
        Squad2Gain,
        Squad2Overlap,
        Squad2Pairs,
    )
    from tellapart.populations.evidence.choice import Boards, NoPrior, boards_at, gain_over, others_at, overlap_at
    from tellapart.populations.evidence.contributions import Card2020Bleu, Contributions, FittedContributions, Wmt17Ende
    from tellapart.populations.evidence.evidence import EXPECTED, HIGH, LOW, Band, Evidence, Gain, Overlap, TypicalGain
    from tellapart.populations.evidence.fitted import (
        FittedGain,
        FittedOverlap,
        FittedSpread,
        fit_gain,
        fit_overlap,
        fit_spread,
    )
    from tellapart.populations.evidence.llm_boards import BenchmarkCorrelation, Gsm8kPairs, SweBenchPairs
    from tellapart.populations.evidence.spread import BeirNdcg, Likeness, RatingSpreads, Spread, TrecRuns

EVIDENCE.lies_in(__name__, __path__)

__all__ = [
    "EVIDENCE",
    "EXPECTED",
    "HIGH",
    "LOW",
    "Band",
    "BeirNdcg",
    "BenchmarkCorrelation",
    "Boards",
    "Card2020Bleu",
    "Contributions",
    "Evidence",
    "FittedContributions",
    "FittedGain",
    "FittedOverlap",
    "FittedSpread",
    "Gain",
    "GlueGain",
    "GlueOverlap",
    "Gsm8kPairs",
    "Likeness",
    "NoPrior",
    "Overlap",
    "RatingSpreads",
    "Spread",
    "Squad2Correlation",
    "Squad2Gain",
    "Squad2Overlap",
    "Squad2Pairs",
    "SweBenchPairs",
    "TrecRuns",
    "TypicalGain",
    "Wmt17Ende",
    "boards_at",
    "fit_gain",
    "fit_overlap",
    "fit_spread",
    "gain_over",
    "others_at",
    "overlap_at",
]

__getattr__ = lazy_names(__name__)
