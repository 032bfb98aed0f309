"""Sentences of the notes of a leaderboard on systems, items and intervals; notes on p-values join them."""

from collections.abc import Sequence

from tellapart.answers.leaderboard import Leaderboard
from tellapart.answers.reading_texts import READING, SLICED, STOPPED
from tellapart.answers.texts import NoteTexts
from tellapart.foundation.formatting import amount, confidence, percent, percent_below_all, significant, thousands
from tellapart.foundation.surfaces import option, verb

# The notes of a board whose resamples were stopped, in words.

STOPPED_BOARD: NoteTexts[Leaderboard] = NoteTexts(STOPPED)


@STOPPED_BOARD
def interrupted(_: Leaderboard, resamples: int, asked_resamples: int, smallest_pvalue: float) -> str:
    return f"interrupted: {_board_drawn(resamples, asked_resamples, smallest_pvalue)}"


@STOPPED_BOARD
def time_limit(_: Leaderboard, resamples: int, asked_resamples: int, smallest_pvalue: float) -> str:
    return f"stopped when the time was up: {_board_drawn(resamples, asked_resamples, smallest_pvalue)}"


def _board_drawn(resamples: int, asked: int, smallest: float) -> str:
    return (
        f"pairs are judged by {thousands(resamples)} of {thousands(asked)} resamples, so no p-value is below "
        f"{significant(smallest, 2)}"
    )


# What a leaderboard says of its p-values: how they came about, how small they can be, and how far they can
# be trusted.

PVALUES: NoteTexts[Leaderboard] = NoteTexts()


def unit_of(answer: Leaderboard) -> str:
    """The unit that is flipped or drawn."""
    return "item" if answer.clusters is None else "cluster"


@PVALUES
def resampled(answer: Leaderboard) -> str:
    """How p-values came about, and how many pairs they were corrected for."""
    how, unit = answer.corrected, unit_of(answer)
    if how.resampling == "bootstrap":
        drawn = f"p-values by {thousands(answer.resamples)} bootstrap resamples of {unit}s"
    elif how.exhaustive:
        drawn = _every_pattern(answer)
    else:
        least = "at least " if how.resampling == "both" else ""
        drawn = f"p-values by {least}{thousands(answer.resamples)} sign flips, one sign per {unit} for all pairs"
    return f"{drawn}; correction over {amount(answer.separation.pairs, 'pair')}: {how.label}"


@PVALUES
def judged_as_compare(_: Leaderboard, test: str, label: str) -> str:
    return f"one pair needs no correction: it is judged as {verb('compare')} judges it, by {label} ({test})"


def _every_pattern(answer: Leaderboard) -> str:
    return (
        f"p-values by all {thousands(answer.patterns)} patterns of signs, one sign per {unit_of(answer)} for all pairs: exact for "
        "symmetric differences"
    )


@PVALUES
def too_few_units(answer: Leaderboard, units: int) -> str:
    return (
        f"systems differ on only {units} {unit_of(answer)}s: no p-value below {answer.corrected.smallest_pvalue:.3g} can come out of "
        f"them, so nothing can be significant at {answer.alpha:g}"
    )


@PVALUES
def too_few_resamples(answer: Leaderboard, needed: int, more: str, *, multiplied: bool) -> str:
    """The smallest p-value that counting can give is beyond alpha, by itself or times what the correction makes of it."""
    how = answer.corrected
    drawn = "flips" if how.resampling == "flips" else "resamples"
    none = f"{thousands(answer.resamples)} {drawn} give no p-value below {how.smallest_pvalue:.2g}"
    way_out = {
        "possible": f"pass {option('resamples', str(needed))} or more",
        "exhausted": "there are no more",
        "too many": "more than can be drawn would be needed",
    }[more]
    if not multiplied:
        return f"{none}, so nothing can be significant at {answer.alpha:g}: {way_out}"
    return (
        f"{none}, and {how.label} over {amount(answer.separation.pairs, 'pair')} may multiply it beyond "
        f"{answer.alpha:g}: {way_out}, or use max_t"
    )


@PVALUES
def screen(answer: Leaderboard) -> str:
    return (
        f"{answer.corrected.label} is a screen: rank intervals, tiers and 'may be the best' do not hold together for all "
        "systems; max_t does that"
    )


