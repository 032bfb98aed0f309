"""What is asked of scores whoever asks it: how they become one number, which way is up, at which level, from which seed."""

from dataclasses import dataclass
from typing import Literal

from tellapart.doors import option
from tellapart.metrics import METRICS, Metric
from tellapart.scores import Scores
from tellapart.spelling import Question, Range, setting

SMALLEST_ALPHA = 1e-12
"""Below this the tail that an interval leaves out is lost in the rounding of its level."""

ALPHA = Range(above=0, least=SMALLEST_ALPHA, below=0.5, usual="usually 0.05")


@dataclass(frozen=True)
class Judged(Question):
    """Base of the questions that are asked of scores."""

    metric: Metric | str | None = setting(
        None,
        f"How items become one number: {', '.join(METRICS)} (default: the one whose parts the scores are). "
        f"Not the name of a score: that is {option('measure')}.",
        metavar="M",
    )
    alpha: float = setting(0.05, "Level of the test; intervals are at 1 − alpha.", range=ALPHA)
    lower_is_better: bool = setting(
        default=False, help="Lower scores are better: changes the verdict, not the sign."
    )
    raters_as: Literal["random", "fixed"] = setting(
        "random",
        "Of ratings by several raters: random, for new raters as well as new items; fixed, for these raters only.",
    )
    seed: int = setting(0, "For what is resampled.", range=Range(least=0))

    def aggregation(self, scores: Scores) -> Metric:
        """The metric that was named, or the one whose parts these scores are."""
        if self.metric is not None:
            chosen = Metric.parse(self.metric)
        else:
            known = [METRICS.parse(name) for name in METRICS]
            chosen = next((m for m in known if m.parts() == scores.parts), known[0])
        chosen.check(scores)
        return chosen
