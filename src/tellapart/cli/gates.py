"""The gates of a command: what must be shown for it to exit with 0."""

from dataclasses import dataclass

from tellapart.results.gate import ComparisonFailure, Requirement, check_groups, check_margin, check_plan
from tellapart.spelling import Question, setting
from tellapart.verbs.compare import CompareQuestion


@dataclass(frozen=True)
class GivenGates(Question):
    require: tuple[Requirement, ...] = setting(
        (), "Exit with 1 unless this is shown; several may be given, and all must be."
    )
    fail_on: tuple[ComparisonFailure, ...] = setting(
        (),
        "Exit with 1 if B is shown to be worse, is not shown to be better, nothing is shown, (with groups) the difference is shown "
        "to have changed, or (with a plan) it was not kept.",
    )

    def check(self, question: CompareQuestion) -> None:
        """Refuse what cannot be shown as the question is asked, before anything is computed."""
        if "drift" in self.fail_on:
            check_groups(asked=question.by is not None or bool(question.file_labels))
        if "deviation" in self.fail_on:
            check_plan(asked=question.plan is not None)
        if not self.require:
            return
        named = question.named_test
        own = None if named is None else question.margin_of(named)
        check_margin(self.require, question.margin if own is None else own)
