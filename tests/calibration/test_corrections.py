"""Every correction of p-values has its rows, and what is counted for them is what alpha bounds."""

import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

from tellapart.boards.corrections import CORRECTIONS, PvalueCorrection
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.studies.calibration.corrections import (
    ITEMS,
    TRUTHS,
    CorrectedFamilies,
    as_corrected,
    corrected_families,
    counted_corrections,
)
from tellapart.studies.calibration.measure import ALPHA, StreamBlock

RECORD = Path(__file__).parents[2] / "docs" / "calibration.json"
FAMILIES = 400
PEERS = {"bonferroni": "bonferroni", "hommel": "hommel", "hochberg": "simes-hochberg", "bh": "fdr_bh", "by": "fdr_by"}  # fmt: skip
"""What statsmodels calls them; its Holm takes 50 ms per family, and its numbers are held against references elsewhere."""


def test_every_correction_of_pvalues_is_in_the_published_record() -> None:
    """`make calibrate` adds what is missing; the others resample whole boards, and have the rows of leaderboards."""
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["corrections"]
    asked = {(families.correction, families.truth) for families in corrected_families()}
    assert {(row["correction"], row["truth"]) for row in rows} == asked
    assert {name for name, _ in asked} == set(CORRECTIONS) - {"max_t"}


def test_all_but_no_correction_keep_their_promise_on_record() -> None:
    rows = json.loads(RECORD.read_text(encoding="utf-8"))["corrections"]
    verdicts = {(row["correction"] == "none", row["verdict"]) for row in rows}
    assert verdicts == {(False, "holds"), (True, "fails")}


def _told(families: CorrectedFamilies, peer: str) -> tuple[float, float]:
    """Errors and found gaps per family by another program: scipy's t, statsmodels' correction, the whole share instead of a drawn one."""
    rng, errors, found = stream(77), [], []
    means = np.array(families.population.means)
    a, b = np.triu_indices(len(means), 1)
    gaps = means[b] - means[a]
    for _ in range(FAMILIES):
        scores = families.population.draw(ITEMS, rng)
        tests = stats.ttest_rel(scores[b], scores[a], axis=1)
        claimed = multipletests(tests.pvalue, alpha=ALPHA, method=peer)[0]
        right = gaps * tests.statistic > 0.0
        false = claimed & ~right
        errors.append(false.sum() / max(claimed.sum(), 1) if peer.startswith("fdr") else float(false.any()))
        found.append((claimed & right)[gaps != 0.0].mean() if gaps.any() else 0.0)
    return float(np.mean(errors)), float(np.mean(found))


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("truth", ["all equal", "a ladder of tied pairs"])
def test_rates_are_those_of_another_program(name: str, truth: str) -> None:
    families = CorrectedFamilies(name, truth)
    row = as_corrected(families, counted_corrections(families, StreamBlock(0, 10 * FAMILIES, 1)), 10 * FAMILIES)
    errors, found = _told(families, PEERS[name])
    assert row.errors.share == pytest.approx(errors, abs=4.0 * np.sqrt(0.05 / FAMILIES))
    assert (row.power.share if row.power else 0.0) == pytest.approx(found, abs=4.0 * np.sqrt(0.25 / FAMILIES))


@dataclass(frozen=True)
class QuarterPaid(PvalueCorrection):
    """A wrong one: Bonferroni for a quarter of the pairs."""

    label = "a quarter of Bonferroni"

    def ascending(self, sorted_pvalues: FloatArray) -> FloatArray:
        return np.asarray(sorted_pvalues * sorted_pvalues.shape[-1] / 4.0)


class WrongFamilies(CorrectedFamilies):
    @property
    def method(self) -> PvalueCorrection:
        return QuarterPaid()


def test_a_correction_that_pays_too_little_fails() -> None:
    wrong = WrongFamilies("bonferroni", TRUTHS[0])
    row = as_corrected(wrong, counted_corrections(wrong, StreamBlock(0, 4000, 1)), 4000)
    assert (row.verdict, row.why) == ("fails", "")
