"""Answers that have charts of their own and are not kept to the letter."""

import contextlib
import json
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tellapart import compare, plan
from tellapart.answers.answer import Answer
from tellapart.answers.calibration import Calibrated, CalibratedBoard, CalibratedCorrection, Calibration, Rate
from tellapart.answers.comparison import Comparison
from tellapart.data.provenance import Counted
from tellapart.data.scores import Scores
from tellapart.foundation.seeds import stream
from tellapart.verbs.describe import describe
from tellapart.verbs.evidence.fit import fit_evidence, fit_scores
from tellapart.verbs.gate import GateQuestion, gated

ROOT = Path(__file__).parents[2]


def _calibration() -> Answer:
    """The published one, as its file has it."""
    told = json.loads((ROOT / "docs" / "calibration.json").read_text(encoding="utf-8"))

    def rates(row: dict[str, Any]) -> dict[str, Any]:
        return {
            key: Rate(**value) if isinstance(value, dict) and key != "choices" else value for key, value in row.items()
        }

    del told["schema"]
    rows = tuple(Calibrated(**rates(row)) for row in told.pop("rows"))
    boards = tuple(CalibratedBoard(**rates(row)) for row in told.pop("leaderboards"))
    corrections = tuple(CalibratedCorrection(**rates(row)) for row in told.pop("corrections"))
    return Calibration(**told, rows=rows, leaderboards=boards, corrections=corrections)


def _described(file: str) -> Answer:
    """By the path from the repository: a gallery shows no folder of the machine that made it."""
    with contextlib.chdir(ROOT):
        return describe(file)


def _counts() -> Scores:
    """Hits, false alarms and misses of sixty items by four systems that are often alike."""
    rng = stream(3)
    first = rng.integers(0, 5, size=(60, 1, 3)).astype(float)
    systems = [first + (rng.random((60, 1, 1)) < 0.6) * rng.integers(0, 3, size=(60, 1, 3)) for _ in range(4)]
    scores = Scores.from_arrays({f"s{k}": one for k, one in enumerate(systems)}, parts=("tp", "fp", "fn"))
    return replace(scores, counted=Counted("f1", here=False))


RATERS = "ratings(effect=0.2, rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26"
SPREADS = [f"gaussian(sd=0.12, correlation={r}, effect={e})" for r in (0.5, 0.8) for e in (0.01, 0.02)]


def _measures() -> dict[str, Scores]:
    """Two systems with an accuracy and a latency on eighty items."""
    rng = stream(5)
    right, slow = rng.random((2, 80)) < 0.7, rng.lognormal(5.0, 0.5, (2, 80))
    columns = {"accuracy": right.astype(float), "latency_ms": slow}
    return {
        name: Scores.from_arrays(dict(zip(("old", "new"), x, strict=True)), measure=name) for name, x in columns.items()
    }


FOR_LOOKS = "paired_binary(accuracy=0.7, discordance=0.1, effect=0.05)"


def _better() -> dict[str, Any]:
    b_right, a_right = stream(8).random((2, 400)) < np.array([[0.8], [0.7]])
    return {"old": a_right.astype(float), "new": b_right.astype(float)}


def _looks(judged: Callable[[Scores, str, str], Answer]) -> Answer:
    """The second of four planned looks, after its first."""
    values = _better()
    with tempfile.TemporaryDirectory() as folder:
        file, record = (str(Path(folder) / name) for name in ("plan.json", "looks.jsonl"))
        first, second = plan(FOR_LOOKS, looks=4, save=file).rows[0].items_at_looks[:2]  # type: ignore[index]
        for items in (first, second):
            answer = judged(Scores.from_arrays({name: x[:items] for name, x in values.items()}), file, record)
        return answer


def _unnamed(answer: Comparison) -> Comparison:
    """Without the folder that its plan and its record lay in."""
    assert answer.plan is not None
    assert answer.sequential is not None
    plan_check, looks = replace(answer.plan, file="plan.json"), replace(answer.sequential, record="looks.jsonl")
    return replace(answer, plan=plan_check, sequential=looks)


def _compared_at_looks(scores: Scores, file: str, record: str) -> Answer:
    return _unnamed(compare(scores, plan=file, record=record))


def _gated_at_looks(scores: Scores, file: str, record: str) -> Answer:
    asked = GateQuestion(a="old", b="new", margin=0.03, plan=file, record=record)
    answer = gated(scores, asked.as_planned(["a", "b", "margin", "plan", "record"]))
    compared = _unnamed(answer.comparison) if answer.comparison.plan is not None else answer.comparison
    return replace(answer, comparison=compared)


TOPICS = ROOT / "tests" / "reference" / "frontier" / "data" / "slices_topics.csv"
DRAWN: dict[str, Callable[[], Answer]] = {
    "compare_slices": lambda: compare(TOPICS, slices=("topic",)),
    "compare_measures": lambda: compare(_measures(), "old", "new", measures="accuracy,latency_ms"),
    "compare_looks": lambda: _looks(_compared_at_looks),
    "gate_looks": lambda: _looks(_gated_at_looks),
    "gate_anytime": lambda: gated(
        Scores.from_arrays(_better()), GateQuestion(a="old", b="new", margin=0.05, anytime=True)
    ),
    "calibration": _calibration,
    "describe_numbers": lambda: _described("examples/retrieval.csv"),
    "describe_answers": lambda: _described("examples/answers.csv"),
    "describe_gaps": lambda: _described("tests/charts/gaps.csv"),
    "plan_raters": lambda: plan(RATERS + ", raters=10)", items=60),
    "plan_raters_grid": lambda: plan([RATERS + f", raters={n})" for n in (4, 16, 32)], items=[30, 60, 120]),
    "plan_raters_simulated": lambda: plan(RATERS + ", raters=10, per_item=3)", power=0.6, replicates=400),
    "plan_budget": lambda: plan(RATERS + ")", budget=2000, cost_rating=0.5, cost_rater=20, cost_item=1),
    "plan_cheapest": lambda: plan(RATERS + ")", power=0.8, cost_rating=0.5, cost_item=1, most_raters=40),
    "evidence_of_swaps": lambda: fit_scores(_counts(), "made"),
    "evidence_of_scores": lambda: fit_evidence(str(ROOT / "examples" / "answers.csv")),
    "evidence_of_numbers": lambda: fit_evidence(str(ROOT / "examples" / "retrieval.csv")),
    "plan_panels": lambda: plan(SPREADS, items=[100, 200, 400, 800]),
    "plan_reach": lambda: plan(
        [f"gaussian(sd=0.12, correlation={r})" for r in (0.5, 0.8)], items=[100, 300, 1000], power=0.8
    ),
    "plan_needs": lambda: plan(
        [f"gaussian(sd=0.12, correlation=0.8, effect={e})" for e in (0.01, 0.02, 0.04)], power=0.8
    ),
    "plan_simulated": lambda: plan(
        "beta(mean=0.6, sd=0.25, correlation=0.8, effect=0.03)",
        power=0.8,
        test="permutation(resamples=99)",
        replicates=200,
    ),
}
