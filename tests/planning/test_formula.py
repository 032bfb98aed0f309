import math
from collections.abc import Callable

import numpy as np
import pytest

from tellapart.compute import Runner
from tellapart.compute.work import Budget
from tellapart.foundation.errors import Unsuitable, UsageError
from tellapart.methods.significance.cluster_t import ClusterT
from tellapart.methods.significance.margins import Equivalence, NonInferiority
from tellapart.methods.significance.mcnemar import McNemar
from tellapart.methods.significance.paired_t import PairedT
from tellapart.methods.significance.procedure import Procedure
from tellapart.methods.significance.sign import Sign
from tellapart.methods.significance.two_proportion_z import TwoProportionZ
from tellapart.numerics.null_laws.noncentral_t import equivalence_power
from tellapart.planning.formula import formula
from tellapart.planning.power import power_of
from tellapart.planning.study import PowerResult, Study
from tellapart.planning.tally import error_rates
from tellapart.populations import Population
from tellapart.populations.beta import Beta
from tellapart.populations.clustered import Clustered
from tellapart.populations.delta_laplace import DeltaLaplace
from tellapart.populations.gaussian import Gaussian
from tellapart.populations.paired_binary import PairedBinary
from tellapart.populations.proportions import Proportions
from tellapart.populations.runs import RepeatedRuns

Reference = Callable[[str], list[dict[str, str]]]

REPLICATES = 10_000
SCORES = Gaussian(sd=0.12, correlation=0.75, effect=0.02)


def _formula(study: Study) -> PowerResult:
    found = formula(study)
    assert found is not None
    return found


def test_error_rates_are_in_raw_units() -> None:
    """Type S and type M of a study do not change when scores and effect are measured in other units."""
    small, large = (Gaussian(sd=s, correlation=0.5, effect=-0.1 * s) for s in (0.01, 100.0))
    one, other = (_formula(Study(scores, PairedT(), 40)) for scores in (small, large))
    expected = error_rates(-0.1 * math.sqrt(40.0), 1.0, df=39)
    for found in (one, other):
        assert found.type_s == pytest.approx(expected.type_s, rel=1e-10, abs=0.0)
        assert found.type_m == pytest.approx(expected.type_m, rel=1e-10, abs=0.0)


@pytest.mark.parametrize("scale", [1e-98, 1e98])
def test_any_unit_of_measurement(scale: float) -> None:
    """Scores as small or as large as they may be have the power of any others."""
    scores = Gaussian(sd=scale, sd_b=0.9 * scale, correlation=0.5, effect=0.1 * scale)
    repeated = RepeatedRuns(item_sd=scale, run_sd=0.3 * scale, runs=2, effect=0.1 * scale)
    for population in (scores, repeated):
        shown = _formula(Study(population, PairedT(), 300)).power
        usual = Gaussian(sd=1.0, sd_b=0.9, correlation=0.5, effect=0.1)
        same = usual if population is scores else repeated.replace(item_sd=1.0, run_sd=0.3, effect=0.1)
        assert shown == pytest.approx(_formula(Study(same, PairedT(), 300)).power, rel=1e-12, abs=0.0)


def test_no_effect() -> None:
    """Without effect power is alpha, and signs and exaggeration are not spoken of."""
    found = _formula(Study(SCORES.with_effect(0.0), PairedT(), 30, 0.01))
    assert found.power == pytest.approx(0.01, rel=1e-10, abs=0.0)
    assert found.type_s is None
    assert found.type_m is None


def test_equivalence_and_non_inferiority() -> None:
    """Equivalence is two one-sided tests, and non-inferiority one, at the study's own alpha."""
    error = SCORES.sd_difference / math.sqrt(80.0)
    both = _formula(Study(SCORES, Equivalence(margin=0.04), 80))
    assert both.power == pytest.approx(
        float(equivalence_power(0.02 / error, 0.04 / error, 79, 0.05)), rel=1e-12, abs=0.0
    )
    one = _formula(Study(SCORES, NonInferiority(margin=0.01), 80))
    shifted = _formula(Study(SCORES.with_effect(0.03), PairedT(alternative="greater"), 80))
    assert one.power == pytest.approx(shifted.power, rel=1e-12, abs=0.0)
    assert one.type_s is both.type_s is None


def test_connett_by_name(reference: Reference) -> None:
    """Asked for a formula by name, McNemar's asymptotic variant has Connett's; unasked, an approximation is no answer."""
    for row in reference("power_mcnemar.csv"):
        population = PairedBinary(discordance=float(row["discordance"]), effect=float(row["delta"]))
        study = Study(population, McNemar(variant="asymptotic"), int(row["n"]), float(row["alpha"]))
        assert formula(study) is None
        found = formula(study, approximate=True)
        assert found is not None
        assert found.power == pytest.approx(float(row["power_connett_duffy_normal"]), rel=1e-11, abs=0.0)
    assert formula(Study(PairedBinary(discordance=0.1), McNemar(), 50), approximate=True) is None


