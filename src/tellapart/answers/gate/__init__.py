"""Dataclasses of the `gate` answer: a non-inferiority check of a candidate against its baseline."""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.comparison import Comparison
from tellapart.answers.gate_rules import KEPT, Broken, broken_in_slices, check_slices, effect_of, known_rules, refuse
from tellapart.answers.parts import Note
from tellapart.answers.plan.file import PlanCheck
from tellapart.foundation.decision import GateVerdict, rejects
from tellapart.foundation.errors import GateFailed
from tellapart.foundation.surfaces import option

GateFailure = Literal["worse", "undetermined", "deviation", "worse-in-slice"]
GateRequirement = Literal["not-worse-in-slices"]


@dataclass(frozen=True)
class Check:
    """One thing that must pass: all items, or those of one dataset.

    `effect`, `low` and `high` are counted towards better: below 0 the candidate is worse, whichever way the scores point.
    `not_worse_pvalue` is that of a loss smaller than the margin; `pvalue` is two-sided, `adjusted_pvalue` for as many datasets
    as can fail. `needed_items` is how many items would let a candidate that is as good as the baseline pass here, where it is open
    and a formula says so.
    """

    dataset: str | None
    verdict: GateVerdict
    items: int
    effect: float
    low: float
    high: float
    not_worse_pvalue: float
    pvalue: float
    adjusted_pvalue: float
    needed_items: int | None = None
    rule: str | None = field(default=None, metadata={"optional": True})
    """Of a decision about several measures: what must be shown, such as better:accuracy or not-worse:cost:5r%."""

    @property
    def name(self) -> str:
        return self.rule or self.dataset or "all items"


@dataclass(frozen=True)
class Gate(Answer):
    """Whether a candidate is shown to be no worse than its baseline by more than a margin.

    `effect`, `low` and `high` are counted towards better, as in `checks`; `level` is that of each bound alone. `needed_items` is
    how many items would let a candidate that is as good as the baseline pass with `power`, where these left it open; where each
    dataset must pass, only `checks` say it. Of a decision about several measures each rule is a check, and the margin is not a number.
    """

    schema: ClassVar[str] = "tellapart/gate/1"
    table: ClassVar[str] = "checks"

    verdict: GateVerdict
    margin: float
    low: float
    high: float
    level: float
    effect: float
    alpha: float
    baseline: str
    candidate: str
    measure: str
    items: int
    needed_items: int | None
    power: float
    checks: tuple[Check, ...]
    comparison: Comparison
    notes: tuple[Note, ...]
    signature: str
    plan: PlanCheck | None = None
    headline: str = ""
    sentence: str = ""

    @property
    def passed(self) -> int:
        """Checks that pass by themselves."""
        return sum(one.verdict == "pass" for one in self.checks)

    @property
    def two_sided_alpha(self) -> float:
        """At which level a two-sided p-value says on one side what alpha bounds."""
        return 2.0 * self.alpha

    def excludes(self, check: Check) -> bool:
        """Whether the test excludes a loss of the margin; a pass needs the bound to do so too."""
        return bool(rejects(check.not_worse_pvalue, self.alpha))

    def require(
        self,
        fail_on: GateFailure | tuple[GateFailure, ...] = ("worse",),
        required: GateRequirement | tuple[GateRequirement, ...] = (),
    ) -> None:
        """Raise `GateFailed` where the verdict, or a deviation from the plan, is one that must not pass."""
        fail_on = known_rules("fail_on", fail_on, GateFailure)
        required = known_rules("require", required, GateRequirement)
        check_slices((*required, *fail_on), asked=self.comparison.slices is not None)
        sliced = broken_in_slices(self.comparison.slices or (), required, fail_on, self.alpha)
        refuse(self._gate_broken(fail_on), sliced, self.comparison.broken_beforehand(self.plan, fail_on))

    def _gate_broken(self, fail_on: tuple[GateFailure, ...]) -> Broken:
        """The rule on the verdict; worse is one whether it was given or not, and a decision by rules must be shown."""
        if self.comparison.decision is not None:
            lacking = [f"{rule}: {one.verdict}" for one in self.checks if one.verdict != "pass" and (rule := one.rule)]
            return KEPT if self.verdict == "pass" else Broken(tuple(lacking), (self.headline or self.verdict,))
        if self.verdict == "fail":
            rule = option("fail_on", "worse")
        elif self.verdict == "undetermined" and "undetermined" in fail_on:
            rule = option("fail_on", "undetermined")
        else:
            return KEPT
        better = ", counted towards better" if self.comparison.lower_is_better else ""
        return Broken((rule,), (self.headline or self.verdict, effect_of(self.effect) + better))

    def fails(self, fail_on: tuple[GateFailure, ...], required: tuple[GateRequirement, ...] = ()) -> bool:
        """Whether `require` would raise."""
        try:
            self.require(fail_on, required)
        except GateFailed:
            return True
        return False
