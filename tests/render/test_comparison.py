"""The page of a comparison: the tone of its verdict, and facts only where there is something to say."""

from dataclasses import replace

import pytest

from tellapart import Comparison, Scores, compare
from tellapart.answers.comparison import EquivalenceResult
from tellapart.answers.comparison.page import make_page
from tellapart.answers.page import page_of
from tellapart.answers.texts import add_text
from tellapart.foundation.decision import Verdict

RIGHT = [1, 0, 1, 1, 0, 1, 0, 1, 1, 0] * 5
ANSWER = compare(Scores.from_arrays({"old": RIGHT, "new": [0, 1, *RIGHT[2:-3], 1, 1, 1]}))


@pytest.mark.parametrize(
    ("verdict", "tone"),
    [
        ("b better", "good"),
        ("a better", "bad"),
        ("equivalent", "even"),
        ("b not worse", "even"),
        ("b not better", "open"),
        ("undetermined", "open"),
    ],
)
def test_moods(verdict: Verdict, tone: str) -> None:
    """B is what was made anew: that it is better is good."""
    assert make_page(replace(ANSWER, verdict=verdict)).tone == tone


def facts(answer: Comparison) -> dict[str, str]:
    return dict(make_page(answer).facts)


def test_facts() -> None:
    """What is unknown is left out; what is known is told with its unit."""
    none = replace(ANSWER, correlation=None, equivalence=None, discordance=None, detectable=None, standard_error=None)
    assert {*facts(none)} == {"method", "items", "effect sizes"}
    known = replace(
        ANSWER,
        standard_error=0.01234,
        correlation=0.25,
        discordance=0.0612,
        clusters=1,
        equivalence=EquivalenceResult(0.05, 0.0134),
    )
    found = facts(known)
    assert found["std. error"] == "1.23 points of B − A"
    assert found["correlation"] == "r = 0.250"
    assert found["discordance"] == "systems differ on 6.12 % of items"
    assert found["items"] == "50 in 1 cluster"
    assert found["equivalence"] == "p = 0.0134 within ±5 points (two one-sided tests)"


def test_right_or_wrong_is_told_in_points_and_kept_in_fractions() -> None:
    """Finding, table and quote have one unit; scores that are not 0 and 1 stay in their own."""
    page, told = make_page(ANSWER), add_text(ANSWER)
    low, high = (round(100.0 * bound, 1) for bound in (ANSWER.interval.low, ANSWER.interval.high))
    assert page.finding.startswith(f"B − A = +{100.0 * ANSWER.effect:.1f} points, 95 % CI [")
    assert f"{abs(low):.1f}, +{high:.1f}]" in page.finding
    assert page.finding.partition("= ")[2].partition(",")[0] in told.sentence
    assert ANSWER.to_dict()["effect"] == pytest.approx(0.02)
    twice = compare(Scores.from_arrays({"old": [2.0 * x for x in RIGHT], "new": [x + 1.0 for x in RIGHT]}))
    assert "points" not in make_page(twice).finding


def test_what_to_do_next_can_be_pasted() -> None:
    """An open question ends in a command that answers it; where nobody typed one, it is left out."""
    told = add_text(ANSWER)
    assert (told.verdict, told.needed) == ("undetermined", None)
    *_, command = page_of(told, "tellapart compare x.csv").next_steps
    assert command.endswith(": tellapart compare x.csv --effect 0.02")
    assert [step for step in page_of(told).next_steps if "tellapart compare" in step] == []
