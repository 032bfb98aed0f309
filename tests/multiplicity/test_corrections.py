"""Corrections of p-values: reference families, another program, and the laws every correction obeys."""

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from tellapart.boards import CORRECTIONS
from tellapart.boards.corrections import PvalueCorrection
from tellapart.boards.corrections.holm import Holm
from tellapart.boards.joint_pvalues import JointPvalues
from tellapart.foundation.errors import SpellingError

NAMES = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "hochberg",
    "hommel": "hommel",
    "BH": "bh",
    "BY": "by",
}
PEERS = {
    "bonferroni": "bonferroni",
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "hommel": "hommel",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


def correction(name: str) -> PvalueCorrection:
    found = CORRECTIONS.parse(name)
    assert isinstance(found, PvalueCorrection)
    return found


@pytest.fixture(params=[name for name in CORRECTIONS if issubclass(type(CORRECTIONS.parse(name)), PvalueCorrection)])
def each(request: Any) -> PvalueCorrection:
    return correction(request.param)


def families() -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(4)
    return [
        rng.random(7),
        rng.random(40) ** 4,
        np.array([0.2, 0.2, 0.2, 1.0, 1.0]),
        np.array([1e-300, 1e-12, 0.5, 0.04]),
        np.round(rng.random(25), 1),
        np.array([0.3]),
        np.array([0.01, 0.99]),
    ]


def test_reference_families(reference: Callable[[str], list[dict[str, str]]]) -> None:
    """Every adjusted p-value that R gives is ours."""
    rows = [r for r in reference("multiplicity.csv") if r["method"] in NAMES]
    assert len(rows) > 200
    for family in {r["family"] for r in rows}:
        for method, name in NAMES.items():
            there = [r for r in rows if r["family"] == family and r["method"] == method]
            ours = correction(name).adjust_list(np.array([float(r["p_raw"]) for r in there]))
            np.testing.assert_allclose(ours, [float(r["value"]) for r in there], rtol=1e-9, atol=0)


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("family", families(), ids=range(7))
def test_another_program_agrees(name: str, family: np.ndarray[Any, Any]) -> None:
    """Statsmodels gives the same numbers on families with ties, ones, tiny values and a single value."""
    np.testing.assert_allclose(
        correction(name).adjust_list(family), multipletests(family, method=PEERS[name])[1], rtol=1e-12
    )


@pytest.mark.parametrize("family", families(), ids=range(7))
def test_never_below_raw_never_above_one(each: PvalueCorrection, family: np.ndarray[Any, Any]) -> None:
    """A correction only ever asks for more, and keeps the order of the p-values."""
    adjusted = each.adjust_list(family)
    assert (adjusted >= family).all()
    assert (adjusted <= 1.0).all()
    order = np.argsort(family, kind="stable")
    assert (np.diff(adjusted[order]) >= 0.0).all()


any_pvalue = st.one_of(
    st.floats(0.0, 1.0),
    st.floats(0.0, 1e-300),
    st.sampled_from([0.0, 5e-324, 1e-12, 0.05, 0.05, 0.5, 1.0, 1.0]),
)


def by_definition(name: str, family: list[float]) -> list[float]:
    """Adjusted p-values straight from the papers, one at a time."""
    m, p = len(family), sorted(family)
    harmonic = sum(1 / k for k in range(1, m + 1))
    step = {
        "bonferroni": [m * q for q in p],
        "holm": [max((m - j) * p[j] for j in range(i + 1)) for i in range(m)],
        "hochberg": [min((m - j) * p[j] for j in range(i, m)) for i in range(m)],
        "bh": [min(m / (j + 1) * p[j] for j in range(i, m)) for i in range(m)],
        "by": [min(harmonic * m / (j + 1) * p[j] for j in range(i, m)) for i in range(m)],
    }[name]
    return [min(1.0, step[p.index(q)]) for q in family]


@given(st.lists(any_pvalue, min_size=1, max_size=12))
@settings(max_examples=200, deadline=None)
@pytest.mark.parametrize("name", ["bonferroni", "holm", "hochberg", "bh", "by"])
def test_any_family(name: str, family: list[float]) -> None:
    """Whatever the p-values, ties, zeros, ones and denormals among them, the papers' formulas agree."""
    found = correction(name).adjust_list(np.array(family))
    np.testing.assert_allclose(found, by_definition(name, family), rtol=1e-12, atol=1e-322)


def test_order_does_not_matter(each: PvalueCorrection) -> None:
    """Pairs have no order."""
    for family in families():
        order = np.random.default_rng(0).permutation(len(family))
        np.testing.assert_array_equal(each.adjust_list(family[order]), each.adjust_list(family)[order])


def test_batch_equals_loop(each: PvalueCorrection) -> None:
    """Many families at once get what each would get alone."""
    batch = np.random.default_rng(5).random((3, 4, 9)) ** 3
    together = each.adjust_list(batch)
    for i, j in np.ndindex(3, 4):
        np.testing.assert_array_equal(together[i, j], each.adjust_list(batch[i, j]))


def test_one_hypothesis_needs_no_correction(each: PvalueCorrection) -> None:
    """A family of one is left as it is."""
    np.testing.assert_array_equal(each.adjust_list(np.array([0.037])), [0.037])


def test_sharper_corrections_are_sharper() -> None:
    """Bonferroni ≥ Holm ≥ Hochberg ≥ Hommel, and BH below BY and Hochberg."""
    for family in families():
        chain = [correction(n).adjust_list(family) for n in ("bonferroni", "holm", "hochberg", "hommel")]
        for wider, sharper in itertools.pairwise(chain):
            assert (wider >= sharper - 1e-15).all()
        screen = correction("bh").adjust_list(family)
        assert (correction("by").adjust_list(family) >= screen).all()
        assert (chain[2] >= screen - 1e-15).all()


def test_holm_by_closure() -> None:
    """Holm is closed testing with Bonferroni: the largest p of any set of hypotheses a hypothesis is in."""
    p = np.array([0.01, 0.02, 0.03, 0.5])
    sets = [[i for i in range(4) if code >> i & 1] for code in range(1, 16)]
    closed = [max(min(1.0, len(s) * min(p[i] for i in s)) for s in sets if k in s) for k in range(4)]
    np.testing.assert_allclose(Holm().adjust_list(p), closed, rtol=1e-12)


@pytest.mark.parametrize(
    "text",
    [
        "max_t",
        "max_t(resampling=flips)",
        "max_t(resampling=bootstrap)",
        "max_t(steps=single)",
        "holm",
        "bh",
        "none",
    ],
)
def test_spelling_round_trips(text: str) -> None:
    """What is printed can be typed."""
    assert str(CORRECTIONS.parse(text)) == text
    assert CORRECTIONS.parse(str(CORRECTIONS.parse(text))) == CORRECTIONS.parse(text)


def test_a_mistyped_correction_names_the_nearest() -> None:
    """The error says which correction was meant."""
    with pytest.raises(SpellingError, match="holm"):
        CORRECTIONS.parse("holms")


def test_what_corrections_declare() -> None:
    """Max-T, and no correction at all, multiply no p-value; all are given both ways to resample."""
    multiplied = {name: CORRECTIONS.parse(name).multiplies_pvalues for name in CORRECTIONS}
    assert {name for name, does in multiplied.items() if does is False} == {"max_t", "none"}
    assert all(does in (True, False) for does in multiplied.values())
    assert {CORRECTIONS.parse(name).resampled_by for name in CORRECTIONS} == {"both"}


def test_max_t_steps_down_unless_asked_for_one_step() -> None:
    x = np.full(2, 0.5)
    joint = JointPvalues(x, x, x / 2.0, x / 4.0, np.ones((1, 3)), np.zeros(2, dtype=np.int64), 3, exhaustive=True)
    assert CORRECTIONS.parse("max_t").adjust(joint).tolist() == [0.25] * 2
    assert CORRECTIONS.parse("max_t(steps=single)").adjust(joint).tolist() == [0.125] * 2
