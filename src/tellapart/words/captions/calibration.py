"""What the charts of a calibration find."""

from collections.abc import Callable

from tellapart.results.calibration import Calibration
from tellapart.wording import percent, thousands


def sizes(answer: Calibration) -> str:
    return f"Promised is at most {percent(answer.alpha)}, where the line stands. {_defaults(answer)}"


def coverages(answer: Calibration) -> str:
    return f"Promised is {percent(answer.level)}, where the line stands. {_defaults(answer)}"


def _defaults(answer: Calibration) -> str:
    found = answer.defaults
    return (
        f"Of the defaults {thousands(found.get('holds', 0))} scenarios hold, {thousands(found.get('near', 0))} are off by at most a point "
        f"and {thousands(found.get('fails', 0))} fail; lines are 99.9 % bands of the simulation."
    )


CAPTIONS: dict[str, Callable[[Calibration], str]] = {"sizes": sizes, "coverages": coverages}
