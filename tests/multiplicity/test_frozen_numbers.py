"""Same file, same seed, same numbers in the next version: small boards whose every number is written down.

Other files of this folder show that the numbers are right. These hold them still: which flip meets which item, and so every
p-value that was ever printed, hangs on the order of items and on how random bits become signs.
"""

from typing import Any

import numpy as np
import pytest
from tests.multiplicity.levels import simultaneous_level

from tellapart.boards.board import Board
from tellapart.boards.canonical_order import canonical_order
from tellapart.boards.family import all_pairs, family_of, pair_errors
from tellapart.boards.joint_bootstrap import joint_bootstrap
from tellapart.boards.joint_flips import joint_flips
from tellapart.boards.joint_pvalues import joint_pvalues
from tellapart.data.scores import Scores
from tellapart.foundation.seeds import stream
from tellapart.metrics import METRICS

Table = np.ndarray[Any, Any]
PAIRS = all_pairs(4)


def tables() -> dict[str, Table]:
    """Four systems on 24 items: numbers, right or wrong, numbers with gaps, skewed ones, and numbers far from 0."""
    rng = np.random.default_rng(20)
    numbers = np.round(rng.normal(size=(4, 24)) + 0.3 * np.arange(4)[:, np.newaxis], 3)
    flags = (rng.random((4, 24)) < np.array([[0.4], [0.5], [0.6], [0.9]])).astype(float)
    gaps = numbers.copy()
    gaps[0, :5] = gaps[2, 3:9] = np.nan
    skewed = np.round(rng.exponential(size=(4, 24)) * np.array([[0.1], [1.0], [2.0], [4.0]]), 3)
    return {"numbers": numbers, "flags": flags, "gaps": gaps, "skewed": skewed, "far": numbers + 1e7}


CLUSTERS = [int(code) for code in "150423062254621661056354"]


def board(table: Table, clusters: list[int] | None = None) -> Board:
    scores = Scores.from_arrays({f"s{i}": row for i, row in enumerate(table)}, clusters=clusters)
    return Board.of(scores, METRICS.parse("mean"))


ORDERS = {
    "numbers": [2, 23, 9, 11, 12, 19, 20, 22, 15, 10, 6, 17, 8, 16, 5, 1, 13, 3, 18, 4, 21, 14, 7, 0],
    "flags": [13, 15, 2, 14, 18, 20, 22, 23, 6, 9, 10, 11, 12, 19, 7, 16, 21, 0, 1, 3, 4, 17, 5, 8],
    "gaps": [22, 11, 12, 7, 23, 10, 4, 20, 17, 18, 15, 14, 21, 0, 9, 5, 19, 6, 2, 1, 16, 3, 8, 13],
    "skewed": [12, 6, 19, 2, 4, 16, 18, 8, 15, 10, 17, 7, 21, 11, 23, 20, 1, 13, 0, 5, 9, 3, 22, 14],
}
ORDERS["far"] = ORDERS["numbers"]


@pytest.mark.parametrize("name", ORDERS)
def test_orders(name: str) -> None:
    """The place of every item."""
    assert canonical_order(tables()[name], None).tolist() == ORDERS[name]
    assert board(tables()[name]).places.tolist() == ORDERS[name]


def test_orders_with_clusters() -> None:
    """An item is also known by the other items of its cluster."""
    numbers = [23, 21, 11, 2, 5, 7, 8, 14, 10, 9, 1, 0, 13, 15, 3, 4, 19, 12, 17, 16, 20, 22, 18, 6]
    flags = [4, 16, 20, 12, 15, 22, 23, 2, 10, 19, 5, 3, 9, 0, 17, 11, 18, 8, 7, 6, 14, 21, 1, 13]
    codes = np.array(CLUSTERS)
    assert canonical_order(tables()["numbers"], codes).tolist() == numbers
    assert canonical_order(tables()["flags"], codes).tolist() == flags


FLIPS = {
    "numbers": ([667, 37, 2, 118, 34, 582], [834, 160, 11, 288, 160, 834], [971, 183, 11, 387, 179, 940]),
    "flags": ([407, 1000, 32, 451, 202, 45], [552, 1000, 59, 652, 373, 126], [733, 1000, 59, 777, 405, 132]),
    "gaps": ([278, 169, 1, 381, 35, 311], [563, 420, 4, 563, 153, 563], [707, 506, 4, 874, 167, 792]),
    "skewed": ([1, 1, 1, 15, 2, 45], [1, 2, 1, 39, 3, 45], [1, 2, 1, 58, 5, 139]),
}
FLIPS["far"] = FLIPS["numbers"]
CRITICAL = {
    "numbers": 2.410180155338738,
    "flags": 2.4961508830135313,
    "gaps": 2.4987713856450817,
    "skewed": 2.329838137400927,
    "far": 2.4101801547656687,
}


