"""What a leaderboard says of its p-values: how they came about, how small they can be, and how far they can be trusted."""

from tellapart.doors import option, verb
from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import amount, percent, significant, thousands
from tellapart.words.sayings import Sayings

PVALUES: Sayings[Leaderboard] = Sayings()


def unit_of(answer: Leaderboard) -> str:
    """What is flipped or drawn."""
    return "item" if answer.clusters is None else "cluster"


@PVALUES
def resampled(answer: Leaderboard) -> str:
    """How p-values came about, and how many pairs they were corrected for."""
    how, unit = answer.corrected, unit_of(answer)
    if how.compared_by == "pvalue":
        drawn = _by_pvalue(answer)
    elif how.resampling == "bootstrap":
        drawn = f"p-values by {thousands(answer.resamples)} bootstrap resamples of {unit}s"
    elif how.resampling == "cautious":
        drawn = f"p-values by sign flips and by bootstrap resamples of {unit}s, at least {thousands(answer.resamples)} each: the larger one"
    elif how.exhaustive:
        drawn = _every_pattern(answer)
    else:
        drawn = f"p-values by {thousands(answer.resamples)} sign flips, one sign per {unit} for all pairs"
    return f"{drawn}; correction over {amount(answer.separation.pairs, 'pair')}: {how.label}"


@PVALUES
def judged_as_compare(_: Leaderboard, test: str, label: str) -> str:
    return f"one pair needs no correction: it is judged as {verb('compare')} judges it, by {label} ({test})"


def _by_pvalue(answer: Leaderboard) -> str:
    """Each pair has a p-value of its own, and joint flips say how small the smallest of them is by chance."""
    unit = unit_of(answer)
    exact = answer.corrected.pair_law == "exact flips"
    if answer.corrected.exhaustive and exact:
        return _every_pattern(answer)
    alone = f"all patterns of signs of {unit}s" if exact else f"the t test between {unit}s"
    flips = f"{thousands(answer.resamples)} sign flips, one sign per {unit} for all pairs"
    if answer.corrected.resampling == "cautious":
        together = (
            f"the larger one of sign flips, one sign per {unit} for all pairs, and of {unit}s drawn again, at least "
            f"{thousands(answer.resamples)} each"
        )
    else:
        together = flips
    return f"p-values of pairs by {alone}, and together by {together}"


def _every_pattern(answer: Leaderboard) -> str:
    return (
        f"p-values by all {thousands(answer.patterns)} patterns of signs, one sign per {unit_of(answer)} for all pairs: exact for "
        "symmetric differences"
    )


@PVALUES
def too_few_units(answer: Leaderboard, units: int) -> str:
    adjusted = "adjusted " if answer.corrected.compared_by == "pvalue" else ""
    return (
        f"systems differ on only {units} {unit_of(answer)}s: no {adjusted}p-value below {answer.corrected.smallest_pvalue:.3g} can come out of "
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


def shown_error(error: float) -> str:
    """An error rate to as many digits as it is known."""
    return percent(round(error, 2 if error >= 0.05 else 3))


@PVALUES
def leaning_differences(answer: Leaderboard) -> str:
    return (
        "differences lean to one side, and random signs assume that they do not: each p-value is the larger one of sign flips and of "
        f"{unit_of(answer)}s drawn again, which do not"
    )


@PVALUES
def leaning_clusters(_: Leaderboard, allowance: float) -> str:
    return (
        "what clusters add leans to one side, and so few do not show how far: adjusted p-values are "
        f"{allowance:g} times what resampling gives, by which it was measured to err; more clusters would make that needless"
    )


@PVALUES
def unseen_failures(_: Leaderboard, failures: int, size: float, seen: float) -> str:
    more = "1 more item" if failures == 1 else f"{failures} more items"
    return (
        f"pairs that lean do so by few items (about {seen:g} each), which a system may have been spared by luck: two systems are told apart "
        f"only if they still are after {more} on which the leader loses {significant(size)}; more items make that matter less"
    )


@PVALUES
def spared_failures(_: Leaderboard, pairs: int, farther: float, certainty: float) -> str:
    each = "in 1 pair 1 or 2 items lie" if pairs == 1 else f"in {thousands(pairs)} pairs 1 or 2 items lie"
    return (
        f"{each} more than {farther:g} times as far against the leader as any does in its favour, and others like them may have been spared by luck: "
        f"such a pair is told apart only if it still is with as many more as so many items do not exclude ({percent(certainty)} bound)"
    )


@PVALUES
def skewed_differences(answer: Leaderboard, error: float) -> str:
    unit, shown = unit_of(answer), shown_error(error)
    promise = "a family-wise error" if answer.family_wise else "max_t's family-wise error"
    if answer.corrected.resampling != "flips":
        return (
            f"differences lean to one side by a few {unit}s, and a system may have been spared such ones by luck: on leaderboards like "
            f"this {promise} of {percent(answer.alpha)} is really about {shown}; only more {unit}s would help"
        )
    way_out = (
        "" if answer.clusters else f"; {option('correction', 'max_t(resampling=cautious)')} allows for it"
    )
    return (
        "differences lean to one side, and random signs assume that they do not: on leaderboards like this "
        f"{promise} of {percent(answer.alpha)} is really at least about {shown}{way_out}"
    )
