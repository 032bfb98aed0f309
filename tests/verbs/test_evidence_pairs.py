"""`evidence fit` on scores: every pair of systems, against numpy, and back into plan and audit."""

import json
from pathlib import Path

import numpy as np
import pytest

from tellapart import Claim, Scores, audit, plan
from tellapart.answers.parts import codes
from tellapart.answers.texts import add_text
from tellapart.foundation.errors import ReadError, TellapartError
from tellapart.verbs.evidence.fit import Pairs, fit_evidence


def wide(path: Path, scores: np.ndarray, blank: tuple[int, int] | None = None) -> Path:
    """A table of items × systems, one cell of it blank if asked for."""
    lines = [",".join(["item", *(f"s{k}" for k in range(scores.shape[1]))])]
    for i, row in enumerate(scores):
        cells = ["" if blank == (i, k) else f"{x:g}" for k, x in enumerate(row)]
        lines.append(",".join([f"q{i}", *cells]))
    path.write_text("\n".join(lines) + "\n")
    return path


def right_or_wrong(systems: int = 8, items: int = 200) -> np.ndarray:
    rng = np.random.default_rng(11)
    hard = rng.normal(size=(items, 1))
    skill = np.linspace(-0.6, 1.2, systems)
    return (hard + rng.normal(size=(items, systems)) < skill).astype(float)


def test_every_pair_of_right_or_wrong_scores(tmp_path: Path) -> None:
    """Means, gain, correlation and discordance as numpy has them, also where an item is missing."""
    scores = right_or_wrong()
    answer = fit_evidence(wide(tmp_path / "s.csv", scores, blank=(3, 1)))
    assert len(answer.pairs) == 28
    for pair in answer.pairs:
        a, b = (int(name[1:]) for name in (pair.a, pair.b))
        kept = np.arange(200) != 3 if 1 in {a, b} else np.ones(200, dtype=bool)
        x, y = scores[kept, a], scores[kept, b]
        assert pair.items == kept.sum()
        assert (pair.mean_a, pair.mean_b, pair.gain) == pytest.approx((x.mean(), y.mean(), y.mean() - x.mean()))
        assert pair.correlation == pytest.approx(np.corrcoef(x, y)[0, 1])
        assert pair.discordance == pytest.approx((x != y).mean())


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_correlations_do_not_hang_on_the_unit(unit: float) -> None:
    """Scores of any size have their correlation; one score on every item has none, however far from 0 it is."""
    rng = np.random.default_rng(4)
    easy = rng.normal(size=100)
    a, b = (unit * (easy + rng.normal(size=100)) for _ in "ab")
    found = Pairs.of(Scores.from_arrays({"a": a, "b": b, "flat": np.full(100, 71.3 * unit)})).correlation
    assert found[0] == pytest.approx(np.corrcoef(a, b)[0, 1])
    assert np.isnan(found[1:]).all()


def test_the_line_and_its_error(tmp_path: Path) -> None:
    """Least squares over the pairs; the error is that of the pairs of a system that no other pair tells of."""
    answer = fit_evidence(wide(tmp_path / "s.csv", right_or_wrong()))
    assert answer.overlap is not None
    assert answer.gain is not None
    assert answer.spread is None
    names = [(p.a, p.b) for p in answer.pairs]
    worse = np.array([min(p.mean_a, p.mean_b) for p in answer.pairs])
    design = np.column_stack([np.ones(28), worse, [abs(p.gain) for p in answer.pairs]])
    agreement = 1.0 - np.array([p.discordance or 0.0 for p in answer.pairs])
    line = np.linalg.lstsq(design, agreement, rcond=None)[0]
    assert list(answer.overlap.coefficients.values()) == pytest.approx(line, rel=1e-4, abs=0.0)
    errors = []
    for system in {name for pair in names for name in pair}:
        own = np.array([system in pair for pair in names])
        others = np.linalg.lstsq(design[~own], agreement[~own], rcond=None)[0]
        errors.append(agreement[own] - design[own] @ others)
    assert answer.overlap.prediction_error == pytest.approx(
        np.sqrt((np.concatenate(errors) ** 2).mean()), rel=1e-4, abs=0.0
    )


