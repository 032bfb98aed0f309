from collections.abc import Callable
from itertools import pairwise
from typing import get_args

import mpmath
import numpy as np
import pytest
import scipy
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.null_laws.noncentral_t import (
    equivalence_power,
    t_critical,
    t_error_rates,
    t_items,
    t_power,
    t_rejections,
    t_shift,
)
from tellapart.numerics.null_laws.tails import Alternative

Rows = list[dict[str, str]]
Reference = Callable[[str], Rows]

SPOKEN: dict[str, Alternative] = {"two.sided": "two-sided", "one.sided": "greater"}
QUANTILES = 1e-11 if tuple(map(int, scipy.__version__.split(".")[:2])) >= (1, 16) else 1e-9
"""How near Student's quantiles are that scipy gives: before 1.16 they were searched for, to ten digits."""
both_alternatives = pytest.mark.parametrize("spoken", SPOKEN)

shifts = st.floats(-60.0, 60.0)
freedoms = st.one_of(st.integers(1, 10_000_000).map(float), st.floats(0.5, 50.0), st.just(float("inf")))
alphas = st.floats(1e-12, 0.9)
alternatives = st.sampled_from(get_args(Alternative))


def _column(rows: Rows, name: str) -> FloatArray:
    return np.array([float(row[name]) if row[name] else np.nan for row in rows])


def _rows(reference: Reference, file: str, **wanted: str) -> Rows:
    return [row for row in reference(file) if all(row[key] == value for key, value in wanted.items())]


@both_alternatives
def test_power_agrees_with_quadrature(reference: Reference, spoken: str) -> None:
    """Power of the paired t is the reference quadrature's in every row, to eleven digits."""
    rows = _rows(reference, "power_paired_t.csv", alternative=spoken)
    n = _column(rows, "n")
    shift = _column(rows, "delta") * np.sqrt(n) / _column(rows, "sd_diff")
    found = t_power(shift, n - 1.0, _column(rows, "alpha"), SPOKEN[spoken])
    np.testing.assert_allclose(found, _column(rows, "power_quadrature"), rtol=QUANTILES)


@both_alternatives
def test_required_items(reference: Reference, spoken: str) -> None:
    """The smallest number of items is the reference's; its real value and the powers around it agree."""
    rows = _rows(reference, "required_n_paired_t.csv", alternative=spoken)
    effect, sd, power, alpha = (_column(rows, name) for name in ("delta", "sd_diff", "power", "alpha"))
    real, whole = t_items(effect, sd, power, alpha, SPOKEN[spoken])
    np.testing.assert_array_equal(whole, _column(rows, "n_ceiling"))
    known = ~np.isnan(_column(rows, "n_real"))
    np.testing.assert_allclose(real[known], _column(rows, "n_real")[known], rtol=1e-9)
    for n, name in ((whole, "power_at_n_ceiling"), (whole - 1.0, "power_at_n_ceiling_minus_1")):
        there = n >= 2.0
        at = t_power((effect / sd * np.sqrt(n))[there], n[there] - 1.0, alpha[there], SPOKEN[spoken])
        np.testing.assert_allclose(at, _column(rows, name)[there], rtol=1e-9)


@both_alternatives
def test_smallest_detectable_effect(reference: Reference, spoken: str) -> None:
    """The smallest detectable effect is the reference's, to the digits it was solved to."""
    rows = _rows(reference, "mde_paired_t.csv", alternative=spoken)
    n = _column(rows, "n")
    shift = t_shift(_column(rows, "power"), n - 1.0, _column(rows, "alpha"), SPOKEN[spoken])
    np.testing.assert_allclose(shift * _column(rows, "sd_diff") / np.sqrt(n), _column(rows, "mde"), rtol=1e-10)


@pytest.mark.parametrize("definition", ["noncentral_t_power_and_type_s", "lu_et_al_closed_form"])
def test_error_rates_of_the_t_test(reference: Reference, definition: str) -> None:
    """Power, type S and, where tabulated, type M are the reference's, down to type S of 1e-17."""
    rows = _rows(reference, "type_m_s.csv", definition=definition)
    shift = _column(rows, "effect") / _column(rows, "se")
    power, type_s, type_m = t_error_rates(shift, _column(rows, "df"), _column(rows, "alpha"), "two-sided")
    np.testing.assert_allclose(power, _column(rows, "power"), rtol=10.0 * QUANTILES)
    np.testing.assert_allclose(type_s, _column(rows, "type_s"), rtol=10.0 * QUANTILES)
    tabulated = ~np.isnan(_column(rows, "type_m"))
    np.testing.assert_allclose(type_m[tabulated], _column(rows, "type_m")[tabulated], rtol=0.1 * QUANTILES)


