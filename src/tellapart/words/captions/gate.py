"""What the charts of a gate find."""

from collections.abc import Callable

from tellapart.results.gated import Gate
from tellapart.wording import percent


def checks(answer: Gate) -> str:
    return (
        f"{answer.headline[:1].upper()}{answer.headline[1:]}. The dashed line is the margin, a loss of {answer.margin:g}; each bound "
        f"holds at {percent(answer.level)}."
    )


CAPTIONS: dict[str, Callable[[Gate], str]] = {"checks": checks}
