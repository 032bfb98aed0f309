"""Options of `plan judged`: a judge's scores that people's labels correct."""

from dataclasses import dataclass
from typing import Any, Literal

from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Range, setting
from tellapart.foundation.surfaces import option
from tellapart.numerics.judge_planning import MOST_ITEMS
from tellapart.numerics.judge_regression import FEWEST_LABELS
from tellapart.planning.study import ALPHAS
from tellapart.verbs.compare.systems import SystemPairOptions
from tellapart.verbs.judged_scores import JudgeColumns

SolvedFor = Literal["labels", "items", "effect", "power", "mix"]
MOST_LABELS = 10_000_000


@dataclass(frozen=True)
class JudgedPlanQuestion(SystemPairOptions, JudgeColumns):
    """Labels, judged items, effect and power: what is left out is solved; or prices and a budget."""

    labels: Any = setting(
        None, "Items that people label.", metavar="N", many=int, range=Range(least=FEWEST_LABELS, most=MOST_LABELS)
    )
    items: Any = setting(
        None,
        "Items that the judge scores, labelled ones included.",
        metavar="M",
        many=int,
        range=Range(least=FEWEST_LABELS, most=MOST_ITEMS),
    )
    effect: Any = setting(
        None, "The difference to find, in units of people's scores.", metavar="D", many=float, range=Range(above=0)
    )
    power: float | None = setting(None, "How often it should be found.", range=Range(above=0, below=1))
    sd_difference: float | None = setting(
        None, "Standard deviation of people's differences B − A.", range=Range(above=0)
    )
    discordance: float | None = setting(
        None,
        f"In place of {option('sd_difference')}: the share of items on which right-or-wrong systems differ.",
        range=Range(above=0, most=1),
    )
    judge_correlation: float | None = setting(
        None,
        "Correlation of the judge's differences with people's, far lower than that of their scores.",
        range=Range(least=-1, most=1),
    )
    budget: float | None = setting(None, "What labels and judgements may cost together.", range=Range(above=0))
    cost_label: float | None = setting(
        None, "The price of a label; a labelled item is judged too.", range=Range(above=0)
    )
    cost_judgement: float | None = setting(None, "The price of a judgement.", range=Range(above=0))
    alpha: float = setting(0.05, "Level of the test.", range=ALPHAS)
    seed: int = setting(0, "Seed of the simulation.", range=Range(least=0))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.sd_difference is not None and self.discordance is not None:
            raise UsageError(
                f"{option('sd_difference')} and {option('discordance')} give the same spread; use one of them"
            )
        prices = [name for name in ("cost_label", "cost_judgement") if getattr(self, name) is not None]
        if self.budget is not None and (self.labels is not None or self.items is not None):
            raise UsageError(
                f"{option('budget')} finds the labels and the judged items; leave {option('labels')} and {option('items')} out"
            )
        if self.budget is not None and len(prices) < 2:
            raise UsageError(
                f"{option('budget')} needs both prices: {option('cost_label')} and {option('cost_judgement')}"
            )

    @property
    def solved_for(self) -> SolvedFor:
        if self.budget is not None:
            return "mix"
        if self.labels is not None and self.effect is not None:
            return "items" if self.items is None and self.power is not None else "power"
        if self.labels is None and self.effect is None:
            raise UsageError(
                f"give {option('labels')} or {option('effect')}, or {option('budget')} with prices, and the rest is solved"
            )
        return "effect" if self.labels is not None else "labels"


def require_human(question: JudgedPlanQuestion) -> None:
    """A pilot has a column of people's scores."""
    if question.human is None:
        raise UsageError(f"a pilot of a judge holds people's scores too; name them: {option('human')}")


def refuse_columns_alone(question: JudgedPlanQuestion) -> None:
    """Columns without a file."""
    for name in ("human", "judge", "a", "b"):
        if getattr(question, name) is not None:
            raise UsageError(f"{option(name)} is about a pilot; pass its file too, or leave this out")
