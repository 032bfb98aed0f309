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
        f"Of the defaults {thousands(found.get('holds', 0))} scenarios are shown to hold, {thousands(found.get('fails', 0))} fail, and of "
        f"{thousands(found.get('not shown', 0))} neither is shown; lines are 99.9 % bands of the simulation."
    )


CAPTIONS: dict[str, Callable[[Calibration], str]] = {"sizes": sizes, "coverages": coverages}
