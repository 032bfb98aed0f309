from dataclasses import dataclass
from typing import get_args

import numpy as np
import pytest
from scipy import stats

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.data.summaries import Discordance
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import Unsuitable
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.methods.significance.mcnemar import McNemar, Variant
from tellapart.methods.significance.paired_t import PairedT
from tellapart.methods.significance.procedure import Outcome, Procedure
from tellapart.methods.significance.sign import Sign
from tellapart.numerics.null_laws.tails import Alternative
from tellapart.planning.exact import exact, exact_curve
from tellapart.planning.power import power_of
from tellapart.planning.study import PowerResult, Study
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary

ALTERNATIVES: tuple[Alternative, ...] = get_args(Alternative)
TESTS: tuple[Procedure, ...] = (
    *(McNemar(variant=v, alternative=a) for v in get_args(Variant) for a in ALTERNATIVES),
    *(Sign(alternative=a) for a in ALTERNATIVES),
)
MARGINS: tuple[Procedure, ...] = (
    Equivalence(test=McNemar(), margin=0.15),
    NonInferiority(test=McNemar(), margin=0.1),
    NonInferiority(test=McNemar(), margin=0.1, alternative="less"),
)


def _power(test: Procedure, items: int, discordance: float, effect: float, alpha: float = 0.05) -> PowerResult:
    found = exact(Study(PairedBinary(discordance=discordance, effect=effect), test, items, alpha))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("variant", "items", "right", "either", "type_m"),
    [
        ("exact", 500, 0.2494, 0.2496, 1.892),
        ("mid_p", 500, 0.2906, 0.2910, 1.826),
        ("exact", 2000, 0.7915, 0.7915, 1.127),
        ("mid_p", 2000, 0.8100, 0.8100, 1.118),
    ],
)
def test_golden_values(variant: Variant, items: int, right: float, either: float, type_m: float) -> None:
    """The paper's example, accuracy 0.9 and two points: power and exaggeration to the digits published."""
    found = _power(McNemar(variant=variant), items, 0.1, 0.02)
    assert found.type_s is not None
    assert found.type_m == pytest.approx(type_m, abs=6e-4)
    assert found.power == pytest.approx(either, abs=6e-5)
    assert found.power * (1.0 - found.type_s) == pytest.approx(right, abs=6e-5)


@pytest.mark.parametrize(("variant", "items"), [("exact", 2043), ("mid_p", 1949), ("asymptotic", 1945)])
def test_first_items_with_eighty_percent(variant: Variant, items: int) -> None:
    """The published numbers of items are the first that reach 80 % in the paper's example."""
    assert _power(McNemar(variant=variant), items, 0.1, 0.02).power >= 0.8
    assert _power(McNemar(variant=variant), items - 1, 0.1, 0.02).power < 0.8


def _tables(items: int) -> tuple[IntArray, IntArray]:
    wins, losses = (x.ravel() for x in np.indices((items + 1, items + 1)))
    keep = wins + losses <= items
    return wins[keep], losses[keep]


def _brute(test: Procedure, items: int, discordance: float, effect: float, alpha: float) -> list[float]:
    """Power, type S and type M summed over every table, each decided by applying the test to it."""
    wins, losses = _tables(items)
    others = items - wins - losses
    nobody = np.zeros_like(wins)
    outcome = (
        test.on_counts(wins, losses)
        if isinstance(test, Sign)
        else test.apply(Discordance(nobody, wins, losses, others), stream(0))
    )
    chances = [(discordance + effect) / 2.0, (discordance - effect) / 2.0, 1.0 - discordance]
    table = stats.multinomial.pmf(np.stack([wins, losses, others], axis=-1), items, chances)
    weight = np.where(outcome.pvalue <= alpha, table, 0.0)
    power = max(weight.sum(), np.finfo(float).tiny)
    type_s = weight[(wins - losses) * effect < 0.0].sum() / power
    return [power, type_s, (weight * np.abs(wins - losses)).sum() / items / abs(effect) / power]


@pytest.mark.parametrize("test", TESTS, ids=str)
@pytest.mark.parametrize(
    ("discordance", "effect", "alpha"),
    [(0.4, 0.15, 0.05), (0.3, -0.3, 0.05), (1.0, 0.2, 0.01), (0.5, -0.1, 0.125), (0.6, 0.05, 0.0625)],
)
def test_brute_force(test: Procedure, discordance: float, effect: float, alpha: float) -> None:
    """Power, type S and type M are the sums over every table, at every corner and at ties of p with alpha."""
    found = _power(test, 22, discordance, effect, alpha)
    expected = _brute(test, 22, discordance, effect, alpha)
    assert found.engine == "exact"
    assert found.low == found.power == found.high
    rates = np.array([found.power, found.type_s or 0.0, found.type_m or 0.0])
    np.testing.assert_allclose(rates, expected, rtol=1e-11, atol=1e-300)


@pytest.mark.parametrize("test", MARGINS, ids=str)
@pytest.mark.parametrize(("discordance", "effect"), [(0.3, 0.05), (0.1, -0.1), (0.05, 0.01)])
def test_margins_by_brute_force(test: Procedure, discordance: float, effect: float) -> None:
    """Equivalence and non-inferiority on counts are summed over every table too; signs mean nothing there."""
    found = _power(test, 60, discordance, effect)
    assert found.power == pytest.approx(_brute(test, 60, discordance, effect, 0.05)[0], rel=1e-10, abs=0.0)
    assert found.type_s is None
    assert found.type_m is None


def test_sign_test_is_the_exact_conditional_test() -> None:
    """On right-or-wrong scores the sign test and McNemar's exact variant are one test."""
    assert _power(Sign(), 700, 0.2, 0.05) == _power(McNemar(variant="exact"), 700, 0.2, 0.05)


