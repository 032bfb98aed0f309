"""Pilot flags of `plan`: the pilot's file, its two systems, and the effect to plan for."""

import itertools
from dataclasses import dataclass
from typing import Any

from tellapart import populations
from tellapart.answers.plan.source_notes import TOO_LARGE
from tellapart.cli.flags import Decorator, question_flags
from tellapart.cli.input import GivenFiles
from tellapart.cli.streams import say
from tellapart.data.ratings import Ratings
from tellapart.data.scales import refuse_two_readings
from tellapart.data.scores import Scores
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.foundation.spelling import Question, Range, argument, setting
from tellapart.metrics import METRICS, Metric
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot, measured_runs, refuse_separate_items
from tellapart.verbs.compare.systems import SystemPairOptions, two_of, two_systems
from tellapart.verbs.judging_options import refuse_one_item


@dataclass(frozen=True)
class GivenPilot(SystemPairOptions):
    """The two systems of a pilot, and what of their scores will be compared."""

    metric: str = setting(
        "mean",
        f"How items become one number: {', '.join(METRICS)}; with --qrels also the measure of the runs.",
        metavar="M",
    )


@dataclass(frozen=True)
class PlannedRaters(Question):
    """Of a pilot of ratings: who will rate in the evaluation that is planned."""

    raters: Any = setting(
        None,
        "For ratings: raters to plan for (default: as many as the pilot has; with --budget any number).",
        metavar="N",
        many=int,
        range=Range(least=2),
    )
    per_item: Any = setting(
        None, "For ratings: raters per item, if not all.", metavar="K", many=int, range=Range(least=1)
    )


@dataclass(frozen=True)
class OptionalFiles(GivenFiles):
    """A log in place of numbers, where there is one."""

    files: tuple[str, ...] = argument("[FILE]...")


def log_flags() -> Decorator:
    """Two systems of a log, which may say numbers of a population; the command gets them as `compared` and `source`."""
    return question_flags(compared=GivenPilot, source=OptionalFiles)


def runs_of_log(grids: dict[str, list[Any]], compared: GivenPilot, source: GivenFiles) -> dict[str, list[Any]]:
    """The numbers of repeated runs that a log shows, where they are not given beside it."""
    if not source.files:
        return grids
    scores = source.scores(compared.metric, (compared.a, compared.b))
    if not isinstance(scores, Scores):
        raise Unsuitable("these are ratings or votes, which have raters and no runs; plan ratings")
    names = two_systems(scores, compared.a, compared.b)
    refuse_separate_items(scores, names)
    effects = [effect for effect in grids.get("effect", []) if isinstance(effect, float)]
    for effect in effects:
        refuse_two_readings(scores, "effect", effect)
    summarised = "runs_as" in grids
    pair = scores.pair(*names, compared.missing)
    measured: dict[str, Any] = measured_runs(pair, effects, summarised=summarised)
    if summarised and not {"runs", "samples"} & set(grids):
        measured["runs"] = max(one.shape[-2] for one in (pair.a, pair.b))
    said = ", ".join(f"{name.replace('_', '-')} {value:.4g}" for name, value in measured.items())
    say(f"from {source.files[0]}: {said}")
    return {name: [value] for name, value in measured.items()} | grids


def pilot_flags() -> Decorator:
    """Its systems and its file; the command gets them as `compared` and `source`, and raters as `planned`."""
    return question_flags(compared=GivenPilot, planned_raters=PlannedRaters, source=GivenFiles)


def pilots(
    effects: list[Any], compared: GivenPilot, planned_raters: PlannedRaters, source: GivenFiles
) -> list[Population]:
    """The pilot that the flags name, at each effect; `--effect observed` takes its own, with a warning."""
    source, compared = source.settled(compared)
    systems = compared.a, compared.b
    scores, metric = source.scores(compared.metric, systems), Metric.parse(compared.metric)
    if not isinstance(scores, Scores):
        return _pilot_rated(effects, scores, systems, planned_raters)
    if planned_raters != PlannedRaters():
        raise UsageError(
            "--raters and --per-item are for a pilot of ratings, and this one has no raters; leave them out"
        )
    metric.check(scores)
    refuse_one_item(scores)
    names = two_systems(scores, *systems)
    for effect in effects:
        refuse_two_readings(scores, "effect", effect)
    refuse_separate_items(scores, names)
    pilot = Pilot.from_pair(scores.pair(*names, compared.missing), metric=metric)
    return [
        pilot.with_effect(_observed(pilot.observed_effect) if effect == "observed" else effect) for effect in effects
    ]


def _pilot_rated(
    effects: list[Any], given: Any, systems: tuple[str | None, str | None], planned: PlannedRaters
) -> list[Population]:
    """The ratings of a pilot, their spreads fitted, for each number of raters that is planned."""
    from tellapart.verbs.compare.raters_and_votes.methods import refuse_clusters, refuse_unrated  # noqa: PLC0415  (as above)

    if not isinstance(given, Ratings):
        raise Unsuitable(
            "these are votes; plan votes by their shares: tellapart plan votes --share … --ties …, or compare these"
        )
    names = two_of(given.systems, *systems)
    pair = given.pair(*names)
    refuse_unrated(pair, names)
    refuse_clusters(given, may_fix=False)
    counts = itertools.product(planned.raters or [None], planned.per_item or [None])
    fits = [populations.PilotRatings.fitted_to(pair, raters, per_item) for raters, per_item in counts]
    own = fits[0][1]
    meant = [_observed(own) if effect == "observed" else effect for effect in effects]
    return [made.with_effect(effect) for made, _ in fits for effect in meant]


def _observed(effect: float) -> float:
    say(f"warning: planning for the pilot's own effect ({effect:+.4g}), {TOO_LARGE}.")
    return effect
