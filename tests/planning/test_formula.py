import math
from collections.abc import Callable, Iterator
from typing import get_args

import numpy as np
import pytest

from tellapart.distributions.noncentral_t import equivalence_power
from tellapart.distributions.tails import Alternative
from tellapart.errors import Unsuitable, UsageError
from tellapart.planning.error_rates import error_rates, shifted_error_rates
from tellapart.planning.exact import exact
from tellapart.planning.formula import formula
from tellapart.planning.monte_carlo import simulate
from tellapart.planning.study import PowerResult, Study
from tellapart.populations import (
    POPULATIONS,
    Beta,
    Clustered,
    Gaussian,
    PairedBinary,
    Population,
    Proportions,
    Repeated,
)
from tellapart.significance.cluster_t import ClusterT
from tellapart.significance.margins import Equivalence, NonInferiority
from tellapart.significance.mcnemar import McNemar
from tellapart.significance.paired_t import PairedT
from tellapart.significance.procedure import Procedure
from tellapart.significance.sign import Sign
from tellapart.significance.two_proportion_z import TwoProportionZ

Reference = Callable[[str], list[dict[str, str]]]

REPLICATES = 10_000
SPOKEN: dict[str, Alternative] = {"two.sided": "two-sided", "one.sided": "greater"}
SCORES = Gaussian(sd=0.12, correlation=0.75, effect=0.02)
TESTS: tuple[Procedure, ...] = (
    *(PairedT(alternative=a) for a in get_args(Alternative)),
    *(Sign(alternative=a) for a in get_args(Alternative)),
    *(McNemar(variant=v) for v in ("mid_p", "exact", "asymptotic", "corrected", "unconditional")),
    ClusterT(),
    ClusterT(variance="cr2"),
    Equivalence(margin=0.05),
    NonInferiority(margin=0.02),
    NonInferiority(margin=0.02, alternative="less"),
    Equivalence(test=ClusterT(), margin=0.05),
    Equivalence(test=McNemar(), margin=0.1),
    NonInferiority(test=McNemar(), margin=0.05),
)


def _formula(study: Study) -> PowerResult:
    found = formula(study)
    assert found is not None
    return found


def test_paired_t_on_normal_scores(reference: Reference) -> None:
    """A study of normal scores has the reference power, one- and two-sided."""
    for row in reference("power_paired_t.csv")[::7]:
        scores = Gaussian(sd=float(row["sd"]), correlation=float(row["rho"]), effect=float(row["delta"]))
        test = PairedT(alternative=SPOKEN[row["alternative"]])
        found = _formula(Study(scores, test, int(row["n"]), float(row["alpha"])))
        assert found.power == pytest.approx(float(row["power_quadrature"]), rel=1e-9)
        assert found.engine == "formula"
        assert found.low == found.power == found.high


def test_error_rates_are_in_raw_units() -> None:
    """Type S and type M of a study do not change when scores and effect are measured in other units."""
    small, large = (Gaussian(sd=s, correlation=0.5, effect=-0.1 * s) for s in (0.01, 100.0))
    one, other = (_formula(Study(scores, PairedT(), 40)) for scores in (small, large))
    expected = error_rates(-0.1 * math.sqrt(40.0), 1.0, df=39)
    for found in (one, other):
        assert found.type_s == pytest.approx(expected.type_s, rel=1e-10)
        assert found.type_m == pytest.approx(expected.type_m, rel=1e-10)


def test_no_effect() -> None:
    """Without effect power is alpha, and signs and exaggeration are not spoken of."""
    found = _formula(Study(SCORES.with_effect(0.0), PairedT(), 30, 0.01))
    assert found.power == pytest.approx(0.01, rel=1e-10)
    assert found.type_s is None
    assert found.type_m is None


