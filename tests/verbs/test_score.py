"""One system by itself: means and intervals against scipy, what a further system has to reach against `plan`, refusals, the command."""

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from tellapart import Ratings, Scores, plan, score
from tellapart.answers.score import ScoreReport
from tellapart.cli.score import command
from tellapart.foundation.errors import TooFew, Unsuitable, UsageError

EXAMPLES = Path(__file__).parents[2] / "examples"
RNG = np.random.default_rng(3)
RIGHT = (RNG.random(300) < 0.7).astype(float)
PARTIAL = RNG.beta(3.0, 2.0, 80)


def bounds(answer: ScoreReport) -> tuple[float, float]:
    (one,) = answer.systems
    return one.interval.low, one.interval.high


@pytest.mark.parametrize(("name", "theirs"), [("wilson", "wilson"), ("clopper_pearson", "exact")])
def test_right_or_wrong(name: str, theirs: Literal["wilson", "exact"]) -> None:
    """Wilson unless Clopper and Pearson are named, as scipy has both."""
    answer = score({"new": RIGHT}, interval=None if name == "wilson" else name)
    wanted = stats.binomtest(int(RIGHT.sum()), 300).proportion_ci(0.95, method=theirs)
    assert bounds(answer) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
    assert answer.systems[0].interval.method == name
    assert (answer.systems[0].mean, answer.systems[0].right) == (RIGHT.mean(), int(RIGHT.sum()))


@pytest.mark.parametrize(("wrong", "step"), [(0.0, 100.0), (-1.0, 2.0)])
def test_other_codings(wrong: float, step: float) -> None:
    """Percent and signs are shares in another unit."""
    low, high = bounds(score({"new": RIGHT}))
    assert bounds(score({"new": wrong + step * RIGHT})) == pytest.approx((wrong + step * low, wrong + step * high))


def test_other_scores() -> None:
    """Student's t, at the level that is asked for."""
    answer = score({"new": PARTIAL}, alpha=0.1)
    wanted = stats.ttest_1samp(PARTIAL, 0.0).confidence_interval(0.9)
    assert bounds(answer) == pytest.approx((wanted.low, wanted.high), rel=1e-12, abs=0.0)
    assert answer.systems[0].right is None


def test_clusters() -> None:
    """Of clusters of equal size the mean of their means, with as many degrees of freedom as these have."""
    clusters = np.repeat(np.arange(16), 5)
    answer = score(Scores.from_arrays({"new": PARTIAL}, clusters=clusters.tolist(), alone=True))
    wanted = stats.ttest_1samp(PARTIAL.reshape(16, 5).mean(axis=1), 0.0).confidence_interval(0.95)
    assert bounds(answer) == pytest.approx((wanted.low, wanted.high), rel=1e-9, abs=0.0)
    assert answer.systems[0].clusters == 16


def test_runs_are_averaged_first() -> None:
    """Five runs of sixteen items are sixteen means."""
    answer = score({"new": PARTIAL.reshape(16, 5)})
    wanted = stats.ttest_1samp(PARTIAL.reshape(16, 5).mean(axis=1), 0.0).confidence_interval(0.95)
    assert bounds(answer) == pytest.approx((wanted.low, wanted.high), rel=1e-12, abs=0.0)
    assert answer.systems[0].runs == 5


def test_runs_as() -> None:
    """Two of three runs, against all pairs of them; an item with fewer runs than k has no score."""
    runs = RIGHT[:90].reshape(30, 3).copy()
    wanted = 1.0 - np.mean([(1 - runs[:, i]) * (1 - runs[:, j]) for i, j in [(0, 1), (0, 2), (1, 2)]], axis=0)
    answer = score({"new": runs}, runs_as="pass@2")
    assert answer.systems[0].mean == pytest.approx(wanted.mean(), rel=1e-12, abs=0.0)
    assert bounds(answer) == pytest.approx(stats.ttest_1samp(wanted, 0.0).confidence_interval(0.95), rel=1e-12, abs=0.0)
    assert answer.measure == "pass@2 of n = 3"
    assert "runs_as=pass@2" in answer.signature
    runs[0, 1:] = np.nan
    assert score({"new": runs}, runs_as="pass@2").systems[0].items == 29


def test_seeds_are_these(tmp_path: Path) -> None:
    """Seeds are averaged, which is said; other trainings are refused."""
    rows = [f"new,{seed},q{item},{PARTIAL[2 * item + seed]}" for seed in range(2) for item in range(40)]
    path = tmp_path / "seeds.csv"
    path.write_text("\n".join(["system,seed,item,score", *rows]))
    assert "seeds_averaged" in {one.code for one in score(path).notes}
    with pytest.raises(Unsuitable, match="trainings"):
        score(path, seeds_as="random")


@pytest.mark.parametrize("place", [0, 1, 2])
def test_what_is_to_be_reached_is_found_by_plan(place: int) -> None:
    """The population that is named, asked for the gain that is named, has the power that is promised."""
    for values in (RIGHT, PARTIAL):
        found = score({"new": values}).further[place]
        assert found.effect is not None
        again = plan(found.population, items=len(values), effect=found.effect)
        assert again.rows[0].power == pytest.approx(0.8, abs=0.005)
        assert found.score == pytest.approx(values.mean() + found.effect)


