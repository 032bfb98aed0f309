"""Plans fixed in a file: what is saved, what is followed, and every difference by name."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import Scores, compare, plan, rank
from tellapart.answers.plan.file import PlanCheck, PlanFile
from tellapart.data.provenance import Reading
from tellapart.foundation.errors import GateFailed, ReadError, UsageError
from tellapart.render import render
from tellapart.verbs.gate import GateQuestion, gated


def saved(folder: Path, **options: Any) -> Path:
    file = folder / "plan.json"
    plan("gaussian(sd=0.2, correlation=0.5, effect=0.04)", **({"items": 200, "save": str(file)} | options))
    return file


def scores(items: int = 200, systems: int = 2, **options: Any) -> Scores:
    rng = np.random.default_rng(4)
    base = rng.normal(0.5, 0.2, items)
    made = {f"s{k}": base + rng.normal(0.02 * k, 0.1, items) for k in range(systems)}
    return Scores.from_arrays(made, **options)


def differences(check: PlanCheck | None) -> dict[str, tuple[Any, Any, bool]]:
    assert check is not None
    return {one.what: (one.planned, one.found, one.matters) for one in check.deviations}


def test_what_is_saved(tmp_path: Path) -> None:
    file = saved(tmp_path, margin=0.02, measure="nDCG@10", test="paired_t", alpha=0.01, comparisons=3)
    found = json.loads(file.read_text())
    assert found["schema"] == "tellapart/plan-file/1"
    answer = plan(
        "gaussian(sd=0.2, correlation=0.5, effect=0.04)",
        items=200,
        test="paired_t",
        alpha=0.01,
        comparisons=3,
    )
    assert found["power"] == answer.rows[0].power
    kept = {
        key: found[key] for key in ("test", "alpha", "comparisons", "items", "effect", "margin", "measure", "direction")
    }
    assert kept == {
        "test": "paired_t",
        "alpha": 0.01,
        "comparisons": 3,
        "items": 200,
        "effect": 0.04,
        "margin": 0.02,
        "measure": "nDCG@10",
        "direction": "higher",
    }
    assert PlanFile.from_json(file.read_text(), "plan.json").intact


def test_the_same_study_is_as_planned(tmp_path: Path) -> None:
    file = saved(tmp_path)
    answer = compare(scores(), plan=str(file))
    assert differences(answer.plan) == {}
    assert answer.plan is not None
    assert answer.plan.as_planned
    assert answer.plan.intact
    answer.require(fail_on=("deviation",))


def test_what_is_planned_is_run(tmp_path: Path) -> None:
    file = saved(tmp_path, test="wilcoxon", alpha=0.02, comparisons=2, margin=0.1, lower_is_better=True)
    answer = compare(scores(), plan=str(file))
    assert (answer.test.partition("(")[0], answer.alpha, answer.margin, answer.lower_is_better) == (
        "wilcoxon",
        0.01,
        0.1,
        True,
    )
    assert differences(answer.plan) == {}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"alpha": 0.05}, {}),
        ({"alpha": 0.1}, {"alpha": (0.05, 0.1, True)}),
        ({"margin": 0.3}, {"margin": (None, 0.3, True)}),
        ({"lower_is_better": True}, {"direction": ("higher", "lower", True)}),
        ({"test": "wilcoxon"}, {"test": ("chosen", "wilcoxon", True)}),
    ],
)
def test_what_is_named_wins_and_is_a_deviation(
    tmp_path: Path, options: dict[str, Any], expected: dict[str, Any]
) -> None:
    answer = compare(scores(), plan=str(saved(tmp_path)), **options)
    assert differences(answer.plan) == expected
    if expected:
        with pytest.raises(GateFailed, match="not as planned"):
            answer.require(fail_on=("deviation",))


def test_a_named_default_contradicts_a_plan(tmp_path: Path) -> None:
    """What was typed counts, whether or not it is also the default."""
    answer = compare(scores(), plan=str(saved(tmp_path, alpha=0.01)), alpha=0.05)
    assert answer.alpha == 0.05
    assert differences(answer.plan) == {"alpha": (0.01, 0.05, True)}


def test_items(tmp_path: Path) -> None:
    file = str(saved(tmp_path))
    assert differences(compare(scores(150), plan=file).plan) == {"items": (200, 150, True)}
    more = compare(scores(250), plan=file)
    assert differences(more.plan) == {"items": (200, 250, False)}
    more.require(fail_on=("deviation",))
    values = scores().values[:, :, 0, 0].copy()
    values[1, 7] = np.nan
    gaps = Scores.from_arrays(dict(zip("ab", values, strict=True)))
    found = differences(compare(gaps, plan=file, missing="drop").plan)
    assert found == {"items": (200, 199, True), "dropped items": (0, 1, True)}


def test_another_measure_is_named(tmp_path: Path) -> None:
    answer = compare(scores(measure="recall"), plan=str(saved(tmp_path, measure="nDCG@10")))
    assert differences(answer.plan) == {"measure": ("nDCG@10", "recall", True)}


def test_an_added_comparison_is_named(tmp_path: Path) -> None:
    file = str(saved(tmp_path))
    assert differences(rank(scores(), plan=file).plan) == {}
    assert differences(rank(scores(systems=3), plan=file).plan) == {"comparisons": (1, 3, True)}
    family = str(saved(tmp_path, systems=3))
    assert differences(rank(scores(systems=3), plan=family).plan) == {}


def test_a_gate_takes_margin_and_level_of_its_plan(tmp_path: Path) -> None:
    file = str(saved(tmp_path, margin=0.1, alpha=0.02))
    answer = gated(scores(), GateQuestion(plan=file).as_planned(["plan"]))
    assert (answer.margin, answer.alpha) == (0.1, 0.02)
    assert differences(answer.plan) == {}
    contradicted = gated(scores(), GateQuestion(plan=file, margin=0.2).as_planned(["plan", "margin"]))
    assert differences(contradicted.plan) == {"margin": (0.1, 0.2, True)}


def test_an_edited_plan_is_named(tmp_path: Path) -> None:
    file = saved(tmp_path)
    file.write_text(file.read_text().replace('"items": 200', '"items": 100'))
    answer = compare(scores(), plan=str(file))
    assert answer.plan is not None
    assert not answer.plan.intact
    assert set(differences(answer.plan)) == {"file", "items"}


def test_a_plan_of_another_version_is_named_and_may_be_followed(tmp_path: Path) -> None:
    made = PlanFile.from_json(saved(tmp_path).read_text(), "plan.json")
    old = replace(made, version="0.0.1").signed()
    (tmp_path / "old.json").write_text(old.to_json())
    answer = compare(scores(), plan=str(tmp_path / "old.json"))
    assert list(differences(answer.plan)) == ["version"]
    answer.require(fail_on=("deviation",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "nothing",
        '{"schema": "tellapart/plan/2"}',
        '{"schema": "tellapart/plan-file/1"}',
        "[" * 100_000,
    ],
)
def test_what_is_no_plan_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "plan.json"
    file.write_text(text)
    with pytest.raises(ReadError, match="not a plan file"):
        compare(scores(), plan=str(file))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("alpha", 0),
        ("alpha", 1.5),
        ("items", 0),
        ("items", 1.5),
        ("margin", -1),
        ("power", 2),
        ("direction", "up"),
        ("test", 3),
        ("effect", "big"),
        ("comparisons", True),
        ("made", None),
    ],
)
def test_designs_that_cannot_be_are_refused(tmp_path: Path, key: str, value: Any) -> None:
    file = saved(tmp_path)
    file.write_text(json.dumps(json.loads(file.read_text()) | {key: value}))
    with pytest.raises(ReadError, match=key):
        compare(scores(), plan=str(file))


def test_one_design_is_saved(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="one design"):
        saved(tmp_path, items=[100, 200])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", [{"margin": 0.1}, {"measure": "x"}, {"dataset": "x"}, {"lower_is_better": True}])
def test_what_only_a_file_would_hold_needs_one(option: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match="save"):
        plan("gaussian(sd=0.2, correlation=0.5, effect=0.04)", items=200, **option)


def test_a_missing_plan(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="cannot be read"):
        compare(scores(), plan=str(tmp_path / "none.json"))


def test_deviations_need_a_plan() -> None:
    with pytest.raises(UsageError, match="plan"):
        compare(scores()).require(fail_on=("deviation",))


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ("2001-01-01T00:00:00+00:00", True),
        ("2001-01-01", True),
        ("2999-01-01T00:00:00", False),
        ("long ago", False),
    ],
)
def test_a_log_older_than_the_plan_is_named(tmp_path: Path, made: str, named: bool) -> None:
    """Where the file carries its own date, and that can be read."""
    of_log = replace(scores(), reading=Reading((), "higher", created=("2998-01-01", made)))
    found = differences(compare(of_log, plan=str(saved(tmp_path))).plan)
    assert ("date" in found) == named


def test_a_margin_beside_a_planned_test_of_another_wins(tmp_path: Path) -> None:
    planned, found = (f"non_inferiority(test=paired_t, margin={margin})" for margin in (0.03, 0.05))
    file = saved(tmp_path, test=planned)
    answer = compare(scores(), plan=str(file), margin=0.05)
    assert answer.margin == 0.05
    assert differences(answer.plan) == {"margin": (0.03, 0.05, True), "test": (planned, found, True)}
    assert differences(compare(scores(), plan=str(file), margin=0.03).plan) == {}


def test_a_board_says_that_it_is_as_planned(tmp_path: Path) -> None:
    file = saved(tmp_path, comparisons=3)
    answer = rank(scores(systems=3), plan=str(file))
    assert answer.plan is not None
    assert answer.plan.as_planned
    assert f"as planned in {file.name}" in render(replace(answer, plan=replace(answer.plan, file=file.name)), "text")


def test_a_plan_that_is_no_path() -> None:
    with pytest.raises(UsageError, match="found a dict"):
        compare(scores(), plan={"alpha": 0.1})
