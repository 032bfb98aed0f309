"""What an answer that holds at any moment says: its reach in headline and sentence, and how much a look costs."""

from pathlib import Path

import numpy as np
import pytest

from tellapart import Scores, compare, gate, plan
from tellapart.answers.comparison import Comparison
from tellapart.answers.parts import texts
from tellapart.answers.texts import add_text

RNG = np.random.default_rng(7)
OLD = (RNG.random(300) < 0.6).astype(float)
NEW = np.where(RNG.random(300) < 0.25, 1.0, OLD)


def told(old: np.ndarray, new: np.ndarray, of: int | None = None) -> Comparison:
    return add_text(compare(Scores.from_arrays({"old": old, "new": new}), anytime=True, of=of))


@pytest.mark.parametrize(
    ("items", "of", "headline", "about"),
    [
        (300, None, "new is better than old, whenever you stop looking", "for items like these."),
        (
            10,
            None,
            "undetermined so far (10 items): going on is allowed, and stopping too",
            "for items like these.",
        ),
        (
            300,
            300,
            "new is ahead on the 300 items of this benchmark",
            "for the 300 items of this benchmark alone.",
        ),
        (
            300,
            1000,
            "new is ahead on this benchmark (300 of 1,000 items were run)",
            "for the 1,000 items of this benchmark alone, of which 300 were run.",
        ),
    ],
)
def test_reach(items: int, of: int | None, headline: str, about: str) -> None:
    answer = told(OLD[:items], NEW[:items], of)
    assert answer.headline == headline
    assert answer.sentence.endswith(f"Valid at whatever moment one stops, {about}")


def test_what_no_item_can_turn() -> None:
    expected = "new is ahead on this benchmark, whatever the 40 items left show (60 of 100 items were run)"
    assert told(np.zeros(60), np.ones(60), of=100).headline == expected


def test_equal_on_the_whole_benchmark() -> None:
    assert "300 of 300 items of the benchmark were run" in told(OLD, OLD, of=300).headline


def test_a_gate_says_how_far_it_reaches(tmp_path: Path) -> None:
    files = [tmp_path / "old.csv", tmp_path / "new.csv"]
    for file, system in zip(files, (OLD, NEW), strict=True):
        file.write_text("\n".join(["item,score", *(f"q{i},{x:g}" for i, x in enumerate(system))]))
    assert "Valid at whatever moment one stops" in add_text(gate(*files, margin=0.05, anytime=True)).sentence


def test_a_look_before_the_plan_is_done(tmp_path: Path) -> None:
    """Fewer items than planned may be one of several looks, and what these cost is said."""
    file = tmp_path / "plan.json"
    plan("paired_binary(accuracy=0.6, discordance=0.25, effect=0.1)", items=400, save=str(file))
    early = add_text(compare(Scores.from_arrays({"old": OLD, "new": NEW}), plan=str(file)))
    assert any(text.startswith("300 of 400 planned items: looked at five times") for text in texts(early.notes))
