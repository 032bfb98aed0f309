"""Tables of judges as pandas saves them, and metrics that failed although a score stands there."""

import json
from typing import Any

import pytest
from tests.readers.formats.conftest import Put

from tellapart.foundation.errors import ReadError
from tellapart.readers import read
from tellapart.verbs.compare import compare
from tellapart.verbs.describe import describe

Rows = list[dict[str, Any]]
NEW = ("user_input", "retrieved_contexts", "response", "reference")
OLD = ("question", "contexts", "answer", "ground_truth")


def judged(names: tuple[str, ...], shift: int) -> Rows:
    texts = [dict(zip(names, (f"Q{n}?", ["c"], "a", "r"), strict=True)) for n in range(9)]
    return [row | {"faithfulness": ((n * 4 + shift) % 7) / 7} for n, row in enumerate(texts)]


def by_columns(rows: Rows) -> str:
    """As `DataFrame.to_json` does it unasked."""
    return json.dumps({name: {str(n): row[name] for n, row in enumerate(rows)} for name in rows[0]})


@pytest.mark.parametrize("names", [NEW, OLD], ids=["0.2", "0.1"])
def test_a_table_by_columns_is_the_one_by_rows(put: Put, names: tuple[str, ...]) -> None:
    tables = {"a": judged(names, 0), "b": judged(names, 3)}
    columns = compare(read([put(f"c/{name}.json", by_columns(rows)) for name, rows in tables.items()]))
    rows = compare(read([put(f"r/{name}.json", json.dumps(rows)) for name, rows in tables.items()], format="ragas"))
    assert (columns.items, columns.measure, columns.a.name) == (9, "faithfulness", "a")
    assert (columns.a.mean, columns.pvalue) == (rows.a.mean, rows.pvalue)
    (found,) = describe([put("x", by_columns(tables["a"]))]).sources
    assert found.format == "ragas"


def test_a_cell_that_a_column_lacks_is_missing(put: Put) -> None:
    table = json.loads(by_columns(judged(NEW, 0)))
    del table["faithfulness"]["3"]
    table["faithfulness"]["4"] = None
    (source,) = describe([put("a.json", json.dumps(table))]).sources
    assert (source.rows, source.scored, source.missing, source.errors) == (9, 7, 2, 0)


def test_a_table_split_into_columns_and_data_is_named_by_its_questions(put: Put) -> None:
    rows = judged(NEW, 0)
    table = {"columns": list(rows[0]), "index": [*range(9)], "data": [[*row.values()] for row in rows]}
    assert describe([put("a/t.json", json.dumps(table))]).items == 9


def test_a_table_without_ids_is_refused_with_the_flag(put: Put) -> None:
    table = {"columns": ["text", "acc"], "data": [["u", 1], ["v", 0], ["w", 1]]}
    paths = [put(f"{name}/t.json", json.dumps(table | {"x": name})) for name in "ab"]
    with pytest.raises(ReadError) as error:
        read(paths)
    assert "--column item=…" in error.value.message_for("command line")
    assert compare(read(paths, columns={"item": "text"})).items == 3


def test_a_metric_with_an_error_is_one_whatever_its_score(put: Put) -> None:
    """DeepEval: what a judge that threw had as a score before is no score."""

    def case(number: int, **more: object) -> dict[str, Any]:
        metric = {"name": "Exact", "score": float(number % 2), "success": True, **more}
        return {"name": f"case_{number}", "input": "x", "metricsData": [metric]}

    cases = [case(0, error="timeout"), case(1, error=None), case(2), case(3)]
    run = {"testCases": cases, "conversationalTestCases": [], "hyperparameters": {"model": "m"}}
    (source,) = describe([put("run.json", json.dumps(run))]).sources
    assert (source.scored, source.missing, source.errors) == (3, 0, 1)


def test_lines_with_a_signature_are_no_texts(put: Put) -> None:
    """Two metrics of sacrebleu are an open choice: nobody is told to score the scores."""
    lines = {
        name: "".join(f"{name}|nrefs:1|case:mixed|version:2.6.0 = {n}.5\n" for n in range(9))
        for name in ("chrF2", "TER")
    }
    paths = [put(f"{name}.sl", text) for name, text in lines.items()]
    with pytest.raises(ReadError) as error:
        read(paths)
    assert "several measures: 'chrF2', 'TER'" in error.value.message
    assert "segment" not in error.value.message
