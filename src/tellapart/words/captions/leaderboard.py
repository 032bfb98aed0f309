"""What the charts of a leaderboard find."""

from collections.abc import Callable

from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import amount, number, one_line, percent, thousands

MOST_IN_MATRIX = 60
"""Systems of a matrix: more could not be read."""


def means(answer: Leaderboard) -> str:
    found, level = answer.separation, percent(answer.interval.joint_level)
    first = one_line(answer.systems[0].name)
    tiers = (
        "one tier"
        if found.tiers == 1
        else f"{amount(found.tiers, 'tier')}, which colours and shapes tell apart"
    )
    return (
        f"From {first} down, {amount(found.systems, 'system')} in {tiers}. Lines are {level} "
        "intervals that hold for all means together."
    )


def ranks(answer: Leaderboard) -> str:
    found = answer.separation
    who = "1 system" if found.may_be_best == 1 else amount(found.may_be_best, "system")
    return f"Lines are the ranks that significant pairs leave open; {who} of {thousands(found.systems)} may be the best."


def baseline(answer: Leaderboard) -> str:
    found, base = answer.separation, one_line(str(answer.baseline))
    margin = "" if answer.margin is None else f" Dashed lines are the margin, ±{answer.margin:g}."
    return (
        f"Beside {base}, {thousands(found.better or 0)} are better, {thousands(found.worse or 0)} worse and "
        f"{thousands(found.not_told_apart or 0)} not told apart; intervals hold for all together.{margin}"
    )


def pairs(answer: Leaderboard) -> str:
    found = answer.separation
    said = f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')} are told apart at {percent(answer.alpha)} for all together"
    return f"{said}. Rows and columns go from the best rank down.{_cut(answer)}"


def correlations(answer: Leaderboard) -> str:
    found = answer.correlations
    assert found is not None, "it is drawn"
    return (
        f"Correlations of two systems lie between {number(found.low, 2)} and {number(found.high, 2)}, with a median of "
        f"{number(found.median, 2)}; blue is above 0, orange below, and darker farther from it.{_cut(answer)}"
    )


def _cut(answer: Leaderboard) -> str:
    if len(answer.systems) <= MOST_IN_MATRIX:
        return ""
    return f" Shown are the first {MOST_IN_MATRIX} of {thousands(len(answer.systems))} systems; the JSON has all."


CAPTIONS: dict[str, Callable[[Leaderboard], str]] = {
    "means": means,
    "ranks": ranks,
    "baseline": baseline,
    "pairs": pairs,
    "correlations": correlations,
}
