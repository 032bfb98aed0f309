"""Options shared by all questions about scores: metric, direction, level, raters, runs and seeds."""

import re
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

from tellapart.data.roles import SLICE
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, TooFew, UsageError
from tellapart.foundation.spelling import Question, Range, setting
from tellapart.foundation.surfaces import option
from tellapart.metrics import METRICS, Metric

LESS_IS_BETTER = (
    *("latency", "duration", "runtime", "ms", "seconds", "secs", "cost", "price"),
    *(
        "loss",
        "error",
        "errors",
        "wer",
        "cer",
        "ter",
        "perplexity",
        "ppl",
        "nll",
        "brier",
        "rmse",
        "mse",
        "mae",
        "toxicity",
    ),
)
"""Last words of names of measures, units and summaries aside, of which less is better unless something else says otherwise."""
_ASIDE = frozenset(
    ["usd", "eur", "mean", "avg", "average", "median", "total", "sum", "rate", "score", "p", "s", "tokens"]
)


def sounds_lower(name: str) -> bool:
    """Whether the name of a measure ends in a word of which less is better.

    >>> [sounds_lower(name) for name in ("latency_ms", "word error rate", "cost_usd", "error_free_rate", "ms_marco_mrr")]
    [True, True, True, False, False]
    """
    words = re.findall(r"[a-z]+", name.lower())
    while len(words) > 1 and words[-1] in _ASIDE:
        words.pop()
    return bool(words) and words[-1] in LESS_IS_BETTER


SMALLEST_ALPHA = 1e-12
"""Below this the tail that an interval leaves out is lost in the rounding of its level."""

POWER = 0.8
"""With which an effect is called detectable, and further items are counted for: the convention of Cohen (1988)."""

ALPHA = Range(above=0, least=SMALLEST_ALPHA, below=0.5, usual="usually 0.05")


def _made_of(parts: tuple[str, ...]) -> Metric:
    """The metric that has these parts, the first of several; a plain score is averaged."""
    if len(parts) > 1:
        for metric in (METRICS.parse(name) for name in METRICS):
            if metric.parts() == parts:
                return metric
    return METRICS.parse("mean")


@dataclass(frozen=True)
class JudgingOptions(Question):
    """Base of the questions that are asked of scores."""

    metric: Metric | str | None = setting(
        None,
        lambda: (
            f"How items become one number: {', '.join(METRICS)} (default: the one whose parts the scores are). A "
            f"score's name belongs in {option('measure')}, except with relevance judgements."
        ),
        metavar="M",
    )
    alpha: float = setting(0.05, "Level of the test; intervals are at 1 − alpha.", range=ALPHA)
    lower_is_better: bool = setting(default=False, help="Lower scores are better: changes the verdict, not the sign.")
    higher_is_better: bool = setting(default=False, help="Higher scores are better, whatever the file says.")
    raters_as: Literal["random", "fixed"] = setting(
        "random",
        "For ratings by several raters: random, for new raters as well as new items; fixed, for these raters only.",
    )
    runs_as: str | None = setting(
        None,
        "Several right-or-wrong runs of an item as one score: pass@k (some of k right), pass^k (all of k) or majority@k, in place of their mean.",
        metavar="pass@K",
    )
    seeds_as: Literal["random", "fixed"] | None = setting(
        None,
        "For systems trained with several seeds: random, for other trainings too (default where every system has two "
        "seeds); fixed, for these trainings only.",
    )
    seed: int = setting(0, "Seed of the resamples.", range=Range(least=0))

    def facing(self, scores: Scores) -> Self:
        """The question with the direction that the scores were read with, unless it names one itself."""
        if self.lower_is_better and self.higher_is_better:
            raise UsageError(
                f"{option('lower_is_better')} and {option('higher_is_better')} contradict each other; name one"
            )
        # Ratings and votes come here too, and say nothing of it.
        if getattr(scores, "more_is_better", False) and self.lower_is_better:
            raise UsageError(
                f"{option('lower_is_better')} was given, but higher {scores.measure} is better; leave it out"
            )
        reading = scores.reading
        said = None if reading is None else reading.better
        lower = self.lower_is_better or (said == "lower" and not self.higher_is_better) or self.by_name(scores)
        if lower and reading is not None and reading.zeroed:
            raise DataError(
                f"lower scores of {scores.measure!r} are better, so {option('errors', 'zero')} would make failures the best of all. "
                f"Leave it out, and pass {option('missing', 'drop')} to leave failures out"
            )
        return self if lower == self.lower_is_better else replace(self, lower_is_better=lower)

    def by_name(self, scores: Any) -> bool:
        """Whether the name of the measure alone says that less is better."""
        if self.lower_is_better or self.higher_is_better or not isinstance(scores, Scores) or scores.more_is_better:
            return False
        said = scores.reading is not None and scores.reading.better is not None
        return not said and sounds_lower(scores.measure) and not self.aggregation(scores).knows_direction

    def aggregation(self, scores: Scores) -> Metric:
        """The metric that was named, or the one whose parts these scores are."""
        if self.metric is not None:
            chosen = Metric.parse(self.metric)
        elif scores.counted is not None:
            chosen = Metric.parse(scores.counted.metric)
        else:
            chosen = _made_of(scores.parts)
        chosen.check(scores)
        return chosen

    def turned_by(self, metric: Metric) -> Self:
        """The question with the metric's own direction."""
        if not metric.knows_direction:
            return self
        against = self.higher_is_better if metric.lower_is_better else self.lower_is_better
        if against:
            said, way = ("higher_is_better", "lower") if metric.lower_is_better else ("lower_is_better", "higher")
            raise UsageError(f"{option(said)} was given, but {way} {metric} is better; leave it out")
        return self if self.lower_is_better == metric.lower_is_better else replace(self, lower_is_better=True)