@pytest.mark.parametrize("name", FLIPS)
def test_flips(name: str) -> None:
    """Raw, step-down and single-step p-values of 999 flips, in thousandths, and the critical value."""
    found = joint_pvalues(joint_flips(family_of(board(tables()[name]), *PAIRS), 999, stream(3)))
    kinds = (found.raw, found.step_down, found.single_step)
    assert tuple(np.rint(1000 * p).astype(int).tolist() for p in kinds) == FLIPS[name]
    assert found.critical(0.05) == pytest.approx(CRITICAL[name], rel=1e-12, abs=0.0)


def test_flips_of_many_items() -> None:
    """Signs come in whole words of 32: an item more than that takes the next one."""
    rng = np.random.default_rng(21)
    table = np.round(rng.normal(size=(3, 63)) + 0.2 * np.arange(3)[:, np.newaxis], 3)
    found = joint_pvalues(joint_flips(family_of(board(table), *all_pairs(3)), 999, stream(3)))
    assert np.rint(1000 * found.raw).astype(int).tolist() == [330, 182, 805]
    assert np.rint(1000 * found.step_down).astype(int).tolist() == [505, 361, 805]


BOOTSTRAP = {
    "numbers": ([136, 9, 1, 33, 10, 125], [168, 32, 2, 61, 32, 168], 2.825553597157291),
    "flags": ([55, 200, 4, 58, 24, 6], [72, 200, 10, 72, 50, 13], 2.8372521918222224),
    "skewed": ([1, 3, 1, 6, 1, 3], [3, 3, 3, 6, 4, 6], 3.237059818895144),
    "far": ([136, 9, 1, 33, 10, 125], [168, 32, 2, 61, 32, 168], 2.8255535973373425),
}


@pytest.mark.parametrize("name", BOOTSTRAP)
def test_bootstrap(name: str) -> None:
    """Raw and step-down p-values of 199 resamples, in two-hundredths, and the critical value."""
    where = board(tables()[name])
    found = joint_pvalues([joint_bootstrap(where, family_of(where, *PAIRS), 199, stream(3))])
    raw, step_down, critical = BOOTSTRAP[name]
    assert (found.resamples, found.exhaustive) == (199, False)
    assert np.rint(200 * found.raw).astype(int).tolist() == raw
    assert np.rint(200 * found.step_down).astype(int).tolist() == step_down
    assert found.critical(0.05) == pytest.approx(critical, rel=1e-9, abs=0.0)


CLUSTERED = [45, 3, 2, 5, 12, 40]
VARIANCES = [0.12019853814220038, 0.05051762876157407, 0.08144831725823047, 0.07312027866592721, 0.23502451639258615, 0.20533209532536004]  # fmt: skip


def test_clusters() -> None:
    """Seven clusters have 64 patterns of signs; effects, their variances and degrees of freedom."""
    where = board(tables()["numbers"], CLUSTERS)
    found = joint_pvalues(joint_flips(family_of(where, *PAIRS), 999, stream(3)))
    assert found.exhaustive
    assert np.rint(64 * found.raw).astype(int).tolist() == CLUSTERED
    errors = pair_errors(where, *PAIRS)
    assert errors.variances.tolist() == pytest.approx(VARIANCES, rel=1e-12, abs=0.0)
    assert errors.dfs.tolist() == [6.0] * 6


def test_errors_with_gaps() -> None:
    """Each pair on the items it shares."""
    errors = pair_errors(board(tables()["gaps"]), *PAIRS)
    assert errors.items.tolist() == [19, 15, 19, 18, 24, 18]
    assert errors.dfs.tolist() == [18.0, 14.0, 18.0, 17.0, 23.0, 17.0]
    expected = [0.110311976915974, 0.222577331428571, 0.088486493998153, 0.200248349491648, 0.140059458257850, 0.274278668300654]  # fmt: skip
    assert errors.variances.tolist() == pytest.approx(expected, rel=1e-12, abs=0.0)


def test_levels() -> None:
    """The level of intervals that hold together."""
    alike = tables()["numbers"] + 2.0 * np.random.default_rng(5).normal(size=24)
    left = alike - alike.mean(axis=1, keepdims=True)
    assert simultaneous_level(left, 0.95, stream(3)) == pytest.approx(0.98447124, abs=1e-12)
