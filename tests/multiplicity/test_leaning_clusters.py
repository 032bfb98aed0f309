"""Few clusters that lean: what adjusted p-values are multiplied by, and where by nothing."""

from typing import Any

import numpy as np
import pytest

from tellapart.metrics import METRICS
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.corrections.min_p import MinP
from tellapart.multiplicity.family import all_pairs, family_of
from tellapart.multiplicity.flipped_pvalues import flipped_pvalues
from tellapart.multiplicity.judging import Judging
from tellapart.multiplicity.leaning_clusters import DRAWN, FLIPPED, MANY, allowance
from tellapart.results.note import codes
from tellapart.scores import Scores
from tellapart.seeds import stream
from tellapart.verbs.rank.verb import rank


def scores(clusters: int, law: str = "exponential", sizes: Any = None, lead: float = 0.0) -> Scores:
    """Six systems whose clusters vary by unlike spreads, or not at all; the last system is ahead by `lead`."""
    rng = np.random.default_rng(2)
    codes = np.repeat(np.arange(clusters), np.full(clusters, 6) if sizes is None else sizes)
    effects = (rng.standard_exponential if law == "exponential" else rng.standard_normal)((6, clusters))
    values = (law != "none") * np.linspace(0.1, 2.0, 6)[:, np.newaxis] * effects
    values = values - values.mean(axis=1, keepdims=True)
    values[-1] += lead
    table = values[:, codes] + 0.3 * rng.standard_normal((6, len(codes)))
    return Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=codes.tolist())


def judging(given: Scores) -> Judging:
    board = Board.of(given, METRICS.parse("mean"))
    return Judging(board, family_of(board, *all_pairs(len(board.systems))), 0.05, 399, (7, ()))


def allowed(given: Scores, critical: float = 2.9) -> float:
    judge = judging(given)
    return allowance(judge.board, judge.family, critical, 0.05, stream(3))


@pytest.mark.parametrize(
    ("clusters", "times"), [(9, FLIPPED), (10, DRAWN), (30, DRAWN), (MANY - 1, DRAWN), (MANY, 1.0)]
)
def test_by_how_many_clusters(clusters: int, times: float) -> None:
    """More where they are too few to be drawn again, nothing from fifty on."""
    assert allowed(scores(clusters)) == times


def test_nothing_without_clusters_or_lean_or_chance_of_a_claim() -> None:
    """Items have a caution of their own; normal effects do not lean; where nothing can be claimed nothing is to be allowed for."""
    given = scores(30)
    assert (
        allowed(Scores.from_arrays({name: given.values[i, :, 0, 0] for i, name in enumerate(given.systems)}))
        == 1.0
    )
    assert allowed(scores(30, "normal")) == 1.0
    assert allowed(given, float("inf")) == 1.0


def test_sizes_alone_do_not_make_clusters_lean() -> None:
    """One cluster as large as all others together, of items that have nothing in common."""
    assert allowed(scores(20, "none", sizes=[60] + [3] * 19)) == 1.0


def test_adjusted_pvalues_are_so_many_times_as_large_and_single_ones_their_own() -> None:
    """Whichever way clusters are resampled; the critical value is that of as much smaller an alpha, and nothing is told beside it."""
    judge = judging(scores(30, lead=0.5))
    own = flipped_pvalues(judge.board, judge.family, 0.05, 399, judge._stream(0))
    found = judge.joint(MinP())
    assert found.allowance == DRAWN
    assert found.raw.tolist() == own.raw.tolist()
    assert found.step_down.tolist() == np.minimum(DRAWN * own.step_down, 1.0).tolist()
    assert found.single_step.tolist() == np.minimum(DRAWN * own.single_step, 1.0).tolist()
    assert found.critical(0.05) == own.critical(0.05 / DRAWN) > own.critical(0.05)
    assert judge.joint(MinP(resampling="cautious")).allowance == DRAWN
    assert judge.expected_error(MinP(), found) is None


def test_a_board_says_so() -> None:
    """A note with the factor where clusters lean; none where they do not."""
    for law, said in (("exponential", [DRAWN]), ("normal", [])):
        notes = rank(scores(30, law)).notes
        assert [note.values["allowance"] for note in notes if note.code == "leaning_clusters"] == said


def test_the_smallest_pvalue_that_can_come_of_few_clusters_is_as_many_times_as_large() -> None:
    """Of six clusters all 32 pairs of patterns give .03125, and twice that is beyond .05: it is noted that nothing can be claimed."""
    rng, where = np.random.default_rng(1), np.repeat(np.arange(6), 10)
    items = rng.normal(size=60)
    table = {name: items + 3.0 * (rng.exponential(size=6) ** 2)[where] for name in "abcd"}
    answer = rank(Scores.from_arrays(table, clusters=where.tolist()))
    assert "leaning_clusters" in codes(answer.notes)
    assert answer.corrected.smallest_pvalue == pytest.approx(2.0 / 32.0)
    assert min(pair.adjusted_pvalue for pair in answer.pairs) >= answer.corrected.smallest_pvalue
    assert "too_few_units" in codes(answer.notes)
