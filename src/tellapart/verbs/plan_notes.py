"""What a reader of a plan should know besides its sentence."""

from dataclasses import replace

from tellapart.populations.pilot import TOO_LARGE, Pilot
from tellapart.verbs.default_test import compare_would_choose
from tellapart.verbs.plan_phrases import Told
from tellapart.wording import percent, significant, thousands


def notes(told: Told) -> tuple[str, ...]:
    """What a reader of a plan should know besides its sentence."""
    said = [
        _interrupted(told),
        _family(told),
        _another_choice(told),
        _saw_tooth(told),
        _simulated(told),
        *_pilot(told),
    ]
    return tuple(dict.fromkeys(n for n in said if n))


def _interrupted(told: Told) -> str:
    if not told.interrupted:
        return ""
    short = [row.replicates or 0 for row in told.rows if told.budget.exceeds(row.replicates)]
    said = []
    if len(told.rows) < len(told.asks):
        said.append(f"{thousands(len(told.rows))} of {thousands(len(told.asks))} studies are answered")
    if short:
        said.append(
            f"only {thousands(min(short))} of {thousands(told.budget.replicates)} replicates were simulated, and intervals "
            "are wider for it"
        )
    return f"interrupted: {'; '.join(said)}" if said else ""


def _family(told: Told) -> str:
    if told.systems is not None:
        return _all_pairs(told, told.systems)
    if told.comparisons == 1:
        return ""
    each = told.rows[0].alpha
    sidak = 1.0 - (1.0 - told.alpha) ** (1.0 / told.comparisons)
    return (
        f"{told.comparisons} comparisons at {told.alpha:g} together: each is tested at {each:.4g} (Bonferroni; Šidák's {sidak:.4g} "
        "would do for independent ones)"
    )


def _all_pairs(told: Told, systems: int) -> str:
    pairs = systems * (systems - 1) // 2
    if pairs == 1:
        return ""
    return (
        f"{thousands(systems)} systems have {thousands(pairs)} pairs: each is tested at {told.rows[0].alpha:.4g}, the level of the largest of all of "
        f"them (max-T, as in `rank`) at {told.alpha:g} together, if all pairs of systems are equally correlated; Bonferroni's would be "
        f"{told.alpha / pairs:.4g}"
    )


def _another_choice(told: Told) -> str:
    for row, ask in zip(told.rows, told.asks, strict=False):
        choice = compare_would_choose(ask.population.with_effect(row.effect), row.items)
        if ask.test.claim != "difference" or choice in {None, replace(ask.test, alternative="two-sided")}:
            continue
        return f"on {thousands(row.items)} such items `compare` would choose {choice}, not {ask.test}; name it there, or plan for it here"
    return ""


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
    pilot = told.asks[0].population
    if not isinstance(pilot, Pilot):
        return []
    said = [
        *_assured(told),
        *_correlation(pilot),
        f"the spread comes from a pilot of {thousands(pilot.items)} items; the interval on power carries that uncertainty",
    ]
    if pilot.effect and pilot.effect == pilot.observed_effect:
        said.insert(0, f"planned for the pilot's own effect ({pilot.effect:+.4g}), {TOO_LARGE}")
    if pilot.items < 30:
        said.append("a pilot below 30 items says little about tails: treat the plan as a first guess")
    if told.rows[0].items > 20 * pilot.items:
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


def _correlation(pilot: Pilot) -> list[str]:
    if not abs(pilot.correlation) < 1.0 or pilot.items < 4:
        return []
    low, high = pilot.correlation_interval()
    return [
        f"the pilot's correlation is r = {pilot.correlation:.2f} (95 % interval {low:.2f} to {high:.2f}, Fisher's z)"
    ]
