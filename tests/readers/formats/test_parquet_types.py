"""lighteval's Parquet with columns doubled or of another type than the program writes: refused in words."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from tellapart import read
from tellapart.foundation.errors import ReadError, TellapartError

pa: Any = pytest.importorskip("pyarrow")
pq: Any = pytest.importorskip("pyarrow.parquet")
DOC, METRIC = pa.array([{"id": "1", "task_name": "t"}] * 2), pa.array([{"em": 1.0}, {"em": 0.0}])
DOCS = {"struct": DOC, "list": pa.array([[{"id": "1", "task_name": "t"}]] * 2), "text": pa.array(["x", "y"]), "null": pa.nulls(2, DOC.type)}  # fmt: skip
METRICS = {"struct": METRIC, "list": pa.array([[{"em": 1.0}]] * 2), "nested": pa.array([{"em": [1.0]}] * 2), "deep": pa.array([{"em": {"x": 1.0}}] * 2)}  # fmt: skip
WHOLE, PARTS = {"query": pa.array(["q", "r"])}, {"full_prompt": pa.array(["p", "r"]), "num_effective_few_shots": pa.array([1, 1])}  # fmt: skip


def refused(folder: Path, **columns: Any) -> bool:
    """Whether it is refused; `_` behind a name stands for the same name again."""
    table = pa.Table.from_arrays([*columns.values()], names=[name.rstrip("_") for name in columns])
    pq.write_table(table, folder / "details_x_2024-01-01T00-00-00.parquet")
    try:
        read(str(folder / "details_x_2024-01-01T00-00-00.parquet"), format="lighteval")
    except TellapartError:
        return True
    return False


@pytest.mark.parametrize(("doc", "metric"), [*itertools.product(DOCS, METRICS)])
def test_columns_of_any_type(tmp_path: Path, doc: str, metric: str) -> None:
    assert refused(tmp_path, doc=DOCS[doc], metric=METRICS[metric], **WHOLE)
    texts = pa.array(["x", "y"])
    assert refused(tmp_path, example=texts, metrics=METRICS[metric], **PARTS)


def test_columns_twice(tmp_path: Path) -> None:
    assert refused(tmp_path, doc=DOC, metric=METRIC, doc_=DOC, **WHOLE)
    assert refused(tmp_path, doc=DOC, metric=METRIC, metric_=METRIC, **WHOLE)
    assert refused(tmp_path, example=pa.array(["x", "y"]), metrics=METRIC, metrics_=METRIC, **PARTS)


def test_what_it_should_be_is_said(tmp_path: Path) -> None:
    assert refused(tmp_path, doc=DOC, metric=METRICS["list"], **WHOLE)
    with pytest.raises(ReadError, match=r"column 'metric' holds list.*; wanted a struct"):
        read(str(tmp_path / "details_x_2024-01-01T00-00-00.parquet"), format="lighteval")
