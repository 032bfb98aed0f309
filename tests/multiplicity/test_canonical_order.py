"""The order that items have by their content."""

from typing import Any

import numpy as np
import pytest

from tellapart.boards.canonical_order import canonical_order

Table = np.ndarray[Any, Any]


def tables() -> list[Table]:
    rng = np.random.default_rng(0)
    return [
        rng.normal(size=(5, 40)),
        (rng.random((6, 50)) < 0.6).astype(float),
        (rng.random((2, 30)) < 0.5).astype(float),
        rng.integers(1, 6, (4, 60)).astype(float),
        np.where(rng.random((5, 40)) < 0.2, np.nan, rng.normal(size=(5, 40))),
        np.zeros((3, 10)),
        np.array([[0.3, 0.1 + 0.2, 0.3, 0.0, 0.0, 1e-17], [0.1 + 0.2, 0.3, 0.3, 0.0, 0.0, 0.0]]),
    ]


@pytest.mark.parametrize("table", tables(), ids=range(7))
@pytest.mark.parametrize("grouped", [False, True], ids=["items", "clusters"])
def test_the_order_of_items_leaves_no_trace(table: Table, *, grouped: bool) -> None:
    """However items come, the same columns stand at the same places, and the same clusters hold the same items."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 7, table.shape[1]) if grouped else None
    shuffle = rng.permutation(table.shape[1])
    one = canonical_order(table, codes)
    other = shuffle[canonical_order(table[:, shuffle], None if codes is None else codes[shuffle])]
    np.testing.assert_array_equal(table[:, one], table[:, other])
    assert sorted(one.tolist()) == list(range(table.shape[1]))
    if codes is not None:
        assert contents(table, codes, one) == contents(table, codes, other)


def contents(table: Table, codes: Table, order: Table) -> list[bytes]:
    """The columns of each cluster, clusters in the order they appear."""
    seen = dict.fromkeys(codes[order].tolist())
    return [np.ascontiguousarray(table[:, order[codes[order] == code]]).tobytes() for code in seen]


@pytest.mark.parametrize("table", tables()[:4], ids=range(4))
def test_names_and_units_leave_no_trace(table: Table) -> None:
    """Other names, which put systems in another order, and another unit sort the items alike."""
    order = canonical_order(table, None)
    turned = canonical_order(np.ascontiguousarray(table[::-1]), None)
    np.testing.assert_array_equal(table[:, turned], table[:, order])
    scaled = canonical_order(100.0 * table + 3.0, None)
    np.testing.assert_array_equal(table[:, scaled], table[:, order])


def test_float_noise_leaves_no_trace() -> None:
    """Sums made in another order sort the items alike."""
    parts = np.round(np.random.default_rng(2).random((3, 4, 60)), 1)
    forth, back = (np.add.reduce(x, axis=0) for x in (parts, parts[::-1]))
    assert (forth != back).any()
    np.testing.assert_array_equal(canonical_order(forth, None), canonical_order(back, None))


def test_zero_has_one_sign() -> None:
    """−0 and 0 are the same score."""
    table = np.array([[0.0, -0.0, 0.0, 1.0], [0.0, 0.0, 1.0, -0.0]])
    np.testing.assert_array_equal(canonical_order(table, None), canonical_order(np.abs(table), None))
