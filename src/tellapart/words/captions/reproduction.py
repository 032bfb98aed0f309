"""What the charts of a reproduction find."""

from collections.abc import Callable

from tellapart.results.reproduction import Reproduction
from tellapart.wording import thousands


def cells(answer: Reproduction) -> str:
    counted = ", ".join(f"{thousands(count)} {name}" for name, count in answer.counts.items())
    return f"Of the numbers published: {counted}. On the diagonal ours is the same; axes are logarithmic but near 0."


CAPTIONS: dict[str, Callable[[Reproduction], str]] = {"cells": cells}
