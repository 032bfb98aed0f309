"""Planning a leaderboard: `plan(systems=m)`, and what more items would buy."""

import itertools
import json
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart.answers.leaderboard import MoreItems
from tellapart.answers.parts import codes
from tellapart.boards.family import all_pairs
from tellapart.cli import main
from tellapart.data.scores import Scores
from tellapart.foundation.errors import UsageError
from tellapart.foundation.seeds import stream
from tellapart.numerics.null_laws.studentized_range import family_level
from tellapart.populations.many_systems import ManySystems
from tellapart.studies.calibration.boards import claims
from tellapart.verbs.plan import plan
from tellapart.verbs.rank import rank

ALPHA = 0.05
QUESTION = "gaussian(sd=1, correlation=0.5, effect=0.2)"


@pytest.mark.parametrize(("systems", "correlation", "effect"), [(3, 0.5, 0.5), (10, 0.0, 0.7), (10, 0.8, 0.25)])
def test_planned_items_separate_a_pair(systems: int, correlation: float, effect: float) -> None:
    """At the planned items the max-T of all pairs finds that effect in 80 % of leaderboards, whatever the correlation is."""
    population = f"gaussian(sd=1, correlation={correlation}, effect={effect})"
    items = plan(population, power=0.8, systems=systems).rows[0].items
    truth = ManySystems((effect, *(0.0,) * (systems - 1)), correlation=correlation)
    rng, found = stream(1, systems), 0
    for _ in range(400):
        found += bool(claims(truth.draw(items, rng), None, ALPHA, rng)[0, 1])
    low, high = stats.binom.interval(0.999, 400, 0.8)
    # Stepping down drops pairs that were found already, which the plan does not count on: up to 4 points here.
    assert low <= found <= high + 0.04 * 400


@pytest.mark.parametrize(("systems", "items"), [(4, 30), (4, 200), (20, 100)])
def test_the_level_of_a_pair_is_that_of_the_family(systems: int, items: int) -> None:
    """Equal systems, every pair tested by t at the planned level: any is significant in 5 % of leaderboards."""
    rng = np.random.default_rng(items)
    a, b = all_pairs(systems)
    level, hits = family_level(systems, ALPHA), 0
    for _ in range(1500):
        scores = rng.normal(size=(systems, items)) + rng.normal(size=items)
        differences = scores[b] - scores[a]
        t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / np.sqrt(items))
        hits += bool((2 * stats.t.sf(np.abs(t).max(), items - 1)) <= level)
    low, high = stats.binom.interval(0.999, 1500, ALPHA)
    assert low <= hits <= high


def test_systems_ask_for_less_than_bonferroni() -> None:
    """All pairs of m systems need more items than one pair, and fewer than so many separate comparisons."""
    question = "gaussian(sd=0.12, correlation=0.8, effect=0.01)"
    one = plan(question, power=0.8).rows[0].items
    assert plan(question, power=0.8, systems=2).rows[0].items == one
    for systems in (3, 10, 44):
        family = plan(question, power=0.8, systems=systems).rows[0]
        separate = plan(question, power=0.8, comparisons=systems * (systems - 1) // 2).rows[0]
        assert one < family.items < separate.items
        assert family.alpha == pytest.approx(family_level(systems, ALPHA), rel=1e-12, abs=0.0)


def test_the_plan_says_what_it_assumes() -> None:
    """The note gives the pairs and the level of each; the signature the number."""
    answer = plan(QUESTION, power=0.8, systems=10)
    (note,) = (note for note in answer.notes if note.code == "all_pairs_share_alpha")
    assert note.values["pairs"] == 45
    assert note.values["each"] == pytest.approx(0.001558, abs=5e-7)
    assert "systems=10" in answer.signature
    assert "all_pairs_share_alpha" not in codes(plan(QUESTION, power=0.8, systems=2).notes)


@pytest.mark.parametrize(
    ("options", "said"),
    [({"systems": 1}, "2 or more"), ({"systems": 4, "comparisons": 6}, "systems .* or comparisons")],
)
def test_bad_families(options: dict[str, int], said: str) -> None:
    """One system has no pair, and two ways of counting comparisons are one too many."""
    with pytest.raises(UsageError, match=said):
        plan(QUESTION, power=0.8, **options)


def test_the_flag(capsys: pytest.CaptureFixture[str]) -> None:
    """`plan … --systems 10` prints the plan of the family."""
    with pytest.raises(SystemExit) as stop:
        main(["plan", QUESTION, "--power", "0.8", "--systems", "10", "--format", "json"])
    said = json.loads(capsys.readouterr().out)
    assert stop.value.code == 0
    assert said["rows"][0]["alpha"] == pytest.approx(family_level(10, ALPHA), rel=1e-12, abs=0.0)


def board(systems: int, items: int, step: float, **options: Any) -> MoreItems:
    rng = np.random.default_rng(5)
    rows = {f"s{i}": rng.normal(size=items) * (1 + i) + step * i for i in range(systems)}
    found = rank(Scores.from_arrays(rows), resamples=999, **options).more_items
    assert found is not None
    return found


def test_a_smaller_top_tier_costs_more() -> None:
    """The items for a top tier of k fall with k, and telling all of the tier from the first takes more than one pair does."""
    found = board(6, 80, 0.0)
    items = [size.items for size in found.top_tier]
    assert [size.systems for size in found.top_tier] == [1, 2, 3, 4, 5]
    assert all(a > b for a, b in itertools.pairwise(items))
    assert items[0] > found.top_two


def test_the_top_tier_shrinks_as_promised() -> None:
    """At the items for a top tier of one, all others are told from the first at least as often as promised."""
    rng, gap = np.random.default_rng(8), 0.5

    def draw(items: int) -> Scores:
        rows = rng.normal(size=(4, items)) + gap * (np.arange(4) == 0)[:, None]
        return Scores.from_arrays({f"s{i}": row for i, row in enumerate(rows)})

    more = rank(
        Scores.from_arrays({f"s{i}": rng.normal(size=400) for i in range(4)}), resamples=999, gap=gap
    ).more_items
    assert more is not None
    items = more.top_tier[0].items
    alone = sum(sum(s.may_be_best for s in rank(draw(items), resamples=299).systems) == 1 for _ in range(120))
    assert alone >= stats.binom.ppf(0.001, 120, 0.8)


def test_more_items_against_a_baseline() -> None:
    """With a baseline the two are that and the best of the others, and no tier is promised."""
    all_of_them, against = board(4, 80, 0.3), board(4, 80, 0.3, baseline="s0")
    assert against.top_tier == ()
    assert against.critical < all_of_them.critical


def test_twins_never_leave_the_top_tier() -> None:
    """An identical system stays beside the first however many items there are, and nothing separates two of them."""
    row = np.tile([1.0, 0.0], 20)
    three = rank(Scores.from_arrays({"a": row, "b": 1.0 - row, "c": row}), resamples=999)
    assert three.more_items is not None
    assert [size.systems for size in three.more_items.top_tier] == [2]
    assert rank(Scores.from_arrays({"a": row, "c": row}), resamples=999).more_items is None
