"""Evidence on standard deviations and correlations of numeric scores, and on variance components of ratings."""

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Literal

from tellapart.populations.evidence.evidence import EVIDENCE, Band, Evidence

Setting = Literal["low", "high", "pplm"]

_NAMES = ("rater_sd", "rater_effect_sd", "item_sd", "item_effect_sd", "residual_sd")
# Slopes of table 16 doubled: its systems are −1 and +1. Levels of PPLM were not fitted.
_DEVIATIONS: dict[Setting, tuple[float | None, ...]] = {
    "low": (0.01, 0.08, 0.01, 0.26, 0.16),
    "high": (0.01, 0.22, 0.04, 0.28, 0.26),
    "pplm": (None, 0.01, None, 0.19, 0.14),
}


@EVIDENCE.add("ratings")
@dataclass(frozen=True)
class RatingSpreads(Evidence):
    """How much ratings on a 0–1 scale vary between raters, between items and at random.

    Standard deviations on the scale of differences B − A: over raters of their own difference, over items of theirs, and of one
    rating around both. Assumes raters and tasks like those it was seen on.
    """

    setting: Setting = field(metadata={"help": "little or much variation as published, or as measured on PPLM"})

    kind = "ratings"
    accuracies = 0.0, 1.0
    about = "standard deviations of human ratings scaled to 0–1, on the scale of differences between systems"
    seen_on = "three settings of human ratings"
    source = (
        "Card et al. (2020), table 16 (low and high, slopes doubled to differences), and public ratings of Dathathri et al. (2020) "
        "(pplm: REML of paired differences of fluency)"
    )
    caution = (
        "tables 14 and 15 behind low and high print standard deviations per system and not slopes, so both overstate raters: on PPLM "
        "fluency the sd of a rater's difference is 0 to .013, not .08"
    )
    band = "three settings"
    uncertainty = "three settings, to be tried all: as measured on PPLM, and low and high as published"
    examples = ("ratings(setting=low)", "ratings(setting=high)", "ratings(setting=pplm)")

    @property
    def coefficients(self) -> dict[str, float]:
        return {name: sd for name, sd in zip(_NAMES, _DEVIATIONS[self.setting], strict=True) if sd is not None}


Measure = Literal["ndcg", "ap", "precision", "reciprocal_rank"]
Systems = Literal["same_base", "other_architecture", "other_notion"]


@dataclass(frozen=True)
class Spread(Evidence):
    """Base of evidence on scores between 0 and 1: their standard deviation, their correlation, or both."""

    kind = "spread"
    accuracies = 0.0, 1.0

    @property
    @abstractmethod
    def among(self) -> str:
        """Among which systems that is usual."""

    @property
    @abstractmethod
    def sd(self) -> Band | None:
        """The standard deviation of a system's item scores; None where nothing is said of it."""

    @property
    @abstractmethod
    def correlation(self) -> Band | None:
        """The correlation of two systems' item scores; None where nothing is said of it."""

    @property
    def mean(self) -> Band | None:
        """The mean of a system's item scores; None where nothing is said of it."""
        return None

    @property
    def zero_share(self) -> Band | None:
        """The share of items on which a system scores exactly 0; None where nothing is said of it."""
        return None

    @property
    def coefficients(self) -> dict[str, float]:
        said = {"sd": self.sd, "correlation": self.correlation, "mean": self.mean, "zero_share": self.zero_share}
        return {name: band.expected for name, band in said.items() if band is not None}


_TITLES = {"ndcg": "nDCG@20", "ap": "AP", "precision": "P@10", "reciprocal_rank": "RR"}
_SDS = {
    "ndcg": Band(0.258, 0.187, 0.271),
    "ap": Band(0.211, 0.136, 0.225),
    "precision": Band(0.279, 0.234, 0.304),
    "reciprocal_rank": Band(0.397, 0.375, 0.422),
}
_CORRELATIONS = {
    "ndcg": Band(0.661, 0.492, 0.849),
    "ap": Band(0.791, 0.610, 0.901),
    "precision": Band(0.602, 0.449, 0.809),
    "reciprocal_rank": Band(0.456, 0.222, 0.726),
}
_MEANS = {
    "ndcg": Band(0.366, 0.272, 0.424),
    "ap": Band(0.225, 0.117, 0.286),
    "precision": Band(0.380, 0.278, 0.452),
    "reciprocal_rank": Band(0.651, 0.595, 0.703),
}
_ZERO_SHARES = {
    "ndcg": Band(0.08, 0.06, 0.144),
    "ap": Band(0.0, 0.0, 0.02),
    "precision": Band(0.14, 0.082, 0.194),
    "reciprocal_rank": Band(0.0, 0.0, 0.02),
}


