"""Metrics of texts against sacrebleu's scores of WMT17 and of edge corpora, and against an independent program's standard errors."""

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.metrics.conftest import Row, rows_of

from tellapart import Scores, compare, read
from tellapart.data.summaries import Parts, contributions
from tellapart.foundation.arrays import FloatArray
from tellapart.metrics import METRICS
from tellapart.metrics.from_texts import TextMetric
from tellapart.numerics.linearity import joint_swap_correlation

pytestmark = pytest.mark.shared
pytest.importorskip("sacrebleu")

SLOW = "ter"
"""Edits with shifts take seconds per system; edge corpora try them."""


def cases(rows: list[Row], quantity: str, systems: int) -> Iterator[tuple[str, list[str], float, float]]:
    """Metric, systems, value and tolerance of the rows of one quantity that are of so many systems, all of them tried."""
    for row in rows:
        metric, _, who = row["case"].partition("|")
        names = who.split(" -> ")
        if row["quantity"] == quantity and len(names) == systems and not metric.startswith(SLOW) and ":" not in who:
            yield metric, names, float(row["value"]), float(row["tolerance"].partition(" ")[0])


def test_scores_of_wmt17(oracle: Path, outputs: dict[str, list[str]], counted: Callable[..., FloatArray]) -> None:
    """BLEU with each smoothing and tokenizer, chrF and chrF++, to 1e-9."""
    tried = [case for case in cases(rows_of(oracle / "mt_scores.csv"), "score", 1) if case[1][0] in outputs]
    assert len(tried) > 8
    for metric, (system,), value, tolerance in tried:
        parts = counted(metric, system)
        found = METRICS.parse(metric).value(parts.mean(axis=0), len(parts))
        assert float(found) == pytest.approx(value, abs=tolerance), (metric, system)


def test_scores_of_edge_corpora(oracle: Path, shared: Path) -> None:
    """No match of an order, none at all, empty hypotheses and references, single segments: as sacrebleu has it, TER too."""
    corpora = json.loads((shared / "corpus" / "edge_corpora.json").read_text(encoding="utf-8"))
    tried = 0
    for row in rows_of(oracle / "mt_scores.csv"):
        metric, _, name = row["case"].partition("|edge: ")
        if row["quantity"] == "score" and name in corpora:
            made = METRICS.parse(metric)
            assert isinstance(made, TextMetric)
            hypotheses, references = corpora[name]
            parts = made.count(list(zip(hypotheses, zip(references), strict=True)))
            found = made.value(parts.mean(axis=0), len(parts))
            assert float(found) == pytest.approx(float(row["value"]), abs=1e-9), row["case"]
            tried += 1
    assert tried > 15


def test_standard_errors(oracle: Path, counted: Callable[..., FloatArray]) -> None:
    """By influence as by a numeric gradient, of systems and of differences; another program's jackknife and bootstrap agree within 3 %."""
    rows = rows_of(oracle / "mt_resampling.csv")
    tried = [*cases(rows, "se_influence", 1), *cases(rows, "se_influence", 2)]
    assert len(tried) > 8
    others = [
        {row["case"]: float(row["value"]) for row in rows if row["quantity"] == quantity}
        for quantity in ("se_jackknife", "se_bootstrap_10000")
    ]
    for metric, names, value, tolerance in tried:
        aggregation = METRICS.parse(metric)
        each = [contributions(counted(metric, name)[:, np.newaxis], aggregation) for name in names]
        spread = each[0] if len(each) == 1 else each[1] - each[0]
        found = float(spread.std(ddof=1) / np.sqrt(len(spread)))
        assert found == pytest.approx(value, abs=tolerance), (metric, names)
        for other in others:
            assert found == pytest.approx(other[f"{metric}|{' -> '.join(names)}"], rel=0.03, abs=0.0), (
                metric,
                names,
            )


def scores_of(metric: str, names: list[str], counted: Callable[..., FloatArray], clusters: Any = None) -> Scores:
    parts = METRICS.parse(metric).parts()
    return Scores.from_arrays(
        {name: counted(metric, name)[:, np.newaxis] for name in names}, parts=parts, clusters=clusters
    )


