"""Rows of sheets that sum up, and numbers that stand for no score."""

from collections.abc import Callable

import numpy as np
import pytest

from tellapart.foundation.errors import DataError, UsageError
from tellapart.readers import read
from tellapart.readers.tables.sides import read_sides
from tellapart.verbs.describe import describe

File = Callable[..., str]
OLD, NEW = [n % 3 > 0 for n in range(21)], [n % 4 > 0 for n in range(21)]


def wide(*more: str) -> str:
    rows = [f"q{n},{int(a)},{int(b)}" for n, (a, b) in enumerate(zip(OLD, NEW, strict=True))]
    return "\n".join(["question,base,new", *rows, *more, ""])


@pytest.mark.parametrize(
    "more",
    [
        (f"TOTAL,{sum(OLD)},{sum(NEW)}",),
        (f"Average,{np.mean(OLD):.2f},{np.mean(NEW):.2f}",),
        (f"mean,{np.mean(OLD)},{np.mean(NEW)}", f"Total,{sum(OLD)},{sum(NEW)}"),
        (f"Overall accuracy:,{100 * np.mean(OLD):.1f},{100 * np.mean(NEW):.1f}",),
    ],
)
def test_summary_rows(more: tuple[str, ...], file: File) -> None:
    """A row that is called like a summary and is one is left out, with a note, by whoever reads it."""
    path = file(wide(*more))
    found = read(path)
    assert found.values.mean(axis=(1, 2, 3)).tolist() == [np.mean(OLD), np.mean(NEW)]
    (remark,) = found.remarks
    assert (remark.code, len(remark.values["names"])) == ("summary_rows_left_out", len(more))
    assert describe(path).items == 21
    both = read_sides(path, path, systems=("base", "new"))
    np.testing.assert_array_equal(both.values, found.values)


def test_long_tables(file: File) -> None:
    """Of a file per system, in both orders."""
    paths = []
    for name, scores in (("old", OLD), ("new", NEW)):
        rows = "".join(f"q{n},{int(one)}\n" for n, one in enumerate(scores))
        paths.append(file(f"id,accuracy\n{rows}average,{np.mean(scores):.3f}\n", f"{name}.csv"))
    for given in (paths, paths[::-1]):
        found = read(given)
        means = dict(zip(found.systems, found.values.mean(axis=(1, 2, 3)).tolist(), strict=True))
        assert means == {"old": np.mean(OLD), "new": np.mean(NEW)}


@pytest.mark.parametrize("row", ["mean,1,0", f"Total,{sum(OLD)},3", "totally,1,1"])
def test_items_that_are_called_like_summaries(row: str, file: File) -> None:
    """Where the numbers are no mean and no sum, it is an item."""
    assert len(read(file(wide(row))).items) == 22


@pytest.mark.parametrize(
    ("sentinel", "refused"),
    [("-1", True), ("999", True), ("-99", True), ("99", True), ("2", False), ("", False)],
)
def test_sentinels(sentinel: str, refused: bool, file: File) -> None:
    """A number that may stand for no score is asked about; it is left out, or counted, as the caller says."""
    path = file(wide(f"q98,{sentinel},1", "q99,1,0"))
    if not refused:
        assert len(read(path).items) == 23
        return
    with pytest.raises(DataError) as asked:
        read(path)
    assert f"--blank {sentinel}" in asked.value.message_for("command line")
    assert np.isnan(read(path, blank=sentinel).values).sum() == 1
    assert np.isnan(read(path, blank=[float(sentinel), 7]).values).sum() == 1
    assert read(path, blank="none", rescale={"base": 1}).values[0].sum() == sum(OLD) + float(sentinel) + 1
    with pytest.raises(UsageError, match="wanted numbers that stand for no score"):
        read(path, blank="x")


def test_preferences_are_scores(file: File) -> None:
    rows = "".join(f"q{n},{n % 3 - 1},{n % 2}\n" for n in range(30))
    assert len(read(file(f"id,a,b\n{rows}")).items) == 30
