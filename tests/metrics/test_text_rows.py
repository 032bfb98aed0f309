"""Several references, TER on real outputs, signatures, lengths and resamples: sacrebleu's and an independent program's rows on WMT17."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.metrics.conftest import Row, rows_of

from tellapart import Scores, compare, read
from tellapart.data.provenance import Counted
from tellapart.data.summaries import Parts, contributions
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS
from tellapart.metrics.from_texts import TextMetric
from tellapart.numerics.resampling.draws import map_replicates
from tellapart.verbs.evidence.fit import fit_scores

pytestmark = pytest.mark.shared
pytest.importorskip("sacrebleu")

PAIR = ("TALP-UPC.4834", "online-A.0")
"""Whose TER is counted here: eight seconds each."""

TENS = [place // 10 for place in range(3004)]


def text_metric(spelling: str) -> TextMetric:
    found = METRICS.parse(spelling)
    assert isinstance(found, TextMetric)
    return found


def of_several(rows: list[Row], quantity: str) -> list[tuple[str, str, str, str]]:
    """Metric, system, what else the case says, and value, of rows that name more than a system."""
    found = [(*row["case"].split("|"), row["value"]) for row in rows if row["quantity"] == quantity]
    return [(case[0], case[1], case[2], case[3]) for case in found if len(case) == 4]


def test_several_references_and_ter(oracle: Path, outputs: dict[str, list[str]]) -> None:
    """BLEU, chrF and TER with two references, and TER with its options on 300 segments, to 1e-9."""
    tried = of_several(rows_of(oracle / "mt_scores.csv"), "score")
    assert len(tried) >= 5
    assert {metric.partition("(")[0] for metric, _, _, _ in tried} == {"bleu", "chrf", "ter"}
    for metric, system, said, value in tried:
        size = 300 if "first 300" in said else None
        names = said.partition("references=")[2].split("+") if "references=" in said else ["reference"]
        references = list(zip(*(outputs[name][:size] for name in names), strict=True))
        made = text_metric(metric)
        parts = made.count(list(zip(outputs[system][:size], references, strict=True)))
        found = float(made.value(parts.mean(axis=0), len(parts)))
        assert found == pytest.approx(float(value), abs=1e-9), (metric, system, said)


def test_signatures(oracle: Path) -> None:
    """Every option that changes a score stands in it; sacrebleu's own version is the one that is installed."""
    rows = [row for row in rows_of(oracle / "mt_scores.csv") if row["quantity"] == "signature"]
    assert len(rows) >= 15
    for row in rows:
        found = text_metric(row["case"].partition("|")[0]).signature(2 if "references=" in row["case"] else 1)
        assert found is not None
        assert found.partition("|version:")[0] == row["value"].partition("|version:")[0], row["case"]


def test_lengths_and_penalties(oracle: Path, shared: Path) -> None:
    """From the table of counts, for every system that another program did."""
    scores = read(shared / "wmt17_ende_bleu_stats.csv.gz", metric="bleu")
    bleu, tried = METRICS.parse("bleu"), 0
    for row in rows_of(oracle / "mt_scores.csv"):
        metric, _, system = row["case"].partition("|")
        if metric != "bleu" or row["quantity"] not in {"brevity_penalty", "hyp_len", "ref_len"}:
            continue
        parts = scores.values[scores.system(system)][:, 0]
        details = bleu.details(parts.mean(axis=0), len(parts), ())
        assert details is not None
        known = {"hyp_len": parts[:, 0].sum(), "ref_len": parts[:, 1].sum(), **details}
        assert known[row["quantity"]] == pytest.approx(float(row["value"]), abs=1e-12), row["case"]
        tried += 1
    assert tried >= 20


