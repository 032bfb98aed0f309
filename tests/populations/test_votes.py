import json
from collections.abc import Callable

import numpy as np
import pytest

from tellapart import Study, plan, power
from tellapart.cli import main
from tellapart.data.summaries.rater_samples import VotesByOrder
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import TESTS
from tellapart.populations import POPULATIONS
from tellapart.populations.population import Design
from tellapart.populations.votes import DrawnVotes

Row = dict[str, str]
Reference = Callable[[str], list[Row]]


def told(row: Row) -> tuple[DrawnVotes, str, dict[str, str]]:
    """The population and the test of a row of the reference, and what else it says."""
    said = dict(part.partition("=")[::2] for part in row["case"].split(","))
    population = DrawnVotes(share=float(said["share"]), ties=float(said.get("ties", "0")))
    return population, f"mcnemar(variant={said['variant']})", said


def test_power_of_votes(reference: Reference) -> None:
    """Power, type S, type M and power in the right direction of every row, by enumeration."""
    seen = 0
    for row in reference("votes_power.csv"):
        population, test, said = told(row)
        if "votes" not in said or row["quantity"].startswith("mean_share"):
            continue
        found = power(Study(population, test, int(said["votes"])))
        values = {"type_s": found.type_s, "type_m": found.type_m, "power": found.power}
        values["power_right_direction"] = found.power * (1.0 - (found.type_s or 0.0))
        assert values[row["quantity"]] == pytest.approx(float(row["value"]), abs=1e-9), row
        seen += 1
    assert seen > 50


def test_votes_needed(reference: Reference) -> None:
    """The first number that reaches the power, and the one from which it stays; 773 and 796 at a share of .55."""
    fields = {"votes_first": "items", "votes_stable": "stable_from"}
    seen = []
    for row in reference("votes_power.csv"):
        if row["quantity"] in fields:
            population, test, said = told(row)
            found = plan(population, test=test, power=float(said["power"])).rows[0]
            assert float(row["value"]) == getattr(found, fields[row["quantity"]]), row
            seen.append(float(row["value"]))
    assert {773.0, 796.0, 786.0, 820.0} <= set(seen)


def test_default_is_mcnemar_mid_p() -> None:
    """A tie counts half for each, which is what McNemar's test of decided votes is about."""
    row = plan("votes", share=0.6, ties=0.2, items=100).rows[0]
    assert row.test == "mcnemar(variant=mid_p)"
    assert row.effect == pytest.approx(0.16)
    assert row.options == {"share": 0.6, "ties": 0.2}


def test_share_and_effect_say_the_same() -> None:
    assert DrawnVotes(share=0.6, ties=0.2) == DrawnVotes(effect=0.16, ties=0.2)
    assert DrawnVotes(effect=0.16, ties=0.2).share == pytest.approx(0.6)
    assert DrawnVotes(share=0.6, ties=0.2).with_effect(-0.4).share == pytest.approx(0.25)
    with pytest.raises(UsageError, match="give one of them"):
        DrawnVotes(share=0.6, effect=0.3)


@pytest.mark.parametrize("options", [{"share": 1.2}, {"share": 0.6, "ties": 1.0}, {"effect": 0.9, "ties": 0.2}])
def test_impossible_votes_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        DrawnVotes(**options)


def test_words_count_votes(capsys: pytest.CaptureFixture[str]) -> None:
    """Headline, column and sentence speak of votes; JSON keeps the name that all plans have."""
    said = shown(capsys, "--share", "0.55", "--power", "0.8")
    assert "773 votes" in said
    assert "items" not in said
    typed = ("--share", "0.55", "--power", "0.8", "--format", "json")
    assert json.loads(shown(capsys, *typed))["rows"][0]["items"] == 773


def shown(capsys: pytest.CaptureFixture[str], *typed: str) -> str:
    with pytest.raises(SystemExit):
        main(["plan", "votes", *typed])
    return capsys.readouterr().out


def test_chances_of_votes_without_ties_are_chances() -> None:
    """Where every vote is decided rounding leaves a little less than nothing for the rest."""
    for hundredth in range(-100, 101):
        chances = DrawnVotes(effect=hundredth / 100)._decided_votes.probabilities()
        assert min(chances) >= 0.0
        assert sum(chances) == pytest.approx(1.0, abs=1e-15)


def test_votes_without_ties_are_simulated_too() -> None:
    row = plan("votes(effect=0.1)", items=800, engine="monte_carlo", replicates=2000).rows[0]
    exact = plan("votes(effect=0.1)", items=800).rows[0]
    assert row.power_low <= exact.power <= row.power_high


def test_votes_in_both_orders() -> None:
    """Every second vote shows either first; the effect is the mean of both, and where nobody leans power is McNemar's."""
    population = DrawnVotes(share=0.65, ties=0.2)
    drawn = population.draw_summary(VotesByOrder, Design(61), 20_000, stream(0))
    assert isinstance(drawn, VotesByOrder)
    assert np.unique(drawn.votes, axis=0).tolist() == [[30.0, 31.0]]
    assert drawn.effect.mean() == pytest.approx(0.8 * 0.3, abs=4 * 0.77 / (61 * 20_000) ** 0.5)
    by_order, counted = (power(Study(population, TESTS.parse(test), 300)) for test in ("order_score", "mcnemar"))
    assert by_order.power == pytest.approx(counted.power, abs=0.015)
    with pytest.raises(UsageError, match="ratings"):
        power(Study(population, TESTS.parse("mixed_model"), 60))
    with pytest.raises(UsageError, match="no order"):
        power(Study(POPULATIONS.parse(RATED), TESTS.parse("order_score"), 60))


RATED = "ratings(effect=0.2, raters=10, rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26)"
