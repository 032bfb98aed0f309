"""`plan arena` beside closed forms in NumPy and simulated arenas, from numbers and from a log."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.numerics.frontier import FOLDER, rows

import tellapart
from tellapart import plan_arena
from tellapart.cli import main
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, GateFailed, Unsuitable, UsageError
from tellapart.numerics.pairwise import PairwiseVotes
from tellapart.numerics.pairwise.bradley_terry import fit_strengths
from tellapart.numerics.pairwise.covariance import vote_covariance
from tellapart.numerics.pairwise.planning import (
    all_meet,
    difference_variances,
    neighbours_meet,
    spread_strengths,
    top_tier_power,
)
from tellapart.verbs.arena.board import ELO


def log(case: str) -> Any:
    return tellapart.read(FOLDER / "data" / f"{case}.csv")


def test_votes_of_reference_designs() -> None:
    for row in rows("arena_votes"):
        gap, ties, power, spread = (float(row[name]) for name in ("gap_elo", "ties", "power", "spread_elo"))
        answer = plan_arena(systems=int(row["systems"]), gap=gap, ties=ties, power=power, spread=spread)
        assert answer.rows[0].votes == pytest.approx(int(row["votes"]), abs=1), row
        assert answer.critical == pytest.approx(float(row["critical"]), abs=1e-5)


def test_votes_for_a_small_top_tier() -> None:
    for row in rows("arena_top_tier"):
        lead, ties, power = (float(row[name]) for name in ("lead_elo", "ties", "power"))
        answer = plan_arena(systems=int(row["systems"]), lead=lead, top=int(row["top"]), ties=ties, power=power)
        assert answer.rows[0].votes == pytest.approx(int(row["votes"]), abs=1), row


def test_meetings_of_neighbours_on_ladders() -> None:
    for row in rows("arena_allocation"):
        systems, window = int(row["systems"]), int(row["window"])
        strengths = np.asarray(-np.arange(systems) * float(row["ladder_gap_elo"]) / ELO, dtype=np.float64)
        alike = difference_variances(strengths, all_meet(systems))
        near = difference_variances(strengths, neighbours_meet(systems, window))
        rank = np.arange(systems - 1)
        expected = float(row["neighbour_votes_relative_to_uniform"]), float(row["top_bottom_relative"])
        found = near[rank, rank + 1].mean() / alike[rank, rank + 1].mean(), near[0, -1] / alike[0, -1]
        assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("top", [{}, {"top": 3}])
def test_each_of_the_three_is_solved_from_the_others(top: dict[str, int]) -> None:
    gap = "lead" if top else "gap"
    votes = plan_arena(systems=10, ties=0.2, **{gap: 50}, **top).rows[0].votes
    (found,) = plan_arena(systems=10, ties=0.2, votes=votes, **top).rows
    assert found.gap == pytest.approx(50.0, abs=0.01)
    (again,) = plan_arena(systems=10, ties=0.2, votes=votes, **{gap: 50}, **top).rows
    assert 0.8 <= again.power < 0.8002


def test_the_mean_variance_of_meetings_is_the_same_whatever_meets_whom() -> None:
    """Foster's theorem: over the pairs that meet, with equal strengths, 4(m − 1) per vote."""
    equal = np.zeros(9)
    for meetings in (all_meet(9), neighbours_meet(9, 1), neighbours_meet(9, 3)):
        variances = difference_variances(equal, meetings)
        assert (variances * meetings).sum() / meetings.sum() == pytest.approx(4 * 8)


def simulated_power(strengths: FloatArray, ties: float, votes: int, replicates: int, critical: float) -> float:
    """How often single-step max-T with this critical value tells the two middle ones apart, in arenas that are drawn and fitted."""
    rng, systems = np.random.default_rng(38), len(strengths)
    a, b = np.triu_indices(systems, 1)
    first, found = systems // 2 - 1, 0
    for _ in range(replicates):
        met = rng.multinomial(votes, np.full(len(a), 1.0 / len(a)))
        up = 1.0 / (1.0 + np.exp(strengths[b] - strengths[a]))
        tied = rng.binomial(met, 4.0 * ties * up * (1.0 - up))
        rate = np.clip((up - 2.0 * ties * up * (1.0 - up)) / (1.0 - 4.0 * ties * up * (1.0 - up)), 0.0, 1.0)
        won = rng.binomial(met - tied, rate)
        parts = [(won, 1.0), (tied, 0.5), (met - tied - won, 0.0)]
        kinds = PairwiseVotes(
            systems,
            np.tile(a, 3),
            np.tile(b, 3),
            np.repeat([points for _, points in parts], len(a)),
            np.zeros(3 * len(a)),
            np.concatenate([count for count, _ in parts]).astype(np.float64),
        )
        fit = fit_strengths(kinds, "half", order=False)
        spread = vote_covariance(fit)
        pair = [first, first + 1]
        error = float(np.sqrt(np.array([1, -1]) @ spread[np.ix_(pair, pair)] @ np.array([1, -1])))
        found += abs(fit.strengths[first] - fit.strengths[first + 1]) / error > critical
    return found / replicates


