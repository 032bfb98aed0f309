"""What every correction obeys, whatever it does inside; and plug-ins gone wrong that these laws must catch."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests
from tests.laws.setting import variants

from tellapart.boards import CORRECTIONS, Correction
from tellapart.boards.board import Board
from tellapart.boards.corrections import PvalueCorrection
from tellapart.boards.corrections.benjamini_hochberg import BenjaminiHochberg
from tellapart.boards.corrections.bonferroni import Bonferroni
from tellapart.boards.corrections.max_t import MaxT
from tellapart.boards.corrections.uncorrected import Uncorrected
from tellapart.boards.family import all_pairs, family_of
from tellapart.boards.joint_pvalues import LargestPvalues, Pvalues
from tellapart.choosing.boards import Resampled
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import BoolArray, FloatArray, IntArray
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS
from tellapart.populations.many_systems import ManySystems

ALPHA = 0.05
BOARDS, ITEMS, RESAMPLES = 300, 60, 299
INDEPENDENT = 400_000
"""Families of independent p-values: a rate of 5 % is known to 0.03 points."""
ALL_EQUAL = ManySystems((0.0,) * 6)
TWO_GROUPS = ManySystems((0.0,) * 3 + (2.0,) * 3)


def joint(table: FloatArray, correction: Correction, seed: int = 0) -> LargestPvalues:
    """The joint p-values of all pairs of a table `(system, item)`, as this correction resamples them."""
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)})
    board = Board.of(scores, METRICS.parse("mean"))
    family = family_of(board, *all_pairs(len(table)))
    return Resampled(RESAMPLES, RESAMPLES, (seed, ())).pvalues(board, family, correction.resampled_by)


def resampling_like(correction: Correction) -> Correction:
    """One correction for all that are given the same resamples, which are then drawn once."""
    return MaxT(resampling=correction.resampled_by)


def families(correction: Correction) -> tuple[LargestPvalues, ...]:
    return drawn_families(resampling_like(correction))


@cache
def drawn_families(correction: Correction) -> tuple[LargestPvalues, ...]:
    """Boards with gaps of every size, of twins, of right or wrong, and of two systems only."""
    rng = np.random.default_rng(0)
    ladder = rng.normal(size=(7, 40)) + np.linspace(0.0, 1.5, 7)[:, np.newaxis]
    twins = np.repeat(rng.normal(size=(3, 40)) + np.array([[0.0], [0.5], [1.0]]), 2, axis=0)
    flags = (rng.random((5, 60)) < np.array([[0.5], [0.5], [0.6], [0.7], [0.95]])).astype(float)
    tables: list[FloatArray] = [ladder, twins, flags, ladder[:2], ladder[5:]]
    return tuple(joint(table, correction) for table in tables)


def never_below_raw(correction: Correction) -> None:
    """A correction only ever asks for more, and p stays a probability."""
    for family in families(correction):
        adjusted = correction.adjust(family)
        assert (adjusted >= family.raw).all()
        assert (adjusted <= 1.0).all()


def keeps_the_order(correction: Correction) -> None:
    """No pair is claimed before one that speaks louder: by its p-value, or by the statistic of joint resamples."""
    for family in families(correction):
        loudness = family.raw if isinstance(correction, PvalueCorrection) else -family.ways[0].pvalues.observed
        order = np.argsort(loudness, kind="stable")
        assert (np.diff(correction.adjust(family)[order]) >= 0.0).all()


def order_does_not_matter(correction: Correction) -> None:
    """Pairs have no order."""
    for family in families(correction):
        order = np.random.default_rng(1).permutation(len(family.raw))
        np.testing.assert_array_equal(correction.adjust(shuffled(family, order)), correction.adjust(family)[order])


def shuffled(family: Pvalues, order: IntArray) -> Any:
    return SimpleNamespace(**{name: getattr(family, name)[order] for name in ("raw", "step_down", "single_step")})


def one_pair_needs_nothing(correction: Correction) -> None:
    """A family of one is left as it is."""
    for family in families(correction):
        if len(family.raw) == 1:
            np.testing.assert_array_equal(correction.adjust(family), family.raw)


def simulated(population: ManySystems, correction: Correction) -> tuple[LargestPvalues, ...]:
    return drawn(population, resampling_like(correction))


@cache
def drawn(population: ManySystems, correction: Correction) -> tuple[LargestPvalues, ...]:
    rng = stream(7)
    return tuple(joint(population.draw(ITEMS, rng), correction, seed) for seed in range(BOARDS))


def equal_pairs(population: ManySystems) -> BoolArray:
    means = np.array(population.means)
    a, b = all_pairs(len(means))
    return np.asarray(means[a] == means[b])


def keeps_its_promise(correction: Correction) -> None:
    """What `guarantee` says is measured: any false claim, or the mean share of false ones among the claims."""
    for population in (ALL_EQUAL, TWO_GROUPS):
        equal = equal_pairs(population)
        found = [rejects(correction.adjust(family), ALPHA) for family in simulated(population, correction)]
        if correction.guarantee == "family-wise":
            failures = sum(bool((claimed & equal).any()) for claimed in found)
            assert failures <= stats.binom.ppf(0.999, BOARDS, ALPHA)
        elif correction.guarantee == "false discovery rate":
            shares = np.array([(claimed & equal).sum() / max(claimed.sum(), 1) for claimed in found])
            assert shares.mean() <= ALPHA + 3.1 * shares.std() / np.sqrt(BOARDS)


def keeps_it_among_independent_pvalues(correction: Correction) -> None:
    """Where nothing goes together it is tightest: all hypotheses true, or half of them plainly false, in families of 2 and of 12.

    Pairs of systems go together, and forgive a correction that asks for half of what it should.
    """
    if not isinstance(correction, PvalueCorrection) or correction.guarantee == "none":
        return
    for size, false in ((2, 0), (12, 0), (12, 6)):
        pvalues = np.random.default_rng(1).random((INDEPENDENT, size))
        pvalues[:, :false] = 1e-12
        claimed = rejects(correction.adjust_list(pvalues), ALPHA)
        wrong = claimed[:, false:].sum(axis=-1)
        shares = wrong / np.maximum(claimed.sum(axis=-1), 1)
        rate = shares.mean() if correction.guarantee == "false discovery rate" else (wrong > 0).mean()
        assert rate <= ALPHA + 4.0 * np.sqrt(ALPHA * (1.0 - ALPHA) / INDEPENDENT)


def finds_real_gaps(correction: Correction) -> None:
    """A correction that claims nothing would keep every promise: gaps of two standard deviations are found."""
    unequal = ~equal_pairs(TWO_GROUPS)
    found = [rejects(correction.adjust(family), ALPHA)[unequal] for family in simulated(TWO_GROUPS, correction)]
    assert np.mean(found) > 0.99


def says_whether_it_multiplies(correction: Correction) -> None:
    """One that multiplies p-values of single pairs needs more resamples, and one that does not can use the smallest as it is."""
    for family in simulated(TWO_GROUPS, correction)[:5]:
        multiplied = bool(correction.adjust(family).min() > family.first.smallest)
        assert correction.multiplies_pvalues is multiplied


LAWS = (
    never_below_raw,
    keeps_the_order,
    order_does_not_matter,
    one_pair_needs_nothing,
    keeps_its_promise,
    keeps_it_among_independent_pvalues,
    finds_real_gaps,
    says_whether_it_multiplies,
)


of_every_correction = pytest.mark.parametrize("correction", variants(CORRECTIONS), ids=str)


@of_every_correction
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_law(law: Callable[[Correction], None], correction: Correction) -> None:
    """Every registered correction, in every variant, obeys."""
    law(correction)


def test_the_correction_of_contributing_obeys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worked example of CONTRIBUTING.md registers itself, is under every law and agrees with statsmodels."""
    monkeypatch.setattr(CORRECTIONS, "_known", dict(CORRECTIONS._known))
    text = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (block, *_) = re.findall(r"```python\n(.*?)```", text.partition("## Add a correction")[2], re.DOTALL)
    exec(compile(block, "CONTRIBUTING.md", "exec"), {"__name__": "contributed"})  # noqa: S102  (our own text)
    sidak = CORRECTIONS.parse("sidak")
    for law in LAWS:
        law(sidak)
    assert isinstance(sidak, PvalueCorrection)
    family = np.array([1e-300, 1e-9, 0.01, 0.04, 0.5, 0.99])
    np.testing.assert_allclose(sidak.adjust_list(family), multipletests(family, method="sidak")[1], rtol=1e-12)


