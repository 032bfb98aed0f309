"""Real per-item scores, where they are beside the checkout: the numbers that others computed from the same files."""

import csv
import gzip
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar

from tellapart import compare, read


def test_alpaca_means_and_standard_errors(shared: Path) -> None:
    """Means of AlpacaEval 2 and their standard errors are those of the plain formulas on the raw file."""
    scores = read(shared / "alpaca_eval2_weighted.csv.gz")
    with gzip.open(shared / "alpaca_eval2_weighted.csv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    a, b = "alpaca-7b", "FuseChat-Gemma-2-9B-Instruct"
    answer = compare(scores, a, b, missing="drop")
    both = [(float(r[a]), float(r[b])) for r in rows if r[a] and r[b]]
    ours = np.array(both)
    assert answer.items == len(both)
    assert (answer.a.mean, answer.b.mean) == pytest.approx(tuple(ours.mean(axis=0)), rel=1e-12, abs=0.0)
    error = stats.sem(ours[:, 1])
    reach = stats.t.ppf(0.975, len(both) - 1) * error
    assert answer.b.interval.high - answer.b.mean == pytest.approx(reach, rel=1e-9, abs=0.0)


def test_gsm8k_pairs_against_scipy_and_statsmodels(shared: Path) -> None:
    """McNemar in four variants and the sign test on real right-or-wrong answers."""
    scores = read(shared / "zeroeval_gsm_correct.csv.gz")
    complete = [s for s in scores.systems if scores.scored(s).all()]
    for a, b in pairwise(complete[:7]):
        x, y = (scores.values[scores.system(s), :, 0, 0] for s in (a, b))
        table = [[int(((x == i) & (y == j)).sum()) for j in (1, 0)] for i in (1, 0)]
        wins, losses = table[1][0], table[0][1]
        peers = {
            "exact": mcnemar(table, exact=True).pvalue,
            "asymptotic": mcnemar(table, exact=False, correction=False).pvalue,
            "corrected": mcnemar(table, exact=False, correction=True).pvalue,
            "mid_p": mcnemar(table, exact=True).pvalue - stats.binom.pmf(wins, wins + losses, 0.5),
        }
        for variant, peer in peers.items():
            assert compare(scores, a, b, test=f"mcnemar(variant={variant})").pvalue == pytest.approx(
                peer, rel=1e-9, abs=0.0
            ), (a, b, variant)
        assert compare(scores, a, b, test="sign").pvalue == pytest.approx(
            stats.binomtest(wins, wins + losses).pvalue, rel=1e-9, abs=0.0
        )


def test_bbh_items_repeat_across_tasks(shared: Path) -> None:
    """Item ids start again in every task: an item is (dataset, item)."""
    answer = compare(read(shared / "bbh_davinci002_cot_vs_direct.csv.gz"), "direct", "cot")
    assert answer.items == 6511
    assert answer.test == "mcnemar(variant=mid_p)"
    assert answer.verdict == "b better"


def test_mt_bench_clustered_by_question(shared: Path) -> None:
    """Two turns of one question are one cluster; the standard error is taken between questions."""
    scores = read(shared / "mt_bench_gpt4_single.csv.gz", columns={"dataset": "turn", "cluster": "question_id"})
    a, b = scores.systems[:2]
    answer = compare(scores, a, b)
    assert (answer.items, answer.clusters, answer.test) == (160, 80, "cluster_t(variance=cr2)")
    pair = scores.pair(a, b)
    assert pair.clusters is not None
    sums = np.bincount(pair.clusters, (pair.b - pair.a)[:, 0, 0])
    assert answer.pvalue == pytest.approx(stats.ttest_1samp(sums, 0.0).pvalue, rel=1e-9, abs=0.0)
