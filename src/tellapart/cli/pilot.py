"""The pilot of a plan: its file, its two systems, and the effect that is planned for instead of its own."""

from typing import Any

import click

from tellapart.cli.flags import Decorator, stacked, taking
from tellapart.cli.input import Source
from tellapart.populations.pilot import TOO_LARGE, Pilot
from tellapart.verbs.compare.systems import Sides, two_systems


def pilot_flags() -> Decorator:
    """Its systems and its file; the command gets them as `sides` and `source`."""
    return stacked([taking("sides", Sides), taking("source", Source)])


def pilots(effects: list[Any], sides: Sides, source: Source) -> list[Pilot]:
    """The pilot that the flags name, at each effect; `--effect observed` takes its own, with a warning."""
    scores = source.scores(systems=(sides.a, sides.b))
    pilot = Pilot.from_pair(scores.pair(*two_systems(scores, sides.a, sides.b), sides.missing))
    return [pilot.with_effect(_observed(pilot) if effect == "observed" else effect) for effect in effects]


def _observed(pilot: Pilot) -> float:
    click.echo(
        f"warning: planning for the pilot's own effect ({pilot.observed_effect:+.4g}), {TOO_LARGE}.", err=True
    )
    return pilot.observed_effect
