"""The pilot of a plan: its file, its two systems, and the effect that is planned for instead of its own."""

from typing import Any

import click

from tellapart.cli.input import read_scores
from tellapart.errors import UsageError
from tellapart.populations.pilot import TOO_LARGE, Pilot
from tellapart.verbs.compare import two_systems


def pilots(effects: list[Any], given: dict[str, Any]) -> list[Pilot]:
    """The pilot that the flags name, at each effect; `--effect observed` takes its own, with a warning."""
    if given["metric"] != "mean":
        raise UsageError("a pilot is planned on plain scores; leave --metric out")
    scores = read_scores(
        given["files"],
        given["metric"],
        given["measure"],
        given["cluster"],
        given["dataset"],
        given["columns"],
    )
    pair = scores.pair(*two_systems(scores, given["a"], given["b"]), given["missing"])
    pilot = Pilot.from_pair(pair)
    return [pilot.with_effect(_observed(pilot) if effect == "observed" else effect) for effect in effects]


def _observed(pilot: Pilot) -> float:
    click.echo(
        f"warning: planning for the pilot's own effect ({pilot.observed_effect:+.4g}), {TOO_LARGE}.", err=True
    )
    return pilot.observed_effect
