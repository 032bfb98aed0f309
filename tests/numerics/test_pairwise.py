"""Bradley–Terry fits and their covariances beside R (glm, BradleyTerry2, brglm2, sandwich, clubSandwich)."""

from dataclasses import replace

import numpy as np
import pytest
from tests.numerics.arena_votes import control, votes
from tests.numerics.frontier import quantities

from tellapart.foundation.arrays import FloatArray
from tellapart.numerics.pairwise import PairwiseVotes, groups_that_met, parted_without_one
from tellapart.numerics.pairwise.bradley_terry import fit_strengths
from tellapart.numerics.pairwise.covariance import (
    cluster_covariance,
    cluster_information,
    effective_clusters,
    two_way_covariance,
    vote_covariance,
)

CASES = ["cycle4", "ties6", "order4", "raters8", "twoway6", "length5"]


def agree(case: str, fit: str, strengths: FloatArray, covariance: FloatArray, tolerance: float) -> None:
    """Every strength, standard error and standard error of a difference that the table has of this fit."""
    names = votes(case)[0]
    found = 0
    for quantity, value in quantities("arena_fit", case).items():
        if not quantity.startswith(f"{fit}."):
            continue
        kind, _, name = quantity.removeprefix(f"{fit}.").partition(".")
        places = [names.index(n) for n in name.split("-")] if kind in {"strength", "se", "se_difference"} else []
        contrast = np.zeros(len(covariance))
        for place, sign in zip(places, (1.0, -1.0), strict=False):
            contrast[place] = sign
        if places:
            got = strengths[places[0]] if kind == "strength" else (contrast @ covariance @ contrast) ** 0.5
            assert got == pytest.approx(value, abs=tolerance), quantity
            found += 1
    assert found > 0


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("order", [False, True])
def test_ties_as_half_a_win(case: str, order: bool) -> None:
    _, all_votes, _ = votes(case)
    fit = fit_strengths(all_votes, "half", order=order)
    name = "half_order" if order else "half"
    agree(case, f"{name}.model", fit.strengths, fit.inverse(), 1e-8)
    share = 1.0 - 1.0 / all_votes.total
    agree(case, f"{name}.sandwich", fit.strengths, vote_covariance(fit) * share, 1e-8)
    if order:
        assert fit.advantage == pytest.approx(quantities("arena_fit", case)["half_order.order"], abs=1e-8)


@pytest.mark.parametrize("case", CASES)
def test_ties_by_davidson(case: str) -> None:
    """R's optimum is known to 1e-7; equal votes are fitted in one row each."""
    fit = fit_strengths(votes(case)[1].collapsed(), "davidson", order=False)
    agree(case, "davidson", fit.strengths, fit.inverse(), 2e-7)
    assert fit.nu == pytest.approx(quantities("arena_fit", case)["davidson.nu"], abs=1e-7)


@pytest.mark.parametrize("case", CASES)
def test_ties_dropped(case: str) -> None:
    _, v, _ = votes(case)
    decided = v.points != 0.5
    parts = (part[decided] for part in (v.a, v.b, v.points, v.first, v.weights))
    left = PairwiseVotes(v.systems, *parts)
    fit = fit_strengths(left, "half", order=False)
    agree(case, "drop.sandwich", fit.strengths, vote_covariance(fit) * (1.0 - 1.0 / left.total), 1e-8)


def test_a_control_beside_strengths() -> None:
    """The difference of lengths as one more coefficient (R's glm and sandwich), with clusters too."""
    _, all_votes, _ = votes("length5")
    fit = fit_strengths(replace(all_votes, control=control("length5")), "half", order=False)
    share = 1.0 - 1.0 / all_votes.total
    agree("length5", "half_length.sandwich", fit.strengths, vote_covariance(fit) * share, 1e-8)
    expected = quantities("arena_fit", "length5")
    assert fit.control == pytest.approx(expected["half_length.coefficient"], abs=1e-8)
    assert (vote_covariance(fit) * share)[-1, -1] ** 0.5 == pytest.approx(
        expected["half_length.coefficient_se"], abs=1e-8
    )
    each = np.arange(all_votes.a.size)
    assert cluster_covariance(fit, each) == pytest.approx(vote_covariance(fit), rel=0.05, abs=1e-4)


def test_firth_where_one_won_everything() -> None:
    fit = fit_strengths(votes("separated4")[1].collapsed(), "half", order=False, penalised=True)
    agree("separated4", "firth", fit.strengths, fit.inverse(), 1e-8)


