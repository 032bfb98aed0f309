"""What an audit says: every note has its sentence, every sentence its claim, and each speaks of the claim's own units."""

import math
from typing import Any

import pytest

from tellapart import Claim
from tellapart.answers.audit import Audit, AuditedClaim
from tellapart.answers.audit.claim_texts import IMPOSSIBLE
from tellapart.answers.audit.notes import CLAIM_NOTES
from tellapart.answers.parts import codes
from tellapart.answers.texts import add_text
from tellapart.foundation.surfaces import Surface
from tellapart.verbs.audit import AuditQuestion, audit_claims

ACCURACIES: dict[str, Any] = {"a": "0.70", "b": "0.72", "items": 1000}
MEANS: dict[str, Any] = {"a": "0.41", "b": "0.45", "items": 200, "sd": "0.3"}

NOTED: dict[str, tuple[dict[str, Any], str]] = {
    "correlation_of_right_or_wrong": (
        {**MEANS, "evidence": "benchmark_correlation"},
        "measured on right-or-wrong scores",
    ),
    "evidence_out_of_range": (
        {"a": "0.30", "b": "0.35", "items": 500},
        "accuracy 0.3 lies outside the range that typical_gain covers (0.61 to 0.99)",
    ),
    "no_plausible_effect": (MEANS, "give --effect for power and its errors"),
    "plausible_effect_impossible": (
        {**ACCURACIES, "discordance": "0.020:0.030", "effect": "0.05"},
        "a plausible difference of 5.0 points is impossible with the reported overlap, so no power is given",
    ),
    "means_over_runs": (
        {"a": "67.0", "b": "70.1", "items": 164, "runs": 10},
        "means over 10 runs of every item, counts of 1,640, and judged by the paired t",
    ),
    "interval_implies": (
        {"a": "0.847", "b": "0.865", "items": 200, "ci": "-0.002:0.038"},
        (
            "implies a standard error of 0.010 and differences of items with an sd of 0.14; right-or-wrong answers would have to differ "
            "on a share of 0.021"
        ),
    ),
    "interval_elsewhere": (
        {"a": "0.847", "b": "0.865", "items": 200, "ci": "0.010:0.050"},
        "lies around 0.030, not around the difference of 0.865 and 0.847: an interval with arms of different length",
    ),
    "other_boards_decide_otherwise": (
        {"a": "0.75", "b": "0.79", "items": 500},
        "other boards would decide otherwise: gsm8k_pairs has a discordance of 0.23, p = 0.064",
    ),
    "taken_as_accuracies": (
        {"a": "0.847", "b": "0.865", "items": 1000},
        "fractions are read as shares of right answers; for means of other scores, such as similarities or nDCG, give --sd, --se or --ci",
    ),
    "no_gain_expected": (
        {"a": "0.945", "b": "0.95", "items": 500, "evidence": "glue_gain(task=wnli)"},
        "glue_gain(task=wnli) expects no gain at this accuracy, so no power is given; give --effect",
    ),
    "certain_without_rounding": (
        {"a": "0.85", "b": "0.87", "items": 3000},
        "significant whatever the overlap (p = 0.0385 at most); as rounded they allow p = 0.301. Exact counts would settle it",
    ),
    "overlap_between_whole_numbers": (
        {"correct_a": 70, "correct_b": 72, "items": 100, "discordance": "0.05"},
        "the numbers next to it were taken",
    ),
    "decimals_differ": (
        {"a": "0.7", "b": "0.72", "items": 1000},
        "0.7 and 0.72 have different decimals; if trailing zeros were lost, give decimals 2",
    ),
    "evidence_not_about_means": (
        {**MEANS, "evidence": "squad2_pairs"},
        "squad2_pairs is about right and wrong answers; for means trec_runs(measure=ndcg) is used",
    ),
    "among_many": (
        {**ACCURACIES, "systems": 5},
        "among 5 systems, 4 comparisons share the level (0.0125 each, Bonferroni or Holm's first step): then unlikely",
    ),
    "best_seed": (
        {"a": "71.4", "b": "72.6", "items": 1000, "seeds": 5, "seed_sd": "0.5"},
        "1.163 standard deviations above their mean by chance, here 0.58 points: of the difference 0.62 points is left",
    ),
    "reported_p_impossible": (
        {"a": "0.714", "b": "0.713", "items": 1000, "reported_p": "0.01"},
        "the reported p = 0.01 is impossible: these numbers allow",
    ),
    "reported_p_possible": ({**ACCURACIES, "reported_p": "<0.05"}, "the reported p < 0.05 is possible"),
    "reported_p_implies_discordance": (
        {"a": "0.714", "b": "0.706", "items": 1000, "reported_p": "0.04"},
        "requires that the systems differ on 1.4 % of the items; 19 % is usual among submissions to SQuAD 2.0",
    ),
}
CANNOT_BE: dict[str, tuple[dict[str, Any], str]] = {
    "no_whole_number_of_right_answers": (
        {"a": "0.714", "b": "0.72", "items": 100},
        (
            "not possible as counts of 100: no whole number of right answers rounds to 0.714. Means over several runs of every item: "
            "give --runs (with 5 they are possible)"
        ),
    ),
    "no_table_with_this_overlap": (
        {"a": "0.700", "b": "0.720", "items": 1000, "discordance": "0.005"},
        "they leave a discordance between 0.0200 and 0.580",
    ),
    "no_correlation_gives_this_spread": (
        {**MEANS, "se_difference": "0.050"},
        "an sd of 0.707 (from the reported difference) with the sds of the two systems, which allow 0 to 0.700",
    ),
    "interval_without_its_number": (
        {"a": "71.0", "b": "73.0", "items": 2000, "ci": "0.005:0.035"},
        (
            "the difference of 73.0 and 71.0 does not lie in the interval 0.005:0.035, rounding allowed for; another interval, other "
            "numbers, or a mistake; if it is in fractions beside percentages, give --ci 0.5:3.5"
        ),
    ),
}


