"""What a plan says in one sentence."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tellapart.planning.budget import Budget
from tellapart.planning.power import power_of
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.pilot import Pilot
from tellapart.results.plan import PlanRow, SolvedFor
from tellapart.significance import Procedure
from tellapart.wording import percent, significant, thousands
from tellapart.workers import Runner

if TYPE_CHECKING:
    from tellapart.verbs.plan import Ask

_COUNTS = (
    "never",
    "once",
    "twice",
    "three times",
    "four times",
    "five times",
    "six times",
    "seven times",
    "eight times",
    "nine times",
)
_SYMBOLS = {"correlation": "r = {}"}
_FIRST = ("correlation", "sd")
"""What a reader looks for first among the assumptions."""


@dataclass(frozen=True, eq=False)
class Told:
    """A plan about to be put into words."""

    solved_for: SolvedFor
    rows: tuple[PlanRow, ...]
    asks: "tuple[Ask, ...]"
    budget: Budget
    runner: Runner
    alpha: float
    comparisons: int
    systems: int | None

    @property
    def interrupted(self) -> bool:
        """Whether the keyboard cut the answer short."""
        return self.runner.interrupted or len(self.rows) < len(self.asks)


def sentence(told: Told) -> str:
    """The first row in words: what was solved, under which assumptions, and what a smaller effect would meet."""
    row, ask = told.rows[0], told.asks[0]
    assumed, items = _assumed(row, ask), thousands(row.items)
    if told.solved_for == "power":
        return f"With {items} items {_found(row, ask.test)} ({assumed}){_exaggeration(row)}."
    if ask.test.claim != "difference":
        return (
            f"{items} items show {ask.test.label} with {_share(row.power)} power if the true effect is {_amount(row.effect)} "
            f"({assumed})."
        )
    effect = _minus(significant(row.effect)) if told.solved_for == "effect" else _amount(row.effect)
    power = percent(row.power if ask.power is None else ask.power)
    assured = "" if ask.assurance is None else f", assured with probability {ask.assurance:g}"
    return f"{items} items detect {effect} with {power} power{assured} ({assumed}){_smaller(told, row, ask)}."


def _found(row: PlanRow, test: Procedure) -> str:
    if test.claim != "difference":
        return f"{test.label} is shown {_share(row.power)} of the time if the true effect is {_amount(row.effect)}"
    if row.effect == 0.0:
        return f"a difference is found {_share(row.power)} of the time although there is none"
    return f"an effect of {_amount(row.effect)} is found {_share(row.power)} of the time"


def _share(power: float) -> str:
    """A power in percent to one decimal, never rounded up to certainty."""
    if 0.9995 <= power < 1.0:
        return "more than 99.9 %"
    return "less than 0.1 %" if 0.0 < power < 0.0005 else percent(round(power, 3))


def _assumed(row: PlanRow, ask: "Ask") -> str:
    told = {name: row.options[name] for name in (*_FIRST, *row.options) if name in row.options}
    shown = [
        _SYMBOLS.get(name, name + " {}").format(_amount(value))
        for name, value in told.items()
        if value is not None and not (name == "mean" and value == 0.0)
    ]
    pilot = (
        [f"a pilot of {thousands(ask.population.items)} items"] if isinstance(ask.population, Pilot) else []
    )
    return ", ".join([*_run(ask.test), *pilot, *shown])


def _run(test: Procedure) -> list[str]:
    """The test among the assumptions; with a margin the sentence names it before."""
    if test.claim != "difference":
        return []
    return [test.label if test.alternative == "two-sided" else f"one-sided {test.label}"]


def _amount(value: Any) -> str:
    if isinstance(value, float):
        return _minus(f"{value:.4g}")
    return ":".join(map(_amount, value)) if isinstance(value, tuple) else str(value)


def _minus(shown: str) -> str:
    return f"−{shown[1:]}" if shown.startswith("-") else shown


def _exaggeration(row: PlanRow) -> str:
    if row.type_s is None or not _looks(row.type_m):
        return ""
    wrong = (
        f", and has the wrong sign {percent(round(row.type_s, 3))} of the time"
        if row.type_s >= 0.0005
        else ""
    )
    return f"; when found, it looks {_looks(row.type_m)}{wrong}"


def _looks(type_m: float | None) -> str:
    """How an effect that is found looks, where that is not what it is."""
    return "" if type_m is None or type_m < 1.05 else f"{significant(type_m)} times too large"


def _smaller(told: Told, row: PlanRow, ask: "Ask") -> str:
    """What half that effect, as a round number, would meet: how often it is missed, and how it looks when it is not."""
    half = float(f"{row.effect / 2.0:.{1 if told.solved_for == 'effect' else 4}g}")
    found = _power_at(told, row, ask, half)
    if found is None:
        return ""
    looks = f" and, when found, would look {_looks(found.type_m)}" if _looks(found.type_m) else ""
    return f"; an effect of {_amount(half)} would be missed {times_in_ten(1.0 - found.power)}{looks}"


def _power_at(told: Told, row: PlanRow, ask: "Ask", effect: float) -> PowerResult | None:
    """None where the scores cannot have this effect, or where the keyboard has interrupted: the answer itself is there."""
    low, high = ask.population.effect_range
    if told.interrupted or not low < effect < high:
        return None
    try:
        study = Study(ask.population.with_effect(effect), ask.test, row.items, ask.alpha)
        return power_of(study, told.budget, told.runner)
    except KeyboardInterrupt:
        return None


def times_in_ten(share: float) -> str:
    """A share as people say it.

    >>> times_in_ten(0.71), times_in_ten(0.11), times_in_ten(0.97), times_in_ten(0.01)
    ('seven times in ten', 'once in ten', 'nearly always', 'almost never')
    """
    tenths = round(10.0 * share)
    if tenths == 0:
        return "almost never"
    return "nearly always" if tenths == 10 else f"{_COUNTS[tenths]} in ten"