def _disagreements(told: PowerResult, study: Study) -> list[str]:
    """What a simulation of the study contradicts by more than four of its own standard errors."""
    seen = simulate(study, replicates=REPLICATES, executor=1)
    found = []
    if abs(told.power - seen.power) > 4.0 * _error(told.power, REPLICATES):
        found.append(f"power {told.power:.4f} against {seen.power:.4f}")
    rejections = seen.power * REPLICATES
    if told.type_s is not None and seen.type_s is not None and rejections > 200:
        if abs(told.type_s - seen.type_s) > 4.0 * _error(told.type_s, rejections):
            found.append(f"type S {told.type_s:.4f} against {seen.type_s:.4f}")
        # Estimates that reject spread by less than their mean.
        if told.type_m is None or abs(told.type_m / (seen.type_m or 0.0) - 1.0) > 4.0 / rejections**0.5:
            found.append(f"type M {told.type_m} against {seen.type_m}")
    return found


def _error(probability: float, trials: float) -> float:
    return math.sqrt(max(probability * (1.0 - probability), 1.0 / trials) / trials)


def _studies() -> Iterator[Study]:
    """Every population that is only a spelling with every test that some engine has an answer for."""
    own: list[Population] = [
        SCORES,
        Clustered(population=SCORES, size=6, icc=0.3),
        Repeated(population=SCORES, runs=3, within_sd=0.1),
        Repeated(population=Clustered(population=SCORES, size=6, icc=0.3), runs=3, within_sd=0.1),
        Clustered(population=Repeated(population=SCORES, runs=2, within_sd=0.1), size=6, icc=0.3),
    ]
    kinds = [POPULATIONS[name] for name in POPULATIONS]
    spelled = [POPULATIONS.parse(e) for kind in kinds if kind.from_spelling for e in kind.examples]
    for population in (*own, *spelled):
        for test in TESTS:
            study = Study(population, test, 60, 0.1)
            if formula(study) is not None or exact(study) is not None:
                yield study


@pytest.mark.parametrize("study", list(_studies()), ids=lambda s: f"{s.test}-{s.population}")
def test_engines_agree(study: Study) -> None:
    """Every closed form and every enumeration is what simulating the very test on the very population gives."""
    for engine in (formula, exact):
        told = engine(study)
        if told is not None:
            assert _disagreements(told, study) == []


def _unpaired(study: Study) -> PowerResult | None:
    """A deliberately wrong formula: it forgets that the systems' scores of an item are correlated."""
    assert isinstance(study.population, Gaussian)
    return formula(Study(study.population.replace(correlation=0.0), study.test, study.items, study.alpha))


def _with_normal_quantile(study: Study) -> PowerResult | None:
    """A subtly wrong formula: the normal quantile in place of Student's, at seven items."""
    return formula(Study(study.population, study.test, study.items, study.alpha * 1.55))


@pytest.mark.parametrize("wrong", [_unpaired, _with_normal_quantile])
def test_wrong_formulas_are_caught(wrong: Callable[[Study], PowerResult | None]) -> None:
    """Negative control: the comparison of engines that passes for the right formula fails for a wrong one."""
    study = Study(SCORES.with_effect(0.06), PairedT(), 7)
    right, told = formula(study), wrong(study)
    assert right is not None
    assert told is not None
    assert _disagreements(right, study) == []
    assert _disagreements(told, study) != []


def test_equivalence_and_non_inferiority() -> None:
    """Equivalence is two one-sided tests, and non-inferiority one, at the study's own alpha."""
    error = SCORES.sd_difference / math.sqrt(80.0)
    both = _formula(Study(SCORES, Equivalence(margin=0.04), 80))
    assert both.power == pytest.approx(
        float(equivalence_power(0.02 / error, 0.04 / error, 79, 0.05)), rel=1e-12
    )
    one = _formula(Study(SCORES, NonInferiority(margin=0.01), 80))
    shifted = _formula(Study(SCORES.with_effect(0.03), PairedT(alternative="greater"), 80))
    assert one.power == pytest.approx(shifted.power, rel=1e-12)
    assert one.type_s is both.type_s is None