def test_a_known_standard_error_is_the_published_retrodesign(reference: Reference) -> None:
    """Gelman and Carlin's estimate scatters like Student's t itself: ours agrees where that is a normal, and only there."""
    rows = _rows(reference, "type_m_s.csv", definition="gelman_carlin_shifted_t")
    shift, df = _column(rows, "effect") / _column(rows, "se"), _column(rows, "df")
    power, type_s, type_m = t_error_rates(shift, df, _column(rows, "alpha"), "two-sided")
    normal = np.isinf(df)
    for found, name in ((power, "power"), (type_s, "type_s"), (type_m, "type_m")):
        np.testing.assert_allclose(found[normal], _column(rows, name)[normal], rtol=1e-10)
    assert (np.abs(power / _column(rows, "power") - 1.0)[(df == 5.0) & (shift == 2.0)] > 0.1).all()


@pytest.mark.parametrize(
    ("effect", "sd", "n", "expected"),
    [(0.015, 0.0848528, 150, 0.575808), (0.015, 0.0848528, 500, 0.976442), (0.05, 0.12, 50, 0.823327)],
)
def test_golden_power(effect: float, sd: float, n: int, expected: float) -> None:
    """Published golden powers, to the six digits given."""
    assert float(t_power(effect * n**0.5 / sd, n - 1, 0.05, "two-sided")) == pytest.approx(expected, abs=5e-7)


def _tail_by_mpmath(shift: float, df: float, critical: float) -> mpmath.mpf:
    """P(T ≥ critical) over the logarithm of chi, scaled by its peak because mpmath's tolerance is absolute."""
    a, v, t = (mpmath.mpf(x) for x in (shift, df, critical))

    def exponent(u: mpmath.mpf) -> mpmath.mpf:
        return v * u - v * mpmath.exp(2 * u) / 2 + mpmath.log(mpmath.ncdf(a - t * mpmath.exp(u)))

    grid = [mpmath.mpf(-40) + mpmath.mpf(k) / 4 for k in range(180)]
    peak = max(grid, key=exponent)
    for width in (mpmath.mpf(1) / 4, mpmath.mpf(1) / 64, mpmath.mpf(1) / 1024, mpmath.mpf(1) / 16384):
        peak = max((peak + width * k / 16 for k in range(-16, 17)), key=exponent)
    top = exponent(peak)
    reach = 14 / mpmath.sqrt(v)
    low, high = peak - reach - 60 / v, peak + min(reach, 4)
    breaks = [low + (high - low) * k / 24 for k in range(25)]
    constant = mpmath.log(2) + v / 2 * mpmath.log(v / 2) - mpmath.loggamma(v / 2)
    return mpmath.quad(lambda u: mpmath.exp(exponent(u) - top), breaks) * mpmath.exp(top + constant)


@pytest.mark.parametrize(
    ("shift", "df", "alpha"),
    [
        (0.3, 1.0, 0.05),
        (8.9, 2.5, 0.01),
        (-9.6, 3.0, 1e-6),
        (40.0, 2.0, 1e-3),
        (-30.0, 49.0, 0.05),
        (15.0, 49.0, 1e-12),
        (5.0, 1e7, 1e-9),
        (-6.5, 1e7, 1e-11),
    ],
)
def test_tails_by_twenty_digits(shift: float, df: float, alpha: float) -> None:
    """One tail agrees with 20-digit integration to ten digits, however small it is and wherever scipy gives up."""
    critical = float(t_critical(df, alpha, "greater"))
    with mpmath.workdps(20):
        expected = float(_tail_by_mpmath(shift, df, critical))
    assert float(t_power(shift, df, alpha, "greater")) == pytest.approx(expected, rel=1e-10, abs=0.0)


