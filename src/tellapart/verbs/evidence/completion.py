"""Completion of a population from evidence: a missing overlap, spread, correlation or gain is filled in."""

from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import options
from tellapart.foundation.surfaces import option, verb
from tellapart.populations import Population
from tellapart.populations.evidence import Evidence, Gain, boards_at
from tellapart.populations.evidence.choice import DEFAULT_RATINGS
from tellapart.populations.from_evidence import FromEvidence, Incomplete, RunsFromEvidence
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.runs import RepeatedRuns
from tellapart.populations.wrapper import Wrapper
from tellapart.verbs.evidence.priors import Priors


def complete(population: Population, priors: Priors, *, solves_effect: bool) -> Population:
    """The population with evidence in place of what was not given; others pass unchanged where no evidence was named.

    `solves_effect` says that the effect is what the plan is asked for, so that no evidence on gains has to say it.
    """
    if isinstance(population, Wrapper):
        inner = population.population.with_effect(population.effect)
        filled = complete(inner, priors, solves_effect=solves_effect)
        return population.replace(population=filled.with_effect(None), effect=filled.effect)
    if population.by_raters:
        return _complete_ratings(population, priors)
    if priors.named_ratings is not None:
        raise UsageError(
            f"{priors.named_ratings} is about ratings by several raters, and {population.name} has no raters; leave it out, or plan ratings"
        )
    incomplete = population if isinstance(population, Incomplete) and population.lacking else None
    if priors.named_contributions is not None and (incomplete is None or incomplete.kind is Gaussian):
        raise UsageError(
            f"{priors.named_contributions} is about contributions to a metric of a whole corpus, such as BLEU; plan "
            f"with delta_laplace without {option('zero_share')} and {option('scale')}, or leave it out"
        )
    if incomplete is not None:
        complete_scores = _complete_gaussian if incomplete.kind is Gaussian else _complete_other_scores
        return complete_scores(incomplete, priors)
    if isinstance(population, RepeatedRuns) and not population.complete:
        return _complete_runs(population, priors)
    if isinstance(population, PairedBinary) and population.accuracy is not None:
        return _complete_right_or_wrong(population, priors, solves_effect=solves_effect)
    if priors.named is not None:
        raise UsageError(
            f"{population} needs no evidence, and {priors.named} is named; evidence is for paired_binary with an "
            "accuracy, for gaussian, retrieval and delta_laplace that lack a number, and for ratings without their sds"
        )
    return population


def _complete_gaussian(population: Incomplete, priors: Priors) -> Population:
    if priors.named_overlap is not None or priors.named_gain is not None:
        raise UsageError(
            f"{priors.named} is about right and wrong answers; scores of a gaussian need evidence on spread: {verb('evidence')} lists it"
        )
    sd_from = priors.sd_source if "sd" in population.lacking else None
    correlation_from = priors.correlation_source if "correlation" in population.lacking else None
    unused = {priors.named_sd, priors.named_correlation} - {None, sd_from, correlation_from}
    if unused:
        raise UsageError(f"{', '.join(map(str, unused))} is not needed, because its numbers are given; leave it out")
    if sd_from is not None:
        _check_scale(population, sd_from)
    sources = {"sd": sd_from, "correlation": correlation_from}
    return population.with_sources({name: source for name, source in sources.items() if source is not None})


def _complete_other_scores(population: Incomplete, priors: Priors) -> Population:
    """Scores of queries, or contributions to a corpus metric, with the numbers that evidence says."""
    of_queries = population.kind.evidence_kind == "spread"
    fitting = (priors.named_sd, priors.named_correlation) if of_queries else (priors.named_contributions,)
    named = set(filter(None, fitting))
    sources: dict[str, Evidence] = {
        name: priors.spread_saying(name) if of_queries else priors.contributions for name in population.lacking
    }
    strange = priors.others_than(named) or named - set(sources.values())
    if strange:
        raise UsageError(
            f"{', '.join(map(str, strange))} does not cover what {population} lacks "
            f"({', '.join(population.lacking)}); leave it out, or name another: {verb('evidence')} lists them"
        )
    return population.with_sources(sources)


def _complete_ratings(population: Population, priors: Priors) -> Population:
    """Ratings with spreads from evidence, where none are given."""
    if not (isinstance(population, Incomplete) and "residual_sd" in population.lacking):
        if priors.named is not None:
            raise UsageError(
                f"{population.name} has its own spreads, and {priors.named} is named; leave one of them out"
            )
        return population
    if priors.named is not None and priors.named_ratings is None:
        raise UsageError(f"{priors.named} does not cover ratings; {verb('evidence')} lists what does")
    source = priors.named_ratings or DEFAULT_RATINGS
    return population.with_sources({"residual_sd": source})


def _complete_runs(population: RepeatedRuns, priors: Priors) -> Population:
    """Repeated runs with the discordance of single runs that evidence on right and wrong answers says."""
    if priors.named is not None and priors.named_overlap is None:
        raise UsageError(f"{priors.named} does not say how often two systems differ; leave it out, or name another")
    given = {one.name: getattr(population, one.name) for one in options(RepeatedRuns)}
    accuracy = population.accuracy or 0.0
    return RunsFromEvidence(**given, evidence=priors.named_overlap or boards_at(accuracy))


def _check_scale(population: Incomplete, evidence: Evidence) -> None:
    """A standard deviation means something on its own scale only; one's own is in the unit of one's own scores."""
    if not evidence.published:
        return
    given = {name: population.given.get(name) for name in ("effect", "mean", "sd_b")}
    clip = population.given.get("clip")
    given["clip"] = None if clip is None else max(map(abs, clip))
    for name, value in given.items():
        if value is not None and abs(value) > 1.0:
            raise UsageError(
                f"{evidence} is about scores between 0 and 1, and {name} is {value:g}; give {option('sd')} in the unit of your scores"
            )


def _complete_right_or_wrong(population: PairedBinary, priors: Priors, *, solves_effect: bool) -> PairedBinary:
    if priors.named_sd is not None or priors.named_correlation is not None:
        raise UsageError(
            f"{priors.named_sd or priors.named_correlation} is about scores that are numbers; right and wrong answers need evidence on overlap: {verb('evidence')} lists it"
        )
    if population.complete and priors.named_overlap is not None:
        raise UsageError(
            f"evidence is for paired_binary with accuracy=… and no overlap, and {population} has its own; leave one of them out"
        )
    accuracy = population.accuracy or 0.0
    open_effect = population.effect is None and not solves_effect
    if priors.named_gain is not None and priors.named_overlap is None and not open_effect:
        raise UsageError(
            f"{priors.named_gain} would set the effect, which is {'solved for' if solves_effect else 'given'}; leave "
            "one of them out"
        )
    effect = _gain(accuracy, priors.named_gain) if priors.named_gain is not None and open_effect else population.effect
    if population.complete:
        return population.with_effect(effect)
    return FromEvidence(effect=effect, accuracy=accuracy, evidence=priors.named_overlap or boards_at(accuracy))


def _gain(accuracy: float, evidence: Gain) -> float:
    """The effect that evidence on gains expects over this accuracy."""
    gain = evidence.gain(accuracy)
    if gain.expected <= 0.0:
        raise UsageError(
            f"{evidence} expects no gain over an accuracy of {accuracy:g}; give the smallest effect that matters: {option('effect')}"
        )
    return gain.expected
