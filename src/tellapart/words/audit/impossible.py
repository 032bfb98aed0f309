"""Why printed numbers cannot be, in words."""

from tellapart.results.audit import AuditedClaim
from tellapart.wording import significant, thousands
from tellapart.words.sayings import Sayings

IMPOSSIBLE: Sayings[AuditedClaim] = Sayings()


@IMPOSSIBLE
def no_whole_number_of_right_answers(claim: AuditedClaim, accuracy: str) -> str:
    return (
        f"no whole number of right answers out of {thousands(claim.items)} rounds to {accuracy}: it is no accuracy on "
        "so many items (a mean over runs, another metric, other items), or a misprint"
    )


@IMPOSSIBLE
def no_table_with_this_overlap(_: AuditedClaim, least_discordance: float, most_discordance: float) -> str:
    least, most = (significant(x, 3) for x in (least_discordance, most_discordance))
    return (
        f"no table has these accuracies and this overlap; they leave a discordance between {least} and {most}"
    )


@IMPOSSIBLE
def no_correlation_gives_this_spread(
    _: AuditedClaim, sd_difference: float, least_sd: float, most_sd: float
) -> str:
    return (
        f"no correlation that is left gives differences an sd of {significant(sd_difference, 3)} (from se_difference) beside the sds of the "
        f"two systems, which leave {significant(least_sd, 3)} to {significant(most_sd, 3)}"
    )