def answered(surface: Surface = "command line", evidence: str | None = None, **printed: Any) -> Audit:
    return add_text(audit_claims(Claim(**printed), AuditQuestion(evidence=evidence)), surface)


def one(**printed: Any) -> AuditedClaim:
    return answered(**printed).claims[0]


@pytest.mark.parametrize("code", NOTED)
def test_notes_of_a_claim(code: str) -> None:
    """The claim that has the note, and its sentence."""
    printed, words = NOTED[code]
    (note,) = (note for note in one(**printed).notes if note.code == code)
    assert words in note.text


def test_every_sentence_has_its_claim() -> None:
    """No note without a sentence, no sentence that nothing leads to; a unit is settled by other rows in tables only."""
    assert set(CLAIM_NOTES) == {*NOTED, "unit_of_other_rows"}
    assert set(IMPOSSIBLE) == set(CANNOT_BE)


@pytest.mark.parametrize("code", CANNOT_BE)
def test_numbers_that_cannot_be(code: str) -> None:
    """Why is a note of its own, and part of the sentence to quote."""
    printed, words = CANNOT_BE[code]
    claim = one(**printed)
    assert claim.impossible is not None
    assert claim.impossible.code == code
    assert words in claim.impossible.text
    assert f": {claim.impossible.text}." in claim.sentence


