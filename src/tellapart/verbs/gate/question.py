"""Options of `gate`, shared by command line, Python and web."""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

from tellapart.answers.gate_rules import both_sides
from tellapart.data.pair import Missing
from tellapart.foundation.arrays import FINEST, LARGEST
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Range, setting
from tellapart.foundation.surfaces import option
from tellapart.methods.significance import TESTS, Procedure
from tellapart.verbs.anytime import AnytimeOptions
from tellapart.verbs.compare import CompareQuestion
from tellapart.verbs.compare.analysis import difference_test
from tellapart.verbs.compare.question import ALL
from tellapart.verbs.compare.systems import SystemPairOptions
from tellapart.verbs.judged_scores import JudgedOptions
from tellapart.verbs.judging_options import SMALLEST_ALPHA, JudgingOptions, SliceOptions
from tellapart.verbs.looks import LookOptions
from tellapart.verbs.measure_rules import ALONE, SeveralMeasures
from tellapart.verbs.planned_question import Following
from tellapart.verbs.work_options import ExecutorOptions


@dataclass(frozen=True)
class GateQuestion(
    SeveralMeasures,
    SliceOptions,
    ExecutorOptions,
    JudgingOptions,
    Following,
    LookOptions,
    AnytimeOptions,
    JudgedOptions,
    SystemPairOptions,
):
    """How large a loss does not matter, and how surely it must be excluded."""

    a: str | None = setting(None, "The baseline's system, if the file holds several.", metavar="S", kw_only=False)
    b: str | None = setting(None, "The candidate's system, if the file holds several.", metavar="S", kw_only=False)
    missing: Missing = setting(
        "error",
        "Items of the baseline that the candidate lacks: refuse them, or drop them. Those that only the candidate has are left out.",
    )
    margin: float | None = setting(
        None,
        "The largest loss that does not matter.",
        range=Range(above=0, least=FINEST, most=LARGEST, usual="in the units of the scores"),
    )
    alpha: float = setting(
        0.05,
        "How often a candidate worse by exactly the margin may pass; bounds are at 1 − alpha each.",
        range=Range(above=0, least=SMALLEST_ALPHA, below=0.25, usual="usually 0.05"),
    )
    test: Procedure | str | None = setting(None, lambda: f"A test. Tests: {', '.join(TESTS)}.", metavar="T")
    each: Literal["dataset"] | None = setting(
        None, "Every dataset must pass by itself; failures are corrected for their number by Holm."
    )

    @property
    def known_margin(self) -> float:
        """The margin of a gate on one measure; not a number where rules have one each."""
        if self.measure_names:
            self.refuse_without_rules()
            return math.nan
        if self.margin is None:
            raise UsageError(
                f"a gate needs the largest loss that does not matter: give {option('margin')}, in the units of the scores, or a plan that has one"
            )
        return self.margin

    def refuse_without_rules(self) -> None:
        """Refuse several measures that no rule speaks of, and what is asked of one measure only."""
        if not self.rules:
            raise UsageError(
                f"a gate on several measures needs rules: {option('better', 'M')} or {option('not_worse', 'M:0.01')}"
            )
        given = {"each": self.each, "margin": self.margin, "anytime": self.anytime or None}
        unlike = next((name for name, value in given.items() if value is not None), None)
        if unlike is not None:
            raise UsageError(f"{option(unlike)} works for one measure, and several are named; gate each alone")

    def refuse_one_side(self) -> None:
        """Refuse a test that looks at one side only: whatever happened on the other would pass."""
        test = None if self.test is None or self.test == ALL else difference_test(Procedure.parse(self.test))
        if test is None or test.alternative == "two-sided":
            return
        planned = self.followed is not None and "test" not in self.followed.named
        whole = str(test.replace(alternative="two-sided"))
        raise UsageError(
            "a gate tests both sides: whether the candidate is worse, and whether a loss of the margin is excluded; "
            f"{test} tests one. {both_sides(whole, planned=planned)}"
        )

    def about(self, measure: str) -> "GateQuestion":
        """The question with the direction that was given for its one measure."""
        changed: dict[str, Any] = {**ALONE, **self.toward(measure, (measure,))}
        return replace(self, **changed)

    def comparing(self, names: tuple[str, str]) -> CompareQuestion:
        """The question of `compare` whose answer the gate reads."""
        return CompareQuestion(
            *names,
            missing=self.missing,
            metric=self.metric,
            alpha=self.alpha,
            lower_is_better=self.lower_is_better,
            higher_is_better=self.higher_is_better,
            seed=self.seed,
            runs_as=self.runs_as,
            seeds_as=self.seeds_as,
            test=self.test,
            margin=self.margin,
            **self.slicing,
            better=self.better,
            not_worse=self.not_worse,
            any_better=self.any_better,
            measures=self.measures,
            direction=self.direction if self.measure_names else (),
            anytime=self.anytime,
            of=self.of,
            range=self.range,
            item_order=self.item_order,
            human=self.human,
            judge=self.judge,
            strata=self.strata,
        )
