"""How far raters agree: units, coefficients, judges beside people, notes, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Agreement, Ratings, Scores, Votes, agreement
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import TooFew, Unsuitable, UsageError
from tellapart.methods.reliability import COEFFICIENTS, UnitRatings

NAN = np.nan


def ratings(seed: int = 0, levels: int = 5, gaps: float = 0.0, raters: int = 3) -> dict[str, FloatArray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, levels + 1, size=(2, 1, 15))
    values = np.where(rng.random((2, raters, 15)) < 0.6, truth, rng.integers(1, levels + 1, size=(2, raters, 15)))
    values = np.where(rng.random(values.shape) < gaps, NAN, values)
    return {"old": values[0], "new": values[1]}


def codes(answer: Agreement) -> dict[str, dict[str, Any]]:
    return {note.code: dict(note.values) for note in answer.notes}


def test_units_are_systems_on_items() -> None:
    """Thirty units, and the coefficients of their table."""
    values = ratings(1, gaps=0.2)
    answer = agreement(Ratings.from_arrays(values))
    units = np.concatenate([values["old"].T, values["new"].T])
    units = units[~np.isnan(units).all(axis=1)]
    table = UnitRatings(units)
    assert (answer.units, answer.raters, answer.ratings) == (len(units), 3, int(table.per_unit.sum()))
    assert answer.missing_share == pytest.approx(float(np.isnan(units).mean()))
    assert answer.ratings_per_unit == pytest.approx(float(stats.hmean(table.per_unit)))
    assert answer.single_units == int((table.per_unit == 1).sum())
    for found in answer.coefficients:
        expected = float(COEFFICIENTS.parse(found.coefficient).value(table, np.ones(len(units))))
        assert found.value == pytest.approx(expected, abs=1e-7), found.coefficient
        assert found.low is not None
        assert found.high is not None
        assert found.low <= expected <= found.high
    assert json.loads(answer.to_json())["schema"] == "tellapart/agreement/1"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (ratings(2, levels=2), ["krippendorff(level=nominal)", "fleiss_kappa"]),
        (ratings(2, levels=5), ["krippendorff(level=ordinal)", "krippendorff(level=nominal)", "krippendorff(level=interval)", "fleiss_kappa"]),
        ({name: v * 0.37 for name, v in ratings(2, levels=5).items()}, ["krippendorff(level=interval)", "krippendorff(level=nominal)"]),
        ({name: v + np.arange(45).reshape(3, 15) * 0.01 for name, v in ratings(2).items()}, ["krippendorff(level=interval)"]),
    ],
    ids=["two labels", "five whole levels", "five fractions", "a scale"],
)  # fmt: skip
def test_the_default_comes_first(values: dict[str, FloatArray], expected: list[str]) -> None:
    """Two levels nominal, up to ten whole ones ordinal, else interval; then all others that fit."""
    found = [one.coefficient for one in agreement(Ratings.from_arrays(values)).coefficients]
    assert found[: len(expected)] == expected
    assert found[-2:] == ["icc(k=1)", "icc(k=3)"]


def test_two_raters_have_cohen_s_kappa() -> None:
    found = [one.coefficient for one in agreement(Ratings.from_arrays(ratings(3, raters=2))).coefficients]
    assert "cohen_kappa(weights=quadratic)" in found
    assert "fleiss_kappa" in found


def test_rows_in_any_order_give_the_same_bits() -> None:
    values = ratings(4, gaps=0.1)
    rows = [
        (system, item, rater, table[rater, item])
        for system, table in values.items()
        for rater in range(3)
        for item in range(15)
        if not np.isnan(table[rater, item])
    ]
    shuffled = [rows[i] for i in np.random.default_rng(0).permutation(len(rows))]

    def read(chosen: list[Any]) -> Agreement:
        system, item, rater, value = zip(*chosen, strict=True)
        return agreement(Ratings.from_columns(system=system, item=item, rater=rater, value=value))

    first, again = read(rows), read(shuffled)
    assert first.coefficients == again.coefficients
    assert first.signature == again.signature


def test_votes_are_on_items() -> None:
    """A unit is an item; a win of the later system is 1; votes in both orders are averaged."""
    votes = Votes.from_columns(
        a=["A", "A", "A", "A", "B"],
        b=["B", "B", "B", "B", "A"],
        winner=["A", "A", "B", "tie", "B"],
        item=[1, 1, 2, 2, 2],
        rater=["x", "y", "x", "y", "y"],
        first=["A", "A", "A", "A", "B"],
    )
    answer = agreement(votes)
    assert (answer.subject, answer.units, answer.raters, answer.ratings) == ("votes", 2, 2, 4)
    table = UnitRatings(np.array([[-1.0, -1.0], [1.0, 0.5]]))
    first = answer.coefficients[0]
    assert first.value == pytest.approx(float(COEFFICIENTS.parse(first.coefficient).value(table, np.ones(2))))


def with_judge(seed: int) -> tuple[Ratings, dict[str, FloatArray]]:
    values = ratings(seed)
    rng = np.random.default_rng(seed)
    own = {"old": values["old"][0] + rng.normal(size=15), "new": values["new"][0] + 1.0 + rng.normal(size=15)}
    table = {name: np.vstack([values[name], own[name]]) for name in values}
    return Ratings.from_arrays(table, raters=["ann", "ben", "cleo", "judge"]), table


def test_a_judge_beside_people() -> None:
    """Bias by system is the mean of judge less people with Student's interval; agreement is with one person at a time."""
    made, table = with_judge(5)
    answer = agreement(made, reference_raters=("ann", "ben", "cleo"))
    (judge,) = answer.judges
    assert (judge.rater, judge.units, answer.raters, answer.reference_raters) == (
        "judge",
        30,
        3,
        ("ann", "ben", "cleo"),
    )
    for bias, name in zip(judge.bias, ("new", "old"), strict=True):
        off = table[name][3] - table[name][:3].mean(axis=0)
        low, high = stats.ttest_1samp(off, 0.0).confidence_interval(0.95)
        assert bias.system == name
        assert (bias.bias, bias.low, bias.high) == pytest.approx((off.mean(), low, high))
    pairs = np.concatenate([np.stack([t[3], t[person]], axis=1) for t in table.values() for person in range(3)])
    alpha = COEFFICIENTS.parse(judge.agreement.coefficient)
    assert judge.agreement.value == pytest.approx(float(alpha.value(UnitRatings(pairs), np.ones(len(pairs)))))
    people = np.concatenate([t[:3].T for t in table.values()])
    assert judge.people is not None
    assert judge.people.value == pytest.approx(float(alpha.value(UnitRatings(people), np.ones(len(people)))))
    assert answer.coefficients[0].value == pytest.approx(judge.people.value)