def test_less_is_better() -> None:
    """What is to be reached then lies below."""
    answer = score({"new": PARTIAL}, lower_is_better=True)
    assert all(one.score is not None and one.score < PARTIAL.mean() for one in answer.further)
    errors = score({"new": 1.0 - RIGHT}, lower_is_better=True).further
    assert [one.effect for one in errors] == [one.effect for one in score({"new": RIGHT}).further]


def test_nothing_that_could_be_reached() -> None:
    """Eight items tell no system apart from one that is right on six of them."""
    answer = score({"new": [1, 1, 1, 1, 1, 1, 0, 0]})
    assert {one.score for one in answer.further} == {None}


def test_datasets() -> None:
    """Each by itself, beside all items together; of a dataset with one item there is a mean and no interval."""
    homes = ["a"] * 40 + ["b"] * 39 + ["c"]
    answer = score(Scores.from_arrays({"new": PARTIAL}, datasets=homes, alone=True))
    a, b, c = answer.systems[0].datasets
    assert (a.items, b.items, c.items) == (40, 39, 1)
    wanted = stats.ttest_1samp(PARTIAL[40:79], 0.0).confidence_interval(0.95)
    assert b.interval is not None
    assert (b.interval.low, b.interval.high) == pytest.approx((wanted.low, wanted.high))
    assert c.interval is None
    assert c.mean == PARTIAL[79]


def test_items_without_a_score() -> None:
    """They are left out, which is told."""
    values = np.where(np.arange(300) < 3, np.nan, RIGHT)
    answer = score({"old": RIGHT, "new": values}, system="new")
    assert (answer.systems[0].items, answer.systems[0].missing) == (297, 3)
    assert "items_without_score" in {note.code for note in answer.notes}


def test_several_systems() -> None:
    """A row each; what is to be reached is said of one alone."""
    answer = score(EXAMPLES / "answers.csv")
    assert [one.name for one in answer.systems] == ["small", "medium", "large"]
    assert answer.further == ()
    alone = score(EXAMPLES / "answers.csv", system="medium")
    assert alone.systems[0] == answer.systems[1]


def test_a_metric() -> None:
    """Of parts, by each item's influence."""
    counts = np.stack([RIGHT, 1.0 - RIGHT, 0.0 * RIGHT], axis=-1)[:, np.newaxis]
    answer = score({"new": counts}, metric="f1")
    right = RIGHT.sum()
    assert answer.systems[0].mean == pytest.approx(2.0 * right / (2.0 * right + (300.0 - right)))
    assert answer.systems[0].interval.method == "student_t"


def refusals() -> list[tuple[type[Exception], dict[str, Sequence[float]], dict[str, str], str]]:
    return [
        (TooFew, {"new": [1.0]}, {}, "on 1 item"),
        (Unsuitable, {"new": PARTIAL.tolist()}, {"interval": "wilson"}, "right or wrong"),
        (UsageError, {"new": RIGHT.tolist()}, {"interval": "newcombe"}, "difference of two systems"),
    ]


@pytest.mark.parametrize(("kind", "given", "options", "said"), refusals())
def test_refusals(kind: type[Exception], given: dict[str, list[float]], options: dict[str, str], said: str) -> None:
    with pytest.raises(kind, match=said):
        score(given, **options)  # type: ignore[arg-type]  # by name, as users write them


def test_ratings_of_several_raters() -> None:
    """Only of these raters, and only where that is asked for."""
    given = Ratings.from_arrays({"new": [[1, 2, 3, 4], [2, 2, 4, 5]], "old": [[1, 2, 3, 4], [2, 2, 4, 5]]})
    with pytest.raises(Unsuitable, match="these raters only"):
        score(given)
    assert score(given, system="new", raters_as="fixed").systems[0].mean == 2.875


def test_constant_scores_are_told() -> None:
    answer = score({"new": [0.5] * 10})
    assert [note.code for note in answer.notes] == ["scores_do_not_vary"]


def _run(*words: str) -> dict[str, Any]:
    done = CliRunner().invoke(command, [*words, "--format", "json"], standalone_mode=False)
    assert done.exception is None, done.exception
    found: dict[str, Any] = json.loads(done.output)
    return found


def test_command(tmp_path: Path) -> None:
    """A file of one system: its name is the file's, its measure the column's."""
    file = tmp_path / "one.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerows([("id", "accuracy"), *((f"q{i}", int(x)) for i, x in enumerate(RIGHT))])
    found = _run(str(file))
    assert found["measure"] == "accuracy"
    (one,) = found["systems"]
    assert (one["name"], one["mean"]) == ("one", RIGHT.mean())


def test_one_of_many_columns(tmp_path: Path) -> None:
    """Columns that are not asked about may hold anything."""
    file = tmp_path / "wide.csv"
    file.write_text("item,old,new\n" + "".join(f"q{i},text,{x}\n" for i, x in enumerate(PARTIAL)))
    (one,) = _run(str(file), "--system", "new")["systems"]
    assert one["mean"] == pytest.approx(PARTIAL.mean())
