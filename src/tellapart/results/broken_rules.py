"""The rules of a gate that are broken, and the one line that says so."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tellapart.decision import Shown, Verdict
from tellapart.doors import option
from tellapart.errors import GateFailed
from tellapart.results.gate import Failure, Requirement
from tellapart.wording import significant

if TYPE_CHECKING:
    from tellapart.results.standing import PairResult


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
    shown: Shown, verdict: Verdict, required: tuple[Requirement, ...], failing: tuple[Failure, ...]
) -> list[str]:
    """The rules that are broken, each as it was asked for."""
    lacking = [option("require", claim) for claim in required if not shown.holds(claim)]
    return lacking + [option("fail_on", failure) for failure in failing if _fails(failure, shown, verdict)]


def _fails(failure: Failure, shown: Shown, verdict: Verdict) -> bool:
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
    return Broken(tuple(rules), (f"verdict: {verdict}", f"effect B − A: {_signed(effect)}"))


def effect_of(effect: float) -> str:
    return f"effect {_signed(effect)}"


def _signed(effect: float) -> str:
    """As anywhere else a difference is written: with its sign, a real minus, and none on zero."""
    size = significant(abs(effect), 3)
    return f"+{size}" if effect > 0.0 else f"−{size}" if effect < 0.0 else size