@pytest.mark.parametrize(("systems", "gap", "ties"), [(5, 50.0, 0.2), (10, 100.0, 0.35)])
def test_planned_votes_reach_their_power(systems: int, gap: float, ties: float) -> None:
    answer = plan_arena(systems=systems, gap=gap, ties=ties)
    strengths = spread_strengths(systems, gap / ELO, 0.0)
    power = simulated_power(strengths, ties, answer.rows[0].votes, 2000, answer.critical)
    assert power == pytest.approx(0.8, abs=0.03)


def test_a_plan_twice_as_sure_of_itself_would_fail_that() -> None:
    """The negative control: half the votes do not reach the power."""
    answer = plan_arena(systems=5, gap=50.0, ties=0.2)
    power = simulated_power(spread_strengths(5, 50.0 / ELO, 0.0), 0.2, answer.rows[0].votes // 2, 500, answer.critical)
    assert power < 0.7


def test_a_top_tier_is_smaller_with_a_longer_lead_and_never_certain() -> None:
    powers = [top_tier_power(10, 3, lead, 3.164) for lead in (0.0, 2.0, 5.0, 12.0)]
    assert powers == sorted(powers)
    assert powers[0] < 1e-3
    assert 0.999 < powers[-1] <= 1.0 + 1e-12


def test_a_log_says_what_its_rank_says() -> None:
    """The votes for a gap between the top two are those of `rank`, and so is the gap that they separate."""
    answer = plan_arena(log("raters8"), gap=20)
    more = tellapart.rank(log("raters8"), gap=20).more_votes  # type: ignore[attr-defined]
    assert answer.rows[0].votes == more.top_two
    assert answer.log is not None
    assert answer.log.separable == pytest.approx(more.separable)
    assert answer.design_effect > 1.2
    assert answer.allocation is not None


def test_a_log_without_clusters_has_no_design_effect() -> None:
    answer = plan_arena(log("ties6"), lead=50, top=2)
    assert answer.design_effect == pytest.approx(1.0)
    assert answer.rows[0].ties == 0.25
    assert [note.code for note in answer.notes] == ["top_of_log", "more_than_planned"]


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ({"systems": 1, "gap": 50}, "systems"),
        ({"systems": 10, "gap": 0}, "gap"),
        ({"systems": 10, "gap": -5}, "gap"),
        ({"systems": 10, "gap": 50, "ties": 1}, "ties"),
        ({"systems": 10, "lead": 50, "top": 10}, "top"),
        ({"systems": 10, "lead": 50, "gap": 50}, "lead"),
        ({"systems": 10, "lead": 50}, "top"),
        ({"systems": 10, "gap": 50, "top": 3}, "lead"),
        ({"systems": 10}, "votes"),
        ({"systems": 10, "gap": 50, "votes": 100, "power": 0.8}, "power"),
        ({"gap": 50}, "systems"),
        ({"systems": 10, "gap": 100_000}, "gap"),
        ({"systems": 10, "votes": 5, "power": 0.99}, "votes"),
    ],
)
def test_refusals(options: dict[str, Any], found: str) -> None:
    with pytest.raises(UsageError, match=found):
        plan_arena(**options)


def test_refusals_of_logs(tmp_path: Path) -> None:
    tied = tmp_path / "tied.csv"
    tied.write_text("a,b,winner\nx,y,tie\ny,z,tie\nz,x,tie\n", encoding="utf-8")
    with pytest.raises(DataError, match="all votes of the log are ties"):
        plan_arena(tellapart.read(tied), gap=20)
    with pytest.raises(UsageError, match="ties"):
        plan_arena(log("ties6"), gap=20, ties=0.3)
    with pytest.raises(DataError, match="won or lost every vote"):
        plan_arena(log("separated4"), gap=20)
    with pytest.raises(Unsuitable, match="votes"):
        plan_arena(log("gaps6"), gap=20)


def test_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as done:
        main(["plan", "arena", "--systems", "10", "--gap", "20,50,100", "--ties", "0.2", "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert (done.value.code or 0, answer["schema"]) == (0, "tellapart/arena_plan/1")
    assert [row["votes"] for row in answer["rows"]] == [34_904, 5_624, 1_441]


def test_a_saved_plan_is_followed_by_rank(tmp_path: Path) -> None:
    """Fewer votes than planned, or another alpha, are told, and fail the gate; more votes do not."""
    path = tmp_path / "plan.json"
    for gap, kept in ((100, True), (20, False)):
        planned = plan_arena(systems=6, gap=gap, ties=0.25, save=str(path))
        answer: Any = tellapart.rank(log("ties6"), plan=path)
        (deviation,) = answer.plan.deviations
        assert (deviation.what, deviation.planned, deviation.found) == ("items", planned.rows[0].votes, 900)
        assert deviation.matters != kept
    with pytest.raises(GateFailed, match="items"):
        answer.require(fail_on="deviation")
    other: Any = tellapart.rank(log("ties6"), plan=path, alpha=0.1)
    assert "alpha" in [one.what for one in other.plan.deviations]
    with pytest.raises(UsageError, match="one design"):
        plan_arena(systems=6, gap=[20, 50], save=str(path))
