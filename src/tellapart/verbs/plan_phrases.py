"""What a plan says in words."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tellapart.planning.power import Settings, power_of
from tellapart.planning.study import Study
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.results.plan import PlanRow, SolvedFor
from tellapart.significance import Procedure
from tellapart.verbs.default_test import compare_would_choose
from tellapart.wording import percent, significant, thousands

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
_SYMBOLS = {
    "correlation": "r = {}",
    "sd": "sd {}",
    "accuracy": "accuracy {}",
    "discordance": "discordance {}",
}


@dataclass(frozen=True, eq=False)
class Told:
    """A plan about to be put into words."""

    solved_for: SolvedFor
    rows: tuple[PlanRow, ...]
    asks: "tuple[Ask, ...]"
    settings: Settings
    alpha: float
    comparisons: int


def sentence(told: Told) -> str:
    """The first row in words: what was solved, under which assumptions, and what a smaller effect would meet."""
    row, ask = told.rows[0], told.asks[0]
    assumed = _assumed(row, ask.test)
    if told.solved_for == "power":
        return f"With {thousands(row.items)} items {_found(row, ask.test)} ({assumed}){_exaggeration(row)}."
    if ask.test.claim != "difference":
        return f"{thousands(row.items)} items show {ask.test.label} with {percent(round(row.power, 3))} power ({assumed})."
    effect = significant(row.effect) if told.solved_for == "effect" else _amount(row.effect)
    detect = (
        f"{thousands(row.items)} items detect {effect} with {_percent_power(told, row)} power ({assumed})"
    )
    return f"{detect}; {_smaller(told, row, ask)}."


def _percent_power(told: Told, row: PlanRow) -> str:
    target = told.asks[0].power
    return percent(target if target is not None else round(row.power, 3))


def _found(row: PlanRow, test: Procedure) -> str:
    share = percent(round(row.power, 3))
    if test.claim != "difference":
        return f"{test.label} is shown {share} of the time if the true effect is {_amount(row.effect)}"
    return f"an effect of {_amount(row.effect)} is found {share} of the time"


def _assumed(row: PlanRow, test: Procedure) -> str:
    shown = [
        _SYMBOLS.get(name, name + " {}").format(_amount(value))
        for name, value in row.options.items()
        if _worth(name, value)
    ]
    return ", ".join([test.label, *shown])


def _worth(name: str, value: Any) -> bool:
    return value is not None and not (name == "mean" and value == 0.0)


def _amount(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return ":".join(map(_amount, value)) if isinstance(value, tuple) else str(value)


def _exaggeration(row: PlanRow) -> str:
    if row.type_m is None or row.type_s is None or row.type_m < 1.05:
        return ""
    wrong = (
        f", and has the wrong sign {percent(round(row.type_s, 3))} of the time"
        if row.type_s >= 0.0005
        else ""
    )
    return f"; when found, it looks {significant(row.type_m)} times too large{wrong}"


def _smaller(told: Told, row: PlanRow, ask: "Ask") -> str:
    """What half that effect would meet: how often it is missed, and how it looks when it is not."""
    half = row.effect / 2.0
    found = power_of(Study(ask.population.with_effect(half), ask.test, row.items, ask.alpha), told.settings)
    looks = (
        ""
        if found.type_m is None
        else f" and, when found, would look {significant(found.type_m)} times too large"
    )
    return (
        f"an effect of {significant(abs(half), 2)} would be missed {times_in_ten(1.0 - found.power)}{looks}"
    )


def times_in_ten(share: float) -> str:
    """A share as people say it.

    >>> times_in_ten(0.71), times_in_ten(0.11), times_in_ten(0.97), times_in_ten(0.01)
    ('seven times in ten', 'once in ten', 'nearly always', 'almost never')
    """
    tenths = round(10.0 * share)
    if tenths == 0:
        return "almost never"
    return "nearly always" if tenths == 10 else f"{_COUNTS[tenths]} in ten"


def notes(told: Told) -> tuple[str, ...]:
    said = [_family(told), _another_choice(told), _saw_tooth(told), _simulated(told), *_pilot(told)]
    return tuple(dict.fromkeys(n for n in said if n))


def _family(told: Told) -> str:
    if told.comparisons == 1:
        return ""
    each = told.rows[0].alpha
    sidak = 1.0 - (1.0 - told.alpha) ** (1.0 / told.comparisons)
    return (
        f"{told.comparisons} comparisons at {told.alpha:g} together: each is tested at {each:.4g} (Bonferroni; Šidák's {sidak:.4g} "
        "would do for independent ones)"
    )


def _another_choice(told: Told) -> str:
    row, ask = told.rows[0], told.asks[0]
    if ask.test.claim != "difference":
        return ""
    choice = compare_would_choose(ask.population.with_effect(row.effect), row.items)
    if choice is None or choice.name == ask.test.name:
        return ""
    return f"on {thousands(row.items)} such items `compare` would choose {choice}, not {ask.test}; name it there, or plan for it here"


def _saw_tooth(told: Told) -> str:
    jumpy = [row for row in told.rows if row.stable_from is not None and row.stable_from > row.items]
    if not jumpy:
        return ""
    row = jumpy[0]
    return f"power goes up in a saw-tooth: {thousands(row.items)} items reach it first, from {thousands(row.stable_from or 0)} on it stays"


def _simulated(told: Told) -> str:
    simulated = [row for row in told.rows if row.engine == "monte_carlo" and row.replicates is not None]
    if not simulated or not told.asks[0].population.from_spelling:
        return ""
    widest = max(row.power_high - row.power_low for row in simulated)
    return f"power is simulated ({thousands(simulated[0].replicates or 0)} replicates): its 95 % interval is up to {significant(widest)} wide"


def _pilot(told: Told) -> list[str]:
    population: Population = told.asks[0].population
    if population.from_spelling:
        return []
    items = getattr(population, "items", 0)
    said = [
        *_assured(told),
        *_correlation(population),
        f"the spread comes from a pilot of {thousands(items)} items; the interval on power carries that uncertainty",
    ]
    if items < 30:
        said.append("a pilot below 30 items says little about tails: treat the plan as a first guess")
    if told.rows[0].items > 20 * items:
        said.append(
            "the plan is more than 20 times the pilot: rare items that the pilot never met will turn up"
        )
    return said


def _assured(told: Told) -> list[str]:
    row, ask = told.rows[0], told.asks[0]
    if ask.assurance is None or row.solved_low is None or ask.power is None:
        return []
    return [
        (
            f"{thousands(row.items)} items instead of {thousands(int(row.solved_low))}: so many that the power is at least "
            f"{percent(ask.power)} with probability {ask.assurance:g}, although the spread is only estimated"
        )
    ]


def _correlation(population: Population) -> list[str]:
    if not isinstance(population, Pilot) or not abs(population.correlation) < 1.0 or population.items < 4:
        return []
    low, high = population.correlation_interval()
    return [
        f"the pilot's correlation is r = {population.correlation:.2f} (95 % interval {low:.2f} to {high:.2f}, Fisher's z)"
    ]