# Scores of one item alone: nothing varies, whichever way they are looked at.

UNITS = {
    "texts": ("segment", "Give more segments: in a file of texts each is a line"),
    "trec_run": ("query", "Give runs and judgements of more queries"),
}
"""The item unit of some formats, and how to give more of them."""


def refuse_one_item(scores: Scores) -> None:
    """Where there is one item in all, no system lacks any: that is said, with how more are given."""
    if len(scores.items) != 1:
        return
    read_as = scores.reading.sources[0].format if scores.reading and scores.reading.sources else ""
    unit, advice = UNITS.get(read_as, ("item", "Score more items, or check the column of items"))
    raise TooFew(
        f"there is one {unit} in all, {scores.show(0)!r}; at least two are needed to see how scores vary. {advice}"
    )


# By which columns items are sliced, and how slices are judged, as compare, gate and rank take it.


@dataclass(frozen=True)
class SliceOptions(Question):
    """By which columns items are sliced, and how slices are judged."""

    slices: str | tuple[str, ...] = setting((), flag=False)
    """Columns by whose values the items are sliced, each slice then being judged alone and all of them as one family."""
    slice_separator: str = setting(
        "|", "Separates the slices of one item in a cell, such as hard|long.", metavar="TEXT"
    )
    slice_least: int = setting(10, "Items, or clusters, from which on a slice is judged.", range=Range(least=2))
    slice_correction: Literal["holm", "bonferroni", "none"] = setting(
        "holm", "How the slices that are judged are corrected for."
    )

    slice_families: int = setting(1, flag=False)
    """Families of slices that alpha is shared by, as where several measures are sliced."""

    @property
    def slice_columns(self) -> tuple[str, ...]:
        columns = (self.slices,) if isinstance(self.slices, str) else self.slices
        return tuple(dict.fromkeys(columns))

    @property
    def slice_roles(self) -> dict[str, str]:
        """The role of each column of slices, with the column."""
        return {f"{SLICE}{column}": column for column in self.slice_columns}

    @property
    def slicing(self) -> dict[str, Any]:
        """These options, for a question that asks the same."""
        names = ("slices", "slice_separator", "slice_least", "slice_correction")
        return {name: getattr(self, name) for name in names}

    @property
    def signed_slices(self) -> dict[str, Any]:
        """What the signature of an answer says of its slices."""
        if not self.slices:
            return {}
        return {
            "slices": ",".join(self.slice_columns),
            "slice_least": self.slice_least,
            "slice_correction": self.slice_correction,
        }
