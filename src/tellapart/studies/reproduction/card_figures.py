"""The figures and the numerical example of Card et al. (2020): McNemar's exact test, by enumeration instead of simulation.

Their power counts rejections in the direction of the effect only.
"""

from collections.abc import Callable, Iterable, Sequence

from tellapart.compute.work import Budget
from tellapart.methods.significance import TESTS
from tellapart.planning.power import power_of
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.paired_binary import PairedBinary
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.table import Ours, Recompute, Setting, recomputes, worst_step

EXACT_TEST = TESTS.parse("mcnemar(variant=exact)")
ENUMERATED = Budget(engine="exact")
DECIMALS = 9
"""More than any setting is printed with."""
AXES = ("items", "effect", "agreement")

Statistic = Callable[[PowerResult], float]


def exact_power(items: int, effect: float, discordance: float) -> PowerResult:
    """McNemar's exact test on right-or-wrong scores that differ on this share of items."""
    scores = PairedBinary(effect=effect, discordance=discordance)
    return power_of(Study(scores, EXACT_TEST, items), ENUMERATED)


def towards(found: PowerResult) -> float:
    """Power in the direction of the effect."""
    return found.power * (1.0 - (found.type_s or 0.0))


def exaggeration(found: PowerResult) -> float:
    assert found.type_m is not None
    return found.type_m


def wrong_sign(found: PowerResult) -> float:
    assert found.type_s is not None
    return found.type_s


@recomputes("card2020-figure-1")
def votes(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001  (nothing is simulated)
    """Everybody prefers one of the two: an exact sign test."""
    statistics: dict[str, Statistic] = {"power": towards, "exaggeration": exaggeration}
    return [
        Ours(
            statistics[row.settings["quantity"]](
                exact_power(int(row.number("people")), 2.0 * row.number("preference") - 1.0, 1.0)
            )
        )
        for row in rows
    ]


@recomputes("card2020-appendix-c")
def appendix(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
    return [Ours(_figure_example(row)) for row in rows]


def _figure_example(row: PublishedRow) -> float:
    found, quantity = _figure_power(row), row.settings["quantity"]
    if quantity == "power":
        return towards(found)
    return exaggeration(found) * (1.0 if quantity == "exaggeration" else row.number("effect"))


def _figure_power(row: PublishedRow) -> PowerResult:
    # To the digits that agreement is printed with: 1 − 0.95 leaves a loss of 1e-17 where they all are wins, and noise as its share.
    discordance = round(1.0 - row.number("agreement"), DECIMALS)
    return exact_power(int(row.number("items")), row.number("effect"), discordance)


def curves(statistic: Statistic, worst: Callable[[Iterable[float]], float]) -> Recompute:
    """A figure: our value at each drawn point, and first the worst step along each axis."""

    def recompute(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours]:  # noqa: ARG001
        points = [row for row in rows if row.settings["items"]]
        values = {tuple(row.number(axis) for axis in AXES): statistic(_figure_power(row)) for row in points}
        steps = (worst_step(values, axis, worst) for axis in range(len(AXES)))
        return [*steps, *map(Ours, values.values())]

    return recompute


recomputes("card2020-figure-3")(curves(towards, min))
recomputes("card2020-figure-7")(curves(exaggeration, max))
recomputes("card2020-figure-8")(curves(wrong_sign, max))
