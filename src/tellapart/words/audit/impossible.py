"""Why printed numbers cannot be, in words."""

from tellapart.doors import option
from tellapart.results.audit import AuditedClaim
from tellapart.wording import significant, thousands
from tellapart.words.sayings import Sayings

IMPOSSIBLE: Sayings[AuditedClaim] = Sayings()
_READINGS = {
    "in fractions": "in fractions beside percentages",
    "in percent": "in percent beside fractions",
    "of A - B": "of A − B",
    "half a width": "what to add on either side",
}


@IMPOSSIBLE
def no_whole_number_of_right_answers(
    claim: AuditedClaim, accuracy: str, answers: int, enough_runs: int | None
) -> str:
    of = (
        thousands(claim.items)
        if claim.runs == 1
        else f"{thousands(answers)} ({claim.runs} runs of {thousands(claim.items)} items)"
    )
    runs = "" if enough_runs is None else f" (with {enough_runs} they are possible)"
    return (
        f"not possible as counts of {of}: no whole number of right answers rounds to {accuracy}. Means over several runs of every item: "
        f"give {option('runs')}{runs}; a score that is no accuracy: give its {option('sd')}, {option('se')} or {option('ci')}; else other "
        "items, or a misprint"
    )


@IMPOSSIBLE
def no_table_with_this_overlap(_: AuditedClaim, least_discordance: float, most_discordance: float) -> str:
    least, most = (significant(x, 3) for x in (least_discordance, most_discordance))
    return f"impossible as printed: no table has these accuracies and this overlap; they leave a discordance between {least} and {most}"


@IMPOSSIBLE
def no_correlation_gives_this_spread(
    _: AuditedClaim, sd_difference: float, least_sd: float, most_sd: float
) -> str:
    return (
        "impossible as printed: no correlation that is left gives differences an sd of "
        f"{significant(sd_difference, 3)} (from what is reported of the difference) beside the sds of the "
        f"two systems, which leave {significant(least_sd, 3)} to {significant(most_sd, 3)}"
    )


@IMPOSSIBLE
def interval_without_its_number(
    claim: AuditedClaim, role: str, interval: str, reading: str | None, instead: str | None
) -> str:
    numbers = {
        "ci": f"the difference of {claim.printed_b} and {claim.printed_a}",
        "ci_a": claim.printed_a,
        "ci_b": claim.printed_b,
    }
    return (
        f"impossible as printed: {numbers[role]} does not lie in the interval {interval}, rounding allowed for; another interval, other "
        f"numbers, or a mistake{read_otherwise(role, reading, instead)}"
    )


def read_otherwise(role: str, reading: str | None, instead: str | None) -> str:
    """What an interval may be instead, and what to type then."""
    return "" if reading is None else f"; if it is {_READINGS[reading]}, give {option(role, instead)}"
