"""The page of fitted evidence shows what every two systems have in common."""

from pathlib import Path

import numpy as np
import pytest

from tellapart.answers.evidence_fit.page import MOST_SHOWN, make_page
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.verbs.evidence.fit import fit_evidence


def written(path: Path, scores: FloatArray | IntArray) -> Path:
    names = [f"s{k}" for k in range(scores.shape[1])]
    lines = [
        ",".join(["item", *names]),
        *(",".join([f"q{i}", *map(str, row)]) for i, row in enumerate(scores)),
    ]
    path.write_text("\n".join(lines))
    return path


def test_correlation_and_discordance_of_every_pair(tmp_path: Path) -> None:
    right = (np.random.default_rng(3).random((60, 3)) < 0.6).astype(int)
    grid = make_page(fit_evidence(written(tmp_path / "right.csv", right))).grids[-1]
    assert grid.titles[-2:] == ("correlation", "discordance")
    found = {(row[0].text, row[1].text): [cell.values[0] for cell in row[-2:]] for row in grid.rows}
    assert len(found) == 3
    for (a, b), numbers in found.items():
        x, y = right[:, int(a[1:])], right[:, int(b[1:])]
        assert numbers == pytest.approx([np.corrcoef(x, y)[0, 1], np.mean(x != y)])


def test_numbers_have_no_discordance_and_a_page_no_more_than_it_holds(tmp_path: Path) -> None:
    scores = np.random.default_rng(4).random((30, 8))
    grid = make_page(fit_evidence(written(tmp_path / "numbers.csv", scores))).grids[-1]
    assert grid.titles[-1] == "correlation"
    assert len(grid.rows) == MOST_SHOWN
    assert f"first {MOST_SHOWN} of 28" in grid.caption
