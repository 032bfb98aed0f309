"""Repeated runs in `compare`: what they have of the uncertainty, and what is noted about them."""

import shlex

import numpy as np
import pytest
from tests.numerics.frontier import FOLDER, runs

from tellapart import Scores, compare, read
from tellapart.answers.answer import Answer
from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.render import render


def printed(answer: Answer) -> str:
    return " ".join(render(answer, "text").split())


def test_the_share_of_runs_is_told() -> None:
    answer = compare(read(FOLDER / "data" / "even5.csv"))
    found = answer.repeats
    assert found is not None
    assert (found.fewest_a, found.runs_a, found.fewest_b, found.runs_b) == (5, 5, 5, 5)
    told = (found.runs_share, found.item_variance, found.se_endless_runs, found.se_one_run)
    wanted = (0.47983108198118984, 0.05886482412060303, 0.017155877144670137, 0.04064263919337689)
    assert told == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    rates = (found.disagreement_a, found.disagreement_b, found.discordance_one_run)
    assert rates == pytest.approx((0.279, 0.264, 0.3322), rel=1e-9, abs=1e-12)
    assert "48 % of the variance of B − A is runs (38 to 61 %); unlimited runs" in printed(answer)


def test_uneven_runs_are_counted_from_fewest_to_most() -> None:
    answer = compare(read(FOLDER / "data" / "gaps6.csv"))
    assert "3 to 6 runs of a and 3 to 6 runs of b were averaged" in printed(answer)


def test_runs_that_explain_all_there_is() -> None:
    answer = compare(read(FOLDER / "data" / "noisy3.csv"))
    assert answer.repeats is not None
    assert (answer.repeats.runs_share, answer.repeats.se_endless_runs) == (1.0, 0.0)
    assert "items differ by no more than runs explain" in printed(answer)


def test_one_system_without_repeats_leaves_the_share_open() -> None:
    scores = runs("even5")
    answer = compare(Scores.from_arrays({"a": scores["a"], "b": scores["b"][:, 0]}))
    found = answer.repeats
    assert found is not None
    assert found.within_item_variance_a == pytest.approx(0.1395, rel=1e-9, abs=1e-12)
    assert (found.within_item_variance_b, found.runs_share, found.disagreement_b) == (None, None, None)
    assert "cannot be told" in printed(answer)


def test_copied_runs_leave_the_answer_and_are_noticed() -> None:
    scores = runs("even5")
    plain = compare(Scores.from_arrays(scores))
    doubled = compare(Scores.from_arrays({name: np.repeat(runs, 2, axis=1) for name, runs in scores.items()}))
    assert (doubled.effect, doubled.standard_error) == pytest.approx(
        (plain.effect, plain.standard_error), rel=1e-12, abs=1e-15
    )
    assert "identical_runs" in codes(doubled.notes)
    assert "identical_runs" not in codes(plain.notes)
    note = next(note for note in doubled.notes if note.code == "identical_runs")
    assert note.values["systems"][0] == {"system": "a", "runs": 10, "different": 5}


def test_whole_runs_that_shift_lead_to_seeds() -> None:
    rng = np.random.default_rng(1)
    shifts = 0.1 * np.array([[-1.0, 0.0, 1.0]])
    scores = {name: rng.normal(size=(200, 3)) * 0.2 + shifts for name in "ab"}
    assert "runs_shift" in codes(compare(Scores.from_arrays(scores)).notes)
    flat = {name: rng.normal(size=(200, 3)) * 0.2 for name in "ab"}
    assert "runs_shift" not in codes(compare(Scores.from_arrays(flat)).notes)


def test_scores_that_are_not_right_or_wrong_have_no_disagreements() -> None:
    rng = np.random.default_rng(2)
    found = compare(Scores.from_arrays({name: rng.normal(size=(50, 3)) for name in "ab"})).repeats
    assert found is not None
    assert found.runs_share is not None
    assert (found.disagreement_a, found.disagreement_b, found.discordance_one_run) == (None, None, None)


def test_percent_disagree_as_often_as_shares() -> None:
    shares = {name: 100.0 * values for name, values in runs("even5").items()}
    found = compare(Scores.from_arrays(shares)).repeats
    assert found is not None
    assert found.disagreement_a == pytest.approx(0.279, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("case", ["even5", "gaps6", "noisy3", "steady10", "scores", "alike"])
def test_the_next_plan_is_typed(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With the numbers seen, of answers and of scores, also where items differ by no more than their runs."""
    rng = np.random.default_rng(5)
    drawn = {name: rng.normal(size=(60, 3)) for name in "ab"}
    if case == "scores":
        drawn["b"] += rng.normal(size=(60, 1))
    page = render(compare(Scores.from_arrays(drawn if case in {"scores", "alike"} else runs(case))), "text")
    (command,) = (line.strip() for line in page.splitlines() if "tellapart plan runs" in line)
    with pytest.raises(SystemExit) as left:
        main(shlex.split(command)[1:])
    assert left.value.code == 0
    assert "items" in capsys.readouterr().out


def test_the_headline_and_the_sentence_name_the_number_of_runs() -> None:
    answer = compare(read(FOLDER / "data" / "gaps6.csv"))
    assert ", over 3 to 6 runs each" in printed(answer)
    assert "120 items, 3 to 6 runs each" in printed(answer)
    uneven = compare(Scores.from_arrays({"a": runs("even5")["a"], "b": runs("even5")["b"][:, :3]}))
    assert ", over 5 runs of A and 3 runs of B" in printed(uneven)
