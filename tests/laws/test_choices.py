"""Laws of choosing: a plan chooses on simulated evaluations what `compare` chooses on each of them."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests.laws.population_cases import pilots, spelled

from tellapart import Ratings, Scores, Votes, compare
from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.data.pair import Pair
from tellapart.data.paired_sample import PairedSample
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import Procedure
from tellapart.populations import Population
from tellapart.populations.rating_designs import layout
from tellapart.populations.ratings import RatedSystems
from tellapart.populations.votes import DrawnVotes
from tellapart.verbs.plan.choices import CHOSEN, LOOKED, Evaluations, choices

COMPARED = 3
"""Evaluations that `compare` itself is given."""
CHOOSING = [one for one in (*spelled(), *pilots()) if one.paired and not one.by_raters and one.complete]


def evaluations(population: Population, items: int, number: int = LOOKED) -> list[Pair]:
    """The evaluations that a plan looks at, one by one."""
    drawn = population.draw(items, LOOKED, stream(0))
    return [
        Pair(a, b, drawn.clusters, seed_runs=drawn.seed_runs)
        for a, b in zip(drawn.a[:number], drawn.b[:number], strict=True)
    ]


def chosen(pair: Pair, population: Population) -> Procedure:
    return choose(ScoreProfile.of(PairedSample(pair, population.metric))).test


def compared(pair: Pair, population: Population) -> str:
    """The test that `compare` runs on these scores."""
    metric = population.metric
    a, b = (x[..., 0] if metric.linear else x for x in (pair.a, pair.b))
    clusters = None if pair.clusters is None else [str(code) for code in pair.clusters]
    parts = ("score",) if metric.linear else metric.parts()
    scores = Scores.from_arrays({"a": a, "b": b}, clusters=clusters, parts=parts, seed_runs=pair.seed_runs)
    named: dict[str, Any] = {} if metric.linear else {"metric": str(metric)}
    return compare(scores, "a", "b", **named).test


@pytest.mark.parametrize("items", [4, 12, 37, 120])
@pytest.mark.parametrize("population", CHOOSING, ids=str)
def test_a_plan_chooses_what_compare_chooses(population: Population, items: int) -> None:
    """Of 200 evaluations each test is planned for as often as it is chosen on one of them by itself."""
    one_by_one = Counter(str(chosen(pair, population)) for pair in evaluations(population, items))
    assert {test: count / LOOKED for test, count in one_by_one.items()} == choices(population, items).spelled


@pytest.mark.parametrize("population", CHOOSING, ids=str)
def test_compare_runs_what_was_chosen(population: Population) -> None:
    """The same scores given to `compare` as a user has them."""
    for pair in evaluations(population, 37, COMPARED):
        assert compared(pair, population) == str(chosen(pair, population))


@pytest.mark.parametrize("population", CHOOSING, ids=str)
def test_each_simulated_evaluation_has_the_pvalue_of_its_own_test(population: Population) -> None:
    """A batch is cut by what is chosen on each evaluation, and no other test's p-value is put in its place."""
    drawn = population.draw(24, LOOKED, stream(0))
    together = CHOSEN.apply(Evaluations.of(drawn, population.metric), stream(1)).pvalue
    for pair, pvalue in zip(evaluations(population, 24), together, strict=True):
        test = chosen(pair, population)
        if not test.resampling:
            alone = test.apply(PairedSample(pair, population.metric).sample(test), stream(1)).pvalue
            assert pvalue == pytest.approx(float(alone), rel=1e-9, abs=1e-12, nan_ok=True)


def test_the_laws_see_a_choice() -> None:
    """Among the populations there are some on which the choice falls between tests."""
    mixed = [one for one in CHOOSING if len(choices(one, 37).shares) > 1]
    assert len(mixed) >= 5
    assert any(not one.metric.linear for one in mixed)
    assert np.ptp([max(choices(one, 37).spelled.values()) for one in mixed]) > 0.1


@pytest.mark.parametrize(("raters", "items"), [(3, 12), (5, 20), (8, 60), (30, 10)])
def test_compare_runs_on_ratings_what_a_plan_chooses(raters: int, items: int) -> None:
    """Raters and items decide, whatever the ratings are."""
    population = RatedSystems(
        effect=0.2,
        raters=raters,
        rater_effect_sd=0.1,
        item_effect_sd=0.3,
        residual_sd=0.3,
        rater_sd=0.2,
        item_sd=0.2,
    )
    drawn = population.draw(items, COMPARED, stream(0))
    for a, b in zip(drawn.a[..., 0], drawn.b[..., 0], strict=True):
        ratings = Ratings.from_arrays({"a": a.T, "b": b.T})
        assert compare(ratings, "a", "b").test == str(choices(population, items).test)


@pytest.mark.parametrize(("raters", "items"), [(4, 12), (8, 20), (12, 60)])
@pytest.mark.parametrize("design", ["raters_nested", "items_nested", "both_nested", "counterbalanced"])
def test_compare_runs_on_nested_ratings_what_a_plan_chooses(design: Any, raters: int, items: int) -> None:
    """Where each system has raters or items of its own, too."""
    population = RatedSystems(
        effect=0.2,
        raters=raters,
        rater_effect_sd=0.1,
        item_effect_sd=0.3,
        residual_sd=0.3,
        rater_sd=0.2,
        item_sd=0.2,
        design=design,
    )
    cells = layout(design, raters, raters, items)
    of_b = cells.of_b
    assert of_b is not None
    drawn = population.draw(items, COMPARED, stream(0))
    for pair in zip(drawn.a, drawn.b, strict=True):
        tables = {}
        for name, values, rated in zip("ab", pair, (~of_b, of_b), strict=True):
            tables[name] = np.full((raters, items), np.nan)
            tables[name][cells.rater[rated], cells.item[rated]] = values.ravel()
        assert compare(Ratings.from_arrays(tables), "a", "b").test == str(choices(population, items).test)


@pytest.mark.parametrize("votes", [4, 12, 37, 120])
@pytest.mark.parametrize("ties", [0.0, 0.3])
def test_compare_runs_on_votes_what_a_plan_chooses(ties: float, votes: int) -> None:
    population = DrawnVotes(share=0.6, ties=ties)
    drawn = population.draw(votes, COMPARED, stream(0))
    for a, b in zip(drawn.a.reshape(COMPARED, votes), drawn.b.reshape(COMPARED, votes), strict=True):
        winner = np.where(a > b, "a", np.where(b > a, "b", "tie"))
        table = Votes.from_columns(a=["a"] * votes, b=["b"] * votes, winner=winner.tolist())
        assert compare(table, "a", "b").test == str(choices(population, votes).test)