@EVIDENCE.add("trec_runs")
@dataclass(frozen=True)
class TrecRuns(Spread):
    """Retrieval systems find the same topics easy or hard, the more so, the more of a ranking a measure looks at.

    Assumes systems as different as the runs of a track, and topics as hard as those of that track. Voorhees (2003).
    """

    measure: Measure = field(default="ndcg", metadata={"help": "the measure", "spell": "always"})

    about = (
        "mean, standard deviation and share of zeros of a run's scores over topics, and correlation of two runs' scores"
    )
    seen_on = "17 runs of TREC 2003 Robust"
    source = "TREC 2003 Robust track: 17 runs on 100 topics, 136 pairs; medians of nDCG@20, AP, P@10 and RR"
    band = "80 % of runs and pairs"
    uncertainty = "80 % of the runs (mean, sd, zeros) and of the pairs (correlation): the 10 % and 90 % quantiles"
    examples = ("trec_runs(measure=ndcg)", "trec_runs(measure=ap)")
    caution = "one track of 2003; variants of one system correlate more"

    @property
    def among(self) -> str:
        return f"runs of TREC 2003 Robust ({_TITLES[self.measure]})"

    @property
    def sd(self) -> Band:
        return _SDS[self.measure]

    @property
    def correlation(self) -> Band:
        return _CORRELATIONS[self.measure]

    @property
    def mean(self) -> Band:
        return _MEANS[self.measure]

    @property
    def zero_share(self) -> Band:
        return _ZERO_SHARES[self.measure]


# The document says "0.90 or more" of the first and plans for 0.95; at 1 systems would differ by a constant. Of the others it
# gives ranges, whose middles are taken.
_LIKENESS = {
    "same_base": Band(0.95, 0.90, 0.99),
    "other_architecture": Band(0.725, 0.60, 0.85),
    "other_notion": Band(0.50, 0.40, 0.60),
}
_SYSTEMS = {
    "same_base": "models fine-tuned from one base",
    "other_architecture": "models of different architectures",
    "other_notion": "models of different notions of similarity",
}


@EVIDENCE.add("likeness")
@dataclass(frozen=True)
class Likeness(Spread):
    """The more alike two embedding models are, the more their scores correlate.

    Assumes nothing that was measured: these are the expectations of an author, for planning.
    """

    systems: Systems = field(metadata={"help": "how alike they are"})

    measured = False
    about = "correlation of two embedding models' item scores, by how alike they are"
    seen_on = "no data: what its author expects"
    source = "How Many Test Pairs Do You Need? Statistical Power Analysis for Embedding Model Comparisons (2604.01075, 2026), section 7.3"
    band = "what its author expects"
    uncertainty = "the range that its author expects"
    examples = ("likeness(systems=other_architecture)", "likeness(systems=same_base)")
    caution = "expected by its author, not measured"
    sd = None

    @property
    def among(self) -> str:
        return _SYSTEMS[self.systems]

    @property
    def correlation(self) -> Band:
        return _LIKENESS[self.systems]


@EVIDENCE.add("beir_ndcg")
@dataclass(frozen=True)
class BeirNdcg(Spread):
    """The nDCG@10 of a retriever varies much between queries.

    Assumes queries like those of the BEIR datasets.
    """

    measured = False
    about = "standard deviation of a retriever's nDCG@10 over queries"
    seen_on = "BEIR, as its author states"
    source = "“typically 0.2 to 0.4 across BEIR datasets”, in an encyclopaedia entry on significance testing of retrieval evaluations"
    band = "what its author calls typical"
    uncertainty = "the range that its author calls typical"
    examples = ("beir_ndcg",)
    caution = "stated by its author without data"
    among = "retrievers on BEIR"
    sd = Band(0.3, 0.2, 0.4)
    correlation = None
