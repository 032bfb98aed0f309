"""Small simulated boards of equal systems: false claims are as rare as promised, and by vote they are not."""

import pytest
from tests.verbs.arena.sizes import CONTROLS, SCENARIOS, Scenario, false_claims

from tellapart.boards import vote_board

BOARDS = 60
MOST = 9
"""False boards of 60 at a size of .07: more than nine come once in a hundred tries."""


@pytest.fixture(autouse=True)
def few_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vote_board, "HELD", 1)


@pytest.mark.parametrize("scenario", [one for one in SCENARIOS if one.systems < 40], ids=lambda one: str(one.name))
def test_false_claims_are_rare(scenario: Scenario) -> None:
    assert false_claims(scenario, BOARDS, seed=2)[0] <= MOST


@pytest.mark.parametrize("scenario", CONTROLS, ids=lambda one: str(one.name))
def test_votes_taken_as_independent_are_found_out(scenario: Scenario) -> None:
    """The negative controls: votes of a rater as independent, and an order that is not adjusted for."""
    assert false_claims(scenario, BOARDS, seed=2)[0] > MOST
