"""Gates: what must be shown, or must not be, for a change to pass."""

from typing import Any, Literal, TypeVar, cast, get_args

from tellapart.decision import Shown
from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.spelling import right_name

Requirement = Literal["better", "not-worse", "equivalent"]
Failure = Literal["worse", "not-better", "undetermined"]
ComparisonFailure = Literal["worse", "not-better", "undetermined", "drift", "deviation"]
"""What a comparison can fail on: with groups, also that the difference changed between them; with a plan, also that it was not kept."""
BoardFailure = Literal["worse", "not-better", "undetermined", "deviation"]

NEEDS_MARGIN = ("not-worse", "equivalent")


Rule = TypeVar("Rule", bound=str)


def known_rules(name: str, given: Rule | tuple[Rule, ...], known: Any) -> tuple[Rule, ...]:
    """The rules that were given, or the one; a rule that is misspelled would pass, or fail, whatever is shown."""
    rules = cast("tuple[Rule, ...]", (given,) if isinstance(given, str) else tuple(given))
    for rule in rules:
        if rule not in get_args(known):
            raise UsageError(
                f"{option(name, str(rule))} is no rule of a gate; {right_name(name, str(rule), get_args(known))}"
            )
    return rules


def check_margin(required: tuple[Requirement, ...], margin: float | None) -> None:
    """Refuse what cannot be shown without saying how much matters."""
    for claim in required:
        if claim in NEEDS_MARGIN and margin is None:
            raise UsageError(
                f"{option('require', claim)} needs a margin: give {option('margin')}, the largest loss that does not matter"
            )


_SIDES: dict[tuple[str, str], Literal["better", "worse"]] = {
    ("require", "better"): "better",
    ("fail_on", "not-better"): "better",
    ("fail_on", "worse"): "worse",
}
"""Rules about one side of zero, and which."""


def check_sides(
    shown: Shown, required: tuple[str, ...], failing: tuple[str, ...], test: str, *, planned: bool
) -> None:
    """Refuse a gate that would pass, or fail, whatever the scores: a one-sided test shows its own side only."""
    given = {"require": required, "fail_on": failing}
    for (name, rule), side in _SIDES.items():
        if rule in given[name] and shown.pvalue(side) is None:
            raise UsageError(
                f"{option(name, rule)} asks whether B is {side}, which {test} cannot show: it looks at the other side only. "
                f"{both_sides(planned=planned)}"
            )


def both_sides(test: str = "…", *, planned: bool) -> str:
    """The way out of a test that looks at one side; where a plan has it, one that can be gone without changing the plan."""
    if planned:
        return (
            f"The plan has it: name the test without its alternative beside the plan, with {option('test', test)}, which is then told "
            "as a deviation; or plan anew"
        )
    return f"Leave its alternative out: {option('test', test)}"


def check_groups(*, asked: bool) -> None:
    """Refuse to look for a change where nothing says between what."""
    if not asked:
        raise UsageError(
            f"{option('fail_on', 'drift')} needs groups: name their column with {option('by')}, or the group of each file with "
            f"{option('labels')}"
        )


def check_plan(*, asked: bool) -> None:
    """Refuse to look for deviations where nothing says from what."""
    if not asked:
        raise UsageError(
            f"{option('fail_on', 'deviation')} needs a plan: name its file with {option('plan')}"
        )


def check_baseline(baseline: str | None) -> None:
    """Refuse gates on a board where nothing says whom a system must not be worse than."""
    if baseline is None:
        raise UsageError(f"a gate is about each system beside a baseline: name it with {option('baseline')}")
