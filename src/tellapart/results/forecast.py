"""How long an answer will take, said before the time is spent."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Quicker:
    """Another way to ask: an option, its value, and about how many seconds the whole answer would take then."""

    option: str
    value: str
    seconds: float


@dataclass(frozen=True)
class Forecast:
    """About how many `seconds` an answer takes, because `test` is simulated on so many `items`, and what would be quicker."""

    seconds: float
    test: str
    items: int
    replicates: int
    quicker: tuple[Quicker, ...]