def test_no_effect() -> None:
    """Without effect, power is the size, and there is nothing to exaggerate."""
    found = _power(McNemar(variant="mid_p"), 100, 0.1, 0.0)
    assert found.power == pytest.approx(0.041, abs=5e-4)
    assert found.type_s is None
    assert found.type_m is None
    assert _power(McNemar(), 100, 0.0, 0.0).power == 0.0


def test_known_excess_of_mid_p() -> None:
    """Where all items differ mid-p exceeds its level by the published amounts."""
    assert _power(McNemar(variant="mid_p"), 50, 1.0, 0.0).power == pytest.approx(0.065, abs=5e-4)
    assert _power(McNemar(variant="mid_p"), 100, 1.0, 0.0).power == pytest.approx(0.057, abs=5e-4)


def test_many_items() -> None:
    """At 390,965 items the exact power differs from the asymptotic test's by next to nothing, as it must."""
    found = _power(McNemar(variant="mid_p"), 390_965, 0.1, 0.0014)
    asymptotic = _power(McNemar(variant="asymptotic"), 390_965, 0.1, 0.0014)
    assert found.power == pytest.approx(asymptotic.power, abs=2e-5)
    assert 0.7 < found.power < 0.9


def test_applies_only_to_counts() -> None:
    """Other tests, other populations and absurd levels are left to other engines."""
    binary = PairedBinary(discordance=0.1, effect=0.02)
    assert exact(Study(binary, PairedT(), 50)) is None
    assert exact(Study(Gaussian(sd=1.0, correlation=0.5, effect=0.1), McNemar(), 50)) is None
    assert exact(Study(binary, McNemar(), 50, alpha=0.6)) is None


def test_unconditional_refuses_very_many_items() -> None:
    """The unconditional variant says that it does not go so far, and which variant does."""
    with pytest.raises(Unsuitable, match="mid_p"):
        _power(McNemar(variant="unconditional"), 100_000, 0.1, 0.02)


@dataclass(frozen=True)
class _Forgetful(McNemar):
    """A deliberately wrong test: its p-values are right but its critical counts are those of another level."""

    def critical_counts(self, discordant: IntArray, items: int, alpha: float) -> tuple[IntArray, IntArray] | None:
        known = McNemar(variant="unconditional").critical_counts(discordant, items, alpha / 2.0)
        assert known is not None
        return known

    def apply(self, sample: Discordance, rng: np.random.Generator) -> Outcome:
        return McNemar(variant="mid_p").apply(sample, rng)


def _disagree(study: Study) -> bool:
    """Whether exact and simulated power are more than four standard errors of the simulation apart."""
    told, seen = exact(study), power_of(study, Budget("monte_carlo", 20_000), Runner(1))
    assert told is not None
    return bool(abs(told.power - seen.power) > 4.0 * (told.power * (1.0 - told.power) / 20_000) ** 0.5)


def test_wrong_counts_are_caught() -> None:
    """Negative control: comparing engines catches critical counts that are not the test's own."""
    population = PairedBinary(discordance=0.2, effect=0.06)
    assert not _disagree(Study(population, McNemar(variant="mid_p"), 300))
    assert _disagree(Study(population, _Forgetful(variant="mid_p"), 300))


@pytest.mark.parametrize("test", MARGINS)
@pytest.mark.parametrize(("items", "shown"), [(5, 0.0), (200, 1.0)])
def test_systems_that_never_differ(test: Procedure, items: int, shown: float) -> None:
    """One table has all the probability: a margin is shown always or never, as the test itself decides on it."""
    found = _power(test, items, 0.0, 0.0)
    nobody = np.zeros(1, dtype=np.int64)
    pvalue = test.apply(Discordance(nobody, nobody, nobody, nobody + items), stream(0)).pvalue[0]
    assert found.power == shown == float(pvalue <= 0.05)


ASKED: list[int] = []


@dataclass(frozen=True)
class Listening(Sign):
    """The sign test, noting which numbers of discordant items it is asked about."""

    name = "sign"

    def on_counts(self, wins: IntArray, losses: IntArray) -> Outcome:
        ASKED.extend((wins + losses).tolist())
        return super().on_counts(wins, losses)


def test_regions_are_worked_out_where_they_are_needed() -> None:
    """Half as wide again as the numbers that can be expected, not for all numbers there are; and kept for the next effect."""
    population = PairedBinary(discordance=0.2, effect=0.01)
    ASKED.clear()
    first = exact(Study(population, Listening(), 100_000))
    assert 18_000 < min(ASKED) < 19_000
    assert 21_000 < max(ASKED) < 22_000
    ASKED.clear()
    exact(Study(population.with_effect(0.011), Listening(), 100_000))
    assert ASKED == []
    assert first == exact(Study(population, Sign(), 100_000))


@pytest.mark.parametrize(
    ("test", "discordance", "beyond"),
    [
        (Sign(), 0.1, 501),
        (McNemar(variant="unconditional"), 0.1, 25),
        (Sign(), 1.0, 500 + 64),
        (Sign(), 0.95, 500 + 25),
    ],
)
def test_sizes_that_are_looked_at_around_a_solution(test: Procedure, discordance: float, beyond: int) -> None:
    """As far as the last tooth, 2√(items) wide where all items differ, and so many more."""
    study = Study(PairedBinary(discordance=discordance, effect=0.02), test, 1_024)
    curve = exact_curve(study)
    assert curve is not None
    assert curve[0].tolist() == list(range(1_024 - beyond, 1_024 + beyond + 1))
