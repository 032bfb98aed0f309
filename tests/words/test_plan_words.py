"""What a plan says in words: what is detected, how half of it fares, what was assumed, which rows a note is about."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart import plan
from tellapart.answers.drawing import chart, drawings, names
from tellapart.answers.parts import Note
from tellapart.answers.plan import Plan
from tellapart.answers.texts import add_text
from tellapart.data.pair import Pair
from tellapart.populations.pilot import Pilot

GAUSSIAN = "gaussian(sd=0.12, correlation=0.8)"
FOUND = plan(GAUSSIAN, effect=0.005, items=100)


def told(note: Note, answer: Plan = FOUND) -> str:
    return add_text(replace(answer, notes=(note,))).notes[0].text


def test_what_a_smaller_effect_would_meet() -> None:
    """The shape of the report: what is detected, and how half of it fares."""
    sentence = plan(GAUSSIAN, items=500, power=0.8).sentence
    assert sentence.startswith(
        "500 items detect 0.0095 with 80 % power (paired t, r = 0.8, sd 0.12); an effect of 0.005 would be missed seven times in ten"
    )
    assert "1.8 times too large" in sentence


def test_nothing_of_a_smaller_effect_that_cannot_be() -> None:
    b = np.resize([0.2, 0.3], 40)[:, None, None]
    pilot = Pilot.from_pair(Pair(np.zeros_like(b), b), 0.25)
    answer = plan(pilot, power=0.8, test="paired_t", replicates=500)
    assert answer.sentence.startswith(f"{answer.rows[0].items} items detect 0.25 with 80 % power")
    assert "would be missed" not in answer.sentence


def test_assurance_is_quoted() -> None:
    b = np.random.default_rng(2).normal(0.02, 0.05, 60)[:, None, None]
    pilot = Pilot.from_pair(Pair(np.zeros_like(b), b), 0.02)
    answer = plan(pilot, power=0.8, assurance=0.9, test="paired_t", replicates=500)
    assert "80 % power, assured with probability 0.9 (" in answer.sentence


def test_no_effect_is_not_an_effect_that_is_found() -> None:
    """With an effect of 0 the power is a rate of false claims, and the sentence says so."""
    sentence = plan("gaussian(sd=0.1, correlation=0.5, effect=0)", items=100).sentence
    assert "a difference is found 5 % of the time although there is none" in sentence


def test_power_in_the_right_direction() -> None:
    """Told where the sign is often wrong, and left out where the first number is enough."""
    often = plan("gaussian(sd=0.12, correlation=0.5)", effect=0.005, items=100)
    assert "6.1 % in the right direction" in often.sentence
    assert "right direction" not in plan("gaussian(sd=0.12, correlation=0.5)", effect=0.02, items=100).sentence


def test_notes_say_which_rows_they_are_about() -> None:
    clustered = "clustered(population=gaussian(sd=0.1, correlation=0.5), size=8, icc=0.3)"
    answer = plan(clustered, effect=[0.02, 0.03], items=[24, 40, 400], test="cluster_t(variance=cr2)")
    (note,) = (note for note in answer.notes if note.code == "compare_chooses")
    assert note.text.startswith("rows 1 and 4 (likewise, with other numbers, rows 2 and 5): on 24 such items")


def test_what_agreement_costs() -> None:
    values = {"alone": "paired t", "agrees": "studentised bootstrap", "test": "paired_t", "items": 285}
    said_so = told(Note("agreement_costs", {**values, "power": 0.8194, "cost": 0.0194}))
    assert "the paired t test alone would have power 0.819" in said_so
    assert "requiring the studentised bootstrap to agree where `compare` does costs 0.019" in said_so


def test_pairs_are_assumed_to_be_alike() -> None:
    answer = plan(f"{GAUSSIAN[:-1]}, effect=0.01)", power=0.8, systems=10)
    (note,) = (note for note in answer.notes if note.code == "all_pairs_share_alpha")
    assert "equally correlated" in note.text


def test_what_an_interrupt_left() -> None:
    """Rows that are lacking, replicates that are lacking, or both."""
    asked = {"asked": 3, "asked_replicates": 4_000}
    assert told(Note("interrupted", {**asked, "answered": 3, "replicates": 700})).startswith("interrupted: only 700")
    both = told(Note("interrupted", {**asked, "answered": 2, "replicates": 700}))
    assert both.startswith("interrupted: 2 of 3 studies are answered; only 700")


def test_raters_stand_in_the_sentence() -> None:
    answer = plan(
        "ratings(effect=0.2, raters=3, rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26)",
        items=100,
    )
    assert "3 raters and 100 items" in answer.sentence


@pytest.mark.parametrize(
    ("question", "over"),
    [
        ({"population": "paired_binary(accuracy=0.05)", "effect": 0.02, "power": 0.8}, "all that is possible"),
        ({"population": "paired_binary(accuracy=0.985)", "effect": 0.005, "items": 400}, "all that is possible"),
        (
            {"population": "gaussian(sd=0.3)", "effect": 0.02, "power": 0.8, "evidence": "likeness(systems=same_base)"},
            "what its author expects",
        ),
        (
            {"population": "gaussian", "effect": 0.02, "power": 0.8, "evidence": "likeness(systems=same_base)"},
            "the band of this evidence",
        ),
    ],
    ids=str,
)  # fmt: skip
def test_bands_of_nothing_that_was_seen(question: dict[str, Any], over: str) -> None:
    """Past systems are named where some were measured, and nowhere else; half of a band measured is a band of its evidence."""
    answer = plan(**question)
    assert f" over {over})" in answer.headline
    assert f" Over {over}: " in answer.sentence
    assert "past systems" not in answer.headline + answer.sentence


def test_the_band_of_past_systems() -> None:
    """The boards that fit are named with the band that covers them; one that is named by the user stands alone."""
    answer = plan("paired_binary(accuracy=0.7)", effect=0.02, power=0.8)
    named = plan("paired_binary(accuracy=0.7)", effect=0.02, power=0.8, evidence="squad2_pairs")
    assert answer.headline.endswith(" over squad2_pairs, swe_bench_pairs and gsm8k_pairs)")
    assert " Over squad2_pairs, swe_bench_pairs and gsm8k_pairs: " in answer.sentence
    assert named.headline.endswith(" over the band of past systems)")
    assert answer.rows[0].items == named.rows[0].items
    (low, high), (named_low, named_high) = (
        (one.rows[0].solved_low or 0.0, one.rows[0].solved_high or 0.0) for one in (answer, named)
    )
    assert low < named_low < named_high < high


def test_the_band_covers_each_board() -> None:
    """Its ends are those of the lowest and the highest board, asked one by one."""
    rows = {
        board: plan("paired_binary(accuracy=0.7)", effect=0.02, power=0.8, evidence=board).rows[0]
        for board in ("squad2_pairs", "swe_bench_pairs", "gsm8k_pairs")
    }
    found = plan("paired_binary(accuracy=0.7)", effect=0.02, power=0.8).rows[0]
    assert found.solved_low == min(row.solved_low or 0.0 for row in rows.values())
    assert found.solved_high == max(row.solved_high or 0.0 for row in rows.values())


def test_a_grid_names_its_range_and_what_it_depends_on() -> None:
    answer = plan("gaussian", sd=[0.1, 0.4], correlation=[0.3, 0.5], effect=0.02, power=0.8)
    items = sorted(row.items for row in answer.rows)
    assert answer.headline == f"{items[0]} to {items[-1]:,} items needed; the sd matters most"
    assert answer.sentence == (
        f"It takes {items[0]} items (sd 0.1, correlation 0.5) to {items[-1]:,} items (sd 0.4, correlation 0.3) to detect 0.02 with "
        "80 % power (paired t); the sd matters most."
    )


def test_a_grid_over_one_assumption_has_no_driver() -> None:
    answer = plan("gaussian(sd=0.1, correlation=0.5)", effect=0.02, items=[50, 100])
    assert "matter" not in answer.headline
    assert answer.sentence.startswith("The power to detect 0.02 is 28")
    assert "(50 items) to" in answer.sentence


def test_two_assumptions_that_matter_alike() -> None:
    """Twice the sd and half the effect take four times as many items each."""
    answer = plan("gaussian(correlation=0.5)", sd=[0.1, 0.2], effect=[0.01, 0.02], power=0.8)
    assert answer.headline.endswith("; the sd and the effect matter most")


def test_every_grid_draws() -> None:
    """Accuracies are lines of one chart, and two rows are enough for a picture."""
    several = plan(accuracy=[0.6, 0.7, 0.8], items=[500, 1000, 2000], power=0.8)
    rows = next(one for one in drawings("plan") if one.name == "detectable").rows(several)
    assert {row["setting"] for row in rows} == {"accuracy = 0.6", "accuracy = 0.7", "accuracy = 0.8"}
    assert {row["_panel"] for row in rows} == {""}
    two: list[dict[str, Any]] = [
        {"accuracy": [0.6, 0.7], "effect": 0.02},
        {"sd": 0.1, "correlation": 0.5, "effect": 0.02, "test": ["paired_t", "sign"]},
        {"sd": 0.1, "correlation": [0.3, 0.5], "items": [50, 100]},
    ]
    for options in two:
        answer = plan(**options)
        assert names(answer)
        assert chart(answer).to_dict()


def test_what_was_corrected_for_is_quoted() -> None:
    alone = plan("gaussian(sd=0.1, correlation=0.5)", effect=0.02, power=0.8)
    pairs = plan("gaussian(sd=0.1, correlation=0.5)", effect=0.02, power=0.8, systems=10)
    five = plan("gaussian(sd=0.1, correlation=0.5)", effect=0.02, power=0.8, comparisons=5)
    assert pairs.headline == f"{pairs.rows[0].items} items needed for all 45 pairs of 10 systems"
    assert pairs.sentence.endswith(
        f" Corrected for all 45 pairs of 10 systems (max-T, 5 % together; one comparison alone takes {alone.rows[0].items} items)."
    )
    assert (
        f"5 comparisons (Bonferroni, 5 % together; one comparison alone takes {alone.rows[0].items} items)"
        in five.sentence
    )


def test_clusters_are_counted_in_clusters() -> None:
    answer = plan("clustered(population=gaussian(sd=0.1, correlation=0.5), size=8, icc=0.3)", effect=0.02, power=0.8)
    clusters = answer.rows[0].items // 8
    assert answer.headline == f"{answer.rows[0].items} items ({clusters} clusters of 8) needed"
    assert answer.sentence.startswith(f"{clusters} clusters of 8 items detect 0.02")


def test_the_scale_of_ratings_is_said() -> None:
    answer = plan("ratings", raters=10, items=100, effect=0.4, range=(1, 5))
    assert " for ratings from 1 to 5" in answer.headline
    assert "ratings from 1 to 5" in answer.sentence


def test_no_solution_at_the_pessimistic_end_is_the_headline() -> None:
    answer = plan("ratings", raters=5, effect=0.3, range=(0, 1))
    row = answer.rows[0]
    assert row.solved_low is not None
    assert row.solved_high is None
    assert answer.headline.startswith(
        "5 raters may be too few: at the wide end of the evidence no number of items reaches 80 % power; 11 items needed"
    )
    assert "no number of items reaches 80 % power." in answer.sentence