def test_scores_that_are_numbers_go_back_into_a_plan(tmp_path: Path) -> None:
    """Medians and outer tenths of sds and correlations; plan and audit take the file."""
    rng = np.random.default_rng(2)
    scores = 50.0 + 10.0 * (rng.normal(size=(80, 1)) + rng.normal(size=(80, 6)))
    answer = fit_evidence(wide(tmp_path / "s.csv", np.round(scores, 3)))
    assert (answer.overlap, answer.gain) == (None, None)
    assert answer.spread is not None
    pairs = np.asarray(np.corrcoef(np.round(scores, 3).T))[np.triu_indices(6, 1)]
    assert answer.spread.coefficients == {
        "sd": pytest.approx(np.median(np.round(scores, 3).std(axis=0, ddof=1)), rel=1e-4, abs=0.0),
        "correlation": pytest.approx(np.median(pairs), rel=1e-4, abs=0.0),
    }
    kept = tmp_path / "own.json"
    kept.write_text(answer.to_json())
    row = plan("gaussian(effect=2)", power=0.8, evidence=str(kept)).rows[0]
    assert row.options["sd"] == answer.spread.coefficients["sd"]
    claim = audit(Claim(a="50.0", b="52.0", sd="14.0", items=80), evidence=str(kept)).claims[0]
    assert claim.supposed.expected == answer.spread.coefficients["correlation"]
    assert json.loads(answer.to_json())["pairs"][0]["discordance"] is None


def test_few_systems(tmp_path: Path) -> None:
    """Two systems make a pair and no line; one makes nothing."""
    answer = fit_evidence(wide(tmp_path / "s.csv", right_or_wrong(systems=2)))
    assert len(answer.pairs) == 1
    assert codes(answer.notes) == ("pairs_of_systems", "overlap_not_fitted", "gains_not_fitted")
    assert add_text(answer, "command line").sentence
    with pytest.raises(TellapartError, match="only one system"):
        fit_evidence(wide(tmp_path / "s.csv", right_or_wrong(systems=1)))


@pytest.mark.parametrize(("systems", "pairs", "fitted"), [(2, 1, False), (3, 3, False), (4, 6, True)])
def test_few_pairs_have_no_range_of_80_percent(tmp_path: Path, systems: int, pairs: int, fitted: bool) -> None:
    """One pair made a band without width, of "80 % of systems and pairs"; a file without a fit is no evidence."""
    scores = np.random.default_rng(5).normal(size=(60, 1)) + np.random.default_rng(6).normal(size=(60, systems))
    answer = fit_evidence(wide(tmp_path / "s.csv", scores))
    assert len(answer.pairs) == pairs
    assert (answer.spread is not None) == fitted
    assert codes(answer.notes) == ("pairs_of_systems", *(() if fitted else ("spread_not_fitted",)))
    kept = tmp_path / "own.json"
    kept.write_text(answer.to_json())
    if fitted:
        return
    assert answer.notes[1].values["problem"].startswith(f"found {pairs} pair")
    with pytest.raises(ReadError, match="nothing was fitted there"):
        plan("gaussian(effect=2)", power=0.8, evidence=str(kept))


@pytest.mark.parametrize(("wrong", "right"), [(0.0, 100.0), (-1.0, 1.0)])
def test_other_codings_of_right_and_wrong(wrong: float, right: float, tmp_path: Path) -> None:
    """Percent and signs say what 0 and 1 say: the same pairs, the same lines."""
    scores = right_or_wrong()
    plain = fit_evidence(wide(tmp_path / "s.csv", scores))
    coded = fit_evidence(wide(tmp_path / "s.csv", np.where(scores > 0, right, wrong)))
    assert coded == plain
    assert coded.overlap is not None