def test_two_proportions_by_name() -> None:
    """Asked for by name, two independent proportions have the normal formula, near the simulated power."""
    study = Study(Proportions(accuracy=0.6, effect=0.1), TwoProportionZ(), 300)
    assert formula(study) is None
    found = formula(study, approximate=True)
    assert found is not None
    assert found.power == pytest.approx(power_of(study, Budget("monte_carlo", REPLICATES), Runner(1)).power, abs=0.03)


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
def test_impossible_questions_are_refused(effect: float, standard_error: float, df: float, alpha: float) -> None:
    """A standard error, freedom or level that cannot be is refused by name."""
    with pytest.raises(UsageError, match="should be"):
        error_rates(effect, standard_error, df=df, alpha=alpha)


def test_non_inferiority_in_the_other_direction() -> None:
    """Where lower is better the margin lies above: a mirror image."""
    for effect in (-0.01, 0.0, 0.01):
        up, down = (
            formula(Study(Gaussian(sd=0.1, correlation=0.5, effect=sign * effect), test, 60))
            for sign, test in (
                (1.0, NonInferiority(PairedT(), margin=0.03)),
                (-1.0, NonInferiority(PairedT(), margin=0.03, alternative="less")),
            )
        )
        assert up is not None
        assert down is not None
        assert down.power == pytest.approx(up.power, rel=1e-12, abs=0.0)


@pytest.mark.parametrize(
    ("items", "alpha", "off"), [(600, 0.05, 2.0), (600, 0.1, 2.0), (600, 0.0499, 4.0), (900, 0.01, 4.0)]
)
def test_nearly_normal_differences_say_how_nearly(items: int, alpha: float, off: float) -> None:
    """The noncentral t of their true spread, give or take 2 over the number of items that contribute, 4 below the usual level."""
    population = DeltaLaplace(zero_share=0.5, scale=2.0, effect=0.1)
    found = _formula(Study(population, PairedT(), items, alpha))
    ratio = 0.1 * math.sqrt(items) / population.sd_difference
    assert found.power == pytest.approx(error_rates(ratio, 1.0, df=items - 1, alpha=alpha).power, rel=1e-9, abs=0.0)
    assert 0.1 < found.power < 0.9
    assert (found.low, found.high) == pytest.approx((found.power - off / (items / 2), found.power + off / (items / 2)))


def test_nearly_normal_differences_have_powers_from_0_to_1() -> None:
    """However far off the formula may be."""
    sure = _formula(Study(DeltaLaplace(zero_share=0.5, scale=2.0, effect=3.0), PairedT(), 600))
    assert sure.high == 1.0
    assert sure.low == pytest.approx(1.0 - 2.0 / 300.0)
    hopeless = _formula(Study(DeltaLaplace(zero_share=0.5, scale=2.0, effect=0.0), PairedT(), 600, 0.001))
    assert hopeless.low == 0.0
    assert hopeless.high == pytest.approx(0.001 + 4.0 / 300.0)


def test_too_few_that_contribute_are_simulated() -> None:
    """Three hundred are enough, one item fewer is not; asked for by name, the formula answers all the same."""
    population = DeltaLaplace(zero_share=0.5, scale=2.0, effect=0.1)
    assert formula(Study(population, PairedT(), 600)) is not None
    assert formula(Study(population, PairedT(), 599)) is None
    named = formula(Study(population, PairedT(), 100), approximate=True)
    assert named is not None
    assert named.high - named.power == pytest.approx(2.0 / 50.0)


@pytest.mark.parametrize("alpha", [0.25, 0.4, 0.499])
def test_levels_up_to_a_half(alpha: float) -> None:
    """Both sides of a one-sided test are then still apart, and without effect its power is its level."""
    scores = SCORES.with_effect(0.0)
    assert _formula(Study(scores, PairedT(alternative="greater"), 20, alpha)).power == pytest.approx(alpha)
    assert formula(Study(scores, PairedT(alternative="greater"), 20, 0.5)) is None


def test_confusions_by_name() -> None:
    """Asked for by name, a metric of the confusion matrix has the normal law with the spread that its gradient gives."""
    population = Population.parse(
        "confusion(effect=0.05, metric=f1, prevalence=0.15, recall=0.62, specificity=0.95, correlation=0.6)"
    )
    assert population.sd_difference is not None
    for test in (PairedT(), PairedT(alternative="greater")):
        study = Study(population, test, 900)
        assert formula(study) is None
        found = formula(study, approximate=True)
        assert found is not None
        ratio = 0.05 * 30.0 / population.sd_difference
        assert 0.2 < found.power < 0.95
        assert found.power == pytest.approx(
            error_rates(ratio, 1.0, alternative=test.alternative).power, rel=1e-9, abs=0.0
        )


def test_what_inherits_from_a_population_has_no_formula_of_its_own() -> None:
    """Its scores may be of another law: only classes that were registered are in the table, by their names."""

    class Other(Gaussian):
        pass

    known, unknown = (kind(sd=0.1, correlation=0.5, effect=0.05) for kind in (Gaussian, Other))
    assert formula(Study(known, PairedT(), 50)) is not None
    assert formula(Study(unknown, PairedT(), 50)) is None
