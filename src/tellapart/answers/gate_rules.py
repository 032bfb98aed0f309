"""Rules of `--require` and `--fail-on`: validation, the rules that a result breaks, and the error that names them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar, cast, get_args

from tellapart.foundation.decision import EstablishedClaims, Verdict, rejects
from tellapart.foundation.errors import GateFailed, UsageError
from tellapart.foundation.formatting import significant
from tellapart.foundation.spelling import right_name
from tellapart.foundation.surfaces import option

# Gates: what must be shown, or must not be, for a change to pass.

Requirement = Literal["better", "not-worse", "equivalent"]
ComparisonRequirement = Literal["better", "not-worse", "equivalent", "not-worse-in-slices"]
"""What a comparison can be required to show: with slices, also that B is not worse by the margin in any of them."""
Failure = Literal["worse", "not-better", "undetermined"]
ComparisonFailure = Literal["worse", "not-better", "undetermined", "drift", "deviation", "worse-in-slice"]
"""What a comparison can fail on: with groups, also that the difference changed between them; with a plan, also that it was not kept; with
slices, also that B is worse in one of them."""
BoardFailure = Literal["worse", "not-better", "undetermined", "deviation"]

NEEDS_MARGIN = ("not-worse", "equivalent", "not-worse-in-slices")
IN_SLICES = ("not-worse-in-slices", "worse-in-slice")


Rule = TypeVar("Rule", bound=str)


def known_rules(name: str, given: Rule | tuple[Rule, ...], known: Any) -> tuple[Rule, ...]:
    """The rules that were given, or the one; a rule that is misspelled would pass, or fail, whatever is shown."""
    rules = cast("tuple[Rule, ...]", (given,) if isinstance(given, str) else tuple(given))
    for rule in rules:
        if rule not in get_args(known):
            raise UsageError(
                f"{option(name, str(rule))} is not a gate rule; {right_name(name, str(rule), get_args(known))}"
            )
    return rules


def check_margin(required: tuple[ComparisonRequirement, ...], margin: float | None) -> None:
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
    shown: EstablishedClaims, required: tuple[str, ...], failing: tuple[str, ...], test: str, *, planned: bool
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


def check_slices(rules: Sequence[str], *, asked: bool) -> None:
    """Refuse to look into slices where nothing says which."""
    found = next((rule for rule in rules if rule in IN_SLICES), None)
    if found is not None and not asked:
        name = "fail_on" if found == "worse-in-slice" else "require"
        raise UsageError(f"{option(name, found)} needs slices: name their column with {option('slice')}")


def check_plan(*, asked: bool) -> None:
    """Refuse to look for deviations where nothing says from what."""
    if not asked:
        raise UsageError(f"{option('fail_on', 'deviation')} needs a plan: name its file with {option('plan')}")


def check_baseline(baseline: str | None) -> None:
    """Refuse gates on a board where nothing says whom a system must not be worse than."""
    if baseline is None:
        raise UsageError(f"a gate compares each system with a baseline: name one with {option('baseline')}")


if TYPE_CHECKING:
    from tellapart.answers.comparison.parts import MeasureDecision, SliceResult
    from tellapart.answers.leaderboard.parts import PairResult


class Broken(NamedTuple):
    """Rules that are broken, each as it was asked for, and what was found; no rules where all were kept."""

    rules: tuple[str, ...]
    found: tuple[str, ...]


KEPT = Broken((), ())


def refuse(*broken: Broken) -> None:
    """Raise `GateFailed` where any rule is broken, and name all that are."""
    rules = [rule for one in broken for rule in one.rules]
    if rules:
        found = [text for one in broken if one.rules for text in one.found]
        raise GateFailed(f"gate failed: {', '.join(rules)}; {'; '.join(found)}; exit code 1")


def failed_rules(
    shown: EstablishedClaims, verdict: Verdict, required: tuple[Requirement, ...], failing: tuple[Failure, ...]
) -> list[str]:
    """The rules that are broken, each as it was asked for."""
    lacking = [option("require", claim) for claim in required if not shown.holds(claim)]
    return lacking + [option("fail_on", failure) for failure in failing if _fails(failure, shown, verdict)]


def _fails(failure: Failure, shown: EstablishedClaims, verdict: Verdict) -> bool:
    """Worse is shown and not within the margin, where there is one; better is not shown; or nothing is."""
    if failure == "worse":
        return shown.holds("worse") and not shown.holds("not_worse")
    return not shown.holds("better") if failure == "not-better" else verdict == "undetermined"


BESIDE: dict[Verdict, str] = {
    "b better": "better",
    "a better": "worse",
    "equivalent": "equivalent",
    "b not worse": "not worse",
    "b not better": "not better",
    "undetermined": "undetermined",
}
"""A verdict in the words of one system beside a baseline, which is A."""

MOST_NAMED = 5
"""Systems that a failed gate names."""


def broken_beside(
    baseline: str,
    pairs: "Sequence[PairResult]",
    required: tuple[Requirement, ...],
    failing: tuple[Failure, ...],
) -> Broken:
    """The rules that some system beside the baseline breaks, and which do."""
    broken: dict[str, None] = {}
    found = []
    for pair in pairs:
        assert pair.shown is not None
        rules = failed_rules(pair.shown, pair.verdict, required, failing)
        broken |= dict.fromkeys(rules)
        if rules:
            found.append(f"{pair.b} {BESIDE[pair.verdict]}, {effect_of(pair.effect)}")
    more = [f"and {len(found) - MOST_NAMED} more systems"] if len(found) > MOST_NAMED else []
    said = "; ".join([*found[:MOST_NAMED], *more])
    return Broken(tuple(broken), (f"verdicts against {baseline}: {said}",))


def broken_by(rules: Sequence[str], verdict: str, effect: float) -> Broken:
    """Rules that one comparison breaks."""
    if not rules:
        return KEPT
    return Broken(tuple(rules), (f"verdict: {verdict}", f"effect B − A: {_signed_number(effect)}"))


def broken_in_slices(
    slices: "Sequence[SliceResult]", required: Sequence[str], failing: Sequence[str], alpha: float
) -> Broken:
    """The rules about slices that are broken, and in which slices; those too small to judge break one only where undetermined fails."""
    judged, small = [one for one in slices if one.judged], [one for one in slices if not one.judged]
    rules, found = [], []
    if "worse-in-slice" in failing and (worse := [one for one in judged if one.verdict == "a better"]):
        rules.append(option("fail_on", "worse-in-slice"))
        found.append(f"worse in {_slices_named(worse)}")
    if "not-worse-in-slices" in required:
        held = [one for one in judged if one.measure is None or one.not_worse_pvalue is not None]
        if not held:
            raise UsageError(
                f"{option('require', 'not-worse-in-slices')} needs a margin: give it with {option('not_worse', 'M:0.01')}"
            )
        lacking = [one for one in held if not _is_not_worse(one, alpha)]
        lacking += small if "undetermined" in failing else []
        if lacking:
            rules.append(option("require", "not-worse-in-slices"))
            found.append(f"not shown not worse in {_slices_named(lacking)}")
    return Broken(tuple(rules), tuple(found))


def check_decision(required: Sequence[str], failing: Sequence[str], *, rules: bool) -> None:
    """Refuse gates on several measures that their rules do not speak of."""
    known = {"require": ("better",), "fail_on": ("worse", "not-better", "undetermined", "deviation")}
    asked = [*(("require", one) for one in required), *(("fail_on", one) for one in failing)]
    unlike = [(name, one) for name, one in asked if one not in (*known[name], *IN_SLICES)]
    if unlike:
        raise UsageError(
            f"{option(*unlike[0])} works for one measure; with several, give rules: {option('better', 'M')}, "
            f"{option('not_worse', 'M:0.01')}"
        )
    if {*required, *failing} - {*IN_SLICES, "deviation"} and not rules:
        raise UsageError(
            f"gates on several measures need rules: {option('better', 'M')} or {option('not_worse', 'M:0.01')}"
        )


def broken_decision(
    decision: "MeasureDecision | None", required: Sequence[str], failing: Sequence[str], headline: str
) -> Broken:
    """The rules of a gate that a decision about several measures breaks: better is that it is shown, worse that it is contradicted."""
    check_decision(required, failing, rules=decision is not None)
    if decision is None:
        return KEPT
    broken = [option("require", "better")] if "better" in required and not decision.shown else []
    fails = {"worse": decision.verdict == "fail", "not-better": not decision.shown}
    fails["undetermined"] = decision.verdict == "undetermined"
    broken += [option("fail_on", one) for one in failing if fails.get(one)]
    return Broken(tuple(broken), (headline or decision.verdict,)) if broken else KEPT


def _is_not_worse(one: "SliceResult", alpha: float) -> bool:
    """Uncorrected: all slices must show it, which no chance finding in one of them can bring about."""
    return one.not_worse_pvalue is not None and bool(rejects(one.not_worse_pvalue, alpha))


def _slices_named(slices: "Sequence[SliceResult]") -> str:
    more = [f"and {len(slices) - MOST_NAMED} more"] if len(slices) > MOST_NAMED else []
    named = [
        f"{f'{one.measure}: ' if one.measure else ''}{one.column} {one.slice} ({effect_of(one.effect)})"
        for one in slices[:MOST_NAMED]
    ]
    return ", ".join([*named, *more])


def effect_of(effect: float) -> str:
    return f"effect {_signed_number(effect)}"


def _signed_number(effect: float) -> str:
    """As anywhere else a difference is written: with its sign, a real minus, and none on zero."""
    size = significant(abs(effect), 3)
    return f"+{size}" if effect > 0.0 else f"−{size}" if effect < 0.0 else size
