"""`evidence fit` on outputs and runs: what swaps of single items change, by hand and by another program, and back into a plan."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tellapart import plan, read
from tellapart.answers.evidence_fit import EvidenceFit
from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.data.provenance import Counted
from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError
from tellapart.metrics import Metric
from tellapart.verbs.evidence.fit import fit_scores


def f1_counts(items: int = 60, systems: int = 2, seed: int = 3) -> dict[str, np.ndarray]:
    """Hits, false alarms and misses of every item; systems are often alike."""
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 5, size=(items, 3)).astype(float)
    changed = [first + (rng.random((items, 1)) < 0.6) * rng.integers(0, 3, size=(items, 3)) for _ in range(systems - 1)]
    return {f"s{k}": one for k, one in enumerate([first, *changed])}


def fitted(counts: dict[str, np.ndarray], metric: str = "f1") -> EvidenceFit:
    scores = Scores.from_arrays(
        {name: one[:, np.newaxis] for name, one in counts.items()}, parts=Metric.parse(metric).parts()
    )
    return fit_scores(replace(scores, counted=Counted(metric, here=False)), "made")


def f1(parts: np.ndarray) -> float:
    tp, fp, fn = parts.sum(axis=0)
    return float(2.0 * tp / (2.0 * tp + fp + fn))


def test_swaps_by_hand() -> None:
    """Every item swapped alone and the metric computed anew: zeros, second moment, likelihood, and the real effect."""
    counts = f1_counts()
    (pair,) = fitted(counts).swaps
    a, b = counts["s0"], counts["s1"]
    effect = f1(b) - f1(a)
    given = []
    for item in range(len(a)):
        x, y = a.copy(), b.copy()
        x[item], y[item] = b[item], a[item]
        given.append(-0.5 * len(a) * (f1(y) - f1(x) - effect))
    values = np.where(np.abs(given) < 1e-9, 0.0, given)
    differing = values[values != 0.0]
    share = 1.0 - len(differing) / len(values)
    assert 0.2 < share < 0.7
    assert pair.items == 60
    assert (pair.effect, pair.zero_share) == pytest.approx((effect, share))
    assert pair.scale is not None
    spread = (1.0 - share) * pair.scale**2 / 2.0 + values.mean() ** 2 * share / (1.0 - share)
    assert spread == pytest.approx(values.var(ddof=1), rel=1e-9, abs=0.0)
    assert pair.likelihood_scale == pytest.approx(2.0 * np.abs(differing - np.median(differing)).mean())


def test_pairs_of_wmt17(oracle: Path, shared: Path) -> None:
    """Effect, share of zeros, Card's scale and additivity of every pair that another program did; never the Laplace location."""
    with (oracle / "mt_resampling.csv").open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["case"].startswith("bleu|") and "->" in row["case"]]
    found = fit_scores(read(shared / "wmt17_ende_bleu_stats.csv.gz", metric="bleu"), "wmt17")
    pairs = {frozenset((pair.a, pair.b)): pair for pair in found.swaps}
    fields = {
        "effect": "effect",
        "zero_share": "zero_share",
        "laplace_scale_times_n": "likelihood_scale",
        "additivity_correlation (4000 joint swaps)": "additivity",
    }
    checked = 0
    for row in rows:
        names = row["case"].partition("|")[2].split(" -> ")
        pair, field = pairs.get(frozenset(names)), fields.get(row["quantity"])
        if pair is None or field is None:
            continue
        turned = -1.0 if field == "effect" and pair.a != names[0] else 1.0
        tolerance = float(row["tolerance"])
        assert turned * getattr(pair, field) == pytest.approx(float(row["value"]), abs=tolerance), row
        checked += 1
    assert checked >= 40
    worse = pairs[frozenset(("LIUM-NMT.4900", "C-3MA.4959"))]
    assert worse.effect == pytest.approx(-3.9, abs=0.05)


def test_a_fit_goes_back_into_a_plan(tmp_path: Path) -> None:
    """The file of a fit is evidence: medians are planned with, and outer tenths bound the answer."""
    answer = fitted(f1_counts(items=400, systems=4))
    assert answer.contributions is not None
    kept = tmp_path / "own.json"
    kept.write_text(answer.to_json())
    row = plan("delta_laplace(effect=0.02)", power=0.8, evidence=str(kept)).rows[0]
    shares, scales = ([getattr(pair, name) for pair in answer.swaps] for name in ("zero_share", "scale"))
    assert row.options["zero_share"] == pytest.approx(np.median(shares), rel=1e-5, abs=0.0)
    assert row.options["scale"] == pytest.approx(np.median(scales), rel=1e-5, abs=0.0)
    least, most = (
        plan(f"delta_laplace(effect=0.02, zero_share={share}, scale={scale})", power=0.8).rows[0].items
        for share, scale in (
            (np.quantile(shares, 0.9), np.quantile(scales, 0.1)),
            (np.quantile(shares, 0.1), np.quantile(scales, 0.9)),
        )
    )
    # The ends of what evidence leaves open are simulated with fewer replicates.
    assert row.solved_low == pytest.approx(least, rel=0.05, abs=0.0)
    assert row.solved_high == pytest.approx(most, rel=0.05, abs=0.0)


