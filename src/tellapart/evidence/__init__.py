"""What published results say when the user knows nothing. Importing the room registers all of it."""

from tellapart.evidence.benchmarks import BenchmarkCorrelation
from tellapart.evidence.choice import gain_over, others_at, overlap_at
from tellapart.evidence.contributions import (
    Card2020Bleu,
    Contributions,
    FittedContributions,
    Wmt17Ende,
)
from tellapart.evidence.evidence import EVIDENCE, Band, Evidence
from tellapart.evidence.fitted import (
    FittedGain,
    FittedOverlap,
    FittedSpread,
    fit_gain,
    fit_overlap,
    fit_spread,
)
from tellapart.evidence.gain import Gain, TypicalGain
from tellapart.evidence.glue import GlueGain, GlueOverlap
from tellapart.evidence.llm_boards import Gsm8kPairs, SweBenchPairs
from tellapart.evidence.no_prior import NoPrior
from tellapart.evidence.overlap import Overlap
from tellapart.evidence.ratings import RatingSpreads
from tellapart.evidence.spread import BeirNdcg, Likeness, Spread, TrecRuns
from tellapart.evidence.squad2 import Squad2Correlation, Squad2Gain, Squad2Overlap, Squad2Pairs

__all__ = [
    "EVIDENCE",
    "Band",
    "BeirNdcg",
    "BenchmarkCorrelation",
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
    "fit_gain",
    "fit_overlap",
    "fit_spread",
    "gain_over",
    "others_at",
    "overlap_at",
]
