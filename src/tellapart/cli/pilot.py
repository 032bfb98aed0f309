"""The pilot of a plan: its file, its two systems, and the effect that is planned for instead of its own."""

from dataclasses import dataclass
from typing import Any

from tellapart.cli.flags import Decorator, taking
from tellapart.cli.input import Source
from tellapart.cli.streams import say
from tellapart.metrics import METRICS, Metric
from tellapart.populations.pilot import Pilot
from tellapart.scores import Scores
from tellapart.spelling import setting
from tellapart.verbs.compare.systems import Sides, two_systems
from tellapart.words.plan.notes import TOO_LARGE


@dataclass(frozen=True)
class Compared(Sides):
    """The two systems of a pilot, and what of their scores will be compared."""

    metric: str = setting("mean", f"How items become one number: {', '.join(METRICS)}.", metavar="M")


def pilot_flags() -> Decorator:
    """Its systems and its file; the command gets them as `compared` and `source`."""
    return taking(compared=Compared, source=Source)


def pilots(effects: list[Any], compared: Compared, source: Source) -> list[Pilot]:
    """The pilot that the flags name, at each effect; `--effect observed` takes its own, with a warning."""
    source, compared = source.settled(compared)
    systems = compared.a, compared.b
    scores, metric = source.scores(compared.metric, systems), Metric.parse(compared.metric)
    if not isinstance(scores, Scores):
        from tellapart.verbs.people import plain_scores  # noqa: PLC0415  (most pilots are plain scores)

        scores = plain_scores(scores, "plan", may_fix=False)
    metric.check(scores)
    pilot = Pilot.from_pair(scores.pair(*two_systems(scores, *systems), compared.missing), metric=metric)
    return [pilot.with_effect(_observed(pilot) if effect == "observed" else effect) for effect in effects]


def _observed(pilot: Pilot) -> float:
    say(f"warning: planning for the pilot's own effect ({pilot.observed_effect:+.4g}), {TOO_LARGE}.")
    return pilot.observed_effect
