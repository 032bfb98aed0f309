"""What choosing does to a claim: being the best of several systems, or of several runs of one."""

from tellapart.distributions.extremes import expected_maximum
from tellapart.results.audit import AmongMany, BestSeed
from tellapart.verbs.audit.findings import Findings


def among_many(found: Findings) -> AmongMany | None:
    """The claim against each of the other systems: so many comparisons share the level.

    Bonferroni divides the level by their number, and so does Holm's (1979) first step, which the best of them must pass. Two
    systems are one comparison, which shares with nobody.
    """
    systems = found.context.systems
    if systems is None or systems < 3 or not found.evaluation.known:
        return None
    criterion = found.criterion.among(systems - 1)
    return AmongMany(
        systems,
        systems - 1,
        criterion.alpha,
        found.verdict_at(criterion.alpha),
        found.evaluation.smallest(criterion),
        found.evaluation.detectable(criterion),
    )


def best_seed(found: Findings) -> BestSeed | None:
    """What the best of several runs gains over their mean by chance, for runs that scatter normally.

    The expected maximum of so many standard normals, times their standard deviation: what to take off a reported best before
    it is compared with a single run.
    """
    seeds, sd = found.context.seeds, found.context.seed_sd
    if seeds is None or seeds < 2:
        return None
    deviations, size = expected_maximum(seeds), abs(found.effect)
    enough = size / deviations if found.effect else None
    if sd is None:
        return BestSeed(seeds, deviations, enough, None, None)
    return BestSeed(seeds, deviations, enough, deviations * sd, max(size - deviations * sd, 0.0))
