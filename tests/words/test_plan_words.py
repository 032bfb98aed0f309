"""What a plan says in words: what is detected, how half of it fares, what was assumed, which rows a note is about."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tellapart import plan
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
    assert (
        "right direction" not in plan("gaussian(sd=0.12, correlation=0.5)", effect=0.02, items=100).sentence
    )


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
    assert told(Note("interrupted", {**asked, "answered": 3, "replicates": 700})).startswith(
        "interrupted: only 700"
    )
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
    answer = plan("paired_binary(accuracy=0.7)", effect=0.02, power=0.8)
    assert answer.headline.endswith(" over the band of past systems)")
    assert " Over the band of this evidence: " in answer.sentence