@PVALUES
def near_alpha(answer: Leaderboard, pairs: int, error: float) -> str:
    has = "has its" if pairs == 1 else "have their"
    return (
        f"{amount(pairs, 'pair')} {has} adjusted p-value within Monte Carlo error (±{significant(error)}) of "
        f"{answer.alpha:g}: raise {option('resamples')} to settle it"
    )


@PVALUES
def skewed_pairs(answer: Leaderboard, pairs: int, drawn: int, bound: float, resamples: int) -> str:
    """Of how many pairs differences are skewed, and for how many items were drawn again."""
    where = "for all pairs" if drawn > pairs else "there"
    return (
        f"differences of {amount(pairs, 'pair')} are visibly skewed (beyond ±{bound:g}), where random signs may claim too much: {where} the p-value "
        f"is the larger one of sign flips and of {thousands(resamples)} bootstrap resamples of {unit_of(answer)}s, and the interval the wider one"
    )


@PVALUES
def unjudged_pairs(answer: Leaderboard, pairs: int, fewest: int) -> str:
    units = f"{unit_of(answer)}s"
    return f"{amount(pairs, 'pair')} in need of resampling differ on fewer than {fewest} {units}, too few for it: not told apart"


NOTES: NoteTexts[Leaderboard] = NoteTexts(READING, STOPPED_BOARD, PVALUES, SLICED)

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
        "better by these; means are over each system's own items"
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


@NOTES
def trained_once(_: Leaderboard, systems: list[str]) -> str:
    return (
        f"one seed of {first_names(systems)}: differences may be training luck; the board is about these trainings, "
        "with seeds averaged within each item"
    )


@NOTES
def seeds_averaged(_: Leaderboard) -> str:
    return "the board is about these trainings only: seeds were averaged within each item, and other seeds may rank otherwise"


@NOTES
def seeds_random(_: Leaderboard, fewest: int) -> str:
    return (
        f"the board is about other trainings too: {fewest} seeds of a system at least, taken as random; pass "
        f"{option('seeds_as', 'fixed')} for these trainings only"
    )


@NOTES
def each_pair_with_seeds(answer: Leaderboard, tests: list[str]) -> str:
    return f"each pair is judged by itself over its seeds and items ({' and '.join(tests)}); correction over {amount(answer.separation.pairs, 'pair')}: {answer.corrected.label}"


def first_names(names: Sequence[str]) -> str:
    return f"{', '.join(names[:SHOWN])}{', …' if len(names) > SHOWN else ''}"


@NOTES
def baseline_only(answer: Leaderboard) -> str:
    return f"only pairs with {answer.baseline} were judged: other systems are not compared with each other"


@NOTES
def margin_claims(answer: Leaderboard, margin: float, correction: str) -> str:
    return (
        f"not worse, not better and equivalent are within {answer.printed_unit.as_given(margin)} of the baseline: "
        f"each system is tested as by {verb('compare')}, and each kind of claim adjusted over the systems "
        f"({correction}); a system shown better counts as not worse, and one shown worse as not better"
    )


@NOTES
def simultaneous_intervals(answer: Leaderboard) -> str:
    return (
        f"intervals of means hold for all systems together at {confidence(answer.alpha)}: each is a "
        f"{answer.interval.method} interval at {percent_below_all(answer.interval.level)}"
    )


@NOTES
def simultaneous_differences(answer: Leaderboard, *, steps: bool) -> str:
    """The guarantee of the intervals of differences, in one line."""
    level = percent(answer.interval.joint_level)
    if not steps:
        return (
            f"intervals of differences hold for all pairs together at {level}: each is a {answer.pair_interval} interval at the critical "
            "value of the largest difference"
        )
    return (
        f"intervals of differences ({answer.pair_interval}, at the critical value of the step that decided the pair) exclude 0 exactly where "
        f"a pair is told apart, for all pairs together at {level}; to bound the sizes of all differences together, use "
        f"{option('correction', 'max_t(steps=single)')}"
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
        f"{amount(pairs, 'pair')} {'is' if pairs == 1 else 'are'} not told apart although the interval excludes 0: "
        "test and interval are not each other's inverse, and the test decides"
    )


@NOTES
def intervals_widened(_: Leaderboard, systems: list[str]) -> str:
    return f"{first_names(systems)}: the interval was widened until it meets those of systems that are not told from it"


@NOTES
def no_width(_: Leaderboard, systems: list[str]) -> str:
    return f"{first_names(systems)}: the same score on every item, so the interval has no width"
