"""Sentences of plans with looks, and of comparisons and gates at them."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, plan
from tellapart.answers.texts import add_text
from tellapart.verbs.gate import GateQuestion, gated

BINARY = "paired_binary(accuracy=0.7, discordance=0.1, effect=0.02)"


@pytest.fixture
def design(tmp_path: Path) -> str:
    file = tmp_path / "plan.json"
    plan(BINARY, looks=3, save=str(file))
    return str(file)


def scores(items: int, share: float) -> Scores:
    rng = np.random.default_rng(1)
    old = rng.random(1974) < 0.5
    new = np.where(rng.random(1974) < share, True, old)
    return Scores.from_arrays({"old": old[:items] * 1.0, "new": new[:items] * 1.0})


def test_a_plan() -> None:
    answer = plan(BINARY, looks=3)
    assert answer.headline == (
        "at most 1,974 items in 3 looks; 1,689 on average if the effect is 0.02, 1,966 if there is none"
    )
    assert "a design without looks takes 1,949. Expected: 1,689 items (13 % fewer) at this effect." in answer.sentence
    assert plan(BINARY, items=1974, looks=3).headline.startswith("power: 80.07 % with at most 1,974 items in 3 looks")


def test_a_grid_of_looks() -> None:
    answer = plan(BINARY, looks=[2, 5])
    assert answer.sentence.startswith("It takes 1,959 items (2 looks) to 1,999 items (5 looks) to detect 0.02")


@pytest.mark.parametrize(
    ("items", "share", "headline"),
    [
        (658, 0.0, "undetermined at look 1 of 3: go on to 1,316 items"),
        (658, 0.2, "new is better than old: stop here (look 1 of 3)"),
        (1974, 0.0, "undetermined: all looks are used"),
        (1974, 0.1, "new is better than old (look 3 of 3, the last)"),
    ],
)
def test_a_comparison(design: str, items: int, share: float, headline: str) -> None:
    answer = compare(scores(items, share), plan=design)
    assert answer.headline == headline
    assert f"after {items:,} of 1,974 planned items (O'Brien–Fleming-type spending)" in answer.sentence
    assert ("Estimates after an early stop" in answer.sentence) == (items == 658 and share > 0.0)


@pytest.mark.parametrize(
    ("share", "end"),
    [(0.2, "by more than 5 points: stop here (look 1 of 3)"), (0.0, "stop here (look 1 of 3)")],
)
def test_a_gate(design: str, share: float, end: str) -> None:
    asked: Any = GateQuestion(margin=0.05, plan=design).as_planned(["margin"])
    assert add_text(gated(scores(658, share), asked)).headline.endswith(end)