def test_options_are_spelled_at_the_door() -> None:
    """The command line gives a flag, Python an argument."""
    for surface, spelling in (("command line", "give --effect for"), ("python", "give effect=… for")):
        note = answered(surface, **MEANS).claims[0].notes[0]  # type: ignore[arg-type]  # the two doors
        assert note.code == "no_plausible_effect"
        assert spelling in note.text


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        ({"correct_a": 2550, "correct_b": 2610, "items": 3000}, "significant whatever the overlap (p = 0.0385 at most;"),
        ({"a": "0.714", "b": "0.713", "items": 1000}, "not significant whatever the overlap (p = 0.5 at least;"),
        ({"a": "0.714", "b": "0.706", "items": 1000}, "unlikely to be significant: p = 0.559 at the overlap"),
        ({"a": "0.85", "b": "0.87", "items": 3000}, "probably significant, but not certainly: p = 0.00038 at the overlap usual"),
        (ACCURACIES, "cannot be decided from these numbers: p = 0.152 at the overlap usual among submissions to SQuAD 2.0"),
        ({**ACCURACIES, "discordance": "0.060"}, "at the reported overlap"),
        ({**MEANS, "se_difference": "0.020"}, "at the reported spread of the difference"),
        ({**MEANS, "evidence": "likeness(systems=other_notion)"}, "at the correlation expected of models of different notions"),
        (MEANS, "at the correlation usual among runs of TREC 2003 Robust (nDCG@20)"),
    ],
    ids=str,
)  # fmt: skip
def test_sentences_by_verdict(printed: dict[str, Any], verdict: str) -> None:
    """What is certain, likely or left open, and at which overlap."""
    assert verdict in one(**printed).sentence


@pytest.mark.parametrize(
    ("printed", "items"),
    [
        ({"a": "0.70", "b": "0.72", "items": 50, "correlation": "0.95"}, "50 items find no difference that the reported overlap allows"),
        ({**MEANS, "correlation": "1"}, "Without any spread 200 items find every difference."),
        ({**MEANS, "effect": "0.02"}, "200 items detect 0.049 with 80 % power (the claim is 0.81 times that); a plausible 0.020 would be found"),
        (ACCURACIES, "1,000 items detect 4.0 points with 80 % power (the claim is 0.51 times that); a plausible 2.3 points would be found 38.5 % of the time and,"),
    ],
    ids=str,
)  # fmt: skip
def test_sentences_about_the_items(printed: dict[str, Any], items: str) -> None:
    """Points for accuracies, the unit of the scores for means."""
    assert items in one(**printed).sentence


def test_differences_of_any_size() -> None:
    """As many digits as there are, in powers of ten where zeros would be too many to read."""
    small = {"a": "0.41e-200", "b": "0.45e-200", "items": 200, "sd": "0.30e-200"}
    assert "Δ = +4e-202)" in one(**small).sentence
    assert "Δ = +0.00000004)" in one(a="4.1e-7", b="4.5e-7", items=200, sd="3e-7").sentence


def test_shown_digits_keep_the_side_of_the_level() -> None:
    """What is shown of 0.0504 is not 0.050 where 0.05 decides, and the sentence keeps to any other level too."""
    found = one(a="70.0", b="72.0", items=1000, discordance="10")
    assert found.p_high_rounded == pytest.approx(0.0504, abs=5e-5)
    assert "and 0.0504 over all" in found.sentence
    claim = Claim(correct_a=700, correct_b=720, items=1000, discordance="0.072")
    p = audit_claims(claim, AuditQuestion()).claims[0].p_expected
    assert p is not None
    alpha = math.floor(p * 1e4) / 1e4
    sentence = add_text(audit_claims(claim, AuditQuestion(alpha=alpha))).sentence
    assert float(sentence.partition("p = ")[2].split()[0].rstrip(",;")) > alpha


def test_what_would_settle_a_claim_about_means() -> None:
    """Decimals and a correlation, not counts and an overlap."""
    claim = one(a="0.41", b="0.43", items=200, sd="0.20", correlation="0.9")
    (note,) = (note for note in claim.notes if note.code == "certain_without_rounding")
    assert note.text.endswith("More decimals would settle it")
    assert "overlap" not in note.text


def test_one_claim_and_many() -> None:
    """One claim is headed and quoted by itself, several by their counts."""
    single = answered(**ACCURACIES)
    assert (single.headline, single.sentence) == (
        "undecidable: the printed numbers do not tell",
        single.claims[0].sentence,
    )
    several = add_text(audit_claims([Claim(**ACCURACIES), Claim(**MEANS)], AuditQuestion()))
    assert several.headline == "2 claims: 1 likely, 1 undecidable"
    assert several.sentence.startswith(
        "Of 2 claims: 1 likely, 1 undecidable. 2 of 2 differences are smaller than the items can reliably detect"
    )
    assert codes(several.notes) == ("evidence_cited",) * 3