def test_notes() -> None:
    """A single pair has no band, systems that are alike tell nothing, and a pilot knows more."""
    assert codes(fitted(f1_counts()).notes) == ("pairs_of_systems", "one_pair", "pilot_knows_more")
    counts = f1_counts(systems=3)
    alike = fitted({**counts, "again": counts["s0"]})
    assert "pairs_alike" in codes(alike.notes)
    assert [pair.scale for pair in alike.swaps if {pair.a, pair.b} == {"s0", "again"}] == [None]
    with pytest.raises(DataError, match="nothing to learn from"):
        fitted({"s0": counts["s0"], "again": counts["s0"]})


def test_a_bent_pair_is_told() -> None:
    """Where lengths are about equal BLEU has a kink: joint swaps are no sums of single ones."""
    rng = np.random.default_rng(5)
    lengths = rng.integers(8, 30, size=(300, 2)).astype(float)
    lengths[:, 1] = rng.permutation(lengths[:, 0])

    def system(longer: np.ndarray) -> np.ndarray:
        length = np.maximum(lengths[:, 0] + longer, 5.0)
        totals = [length - k for k in range(4)]
        matches = [np.floor(t * share) for t, share in zip(totals, (0.6, 0.4, 0.3, 0.2), strict=True)]
        return np.stack([length, lengths[:, 1], *matches, *totals], axis=-1)

    answer = fitted({"a": system(np.zeros(300)), "b": system(rng.integers(-5, 6, size=300))}, "bleu")
    assert answer.swaps[0].additivity < 0.999
    assert "pairs_not_additive" in codes(answer.notes)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["evidence", "fit", *arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_texts_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Files of texts beside a reference; without one it is asked for."""
    pytest.importorskip("sacrebleu")
    rng = np.random.default_rng(1)
    words = np.array(["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "tree", "and", "slept"])
    lines = [rng.choice(words, size=12) for _ in range(80)]
    for name, share in (("ref", 0.0), ("a", 0.3), ("b", 0.4)):
        texts = [" ".join(np.where(rng.random(12) < share, rng.choice(words, size=12), line)) for line in lines]
        (tmp_path / f"{name}.txt").write_text("\n".join(texts) + "\n")
    files = [str(tmp_path / name) for name in ("a.txt", "b.txt")]
    code, out, err = run(
        capsys, *files, "--reference", str(tmp_path / "ref.txt"), "--metric", "bleu", "--format", "json"
    )
    assert (code, err) == (0, "")
    said = json.loads(out)
    (pair,) = said["swaps"]
    compared = plan("delta_laplace(effect=5)", items=500, evidence=said["contributions"]["evidence"])
    assert compared.rows[0].options["scale"] == pytest.approx(pair["scale"], rel=1e-5, abs=0.0)
    code, _, err = run(capsys, *files, "--metric", "bleu")
    assert code == 3
    assert "--reference" in err


def test_runs_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Runs with judgements: means, sds, zeros and the correlation of scores of queries."""
    pytest.importorskip("ir_measures")
    rng = np.random.default_rng(7)
    qrels: list[str] = []
    skills = {"one": 1.0, "two": 0.4, "three": 0.7, "four": 0.1}
    runs: dict[str, list[str]] = {name: [] for name in skills}
    for query in range(30):
        relevant = set(rng.choice(20, size=3, replace=False).tolist())
        qrels += [f"q{query} 0 d{doc} {int(doc in relevant)}" for doc in range(20)]
        for name, skill in skills.items():
            scores = rng.normal(size=20) + skill * np.array([doc in relevant for doc in range(20)])
            runs[name] += [f"q{query} Q0 d{doc} 1 {scores[doc]:.6f} x" for doc in range(20)]
    (tmp_path / "qrels").write_text("\n".join(qrels) + "\n")
    for name, lines in runs.items():
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / name) for name in runs]
    asked = ("--qrels", str(tmp_path / "qrels"), "--measure", "nDCG@3", "--format", "json")
    code, out, err = run(capsys, *files, *asked)
    assert (code, err) == (0, "")
    said = json.loads(out)["spread"]["coefficients"]
    values = read(files, qrels=tmp_path / "qrels", measure="nDCG@3").values[:, :, 0, 0]
    assert said == {
        "sd": pytest.approx(np.median(values.std(axis=1, ddof=1)), rel=1e-5, abs=0.0),
        "correlation": pytest.approx(np.median(np.corrcoef(values)[np.triu_indices(4, 1)]), rel=1e-5, abs=0.0),
        "mean": pytest.approx(np.median(values.mean(axis=1)), rel=1e-5, abs=0.0),
        "zero_share": pytest.approx(np.median((values == 0.0).mean(axis=1)), rel=1e-5, abs=0.0),
    }
    assert said["zero_share"] > 0.0
