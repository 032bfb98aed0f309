"""Every reference number that `compare` covers, asked for as a user would: scores in, answer out.

Reference differences are A − B and ours B − A, so the reference's B is called "a" here.
"""

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

from tellapart import Comparison, Scores, compare
from tellapart.foundation.errors import Degenerate

SIDES = {"two.sided": "two-sided", "greater": "greater", "less": "less"}

WILCOXON = {
    "wilcoxon_exact_p_{}_zeros_dropped": "wilcoxon(method=exact, zeros=drop, alternative={})",
    "wilcoxon_exact_p_{}_zeros_dropped_midranks": "wilcoxon(method=exact, zeros=drop, alternative={})",
    "wilcoxon_exact_p_{}_zeros_dropped_midranks_py": "wilcoxon(method=exact, zeros=drop, alternative={})",
    "wilcoxon_exact_p_{}_coin_wilcoxon": "wilcoxon(method=exact, zeros=drop, alternative={})",
    "wilcoxon_exact_p_{}_coin_pratt": "wilcoxon(method=exact, zeros=pratt, alternative={})",
    "wilcoxon_exact_p_{}_pratt_py": "wilcoxon(method=exact, zeros=pratt, alternative={})",
    "wilcoxon_asymptotic_p_{}_zeros_dropped": "wilcoxon(method=asymptotic, zeros=drop, alternative={})",
    "wilcoxon_asymptotic_p_{}_coin_wilcoxon": "wilcoxon(method=asymptotic, zeros=drop, alternative={})",
    "wilcoxon_asymptotic_p_{}_scipy_wilcox": "wilcoxon(method=asymptotic, zeros=drop, alternative={})",
    "wilcoxon_asymptotic_p_{}_coin_pratt": "wilcoxon(method=asymptotic, zeros=pratt, alternative={})",
    "wilcoxon_asymptotic_p_{}_scipy_pratt": "wilcoxon(method=asymptotic, zeros=pratt, alternative={})",
    "wilcoxon_asymptotic_cc_p_{}_zeros_dropped": "wilcoxon(method=corrected, zeros=drop, alternative={})",
    "wilcoxon_asymptotic_cc_p_{}_scipy_wilcox": "wilcoxon(method=corrected, zeros=drop, alternative={})",
    "wilcoxon_asymptotic_cc_p_{}_scipy_pratt": "wilcoxon(method=corrected, zeros=pratt, alternative={})",
}
P_VALUES = {
    "t_p_{}": "paired_t(alternative={})",
    "sign_p_{}": "sign(alternative={})",
    "perm_mean_exact_p_{}": "permutation(alternative={})",
    **WILCOXON,
}
MCNEMAR = {
    "mcnemar_p": "mcnemar(variant=asymptotic)",
    "mcnemar_p_cc": "mcnemar(variant=corrected)",
    "mcnemar_p_exact": "mcnemar(variant=exact)",
    "mcnemar_p_midp": "mcnemar(variant=mid_p)",
}
TESTS = {
    **{q.format(theirs): t.format(ours) for q, t in P_VALUES.items() for theirs, ours in SIDES.items()},
    **MCNEMAR,
}
"""Quantity to the spelling of the test whose p-value it is."""

FACTS: dict[str, tuple[str, Callable[[Comparison], float | None]]] = {
    "mean_diff": ("permutation", lambda found: found.effect),
    "sd_diff": ("permutation", lambda found: found.sd_difference),
    "cor_ab": ("permutation", lambda found: found.correlation),
    "d_z": ("permutation", lambda found: found.effects["cohen_dz"]),
    "d_av_mean_sd": ("permutation", lambda found: found.effects["cohen_dav"]),
    "hedges_g_z_exact": ("permutation", lambda found: found.effects["hedges_g"]),
    "rank_biserial_matched_zeros_dropped": ("permutation", lambda found: found.effects["rank_biserial"]),
    "t_ci95_low": ("permutation", lambda found: found.interval.low),
    "t_ci95_high": ("permutation", lambda found: found.interval.high),
    "hl_ci95_low_walsh": ("wilcoxon", lambda found: found.interval.low),
    "hl_ci95_high_walsh": ("wilcoxon", lambda found: found.interval.high),
}
"""Quantity to the test it is asked for with, and where it stands in the answer."""

INTERVALS = {"permutation": "student_t", "wilcoxon": "hodges_lehmann"}

ELSEWHERE = {
    *("t_stat", "t_df", "n_zero_diffs", "has_tied_abs_diffs", "sign_n_positive", "sign_n_nonzero"),
    *("wilcoxon_V_zeros_dropped", "wilcoxon_V_pratt", "mcnemar_n10", "mcnemar_n01", "mcnemar_chi2", "mcnemar_chi2_cc"),
    *("hl_ci95_low_wilcox.test", "hl_ci95_high_wilcox.test", "hl_estimate_wilcox.test", "hodges_lehmann_all"),
    *("hl_ci95_exact_level", "d_av_rms_sd", "hedges_g_z_approx", "hedges_g_av_approx", "cliffs_delta_unpaired"),
    *("rank_biserial_matched_pratt", "tost_bound", "tost_p", "tost_p_lower", "tost_p_upper"),
    *("wilcoxon_asymptotic_p_two.sided_scipy_zsplit", "wilcoxon_asymptotic_cc_p_two.sided_scipy_zsplit"),
}  # fmt: skip
"""Statistics and counts (below), and quantities that this package does not offer."""

STATISTICS = {
    "t_stat": "paired_t",
    "sign_n_positive": "sign",
    "wilcoxon_V_zeros_dropped": "wilcoxon",
    "mcnemar_n10": "mcnemar(variant=mid_p)",
}
"""Quantity to the test whose statistic it is."""