@pytest.mark.parametrize(
    ("case", "by"),
    [
        ("raters8", "rater"),
        ("twoway6", "rater"),
        ("twoway6", "item"),
        ("twoway6", "rater+item"),
        ("ties6", "none"),
    ],
)
def test_clusters(case: str, by: str) -> None:
    """The jackknife (clubSandwich's CR3 × (G − 1)/G), and how many clusters a pair rests on."""
    names, all_votes, clusters = votes(case)
    fit = fit_strengths(all_votes, "half", order=False)
    if by == "rater+item":
        covariance = two_way_covariance(fit, clusters["rater"], clusters["item"])
    else:
        covariance = vote_covariance(fit) if by == "none" else cluster_covariance(fit, clusters[by])
    expected = quantities("arena_board", case, clusters=by)
    pairs = [q.partition(".")[2] for q in expected if q.startswith("se_difference")]
    contrasts = np.zeros((len(pairs), len(names)))
    for row, pair in zip(contrasts, pairs, strict=True):
        a, b = pair.split("-")
        row[names.index(a)], row[names.index(b)] = 1.0, -1.0
    errors = np.einsum("pi,ij,pj->p", contrasts, covariance, contrasts) ** 0.5
    assert errors == pytest.approx([expected[f"se_difference.{pair}"] for pair in pairs], abs=1e-8)
    if by != "none":
        a, b = ((contrasts == side).argmax(axis=1) for side in (1.0, -1.0))
        counts = [effective_clusters(fit, clusters[kind], a, b) for kind in by.split("+")]
        known = [expected[f"effective_clusters.{pair}"] for pair in pairs]
        assert np.min(counts, axis=0) == pytest.approx(known, abs=1e-6)


def test_leaving_clusters_out_needs_no_inverse_where_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a thousand clusters the information of all serves; with forty raters that is close already."""
    _, all_votes, clusters = votes("raters8")
    fit = fit_strengths(all_votes, "half", order=False)
    exact = cluster_covariance(fit, clusters["rater"])
    monkeypatch.setattr("tellapart.numerics.pairwise.covariance.MOST_LEFT_OUT", 1)
    assert np.diag(cluster_covariance(fit, clusters["rater"])) == pytest.approx(np.diag(exact), rel=0.15, abs=0.0)


def test_effective_clusters_of_strengths() -> None:
    """Beside the definition, with the information of each cluster in full."""
    names, all_votes, clusters = votes("raters8")
    fit = fit_strengths(all_votes, "half", order=True)
    inverse, size = fit.inverse(), len(names)
    contrasts = np.pad(np.eye(size) - 1.0 / size, ((0, 0), (0, 1)))
    told = np.einsum(
        "pi,gij,pj->gp", contrasts @ inverse, cluster_information(fit, clusters["rater"]), contrasts @ inverse
    )
    each = np.arange(size)
    assert effective_clusters(fit, clusters["rater"], each, each) == pytest.approx(
        told.sum(axis=0) ** 2 / (told**2).sum(axis=0)
    )


def test_equal_votes_in_one_row_change_nothing() -> None:
    _, all_votes, _ = votes("order4")
    rows, few = (fit_strengths(v, "davidson", order=True) for v in (all_votes, all_votes.collapsed()))
    assert rows.coefficients == pytest.approx(few.coefficients, abs=1e-10)
    assert vote_covariance(rows) == pytest.approx(vote_covariance(few), abs=1e-12)


def test_swapping_the_sides_of_every_vote_changes_nothing() -> None:
    _, v, _ = votes("order4")
    swapped = PairwiseVotes(v.systems, v.b, v.a, 1.0 - v.points, -v.first, v.weights)
    one, other = (fit_strengths(votes_, "davidson", order=True) for votes_ in (v, swapped))
    assert one.coefficients == pytest.approx(other.coefficients, abs=1e-10)


def test_pairs_that_one_cluster_alone_connects() -> None:
    """Beside leaving out each cluster in turn."""
    rng = np.random.default_rng(1)
    met = 0
    for _ in range(60):
        systems, rows = 6, 9
        a = rng.integers(0, systems, rows)
        b = (a + rng.integers(1, systems, rows)) % systems
        clusters = np.unique(rng.integers(0, 5, rows), return_inverse=True)[1]
        drawn = PairwiseVotes(systems, a, b, np.full(rows, 0.5), np.zeros(rows), np.ones(rows))
        if groups_that_met(drawn).max():
            continue
        apart = np.zeros((systems, systems), dtype=np.bool_)
        for cluster in np.unique(clusters):
            groups = groups_that_met(drawn.only(np.flatnonzero(clusters != cluster)))
            apart |= groups[:, np.newaxis] != groups
        assert (parted_without_one(drawn, clusters) == apart).all()
        met += 1
    assert met > 10