def test_connett_by_name(reference: Reference) -> None:
    """Asked for a formula by name, McNemar's asymptotic variant has Connett's; unasked, an approximation is no answer."""
    for row in reference("power_mcnemar.csv"):
        population = PairedBinary(discordance=float(row["discordance"]), effect=float(row["delta"]))
        study = Study(population, McNemar(variant="asymptotic"), int(row["n"]), float(row["alpha"]))
        assert formula(study) is None
        found = formula(study, approximate=True)
        assert found is not None
        assert found.power == pytest.approx(float(row["power_connett_duffy_normal"]), rel=1e-11)
    assert formula(Study(PairedBinary(discordance=0.1), McNemar(), 50), approximate=True) is None


def test_two_proportions_by_name() -> None:
    """Asked for by name, two independent proportions have the normal formula, near the simulated power."""
    study = Study(Proportions(accuracy=0.6, effect=0.1), TwoProportionZ(), 300)
    assert formula(study) is None
    found = formula(study, approximate=True)
    assert found is not None
    assert found.power == pytest.approx(simulate(study, replicates=REPLICATES, executor=1).power, abs=0.03)


@pytest.mark.parametrize(
    ("population", "test", "items", "alpha"),
    [
        (Gaussian(sd=0.1, correlation=0.5, effect=0.01, mean=0.5, clip=(0.0, 1.0)), PairedT(), 50, 0.05),
        (Beta(mean=0.5, sd=0.1, correlation=0.5, effect=0.01), PairedT(), 50, 0.05),
        (SCORES, Sign(), 50, 0.05),
        (SCORES, PairedT(), 50, 0.6),
        (Clustered(population=SCORES, size=6, icc=0.3), PairedT(), 60, 0.05),
        (Clustered(population=SCORES, size=6, icc=0.3), ClusterT(), 61, 0.05),
        (Clustered(population=SCORES, size=6, icc=0.3), ClusterT(), 6, 0.05),
        (Repeated(population=SCORES, runs=2, within_sd=0.1), ClusterT(), 60, 0.05),
    ],
    ids=str,
)
def test_no_closed_form(population: Population, test: Procedure, items: int, alpha: float) -> None:
    """Where no closed form is exact there is no answer from this engine."""
    assert formula(Study(population, test, items, alpha)) is None


def test_constant_differences_are_refused() -> None:
    """When every difference is the same number a t test has no answer, and the message says what to change."""
    with pytest.raises(Unsuitable, match="correlation below 1"):
        formula(Study(Gaussian(sd=0.1, correlation=1.0, effect=0.01), PairedT(), 50))


def test_rates_of_a_supposed_effect() -> None:
    """The published example: an effect as large as its standard error is found one time in six, 2.5 times too large."""
    found = error_rates(1.0, 1.0)
    expected = [0.1701, 0.0090, 2.4909]
    np.testing.assert_allclose(np.array([found.power, found.type_s, found.type_m]), expected, atol=6e-5)
    assert shifted_error_rates(0.5, 1.0, df=10).power == pytest.approx(0.0680, abs=5e-5)
    assert error_rates(0.5, 1.0, df=10).power == pytest.approx(0.0739, abs=5e-5)
    assert error_rates(0.0, 1.0).type_m is None


@pytest.mark.parametrize(
    ("effect", "standard_error", "df", "alpha"),
    [
        (0.1, 0.0, 10.0, 0.05),
        (0.1, -1.0, 10.0, 0.05),
        (0.1, 1.0, 0.0, 0.05),
        (0.1, 1.0, 10.0, 0.5),
        (math.inf, 1.0, 10.0, 0.05),
    ],
)
def test_impossible_questions_are_refused(
    effect: float, standard_error: float, df: float, alpha: float
) -> None:
    """A standard error, freedom or level that cannot be is refused by name."""
    with pytest.raises(UsageError, match="should be"):
        error_rates(effect, standard_error, df=df, alpha=alpha)