def test_standard_errors_of_resamples(oracle: Path, shared: Path) -> None:
    """Our bootstrap of a difference of BLEU within the errors of both simulations, each of 10,000 resamples."""
    scores = read(shared / "wmt17_ende_bleu_stats.csv.gz", metric="bleu")
    rows = rows_of(oracle / "mt_resampling.csv")
    tried = [
        row
        for row in rows
        if row["quantity"] == "se_bootstrap_10000" and row["case"].startswith("bleu|") and "->" in row["case"]
    ][:3]
    assert len(tried) == 3
    for row in tried:
        a, b = row["case"].removeprefix("bleu|").split(" -> ")
        sample = Parts.of(scores.pair(a, b), METRICS.parse("bleu"))
        (found,) = map_replicates(sample, 9_999, stream(5), lambda drawn: (drawn.effects.std(axis=-1, ddof=1),))
        assert float(found) == pytest.approx(float(row["value"]), abs=2**0.5 * float(row["tolerance"]))


def test_ter_of_a_pair(oracle: Path, counted: Callable[[str, str], FloatArray]) -> None:
    """Scores, effect, standard errors of items and of clusters of ten, p by t and by swaps, and what single swaps change."""
    rows = rows_of(oracle / "mt_resampling.csv")
    case = {row["quantity"]: row for row in rows if row["case"] == f"ter|{' -> '.join(PAIR)}"}
    known = {name: float(row["value"]) for name, row in case.items()}
    counts = [counted("ter", name) for name in PAIR]
    (score,) = (float(row["value"]) for row in rows if (row["case"], row["quantity"]) == (f"ter|{PAIR[0]}", "score"))
    plain, grouped = (_scores(counts, clusters) for clusters in (None, TENS))
    by_t = compare(plain, *PAIR, metric="ter", test="paired_t")
    assert by_t.a.mean == pytest.approx(score, abs=1e-9)
    assert by_t.effect == pytest.approx(known["effect"], abs=1e-9)
    assert by_t.pvalue == pytest.approx(known["pvalue_paired_t_on_influence"], abs=1e-6)
    a, b = (contributions(one[:, np.newaxis], METRICS.parse("ter")) for one in counts)
    error = float((b - a).std(ddof=1) / len(a) ** 0.5)
    assert error == pytest.approx(known["se_influence"], abs=1e-6)
    for other in ("se_jackknife", "se_bootstrap_10000"):
        assert error == pytest.approx(known[other], rel=0.03, abs=0.0)
    clustered = compare(grouped, *PAIR, metric="ter", test="cluster_t(variance=cr1)")
    tens = known["se_cluster_cr1_influence (clusters seg//10)"]
    assert clustered.standard_error == pytest.approx(tens, abs=1e-6)
    for scores, quantity in (
        (plain, "pvalue_randomisation"),
        (grouped, "pvalue_randomisation_of_clusters (seg//10)"),
    ):
        swapped = compare(scores, *PAIR, metric="ter", test="permutation")
        allowed = float(case[quantity]["tolerance"]) + 4 * (swapped.pvalue_error or 0.0)
        assert swapped.pvalue == pytest.approx(known[quantity], abs=allowed)


def _scores(counts: list[FloatArray], clusters: Any) -> Scores:
    given = {name: one[:, np.newaxis] for name, one in zip(PAIR, counts, strict=True)}
    return Scores.from_arrays(given, parts=METRICS.parse("ter").parts(), clusters=clusters)


def test_single_swaps_of_ter(oracle: Path, counted: Callable[[str, str], FloatArray]) -> None:
    """Share of zeros, Card's scale and additivity, as `evidence fit` has them."""
    rows = rows_of(oracle / "mt_resampling.csv")
    known = {row["quantity"]: float(row["value"]) for row in rows if row["case"] == f"ter|{' -> '.join(PAIR)}"}
    scores = _scores([counted("ter", name) for name in PAIR], None)
    (pair,) = fit_scores(replace(scores, counted=Counted("ter", here=False)), "ter").swaps
    assert pair.zero_share == pytest.approx(known["zero_share"], abs=1e-12)
    assert pair.likelihood_scale == pytest.approx(known["laplace_scale_times_n"], abs=1e-6)
    assert pair.additivity == pytest.approx(known["additivity_correlation (4000 joint swaps)"], abs=5e-4)
    assert abs(pair.effect) == pytest.approx(abs(known["effect"]), abs=1e-9)
