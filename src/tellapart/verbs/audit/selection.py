"""What choosing does to a claim: being the best of several systems, or of several runs of one."""

from tellapart.distributions.extremes import expected_maximum
from tellapart.results.audit import AmongMany, BestSeed
from tellapart.verbs.audit_accuracy import detectable
from tellapart.verbs.audit_findings import Findings, Question
from tellapart.verbs.audit_means import detectable_mean, smallest_mean
from tellapart.verbs.audit_tables import smallest_gap


def among_many(found: Findings) -> AmongMany | None:
    """The claim against each of the other systems: so many comparisons share the level. Bonferroni; Holm (1979)."""
    systems = found.context.systems
    if systems is None or systems < 3:
        return None
    question = found.question.among(systems - 1)
    verdict = "implausible" if found.pvalues is None else found.pvalues.verdict(question.alpha)
    smallest = _smallest(found, question.alpha)
    return AmongMany(systems, systems - 1, question.alpha, verdict, smallest, _detectable(found, question))


def _smallest(found: Findings, alpha: float) -> float | None:
    if found.sd is not None:
        return smallest_mean(found.sd, found.items, alpha)
    return smallest_gap(found.question.test, found.items, found.supposed.expected, alpha)


def _detectable(found: Findings, question: Question) -> float | None:
    if found.design is not None:
        return detectable(found.design, found.items, question)
    return None if found.sd is None else detectable_mean(found.sd, found.items, question)


def best_seed(found: Findings) -> BestSeed | None:
    """What the best of several runs gains over their mean by chance, for runs that scatter normally."""
    seeds = found.context.seeds
    if seeds is None or seeds < 2:
        return None
    deviations = expected_maximum(seeds)
    enough = abs(found.effect) / deviations if found.effect else None
    sd = found.context.seed_sd
    return BestSeed(seeds, deviations, enough, None if sd is None else deviations * sd)
