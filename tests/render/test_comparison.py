"""The page of a comparison: the tone of its verdict, and facts only where there is something to say."""

from dataclasses import replace

import pytest

from tellapart import Comparison, Scores, compare
from tellapart.answers.comparison import EquivalenceResult
from tellapart.answers.comparison.page import make_page
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
    none = replace(
        ANSWER, correlation=None, equivalence=None, discordance=None, detectable=None, standard_error=None
    )
    assert {*facts(none)} == {"p-value", "items", "to settle it", "effect sizes"}
    known = replace(
        ANSWER,
        standard_error=0.01234,
        correlation=0.25,
        discordance=0.0612,
        clusters=1,
        equivalence=EquivalenceResult(0.05, 0.0134),
    )
    found = facts(known)
    assert found["std. error"] == "0.0123 of B − A"
    assert found["correlation"] == "r = 0.250"
    assert found["discordance"] == "systems differ on 6.12 % of items"
    assert found["items"] == "50 in 1 cluster"
    assert found["equivalence"] == "p = 0.0134 within ±0.05 (two one-sided tests)"