def test_people_who_share_nothing() -> None:
    """Their own agreement is not known; the judge's beside each is."""
    table = {
        "old": np.array([[1.0, 2, NAN, NAN], [NAN, NAN, 3, 4], [1, 2, 3, 5]]),
        "new": np.array([[2.0, 2, NAN, NAN], [NAN, NAN, 3, 3], [1, 2, 3, 4]]),
    }
    answer = agreement(Ratings.from_arrays(table, raters=["x", "y", "judge"]), reference_raters=("x", "y"))
    assert answer.coefficients == ()
    assert answer.judges[0].people is None
    assert "no_shared_units" in codes(answer)
    assert answer.headline


def test_notes() -> None:
    values = ratings(6, gaps=0.5)
    answer = agreement(Ratings.from_arrays(values))
    assert codes(answer)["single_ratings"] == {"units": answer.single_units}
    few = {name: table[:, :5] for name, table in ratings(6).items()}
    assert codes(agreement(Ratings.from_arrays(few)))["few_units"] == {"units": 10}
    same = {name: np.ones((3, 15)) for name in ("old", "new")}
    assert "undefined_agreement" in codes(agreement(Ratings.from_arrays(same)))
    same["old"][0, 0] = 0.0
    assert codes(agreement(Ratings.from_arrays(same)))["nearly_all_the_same"]["share"] == pytest.approx(89 / 90)


def test_all_the_same_is_no_agreement() -> None:
    """Undefined is null in JSON and said in words."""
    answer = agreement(Ratings.from_arrays({"old": np.ones((2, 5)), "new": np.ones((2, 5))}))
    assert json.loads(answer.to_json())["coefficients"][0]["value"] is None
    assert "undefined" in answer.sentence


def test_coefficients_by_name() -> None:
    made = Ratings.from_arrays(ratings(7))
    answer = agreement(made, coefficient=("icc(k=2)", "krippendorff(level=nominal)"))
    assert [one.coefficient for one in answer.coefficients] == ["icc(k=2)", "krippendorff(level=nominal)"]
    with pytest.raises(Unsuitable, match=r"cohen_kappa.*not defined.*krippendorff"):
        agreement(made, coefficient=("cohen_kappa",))


def test_large_tables_fit_variances_to_fewer_resamples() -> None:
    rng = np.random.default_rng(0)
    values = {name: rng.normal(size=(10, 1000)) + rng.normal(size=1000) for name in ("old", "new")}
    answer = agreement(Ratings.from_arrays(values), resamples=400)
    assert [(one.coefficient, one.resamples) for one in answer.coefficients] == [
        ("krippendorff(level=interval)", 400),
        ("icc(k=1)", 150),
        ("icc(k=10)", 150),
    ]


@pytest.mark.parametrize(
    ("given", "options", "error", "said"),
    [
        (Scores.from_arrays({"a": [1, 2], "b": [2, 3]}), {}, Unsuitable, "rater"),
        (Votes.from_columns(a=["A", "A"], b=["B", "B"], winner=["A", "B"], item=[1, 2]), {}, Unsuitable, "rater"),
        (Votes.from_columns(a=["A", "A"], b=["B", "B"], winner=["A", "B"], rater=["x", "y"]), {}, Unsuitable, "which item"),
        (Ratings.from_arrays({"a": [[1, 2]], "b": [[2, 3]]}), {}, TooFew, "two or more raters"),
        (Ratings.from_arrays({"a": [[1, NAN], [NAN, 2]], "b": [[2, NAN], [NAN, 3]]}), {}, Unsuitable, "rated by two"),
        (Ratings.from_arrays(ratings(8)), {"reference_raters": ("nobody",)}, UsageError, "no rater is called"),
        (Ratings.from_arrays(ratings(8)), {"reference_raters": ("0", "1", "2")}, UsageError, "all raters"),
    ],
    ids=["scores", "votes without raters", "votes without items", "one rater", "nothing shared", "a stranger", "no judge left"],
)  # fmt: skip
def test_refused(given: Any, options: dict[str, Any], error: type[Exception], said: str) -> None:
    """What was found, what was wanted, and the way out."""
    with pytest.raises(error, match=said):
        agreement(given, **options)


def test_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    lines = [f"{s},{i},{r},{(i + k) % 3}" for k, s in enumerate("ab") for i in range(8) for r in "xy"]
    file.write_text("\n".join(["system,item,rater,rating", *lines]), encoding="utf-8")
    answer = agreement(file)
    assert answer.units == 16
    assert answer.coefficients[0].value == pytest.approx(1.0)