@of_every_correction
def test_cites_its_source(correction: Correction) -> None:
    """A correction that promises something says in its docstring who showed that."""
    assert correction.guarantee == "none" or re.search(r"\(\d{4}\)", type(correction).__doc__ or "")


@of_every_correction
def test_spelling_round_trips(correction: Correction) -> None:
    """What is printed can be typed."""
    assert CORRECTIONS.parse(str(correction)) == correction


@dataclass(frozen=True)
class Halved(Uncorrected):
    """Wrong: asks for less than the raw p-value."""

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(0.5 * sorted_pvalues)


@dataclass(frozen=True)
class ByPlace(Uncorrected):
    """Wrong: the first pairs of the list pay, the last do not."""

    def adjust(self, joint: Pvalues) -> FloatArray:
        return np.minimum(joint.raw * np.arange(len(joint.raw), 0, -1), 1.0)


@dataclass(frozen=True)
class AlwaysTwice(Uncorrected):
    """Wrong: multiplies a family of one."""

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(2.0 * sorted_pvalues * sorted_pvalues.shape[-1])


@dataclass(frozen=True)
class SmallestLast(Uncorrected):
    """Wrong: the factors of Holm, without holding each pair back for those before it, and from the wrong end."""

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.where(sorted_pvalues < 0.01, 1.0, sorted_pvalues)


