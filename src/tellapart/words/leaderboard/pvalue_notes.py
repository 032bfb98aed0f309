"""What a leaderboard says of its p-values: how they came about, how small they can be, and how far they can be trusted."""

from tellapart.doors import option, verb
from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import amount, significant, thousands
from tellapart.words.sayings import Sayings

PVALUES: Sayings[Leaderboard] = Sayings()


def unit_of(answer: Leaderboard) -> str:
    """What is flipped or drawn."""
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
        drawn = (
            f"p-values by {least}{thousands(answer.resamples)} sign flips, one sign per {unit} for all pairs"
        )
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
        f"differences of {amount(pairs, 'pair')} are visibly skewed (beyond ±{bound:g}), where random signs may claim too much: {where} the p-value is "
        f"the larger one of sign flips and of {unit_of(answer)}s drawn again ({thousands(resamples)} times), and the interval the wider one"
    )


@PVALUES
def unjudged_pairs(answer: Leaderboard, pairs: int, fewest: int) -> str:
    units = f"{unit_of(answer)}s"
    return f"{amount(pairs, 'pair')} that would have to be drawn again differ on fewer than {fewest} {units}, too few for that: not told apart"