def test_comparisons(oracle: Path, counted: Callable[..., FloatArray]) -> None:
    """Effects to 1e-9, p-values by t on influence, standard errors of clusters of ten."""
    rows = rows_of(oracle / "mt_resampling.csv")
    for quantity, field in (("effect", "effect"), ("pvalue_paired_t_on_influence", "pvalue")):
        for metric, names, value, tolerance in cases(rows, quantity, 2):
            answer = compare(scores_of(metric, names, counted), names[0], names[1], metric=metric, test="paired_t")
            assert getattr(answer, field) == pytest.approx(value, abs=tolerance), (metric, names)
    clusters = [place // 10 for place in range(3004)]
    quantity = "se_cluster_cr1_influence (clusters seg//10)"
    for metric, names, value, tolerance in list(cases(rows, quantity, 2))[::2]:
        scores = scores_of(metric, names, counted, clusters)
        answer = compare(scores, names[0], names[1], metric=metric, test="cluster_t(variance=cr1)")
        assert answer.standard_error == pytest.approx(value, abs=tolerance), (metric, names)


def test_swaps(oracle: Path, counted: Callable[..., FloatArray]) -> None:
    """Permutation within four of its standard errors of a million swaps, of items and of clusters of ten."""
    rows = rows_of(oracle / "mt_resampling.csv")
    clusters = [place // 10 for place in range(3004)]
    for quantity, grouped in (
        ("pvalue_randomisation", None),
        ("pvalue_randomisation_of_clusters (seg//10)", clusters),
    ):
        tried = list(cases(rows, quantity, 2))
        assert len(tried) > 1
        for metric, names, value, tolerance in tried:
            scores = scores_of(metric, names, counted, grouped)
            answer = compare(scores, names[0], names[1], metric=metric, test="permutation")
            assert answer.pvalue == pytest.approx(value, abs=tolerance + 4 * answer.pvalue_error), (
                metric,
                names,
            )


def test_straightness(oracle: Path, counted: Callable[..., FloatArray]) -> None:
    """256 joint swaps tell what 4,000 of an independent program do, and which side of .999 a pair is on where that is clear."""
    tried = list(cases(rows_of(oracle / "mt_resampling.csv"), "additivity_correlation (4000 joint swaps)", 2))
    assert len(tried) > 4
    for metric, names, value, tolerance in tried:
        a, b = (counted(metric, name) for name in names)
        found = float(joint_swap_correlation(Parts(a, b, METRICS.parse(metric))))
        assert found == pytest.approx(value, abs=tolerance + 0.2 * (1.0 - value)), (metric, names)
        if abs(value - 0.999) > 0.0005:
            assert (found < 0.999) == (value < 0.999), (metric, names)


def test_at_the_kink_t_is_the_larger(shared: Path) -> None:
    """TALP-UPC and online-A, whose brevity penalty bends BLEU: t on influence is chosen and says .057, where swaps and resamples say .047."""
    scores = read(shared / "wmt17_ende_bleu_stats.csv.gz", metric="bleu")
    pair = "TALP-UPC.4834", "online-A.0"
    answer = compare(scores, *pair)
    assert answer.test == "paired_t"
    assert answer.pvalue == pytest.approx(0.057, abs=5e-4)
    assert pair_straightness(scores, *pair) < 0.999
    for recomputed in ("permutation", "bootstrap(kind=studentised)"):
        assert compare(scores, *pair, test=recomputed).pvalue == pytest.approx(0.047, abs=0.002), recomputed


def test_counts_in_a_table_answer_as_texts_do(shared: Path, outputs: dict[str, list[str]], tmp_path: Path) -> None:
    """The same numbers from the columns of a table, from text files, and from a table of texts."""
    names = ["KIT.4950", "xmu.4910"]
    for name in (*names, "reference"):
        (tmp_path / f"{name}.txt").write_text("\n".join(outputs[name]) + "\n", encoding="utf-8")
    texts = read([tmp_path / f"{name}.txt" for name in names], metric="bleu", references=tmp_path / "reference.txt")
    columns = read(shared / "wmt17_ende_bleu_stats.csv.gz", metric="bleu", systems=names)
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["system", "item", "hypothesis", "reference"])
        for name in names:
            writer.writerows(
                [name, place, wrote, wanted]
                for place, (wrote, wanted) in enumerate(zip(outputs[name], outputs["reference"], strict=True))
            )
    table = read(tmp_path / "table.csv", metric="bleu")
    first, *others = (compare(scores, names[0], names[1]) for scores in (texts, columns, table))
    for other in others:
        assert (other.effect, other.standard_error) == pytest.approx(
            (first.effect, first.standard_error), rel=1e-12, abs=0.0
        )
        assert other.a.details == first.a.details
    assert (first.metric_signature, others[0].metric_signature) == (others[1].metric_signature, None)
    assert first.metric_signature is not None
    assert first.metric_signature.startswith("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:")


def pair_straightness(scores: Scores, a: str, b: str) -> float:
    return float(joint_swap_correlation(Parts.of(scores.pair(a, b), METRICS.parse("bleu"))))