@dataclass(frozen=True)
class HalfBonferroni(PvalueCorrection):
    """Wrong: takes the number of systems for the number of pairs, or half of it."""

    name = "wrong"
    label = "wrong"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(max(1.0, sorted_pvalues.shape[-1] / 2.0) * sorted_pvalues)


@dataclass(frozen=True)
class SevenPercentShort(Bonferroni):
    """Wrong: multiplies by 93 % of the number of pairs."""

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(max(1.0, 0.93 * sorted_pvalues.shape[-1]) * sorted_pvalues)


@dataclass(frozen=True)
class EagerScreen(BenjaminiHochberg):
    """Wrong: a screen that lets through half as many again as it should."""

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.maximum(super().ascending(sorted_pvalues) / 1.5, sorted_pvalues)


@dataclass(frozen=True)
class ScreenInDisguise(BenjaminiHochberg):
    """Wrong: a screen that says it is family-wise."""

    guarantee = "family-wise"


@dataclass(frozen=True)
class NothingInDisguise(Uncorrected):
    """Wrong: no correction at all, called a screen."""

    guarantee = "false discovery rate"


@dataclass(frozen=True)
class Silent(Uncorrected):
    """Wrong: never claims anything, and so never anything false."""

    guarantee = "family-wise"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.ones_like(sorted_pvalues) if sorted_pvalues.shape[-1] > 1 else sorted_pvalues


@dataclass(frozen=True)
class MultipliesInSilence(Bonferroni):
    """Wrong: promises that a single p-value is used as it is."""

    @property
    def multiplies_pvalues(self) -> bool:
        return False


@pytest.mark.parametrize(
    ("law", "wrong"),
    [
        (never_below_raw, Halved()),
        (order_does_not_matter, ByPlace()),
        (one_pair_needs_nothing, AlwaysTwice()),
        (keeps_the_order, SmallestLast()),
        (keeps_its_promise, ScreenInDisguise()),
        (keeps_its_promise, NothingInDisguise()),
        (keeps_it_among_independent_pvalues, HalfBonferroni()),
        (keeps_it_among_independent_pvalues, SevenPercentShort()),
        (keeps_it_among_independent_pvalues, EagerScreen()),
        (finds_real_gaps, Silent()),
        (says_whether_it_multiplies, MultipliesInSilence()),
    ],
    ids=lambda x: getattr(x, "__name__", type(x).__name__),
)
def test_a_wrong_correction_is_caught(law: Callable[[Correction], None], wrong: Correction) -> None:
    """Negative controls: each law fails on the plug-in that breaks it."""
    with pytest.raises(AssertionError):
        law(wrong)
