"""Boards of language models: the published quantiles carry over, hold on the data, and leave no step unexplained."""

import csv
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from tellapart import Claim, audit, plan
from tellapart.populations.evidence import Gsm8kPairs, Overlap, SweBenchPairs, others_at, overlap_at
from tellapart.populations.evidence.llm_boards import Bin, BoardPairs

Reference = Callable[[str], list[dict[str, str]]]
BOARDS: dict[str, BoardPairs] = {"GSM8K": Gsm8kPairs(), "SWE-bench": SweBenchPairs()}


def middle(text: str) -> float:
    low, high = map(float, text.split("-"))
    return 0.5 * (low + high)


@pytest.mark.parametrize("board", BOARDS)
def test_the_figures_are_those_of_the_table(board: str, reference: Reference) -> None:
    """Every bin with its number of pairs and its quantiles, and no other; the source counts them."""
    rows = [row for row in reference("llm_overlap.csv") if row["board"].startswith(board)]
    quantiles = ("discordance_q10", "discordance_q50", "discordance_q90")
    table = {
        Bin(middle(r["mean_accuracy"]), middle(r["gap"]), int(r["pairs"]), *(float(r[q]) for q in quantiles))
        for r in rows
    }
    found = {Bin(round(b.mean, 4), b.gap, b.pairs, b.tenth, b.median, b.ninetieth) for b in BOARDS[board].bins}
    assert found == {Bin(round(b.mean, 4), round(b.gap, 4), b.pairs, b.tenth, b.median, b.ninetieth) for b in table}
    assert f"{sum(int(r['pairs']) for r in rows):,} pairs" in BOARDS[board].source
    assert f"({int(rows[0]['items']):,} items)" in BOARDS[board].source
    lowest = min(float(r["mean_accuracy"].split("-")[0]) for r in rows)
    highest = max(float(r["mean_accuracy"].split("-")[1]) for r in rows)
    assert BOARDS[board].accuracies == (lowest, highest)


@pytest.mark.parametrize("board", BOARDS.values(), ids=str)
def test_bins_come_back(board: BoardPairs) -> None:
    """At the middle of a bin the band is its quantiles."""
    for one in board.bins:
        band = board.past(one.mean - one.gap / 2, one.mean + one.gap / 2)
        assert (band.low, band.expected, band.high) == pytest.approx((one.tenth, one.median, one.ninetieth), abs=1e-9)


def test_gsm8k_holds_on_the_data(shared: Path) -> None:
    """A missing answer counted as wrong: at least 80 % of the pairs lie in the band, and their middle in its middle."""
    with gzip.open(shared / "zeroeval_gsm_correct.csv.gz", "rt") as file:
        rows = list(csv.reader(file))[1:]
    right = np.array([[cell.strip() in {"1", "1.0"} for cell in row[1:]] for row in rows], dtype=np.float64)
    accuracy = right.mean(axis=0)
    i, j = np.triu_indices(len(accuracy), 1)
    mean, gap = 0.5 * (accuracy[i] + accuracy[j]), np.abs(accuracy[i] - accuracy[j])
    kept = (mean >= 0.7) & (mean < 0.97) & (gap < 0.1)
    discordance = np.array([(right[:, x] != right[:, y]).mean() for x, y in zip(i, j, strict=True)])[kept]
    bands = [Gsm8kPairs().past(accuracy[x], accuracy[y]) for x, y in zip(i[kept], j[kept], strict=True)]
    inside = (discordance >= [band.low for band in bands]) & (discordance <= [band.high for band in bands])
    assert inside.mean() >= 0.8
    assert abs(np.median(discordance - [band.expected for band in bands])) < 0.005


def test_no_step_within_a_board() -> None:
    """A thousandth of accuracy moves the discordance by less than five thousandths, band included."""
    for low in np.arange(0.1, 0.585, 0.001):
        here, there = (SweBenchPairs().discordance(x, x + 0.02) for x in (low, low + 0.001))
        for name in ("low", "expected", "high"):
            assert abs(getattr(here, name) - getattr(there, name)) < 0.005


@pytest.mark.parametrize(("accuracy", "speaks", "other"), [(0.58, "swe_bench_pairs", "squad2_pairs"), (0.6, "squad2_pairs", "swe_bench_pairs")])  # fmt: skip
def test_the_step_between_boards_is_explained(accuracy: float, speaks: str, other: str) -> None:
    """On both sides of 0.59 a plan says which board speaks, and what the other one says."""
    answer = plan(f"paired_binary(accuracy={accuracy}, effect=0.02)", power=0.8)
    assert answer.rows[0].options["evidence"] == speaks
    (note,) = (note for note in answer.notes if note.code == "other_boards_differ")
    (said,) = (one for one in note.values["others"] if one["evidence"] == other)
    there = next(e for e in (others_at(overlap_at(accuracy), accuracy, accuracy + 0.02)) if str(e) == other)
    assert said["expected"] == there.discordance(accuracy, accuracy + 0.02).expected
    assert 3_000 < answer.rows[0].items < 5_500


def test_boards_that_agree_are_not_told() -> None:
    """Only what lies outside the band of the one that speaks is worth a word."""
    speaking = overlap_at(0.93)
    assert others_at(speaking, 0.93, 0.94) == ()
    agreeing: Overlap = SweBenchPairs()
    assert all(one.discordance(0.7, 0.72).expected < 0.3 for one in others_at(agreeing, 0.7, 0.72))


def test_nothing_seen_is_never_usual() -> None:
    """Outside all boards nothing is likely or unlikely, and no sentence speaks of what is usual."""
    answer = audit(Claim(a="0.020", b="0.045", items=400))
    claim = answer.claims[0]
    assert (claim.supposed.basis, claim.supposed.among, claim.verdict) == ("nothing known", "", "undecidable")
    assert claim.p_expected is not None
    assert claim.p_expected <= 0.05
    assert "usual" not in answer.to_json()
