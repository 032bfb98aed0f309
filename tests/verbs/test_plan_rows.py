"""What a plan says of its rows: power in the right direction, and which row a note or the sentence is about."""

import pytest

from tellapart import Plan, plan
from tellapart.answers.plan.page import make_page
from tellapart.data.pair import Pair
from tellapart.foundation.seeds import stream
from tellapart.numerics.null_laws.noncentral_t import t_error_rates
from tellapart.populations.pilot import Pilot

CLUSTERED = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=8, icc=0.3)"
GAUSSIAN = "gaussian(sd=0.12, correlation=0.5)"
NORMAL = {"sd": 0.12, "correlation": 0.5}


def titles(answer: Plan) -> tuple[str, ...]:
    return make_page(answer).grids[0].titles


def test_power_in_the_right_direction_where_the_sign_is_often_wrong() -> None:
    """Above one wrong sign in a hundred it is a field and a column; a one-sided test has no other power."""
    row = plan(GAUSSIAN, effect=0.005, items=100).rows[0]
    assert row.type_s is not None
    assert row.type_s > 0.01
    greater = t_error_rates(0.005 / 0.012, 99.0, 0.025, "greater")[0]
    assert row.power_right == pytest.approx(float(greater), rel=1e-9, abs=0.0)
    assert plan(GAUSSIAN, effect=0.005, items=100).to_dict()["rows"][0]["power_right"] == row.power_right
    assert "right-sign power" in titles(plan(GAUSSIAN, effect=0.005, items=100))


@pytest.mark.parametrize(
    "asked",
    [
        {"effect": 0.02, "items": 100},
        {"effect": 0.0, "items": 100},
        {"effect": 0.005, "items": 100, "test": "paired_t(alternative=greater)"},
        {"effect": 0.0, "items": 100, "test": "equivalence(margin=0.02)"},
    ],
)
def test_no_second_power_where_the_first_is_enough(asked: dict[str, object]) -> None:
    answer = plan("gaussian", **NORMAL, **asked)
    assert answer.rows[0].power_right is None
    assert "right-sign power" not in titles(answer)


def test_a_grid_numbers_its_rows() -> None:
    """The page counts them; a single row needs no number."""
    grid, single = plan(GAUSSIAN, effect=[0.02, 0.03], items=100), plan(GAUSSIAN, effect=0.02, items=100)
    assert titles(grid)[0] == "row"
    assert [row[0].text for row in make_page(grid).grids[0].rows] == ["1", "2"]
    assert "row" not in titles(single)


def test_notes_say_which_rows_they_are_about() -> None:
    """Of the rows alike, of others with numbers of their own, and of all without a number."""
    clustered = {"effect": [0.02, 0.03], "test": "cluster_t(variance=cr2)"}
    answer = plan(CLUSTERED, items=[24, 40, 400], **clustered)
    (note,) = (note for note in answer.notes if note.code == "compare_chooses")
    assert (note.values["items"], note.values["rows"], note.values["other_rows"]) == (24, [1, 4], [2, 5])
    shared = plan(CLUSTERED, items=24, **clustered).notes
    assert [(note.code, "rows" in note.values) for note in shared] == [("compare_chooses", False)]


def test_a_note_on_a_later_row_has_its_numbers() -> None:
    """The saw-tooth of the second row, not of the first, which has none."""
    answer = plan(
        [f"{GAUSSIAN[:-1]}, effect=0.03)", "paired_binary(discordance=1, effect=0.3)"],
        power=0.8,
    )
    (note,) = (note for note in answer.notes if note.code == "saw_tooth")
    assert note.values["rows"] == [2]
    assert note.values["items"] == answer.rows[1].items
    assert note.text.startswith("row 2: ")


def test_evidence_for_a_later_row_speaks_of_that_row() -> None:
    """Its band of items is that of the row that stands on the evidence."""
    answer = plan(["paired_binary(accuracy=0.7, discordance=0.2)", "paired_binary(accuracy=0.7)"], effect=0.05)
    (note,) = (note for note in answer.notes if note.code == "overlap_from_evidence")
    row = answer.rows[1]
    assert note.values["rows"] == [2]
    assert row.solved_low is not None
    assert f"it takes {row.solved_low:,.0f} to" in note.text


def test_what_is_true_of_a_pilot_is_true_of_all_its_rows() -> None:
    """Its size is said once and without a row; that a plan goes far beyond it only of the row that does."""
    rng = stream(3)
    scores = rng.normal(size=(2, 25, 1, 1))
    pilot = Pilot.from_pair(Pair(scores[0], scores[1]))
    notes = {n.code: n for n in plan(pilot, effect=[0.3, 0.4], items=[60, 600], test="paired_t", replicates=50).notes}
    assert "rows" not in notes["small_pilot"].values
    assert notes["far_beyond_pilot"].values["rows"] == [2, 4]


def test_what_is_simulated_is_said_of_the_rows_that_are() -> None:
    """Beside rows by a formula; where all rows are simulated there is nothing to tell apart."""
    study = "gaussian(effect=0.02, sd=0.12, correlation=0.5)"
    mixed = plan(study, items=[20, 200], test=["paired_t", "wilcoxon"], replicates=100)
    assert [row.engine for row in mixed.rows] == ["formula"] * 2 + ["monte_carlo"] * 2
    (note,) = [note for note in mixed.notes if note.code == "power_simulated"]
    assert note.values["rows"] == [3, 4]
    alike = plan(study, items=[20, 200], test="wilcoxon", replicates=100)
    (note,) = [note for note in alike.notes if note.code == "power_simulated"]
    assert "rows" not in note.values


def test_what_was_waited_for_is_said_of_the_rows_that_are_simulated() -> None:
    answer = plan(
        "gaussian(effect=0.02, sd=0.12, correlation=0.5)", items=60, test=["paired_t", "wilcoxon"], until=0.05
    )
    (note,) = [note for note in answer.notes if note.code == "until"]
    assert note.values["rows"] == [2]


def test_how_far_a_formula_is_off_is_said_of_the_rows_it_answers() -> None:
    """Too few items are simulated, and more go by a formula that is nearly exact; where it answers all there is nothing to tell apart."""
    study = "delta_laplace(effect=0.05, zero_share=0.5, scale=1)"
    mixed = plan(study, items=[100, 1_000, 2_000], test="paired_t", replicates=100)
    assert [row.engine for row in mixed.rows] == ["monte_carlo", "formula", "formula"]
    (note,) = [note for note in mixed.notes if note.code == "formula_nearly_exact"]
    assert note.values["rows"] == [2, 3]
    assert note.values["widest"] == pytest.approx(2 * 2.0 / 500)
    alike = plan(study, items=[1_000, 2_000], test="paired_t")
    (note,) = [note for note in alike.notes if note.code == "formula_nearly_exact"]
    assert "rows" not in note.values