def _mean_size_by_quad(shift: float, df: float, alpha: float) -> float:
    """E[|Z|; |Z| ≥ critical·chi], integrated over the estimate instead of over chi."""
    critical = float(t_critical(df, alpha, "two-sided"))

    def integrand(z: float) -> float:
        return float(abs(z) * stats.norm.pdf(z - shift) * special.gammainc(df / 2, df * (z / critical) ** 2 / 2))

    edges = [-shift - 20.0, 0.0, max(shift - 6.0, 0.1), shift + 0.2, shift + 6.0, shift + 20.0]
    pieces = pairwise(edges)
    return sum(integrate.quad(integrand, a, b, epsabs=0.0, epsrel=1e-12, limit=200)[0] for a, b in pieces)


@pytest.mark.parametrize("df", [1.0, 5.0, 100.0, 5000.0])
@pytest.mark.parametrize("shift", [0.05, 1.0, 3.0, 8.0])
def test_type_m_of_the_t_test(shift: float, df: float) -> None:
    """Exaggeration among rejections is the conditional mean of the estimate over the effect."""
    power, _, type_m = t_error_rates(shift, df, 0.05, "two-sided")
    expected = _mean_size_by_quad(shift, df, 0.05) / (shift * float(power))
    assert float(type_m) == pytest.approx(expected, rel=1e-10, abs=0.0)


def _equivalence_by_quad(shift: float, margin: float, df: float, alpha: float) -> float:
    """Both one-sided tests reject: integrated over the estimate instead of over chi."""
    critical = float(t_critical(df, alpha, "greater"))

    def integrand(z: float) -> float:
        room = (margin - abs(z)) / critical
        return float(stats.norm.pdf(z - shift) * special.gammainc(df / 2, df * room**2 / 2))

    inner = (shift - 4.0, shift, 0.0, shift + 4.0, margin - critical, critical - margin)
    edges = sorted({-margin, margin, *(x for x in inner if -margin < x < margin)})
    pieces = pairwise(edges)
    return sum(integrate.quad(integrand, a, b, epsabs=0.0, epsrel=1e-12, limit=200)[0] for a, b in pieces)


@pytest.mark.parametrize("df", [1.0, 4.0, 30.0, 2000.0])
@pytest.mark.parametrize("margin", [1.5, 3.0, 10.0])
@pytest.mark.parametrize("shift", [0.0, 0.7, -2.5])
def test_equivalence_power(shift: float, margin: float, df: float) -> None:
    """Power of the two one-sided tests agrees with integration over the estimate."""
    expected = _equivalence_by_quad(shift, margin, df, 0.05)
    assert float(equivalence_power(shift, margin, df, 0.05)) == pytest.approx(expected, rel=1e-9, abs=0.0)


def test_equivalence_power_of_many_items() -> None:
    """The published example, 8,564 items for one point at discordance 0.1, has 80 % power by the normal law."""
    found = float(equivalence_power(0.0, 0.01 * (8563.8 / 0.1) ** 0.5, np.inf, 0.05))
    assert found == pytest.approx(0.8, abs=1e-5)


@given(shifts, freedoms, alphas, alternatives)
@example(-37.515625, 0.5, 1e-12, "greater")  # a probability of 1e-308, most of whose digits are lost
@settings(max_examples=300, deadline=None)
def test_never_nan(shift: float, df: float, alpha: float, alternative: Alternative) -> None:
    """Every power is a probability, and every error rate a number, whatever is asked."""
    power, type_s, type_m = (float(x) for x in t_error_rates(shift, df, alpha / 2.0, alternative))
    assert 0.0 <= power <= 1.0
    assert 0.0 <= type_s <= 1.0
    assert type_m >= 0.0
    assert 0.0 <= float(t_power(shift, df, alpha, alternative)) <= 1.0
    assert 0.0 <= float(equivalence_power(shift, abs(shift) + 1.0, df, alpha)) <= 1.0


@given(freedoms, alphas, alternatives)
@settings(max_examples=100, deadline=None)
def test_size_is_alpha(df: float, alpha: float, alternative: Alternative) -> None:
    """Without effect a t test rejects with probability alpha."""
    assert float(t_power(0.0, df, alpha, alternative)) == pytest.approx(alpha, rel=1e-9, abs=0.0)


