"""What the list of evidence and a fit say in words."""

from dataclasses import replace
from typing import Any

from tellapart.answers.evidence_fit import EvidenceFit, Fit
from tellapart.answers.evidence_fit.texts import NOTES
from tellapart.answers.parts import Note
from tellapart.answers.texts import add_text
from tellapart.populations.evidence import TypicalGain
from tellapart.populations.evidence.choice import gain_over, overlap_at
from tellapart.verbs.evidence.priors import known_evidence

LINE = Fit("fitted_gain(…)", "gain", {"intercept": -0.01, "baseline": -0.25}, 0.5, 0.01, 0.0123, 8, 0.6, 0.9)


def fitted(overlap: Fit | None, *notes: Note) -> EvidenceFit:
    return add_text(EvidenceFit(overlap, LINE, (), notes, "signed"), "command line")


def test_the_defaults_are_those_that_speak() -> None:
    """What the list names as speaking where none is named is what does."""
    answer = known_evidence()
    assert {str(overlap_at(x)) for x in (0.7, 0.95, 0.2, 0.05)} == set(answer.default_overlaps)
    assert answer.default_gain == str(gain_over(0.7)) == str(TypicalGain())
    assert "squad2_pairs, glue_overlap, swe_bench_pairs or no_prior, the first" in answer.sentence
    assert "else typical_gain." in answer.sentence
    assert f"{len(answer.rows)} pieces of evidence" in answer.sentence


def test_options_are_spelled_at_the_door() -> None:
    """Evidence is named by a flag or by an argument."""
    assert "Name one with evidence=…" in known_evidence().sentence
    assert "Name one with --evidence," in add_text(known_evidence(), "command line").sentence


def test_lines_in_words() -> None:
    """Overlap first, then gain, with a real minus and no sign on nothing."""
    line = "gain = −0.01 − 0.25 · baseline (8 results, R² 0.500, leave-one-out error 0.012)."
    assert fitted(None).sentence == line
    flat = replace(LINE, response="agreement", coefficients={"intercept": 0.4, "accuracy": 0.0, "gap": 0.5})
    assert fitted(flat).sentence.startswith("agreement = 0.4 + 0 · accuracy + 0.5 · gap (8 results")
    assert fitted(flat).sentence.endswith(f" {line}")
    undefined = replace(LINE, r_squared=float("nan"))
    assert "R² undefined" in add_text(EvidenceFit(None, undefined, (), (), "signed")).sentence


def test_notes_of_a_fit() -> None:
    """Every note has its sentence."""
    notes: dict[str, tuple[dict[str, Any], str]] = {
        "no_overlap_reported": ({}, "no column agreement or discordance: only gains are fitted"),
        "overlap_not_fitted": ({"problem": "too few"}, "overlap is not fitted: too few"),
        "pairs_of_systems": (
            {"systems": 4, "pairs": 6},
            "4 systems, 6 pairs that share enough items; every pair is in the JSON",
        ),
        "systems_left_out": (
            {},
            (
                "pairs share systems, so the error of the agreement is for the pairs of a left-out system; that of "
                "gains is for a left-out pair"
            ),
        ),
        "gains_of_pairs": (
            {},
            "gains are of the better of every two systems over the other, whichever came first; a next version may gain less",
        ),
        "gains_not_fitted": ({"problem": "too few"}, "gains are not fitted: too few"),
        "pairs_alike": (
            {"pairs": 2},
            "2 pairs left out: no two items differ, or all that do by the same amount",
        ),
        "one_pair": (
            {},
            "a single pair does not show how pairs vary, so the band is that one number",
        ),
        "pairs_not_additive": (
            {"pairs": 1, "below": 0.999},
            (
                "1 pair with an additivity below 0.999: many items swapped together do not change the metric by the sum of what each changes "
                "alone, as where a brevity penalty sets in, and a plan by delta_laplace is off there"
            ),
        ),
        "items_taken_alone": (
            {},
            "documents are ignored: delta_laplace takes items as independent; a plan from a pilot of the same files uses documents",
        ),
        "pilot_knows_more": (
            {},
            (
                "for systems like these a plan from a pilot of the same files is better: it knows the actual shape. The scale "
                "goes with the metric (of BLEU it is about 0.7), so it says little about systems that are much better or worse"
            ),
        ),
        "spread_not_fitted": (
            {"problem": "found 1 pair"},
            "spread and correlation are not fitted: found 1 pair",
        ),
        "columns_not_used": ({"columns": ["x", "y"]}, "columns not used: x, y"),
    }
    assert set(NOTES) == set(notes)
    answer = fitted(None, *(Note(code, values) for code, (values, _) in notes.items()))
    assert [note.text for note in answer.notes] == [text for _, text in notes.values()]
