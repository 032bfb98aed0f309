"""What a comparison says in words where numbers alone would mislead: of margins, counts, raters, and names that break lines."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tellapart import Comparison, Scores, Votes, compare
from tellapart.answers.parts import Note
from tellapart.answers.texts import add_text

EXAMPLES = Path(__file__).parents[2] / "examples"


def between(a: list[float], b: list[float], **options: str | float) -> Comparison:
    scores = Scores.from_arrays({"a": np.array(a), "b": np.array(b)})
    return compare(scores, **options)  # type: ignore[arg-type]  # by name, as users write them


def noted(answer: Comparison, code: str) -> str:
    (note,) = (note for note in answer.notes if note.code == code)
    return note.text


def shifted(effect: float) -> tuple[list[float], list[float]]:
    """A hundred items whose differences are the effect and as much again to either side."""
    base = np.random.default_rng(3).random(100)
    return base.tolist(), (base + effect + 0.01 * np.resize([-1.0, 1.0], 100)).tolist()


def test_a_difference_within_the_margin() -> None:
    """That one is better is said first, and that it is by less than what matters beside it, by whatever asked for the margin."""
    for options in ({"margin": 0.1}, {"test": "equivalence(margin=0.1)"}):
        answer = between(*shifted(0.02), **options)
        assert answer.headline == "b is better than a, but by less than the margin of 0.1"
        assert "b is better, but by less than the margin of 0.1." in answer.sentence
    worse = between(*shifted(-0.02), margin=0.1)
    assert worse.headline == "a is better than b, but by less than the margin of 0.1"


def test_what_a_margin_does_not_show() -> None:
    """A claim that was asked for and not shown is denied in words."""
    beyond = between(*shifted(0.02), test="equivalence(margin=0.0001)")
    assert "is not shown" in beyond.sentence
    tight = between(*shifted(0.0), test="non_inferiority(margin=0.0001)")
    assert tight.headline.startswith("undetermined: these items do not show that b is not worse")


def test_one_side_is_named() -> None:
    answer = between(*shifted(0.02), test="paired_t(alternative=greater)")
    assert "(paired t, one-sided, b above a)" in answer.sentence


def test_what_the_detectable_effect_was_computed_from() -> None:
    """Right-or-wrong scores at their discordance; in clusters at their correlation."""
    rng = np.random.default_rng(0)
    scores = {"a": (rng.random(200) < 0.6).astype(int), "b": (rng.random(200) < 0.7).astype(int)}
    grouped = Scores.from_arrays(scores, clusters=np.arange(200) // 10)
    assert "at this discordance" in compare(Scores.from_arrays(scores)).sentence
    assert "at this correlation" in compare(grouped, test="cluster_t(variance=cr1)").sentence


def test_names_stay_in_their_sentence() -> None:
    """Line ends and control characters in a name do not break lines; the JSON keeps the name as it is."""
    a, b = np.random.default_rng(1).random((2, 20))
    answer = compare(Scores.from_arrays({"two\nlines": a, "red\x1b[31m": b}))
    assert answer.sentence.startswith("red\\x1b[31m ")
    assert "vs two\\nlines " in answer.sentence
    assert (answer.a.name, answer.b.name) == ("two\nlines", "red\x1b[31m")


def test_counts_in_notes_are_grammatical() -> None:
    """No item, one item; and what is lost in rounding counts as a tie."""
    same, one = (between([0.1, 0.2, 0.4], [0.1, 0.2, last], test="permutation") for last in (0.4, 0.5))
    assert any("differ on no item:" in note.text for note in same.notes)
    assert any("differ on only 1 item:" in note.text for note in one.notes)
    lost = between([1e14, 2.0, 3.0], [1e14, 2.0 + 1e-9, 503.0])
    assert any("1 item differs by no more than rounding" in n.text and "counts as a tie" in n.text for n in lost.notes)


def test_items_of_equal_influence_do_not_differ_by_the_same() -> None:
    """F1 moves with no single item where one system finds all and the other nothing: it is influence that is equal, not a difference."""
    found, missed, neither = [1, 0, 0], [0, 0, 1], [0, 0, 0]
    a = np.array([missed] * 10 + [neither] * 30, dtype=float)[:, np.newaxis]
    b = np.array([found] * 10 + [neither] * 30, dtype=float)[:, np.newaxis]
    answer = compare(Scores.from_arrays({"a": a, "b": b}, parts=("tp", "fp", "fn")), metric="f1")
    assert "influence on both f1" in noted(answer, "no_width")
    assert "differs by the same" not in noted(answer, "no_width")


@pytest.mark.parametrize(("file", "raters"), [("ratings.csv", 5), ("votes.csv", 12)])
def test_whose_eyes_it_is_about(file: str, raters: int) -> None:
    """Raters who are taken as they are stand in the headline and in the sentence, and flips of raters are about these items."""
    answer = compare(EXAMPLES / file, "base", "new", raters_as="fixed")
    assert "these raters" in answer.headline
    assert f"these {raters} raters" in answer.sentence


def test_which_items_it_is_about() -> None:
    flips = compare(EXAMPLES / "ratings.csv", test="rater_sign_flip")
    assert "on these items" in flips.headline + flips.sentence


def test_votes_of_one_rater() -> None:
    """One rater is one rater, not "1 raters"."""
    votes = Votes.from_columns(
        a=["a"] * 10,
        b=["b"] * 10,
        winner=["b"] * 6 + ["a"] * 4,
        rater=["judge"] * 10,
        item=[place // 2 for place in range(10)],
        first=["a", "b"] * 5,
    )
    assert "by 1 rater on 5 items" in compare(votes, "a", "b").sentence


def test_what_is_equivalent_by_signs_is_worded_so() -> None:
    """Most items gain a little, others lose more: signs say nothing about means."""
    a, b = [float(i) for i in range(60)], [i + (0.3 if i % 3 else -1.0) for i in range(60)]
    answer = between(a, b, test="sign", margin=2.0, alpha=1e-9)
    assert answer.verdict == "equivalent"
    assert answer.headline == "a and b are equivalent within ±2, judged by the share of items won"


def test_items_of_both_systems_together_are_said_to_be() -> None:
    """Where each system has its own, which a plan counts by system."""
    nothing = [np.nan] * 150
    right = [float(i < 124) for i in range(150)], [float(i < 132) for i in range(150)]
    answer = between(right[0] + nothing, nothing + right[1], test="two_proportion_z", effect=0.1)
    assert answer.sentence.endswith(
        "300 items of both systems together detect 0.11 with 80 % power if as many answers are right in all."
    )
    assert "items of both systems together would detect an effect of 0.1" in answer.to_settle


def test_an_effect_on_each_side() -> None:
    """Of which the harder to find is the one that is called detectable."""
    rng = np.random.default_rng(1)
    answer = between([0.0] * 33, (rng.exponential(size=33) - 1.0).tolist(), test="both")
    assert answer.detectable is not None
    told = noted(answer, "detectable_by_side")
    assert f"if b scores lower, an effect of {answer.detectable.effect:.2g}" in told
    assert told.endswith("The larger is found either way")
    one = replace(answer, notes=(Note("detectable_by_side", {"b_higher": None, "b_lower": 0.0, "power": 0.8}),))
    assert noted(add_text(one), "detectable_by_side") == (
        "what is detectable depends on the side: if b scores higher than a, none that such items can have is found with 80 % power; "
        "if b scores lower, an effect of any size"
    )


def test_what_enough_items_would_have_shown() -> None:
    answer = between(*shifted(0.0), test="paired_t", effect=0.5)
    assert answer.to_settle.endswith("these are enough, so an effect of that size would probably have been found")
    settled = between(*shifted(0.02), test="paired_t", effect=0.5)
    assert settled.to_settle.endswith("these are enough")


def test_only_groups_that_follow_each_other_are_later() -> None:
    """Weeks are; words are held against the one that is met first, and are other groups."""
    scores = {"old": [0.1, 0.2, 0.3, 0.4] * 3, "new": [0.2, 0.2, 0.5, 0.4] * 3}
    answers = {}
    for names in (("12", "9", "10"), ("prod", "beta", "dev")):
        groups = [name for name in names for _ in range(4)]
        answers[names[0]] = compare(Scores.from_arrays(scores, groups=groups))
    assert "since 9 is shown in 2 later groups" in answers["12"].sentence
    assert "since prod is shown in 2 other groups" in answers["prod"].sentence
    (note,) = [note.text for note in answers["prod"].notes if note.code == "groups_as_met"]
    assert "compared with prod because it comes first in the data" in note