Asked = Callable[..., Comparison]


@pytest.fixture(scope="module")
def asked(reference: Any) -> Asked:
    """`asked(data set, test, …)`: what `compare` says of it, each question asked once."""
    rows = reference("datasets.csv")

    @cache
    def answer(name: str, test: str | None, interval: str | None = None, margin: float | None = None) -> Comparison:
        columns = {
            ours: [float(row[theirs]) for row in rows if row["dataset"] == name]
            for ours, theirs in (("a", "score_b"), ("b", "score_a"))
        }
        return compare(Scores.from_arrays(columns), test=test, interval=interval, margin=margin)

    return answer


@pytest.fixture(scope="module")
def values(reference: Any) -> dict[str, dict[str, float]]:
    """Quantity to data set to its reference value; NaN where the program had none."""
    found: dict[str, dict[str, float]] = {}
    for row in reference("tests_on_data.csv"):
        value = {"NA": math.nan, "Inf": math.inf}.get(row["value"])
        found.setdefault(row["quantity"], {})[row["dataset"]] = float(row["value"]) if value is None else value
    return found


def close(expected: float, found: float | None) -> bool:
    """Equal to nine digits; where the reference is undefined or infinite, ours is undefined."""
    if found is None or not math.isfinite(expected):
        return found is None and not math.isfinite(expected)
    return math.isclose(expected, found, rel_tol=1e-9, abs_tol=1e-14)


def test_every_reference_quantity_has_its_place(values: dict[str, dict[str, float]]) -> None:
    """A quantity that a new reference file brings is either compared or named as not offered."""
    assert set(values) - set(TESTS) - set(FACTS) == ELSEWHERE


@pytest.mark.parametrize("quantity", sorted(TESTS))
def test_p_values(quantity: str, asked: Asked, values: dict[str, dict[str, float]]) -> None:
    """The p-value of a named test is that of R, coin, exactRankTests, scipy or an integer enumeration."""
    for name, expected in values.get(quantity, {}).items():
        if not math.isfinite(expected):
            continue
        found = asked(name, TESTS[quantity], "student_t").pvalue
        assert close(expected, found), (name, expected, found)


@pytest.mark.parametrize("quantity", sorted(FACTS))
def test_facts(quantity: str, asked: Asked, values: dict[str, dict[str, float]]) -> None:
    """Means, spread, correlation, effect sizes and bounds are those of R; undefined there is None here.

    Constant differences, of which R refuses an interval, have that constant for both bounds.
    """
    test, read = FACTS[quantity]
    for name, expected in values[quantity].items():
        found = read(asked(name, test, INTERVALS[test]))
        constant = quantity.startswith("t_ci95") and math.isnan(expected)
        wanted = values["mean_diff"][name] if constant else expected
        if quantity.startswith("hl_ci95") and name in {"n2_minimal", "n5_simple"}:
            # Of five items and fewer no rank reaches 95 %: R gives the whole range, at a level that is lower.
            assert found is not None
            assert math.isinf(found)
            continue
        assert close(wanted, found), (name, wanted, found)


@pytest.mark.parametrize("quantity", sorted(STATISTICS))
def test_statistics(quantity: str, asked: Asked, values: dict[str, dict[str, float]]) -> None:
    """The statistics that `--test all` prints beside the p-values are the textbook ones."""
    for name, expected in values[quantity].items():
        found = {t.test: t.statistic for t in asked(name, "all").tests or ()}[STATISTICS[quantity]]
        if math.isfinite(expected):
            assert close(expected, found), (name, expected, found)


def test_equivalence(asked: Asked, values: dict[str, dict[str, float]]) -> None:
    """TOST by R, through the test's own spelling and beside a paired t with a margin; one side alone is non-inferiority."""
    assert len(values["tost_p"]) == 15
    for name, expected in values["tost_p"].items():
        bound = values["tost_bound"][name]
        spelled = asked(name, f"equivalence(test=paired_t, margin={bound!r})")
        beside = asked(name, "paired_t", None, bound)
        above = asked(name, f"non_inferiority(test=paired_t, margin={bound!r})")
        below = asked(name, f"non_inferiority(test=paired_t, margin={bound!r}, alternative=less)")
        assert beside.equivalence is not None
        assert close(expected, spelled.pvalue)
        assert close(expected, beside.equivalence.pvalue)
        assert close(values["tost_p_lower"][name], above.pvalue)
        assert close(values["tost_p_upper"][name], below.pvalue)
        assert beside.pvalue == asked(name, "paired_t").pvalue


def test_all_equal(asked: Asked) -> None:
    """Nothing differs: every test that suits says p = 1, and there is no verdict."""
    answer = asked("n6_all_equal", "all")
    assert answer.tests is not None
    assert {1.0} == {found.pvalue for found in answer.tests}
    assert (answer.verdict, answer.effect) == ("undetermined", 0.0)


def test_constant_shift(asked: Asked) -> None:
    """No spread, no t: it refuses and names the permutation test, which answers."""
    with pytest.raises(Degenerate, match="permutation"):
        asked("n6_constant_shift", "paired_t")
    assert asked("n6_constant_shift", "permutation", "student_t").pvalue == 2.0**-5
    assert asked("n6_constant_shift", None).pvalue == 2.0**-5


def test_the_default_answers_on_every_data_set(asked: Asked, values: dict[str, dict[str, float]]) -> None:
    """Whatever is chosen, the effect is the mean difference and the p-value a probability."""
    for name, effect in values["mean_diff"].items():
        answer = asked(name, None)
        assert close(effect, answer.effect)
        assert 0.0 < answer.pvalue <= 1.0
        assert np.isfinite([answer.interval.low, answer.interval.high]).all()