@given(st.floats(0.0, 30.0), st.floats(0.0, 5.0), st.integers(2, 10_000), st.integers(1, 1_000), alphas)
@settings(max_examples=200, deadline=None)
def test_monotone(size: float, more: float, items: int, others: int, alpha: float) -> None:
    """Power never falls with the effect or with the number of items."""
    effect = size / items**0.5
    base = float(t_power(size, items - 1, alpha, "two-sided"))
    assert float(t_power(size + more, items - 1, alpha, "two-sided")) >= base * (1.0 - 10.0 * QUANTILES)
    many = items + others
    assert float(t_power(effect * many**0.5, many - 1, alpha, "two-sided")) >= base * (1.0 - 10.0 * QUANTILES)


@given(st.floats(0.1, 0.9999), freedoms, st.floats(1e-6, 0.09), alternatives)
@settings(max_examples=100, deadline=None)
def test_shift_is_the_inverse_of_power(power: float, df: float, alpha: float, alternative: Alternative) -> None:
    """The effect solved for has exactly the power asked for, in the direction of the alternative."""
    shift = float(t_shift(power, df, alpha, alternative))
    assert (shift < 0.0) == (alternative == "less")
    assert float(t_power(shift, df, alpha, alternative)) == pytest.approx(power, rel=1e-11, abs=0.0)


@given(st.floats(1e-5, 5.0), st.floats(0.1, 0.999), st.floats(1e-6, 0.09), alternatives)
@settings(max_examples=100, deadline=None)
def test_items_are_the_fewest(size: float, power: float, alpha: float, alternative: Alternative) -> None:
    """The number of items reaches the power and one fewer does not."""
    real, whole = (float(x) for x in t_items(size, 1.0, power, alpha, alternative))
    towards = -size if alternative == "less" else size
    assert whole - 1.0 <= real * (1.0 + 1e-9) <= whole * (1.0 + 2e-9) or whole == 2.0
    assert float(t_power(towards * whole**0.5, whole - 1.0, alpha, alternative)) >= power
    if whole > 2.0:
        assert float(t_power(towards * (whole - 1.0) ** 0.5, whole - 2.0, alpha, alternative)) < power


def test_items_without_an_answer() -> None:
    """No effect needs infinitely many items, and a level already reached needs the smallest sample there is."""
    assert [float(x) for x in t_items(0.0, 1.0, 0.8, 0.05, "two-sided")] == [np.inf, np.inf]
    assert [float(x) for x in t_items(0.5, 1.0, 0.04, 0.05, "two-sided")] == [2.0, 2.0]


def test_batches_equal_loops() -> None:
    """A batch of any shape and size gives what its entries give one by one."""
    rng = np.random.default_rng(5)
    shift, df = rng.normal(scale=4.0, size=(50, 60)), rng.integers(1, 500, size=(50, 60)).astype(float)
    batch = t_power(shift, df, 0.03, "two-sided")
    assert batch.shape == (50, 60)
    for i, j in ((0, 0), (17, 33), (49, 59)):
        assert float(batch[i, j]) == float(t_power(shift[i, j], df[i, j], 0.03, "two-sided"))


@given(shifts, freedoms, alphas)
@settings(max_examples=50, deadline=None)
def test_tails_mirror(shift: float, df: float, alpha: float) -> None:
    """Swapping the systems swaps the tails, and one-sided alternatives look at one of them."""
    found, mirrored = (t_rejections(x, df, alpha, "two-sided") for x in (shift, -shift))
    assert (float(mirrored.lower), float(mirrored.upper)) == (float(found.upper), float(found.lower))
    assert float(t_rejections(shift, df, alpha, "greater").lower) == 0.0
    assert float(t_rejections(shift, df, alpha, "less").upper) == 0.0


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_the_largest_power_below_one(alternative: Alternative) -> None:
    """The shift that is found all but once in 1e16 is found itself: power is asked for where a double is nearly 1."""
    power = float(np.nextafter(1.0, 0.0))
    shift = float(t_shift(power, 30.0, 0.05, alternative))
    critical = stats.t.isf(0.05 / (2.0 if alternative == "two-sided" else 1.0), 30.0)
    missed = float(stats.nct.cdf(critical, 30.0, shift))
    assert 0.0 < missed < 1e-15
    assert shift < 40.0


@pytest.mark.parametrize("items", [5, 30, 200])
def test_power_that_is_just_reached_is_enough(items: int) -> None:
    """Asked for the very power that so many items have, that many is the answer."""
    power = float(t_power(0.4 * np.sqrt(items), items - 1.0, 0.05, "two-sided"))
    assert float(t_items(0.4, 1.0, power, 0.05, "two-sided")[1]) == items


