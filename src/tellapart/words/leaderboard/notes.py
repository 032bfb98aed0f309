"""The notes of a leaderboard on systems, items and intervals, in words; those on p-values join them."""

from collections.abc import Sequence

from tellapart.doors import option, verb
from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import amount, confidence, percent, percent_below_all, significant, thousands
from tellapart.words.leaderboard.pvalue_notes import PVALUES
from tellapart.words.leaderboard.stopped import STOPPED_BOARD
from tellapart.words.reading import READING
from tellapart.words.sayings import Sayings

NOTES: Sayings[Leaderboard] = Sayings(READING, STOPPED_BOARD, PVALUES)

SHOWN = 5
"""Systems or datasets that a note names one by one."""


@NOTES
def blank_items(_: Leaderboard, items: int) -> str:
    are, were = ("item is", "was") if items == 1 else ("items are", "were")
    return f"{thousands(items)} {are} scored for no system and {were} left out"


@NOTES
def system_left_out(_: Leaderboard, system: str, lacking: float) -> str:
    return f"{system} left out: it lacks {percent(round(lacking, 3))} of the items"


@NOTES
def items_left_out(_: Leaderboard, items: int, of: int) -> str:
    return f"{thousands(items)} of {thousands(of)} items left out: not scored for all systems"


@NOTES
def compared_pairwise(_: Leaderboard, systems: int) -> str:
    lack = "1 system lacks" if systems == 1 else f"{systems} systems lack"
    return (
        f"{lack} items: each pair is compared on the items it shares, and a rank counts the systems that are "
        "better so; means are over each system's own items"
    )


@NOTES
def standardised(_: Leaderboard) -> str:
    return (
        "datasets are on different scales: each one's scores were divided by the typical standard deviation of a difference on it, "
        "and means and effects are in that unit"
    )


@NOTES
def runs_averaged(_: Leaderboard, runs: int) -> str:
    return f"up to {runs} runs were averaged within each item, and items are the sample"


def first_names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:SHOWN])}{', …' if len(names) > SHOWN else ''}"


@NOTES
def baseline_only(answer: Leaderboard) -> str:
    return f"only pairs with {answer.baseline} were judged: other systems are not told from each other"


@NOTES
def margin_claims(_: Leaderboard, margin: float, correction: str) -> str:
    return (
        f"not worse, not better and equivalent are within {significant(margin)} of the baseline: each system as "
        f"{verb('compare')} holds it against the margin, and each kind of claim adjusted over the systems ({correction}); "
        "what is better is not worse, and what is worse is not better"
    )


@NOTES
def simultaneous_intervals(answer: Leaderboard) -> str:
    return (
        f"intervals of means hold for all systems together at {confidence(answer.alpha)}: each is a "
        f"{answer.interval.method} interval at {percent_below_all(answer.interval.level)}"
    )


@NOTES
def simultaneous_differences(answer: Leaderboard, *, steps: bool) -> str:
    """What the intervals of differences hold for together, in one line."""
    level = percent(answer.interval.joint_level)
    if not steps:
        return (
            f"intervals of differences hold for all pairs together at {level}: each is a {answer.pair_interval} interval at the critical "
            "value of the largest difference"
        )
    return (
        f"intervals of differences ({answer.pair_interval}, at the critical value of the step that decided the pair) leave 0 out exactly where "
        f"a pair is told apart, which holds for all pairs together at {level}; how large differences are they do not bound together, as "
        f"{option('correction', 'max_t(steps=single)')} does"
    )


@NOTES
def claims_beyond_intervals(answer: Leaderboard, pairs: int) -> str:
    has = (
        "is told apart although its interval includes"
        if pairs == 1
        else "are told apart although their intervals include"
    )
    why = (
        "the correction claims more than intervals that hold for all pairs together"
        if answer.corrected.resampling
        else "test and interval are not each other's inverse, and the test decides"
    )
    return f"{amount(pairs, 'pair')} {has} 0: {why}"


@NOTES
def intervals_beyond_claims(_: Leaderboard, pairs: int) -> str:
    return (
        f"{amount(pairs, 'pair')} {'is' if pairs == 1 else 'are'} not told apart although the interval leaves 0 out: test and interval "
        "are not each other's inverse, and the test decides"
    )


@NOTES
def intervals_widened(_: Leaderboard, systems: list[str]) -> str:
    return f"{first_names(systems)}: the interval was widened until it meets those of systems that are not told from it"


@NOTES
def no_width(_: Leaderboard, systems: list[str]) -> str:
    return f"{first_names(systems)}: the same score on every item, so the interval has no width"
