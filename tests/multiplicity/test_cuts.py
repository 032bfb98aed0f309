"""Resamples in blocks: each is the same wherever it is computed, and how they are cut depends on the board's shape alone."""

from typing import cast

import numpy as np
import pytest

from tellapart.boards import joint_bootstrap as drawing
from tellapart.boards import joint_flips as flipping
from tellapart.boards.binary_scores import BinaryScores
from tellapart.boards.board import Board
from tellapart.boards.family import Family, all_pairs, family_of
from tellapart.boards.joint_bootstrap import BootstrapBlocks, JointBootstrap, Residuals, joint_bootstrap
from tellapart.boards.joint_flips import FLIPS, FlipBlocks, joint_flips
from tellapart.boards.joint_pvalues import joint_pvalues, parallel_joint_pvalues
from tellapart.data.scores import Scores
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.seeds import ahead, block_of, stream
from tellapart.metrics import METRICS


def family(systems: int, units: int, seed: int = 0) -> Family:
    return Family(stream(seed).normal(size=(systems, units)), *all_pairs(systems), np.zeros(0))


@pytest.mark.parametrize("units", [31, 40, 64, 65, 1000])
def test_blocks_are_stretches_of_one_stream(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever number of random words a flip takes, and wherever in them a block starts."""
    some = family(4, units)
    whole = FlipBlocks(some, 700, exhaustive=False, rng=stream(3)).block(0, range(700)).sums
    monkeypatch.setattr(flipping, "HELD", 4 * 133)
    cut = FlipBlocks(some, 700, exhaustive=False, rng=stream(3))
    parts = [cut.block(number, places).sums for number, places in enumerate(cut.cuts)]
    assert len(parts) == 6
    np.testing.assert_allclose(np.concatenate(parts, axis=1), whole, rtol=0, atol=1e-9)
    again = [block.sums for block in FlipBlocks(some, 700, exhaustive=False, rng=stream(3))]
    assert all((one == other).all() for one, other in zip(parts, again, strict=True))


@pytest.mark.parametrize("words", [0, 1, 7, 8, 9, 1023])
def test_ahead_is_what_comes_later(words: int) -> None:
    whole = stream(9, 2).bytes(4 * (words + 50))
    first = stream(9, 2)
    assert ahead(first, words).bytes(200) == whole[4 * words :]
    assert first.bytes(8) == whole[:8], "the stream itself has drawn nothing"


def test_blocks_of_drawn_items_share_no_number() -> None:
    streams = [block_of(stream(4), number).integers(0, 1 << 62, 500) for number in range(5)]
    assert (streams[0] == stream(4).integers(0, 1 << 62, 500)).all(), "the first block is the piece itself"
    assert len(np.unique(np.concatenate(streams))) == 2500


def board(table: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Board:
    scores = {f"s{i:03d}": row for i, row in enumerate(table)}
    return Board.of(Scores.from_arrays(scores), METRICS.parse("mean"))


def test_drawn_blocks_estimate_what_one_block_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other resamples of the same law: their p-values agree within chance, and a board of one block is what it was."""
    where = board(np.exp(stream(6).normal(size=(5, 90))) + 0.25 * np.arange(5)[:, np.newaxis])
    some = family_of(where, *all_pairs(5))
    draws = joint_bootstrap(where, some, 4_000, stream(0, 3))
    whole = joint_pvalues([draws])
    one = parallel_joint_pvalues(BootstrapBlocks(draws))
    assert one.step_down.tolist() == whole.step_down.tolist()
    for name, value in (("WORTH", 1), ("ASKED", 1), ("FEWEST_DRAWN", 300)):
        monkeypatch.setattr(drawing, name, value)
    assert len(BootstrapBlocks(draws).cuts) == 14
    cut = parallel_joint_pvalues(BootstrapBlocks(draws))
    assert cut.resamples == 4_000
    assert cut.observed.tolist() == whole.observed.tolist()
    error = np.sqrt(whole.step_down * (1.0 - whole.step_down) * 2.0 / 4_000)
    assert (np.abs(cut.step_down - whole.step_down) <= 4.0 * error + 1e-3).all()
    assert not (cut.maxima == whole.maxima).all()


@pytest.mark.parametrize(
    ("systems", "units", "at_once"),
    [(40, 5_000, 1_438), (100, 20, 10_787), (200, 20, 3_326), (40, 200_000, 64)],
)
def test_how_many_draws_make_a_block(systems: int, units: int, at_once: int) -> None:
    """3·2³¹ products, or 400,000 per pair where that is more; (systems + pairs + 60)·units + 100·pairs for each draw; never fewer than 64.

    Each block has a stream of its own, so that numbers hang on how draws are cut.
    """
    a, b = all_pairs(systems)
    columns, each = np.broadcast_to(0.0, (systems, units)), np.zeros(len(a))
    left = Residuals(columns, a, b, each, each)
    whole = JointBootstrap(Family(columns, a, b, each), left, each > 0.0, 20_000, stream(0))
    assert BootstrapBlocks(whole)._draws_per_batch == at_once
    assert len(BootstrapBlocks(whole).cuts) == -(-20_000 // at_once)


def test_boards_of_a_moment_are_one_block() -> None:
    assert len(joint_flips(family(20, 500), 10_000, stream(0)).cuts) == 1
    assert len(joint_flips(family(60, 2_000), 10_000, stream(0)).cuts) == 1


@pytest.mark.parametrize(("systems", "units"), [(300, 5_000), (3, 200_000), (40, 40_000)])
def test_large_boards_are_cut_into_blocks_that_are_worth_it(systems: int, units: int) -> None:
    a, b = all_pairs(systems)
    some = Family(np.zeros((systems, 1)).repeat(1, axis=1), a, b, np.zeros(len(a)))
    step = flipping._flips_at_once(len(some.columns), units, len(a))
    assert 128 <= step < 10_000
    assert step <= FLIPS
    assert step % flipping._multiplied_at_once(units) == 0


@pytest.mark.parametrize(
    ("systems", "units", "flips"),
    [
        (20, 500, 16_384),
        (120, 9_000, 2_304),
        (200, 9_000, 3_328),
        (300, 5_000, 6_270),
        (1_000, 300, 13_980),
        (3_000, 50, 11_184),
    ],
)
def test_how_many_flips_make_a_block(systems: int, units: int, flips: int) -> None:
    """2³¹ products, or 400,000 per pair where that is more, in whole products of matrices; no more than 2¹⁴, and 2²⁵ sums."""
    assert flipping._flips_at_once(systems, units, systems * (systems - 1) // 2) == flips


def test_marks_are_made_numbers_for_a_thousand_flips_at_once() -> None:
    """A board in bytes is gone through five times for 5,000 flips, where one of doubles would be cut into thirteen blocks."""
    held = np.zeros((40, 200_000), dtype=np.uint8)
    marks = BinaryScores(held, np.arange(40), np.arange(200_000))
    some = Family(cast("FloatArray", marks), *all_pairs(40), np.zeros(0))
    assert [len(places) for places in joint_flips(some, 5_000, stream(0)).cuts] == [1024] * 4 + [904]
    assert flipping._flips_at_once(40, 200_000, 780) == 384


@pytest.mark.parametrize(("units", "flips"), [(0, 1 << 20), (1, 1 << 20), (1_000, 1_048), (8_192, 128), (200_000, 128)])
def test_a_million_signs_are_multiplied_at_once(units: int, flips: int) -> None:
    """As many flips as that makes, and never fewer than 128."""
    assert flipping._multiplied_at_once(units) == flips


@pytest.mark.parametrize(("resamples", "count", "all_of_them"), [(254, 254, False), (255, 255, True), (999, 255, True)])
def test_all_patterns_where_as_many_are_asked_for(resamples: int, count: int, all_of_them: bool) -> None:
    """Nine signs have 256 patterns up to the opposite, the observed one among them."""
    flips = joint_flips(family(3, 9), resamples, stream(0))
    assert (flips.count, flips.exhaustive) == (count, all_of_them)