@pytest.mark.parametrize("shift", [-1.5, 0.0, 0.7, 3.0])
@pytest.mark.parametrize("df", [5.0, 40.0])
def test_levels_above_a_half(shift: float, df: float) -> None:
    """The critical value is then below 0: power is scipy's noncentral tail, and the mean estimate among rejections integrates."""
    critical = float(stats.t.isf(0.8, df))
    found = t_rejections(shift, df, 0.8, "greater")
    assert float(found.upper) == pytest.approx(stats.nct.sf(critical, df, shift), rel=1e-9, abs=0.0)

    def rejected(ratio: float) -> float:
        bound = critical * ratio
        chi = stats.chi.pdf(ratio * np.sqrt(df), df) * np.sqrt(df)
        return float(chi * (stats.norm.pdf(bound - shift) + shift * stats.norm.sf(bound - shift)))

    size = integrate.quad(rejected, 0.0, 8.0, epsabs=1e-12, epsrel=1e-11, limit=200)[0]
    assert float(found.upper_size) == pytest.approx(size, rel=1e-8, abs=0.0)


@pytest.mark.parametrize("shift", [-1.0, 0.4, 2.5])
def test_sizes_of_a_normal(shift: float) -> None:
    """At infinite degrees of freedom E[Z; Z ≥ c] is φ(c − shift) + shift·P(Z ≥ c)."""
    critical = stats.norm.isf(0.05)
    found = t_rejections(shift, np.inf, 0.05, "greater")
    above = stats.norm.sf(critical - shift)
    assert float(found.upper) == pytest.approx(above, rel=1e-12, abs=0.0)
    assert float(found.upper_size) == pytest.approx(
        stats.norm.pdf(critical - shift) + shift * above, rel=1e-11, abs=0.0
    )


@pytest.mark.parametrize("power", [1.0, 2.0])
def test_certainty_takes_more_items_than_there_are(power: float) -> None:
    """No number rejects always; nor does an effect too small to count show."""
    assert [float(x) for x in t_items(0.3, 1.0, power, 0.05, "two-sided")] == [np.inf, np.inf]
    assert [float(x) for x in t_items(1e-101, 1.0, 0.8, 0.05, "two-sided")] == [np.inf, np.inf]
    assert float(t_items(1e-99, 1.0, 0.8, 0.05, "two-sided")[0]) == pytest.approx(7.84888e198, rel=1e-5, abs=0.0)


def test_an_empty_batch_has_no_power() -> None:
    """And no error."""
    assert t_power(np.zeros(0), 5.0, 0.05, "two-sided").shape == (0,)
    assert equivalence_power(np.zeros((0, 2)), 1.0, 5.0, 0.05).shape == (0, 2)


def test_power_never_passes_one() -> None:
    """What quadrature adds up to is a probability, however sure."""
    df = np.concatenate([np.arange(1.0, 200.0), np.geomspace(200.0, 1e6, 50)])
    for shift in (5.0, 20.0, 1000.0):
        found = t_power(shift, df, 0.05, "greater")
        assert (found <= 1.0).all()
        above_half = t_power(-shift, df, 0.7, "greater")
        assert (above_half >= 0.0).all()


@pytest.mark.parametrize("df", [3.0, 40.0])
def test_less_is_greater_seen_from_the_other_side(df: float) -> None:
    """Rejections, their sizes, and the smallest effect that is found change sides and nothing else."""
    for shift in (-1.5, 0.4, 2.0):
        less, greater = t_rejections(-shift, df, 0.05, "less"), t_rejections(shift, df, 0.05, "greater")
        assert (float(less.lower), float(less.upper)) == pytest.approx((float(greater.upper), 0.0))
        assert float(less.lower_size) == pytest.approx(float(greater.upper_size))
        assert (float(less.upper_size), float(greater.lower_size)) == (0.0, 0.0)
        two = t_rejections(shift, df, 0.1, "two-sided")
        assert float(two.upper) == pytest.approx(float(greater.upper), rel=1e-12, abs=0.0)
        assert float(two.lower) == pytest.approx(float(t_rejections(shift, df, 0.05, "less").lower), rel=1e-12, abs=0.0)
    assert float(t_shift(0.8, df, 0.05, "less")) == pytest.approx(-float(t_shift(0.8, df, 0.05, "greater")))
