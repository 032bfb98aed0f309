"""Swaps of sentences on WMT17, and p-values that Moses and MultEval print for it."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from tellapart.answers.reproduction import CellResult
from tellapart.studies.reproduction import reproduce
from tellapart.studies.reproduction.published import rows, sources
from tellapart.studies.reproduction.table import Ours, Setting, judge
from tellapart.studies.reproduction.wmt17 import BLEU, _resampled_bleu, _ruled, _segment_parts, _swap_pvalue, rule


def cells(name: str, data: Path) -> dict[str, CellResult]:
    return {cell.label: cell for cell in reproduce(name, data=data).tables[0].cells}


def test_table_3_by_its_procedure(shared: Path) -> None:
    """What the paper prints stands as printed; the procedure on WMT17 finds what another program finds."""
    found = cells("card2020-table-3", shared)
    assert sum(cell.ours is None for cell in found.values()) == 8
    assert all(cell.reason for cell in found.values())
    ours = {label: cell.ours for label, cell in found.items() if cell.ours is not None}
    assert list(ours.values()) == pytest.approx(
        [0.02896, 0.0857, 0.3678, 13.159, 19.131, 27.004, 13.803, 19.958, 26.629], rel=1e-3, abs=0.0
    )


def test_figure_15_on_wmt17(shared: Path) -> None:
    """Joint swaps are sums of single ones, unless a brevity penalty sets in: 1 and .978 in print, here from .972 on."""
    long, brief, most = (
        float(cell.ours or 0.0) for cell in cells("card2020-figure-15", shared).values() if cell.ours is not None
    )
    assert brief == pytest.approx(0.975, abs=0.004)
    assert 0.999 < long < most <= 1.0


def test_the_rule_of_moses() -> None:
    """One side of what is centred on the mean size: half of the two-sided p where that is small, and at most about .42."""
    rng = np.random.default_rng(8)
    for effect in (2.2, 2.6):
        differences = effect + rng.normal(size=200_000)
        assert rule(differences, effect) == pytest.approx(stats.norm.sf(effect), rel=0.08, abs=0.0)
    assert rule(rng.normal(size=200_000), 0.0) == pytest.approx(stats.foldnorm.sf(np.sqrt(2.0 / np.pi), 0.0), abs=0.01)


def test_p_values_of_wmt17(shared: Path) -> None:
    """Of three systems: the rule of Moses recomputes its p-values, our swaps those of MultEval, and not the other way round."""
    pytest.importorskip("sacrebleu")
    scores, setting = _segment_parts(shared, BLEU), Setting(0, 0, shared)
    drawn = _resampled_bleu(scores, 0)
    for system in ("FBK.4870", "SYSTRAN.4847", "xmu.4910"):
        ruled, swapped = _ruled(scores, drawn, system), _swap_pvalue(scores, BLEU, system, setting)
        verdicts = [
            verdict("wmt17-moses", "p by its own rule", system, ruled),
            verdict("wmt17-moses", "p of swaps, two-sided", system, swapped),
            verdict("wmt17-multeval", "p of BLEU", system, swapped),
        ]
        assert verdicts == ["agrees", "differs", "agrees"], system


def verdict(table: str, quantity: str, system: str, ours: Ours) -> str:
    wanted = {"quantity": quantity, "system": system}
    (row,) = (row for row in rows(table) if row.settings == wanted)
    return judge(row, ours, sources()[table].replicates).verdict


def test_without_sacrebleu(shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody can count is shown as published, and says what to install, not where data lie."""
    monkeypatch.setattr("tellapart.studies.reproduction.table.find_spec", lambda _: None)
    (table,) = reproduce("wmt17-multeval", data=shared).tables
    assert table.lacks == ("sacrebleu",)
    assert table.skipped == "needs sacrebleu: pip install 'tellapart[mt]'"
    assert {cell.verdict for cell in table.cells} == {"as published"}
    nowhere = reproduce("wmt17-multeval", data=shared.parent).tables[0].skipped
    assert nowhere is not None
    assert "data" in nowhere
    assert "pip install" in nowhere
