"""Files as other releases and other users of the same programs write them."""

import csv
import io
import json
import zipfile
from typing import Any

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ItemMismatch, ReadError, TellapartError
from tellapart.readers import read
from tellapart.verbs.compare import compare
from tellapart.verbs.describe import describe
from tellapart.verbs.rank import rank


def counts(scores: Any) -> dict[str, tuple[int, int, int, int]]:
    return {one.system: (one.rows, one.scored, one.missing, one.errors) for one in scores.reading.sources}


def scored(scores: Scores) -> dict[str, list[float]]:
    return {name: scores.values[place, :, 0, 0].tolist() for place, name in enumerate(scores.systems)}


def lines(*records: Any) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_full_spellings_of_measures(put: Put) -> None:
    """What a program calls a measure in full is taken as well as its short name."""
    signature = "TER|nrefs:1|case:lc|tok:tercom|version:2.4.0"
    paths = [
        put(f"{name}.sl", "".join(f"{signature} = {n * k}.5\n" for n in range(5))) for name, k in (("a", 1), ("b", 2))
    ]
    full, short = (read(paths, measure=measure) for measure in (signature, "TER"))
    assert (full.values == short.values).all()
    assert full.reading.better == "lower"
    rows = [
        {
            "provider": {"id": name}, "prompt": {"raw": "x"}, "testIdx": n, "vars": {"w": str(n)}, "testCase": {}, "success": True,
            "score": 1, "namedScores": {"tone": n / 10}, "failureReason": 0, "gradingResult": {"pass": True},
        }
        for name in "ab"
        for n in range(4)
    ]  # fmt: skip
    table = put(
        "p.json",
        json.dumps({"results": {"version": 3, "results": rows, "prompts": [], "stats": {}}, "config": {}}),
    )
    assert scored(read(table, measure="namedScores.tone")) == scored(read(table, measure="tone"))


def test_words_of_old_releases_of_evalplus(put: Put) -> None:
    """Before 0.2: success, failed, timed out."""

    def content(words: list[str]) -> str:
        found = {
            f"H/{n}": {"nfiles": 1, "base": [[word, []]], "plus": [["success", []]]} for n, word in enumerate(words)
        }
        return json.dumps({"date": "d", "hash": "h", "eval": found})

    one = put("a_eval_results.json", content(["success", "failed", "timed out", "success"]))
    other = put("b_eval_results.json", content(["success"] * 4))
    assert scored(read([one, other], measure="plus")) == {"a": [1, 0, 0, 1], "b": [1, 1, 1, 1]}


def test_what_a_subject_lacks_is_missing(put: Put) -> None:
    """All subjects of a file of py-irt were asked the same."""
    path = put(
        "x",
        lines(
            *(
                {"subject_id": s, "responses": {f"q{n}": n % 2 for n in range(count)}}
                for s, count in (("a", 5), ("b", 4))
            )
        ),
    )
    assert counts(read(path)) == {"a": (5, 5, 0, 0), "b": (5, 4, 1, 0)}


def test_the_id_of_a_request_is_the_last_resort(put: Put) -> None:
    """Inputs that differ name the rows; where they do not, an id does."""

    def content(same: bool) -> str:
        data = [[f"r{n}", "x" if same else f"x{n}", n % 2] for n in range(4)]
        return json.dumps({"columns": ["request_id", "inputs", "acc/score"], "data": data})

    for same, first in ((True, "r0"), (False, "x0")):
        paths = [put(f"{same}/{name}/eval_results_table.json", content(same)) for name in "ab"]
        assert read(paths).items[0] == ("", first)


def test_a_row_without_a_result_is_of_the_one_that_lacks(put: Put) -> None:
    """Every Eval Ever names no result where it found no number; the other results of the item stay as they are."""

    def content(model: str) -> str:
        records = [
            {
                "schema_version": "0.3.0", "evaluation_id": "e", "model_id": model, "evaluation_name": "t", "sample_id": str(n),
                "evaluation_result_id": None if (model, n, name) == ("b", 1, "r1") else name, "evaluation": {"score": n % 2},
            }
            for n in range(4)
            for name in ("r1", "r2")
        ]  # fmt: skip
        return lines(*records)

    paths = [put(f"{model}/u_samples.jsonl", content(model)) for model in "ab"]
    assert counts(read(paths, measure="r1")) == {"a": (4, 4, 0, 0), "b": (4, 3, 1, 0)}
    assert counts(read(paths, measure="r2")) == {"a": (4, 4, 0, 0), "b": (4, 4, 0, 0)}


def lm_eval(measures: dict[str, Any]) -> str:
    record = {"doc": {"q": "x"}, "resps": [], "filter": "none", "metrics": [*measures]}
    return lines(*({"doc_id": n, **record, **measures} for n in range(4)))


def test_no_measure_with_scores_of_items(put: Put) -> None:
    """Where every measure is of pairs or lists nothing can be picked, and nothing is said that cannot be done."""
    paths = [put(f"{name}/samples_t.jsonl", lm_eval({"f1": [1, 0]})) for name in "ab"]
    with pytest.raises(ReadError, match="holds no scores of single items") as refusal:
        read(paths)
    assert "--measure" not in refusal.value.message_for("command line")
    with pytest.raises(ReadError, match="There is no other measure"):
        read(paths, measure="f1")
    more = [put(f"{name}/samples_u.jsonl", lm_eval({"f1": [1, 0], "acc": 1.0})) for name in "cd"]
    with pytest.raises(ReadError, match=r"Pick another with .*: 'acc'$"):
        read(more, measure="f1")


def test_choices_that_have_nothing_in_common(put: Put) -> None:
    """A dataset and a measure that exist, and no row of both, is refused in words."""
    records = [
        {"schema_version": "0.3.0", "evaluation_id": "e", "model_id": m, "evaluation_name": d, "sample_id": str(n),
         "evaluation_result_id": f"r{d}", "evaluation": {"score": n % 2}}
        for m in "ab" for d in "xy" for n in range(3)
    ]  # fmt: skip
    path = put("u_samples.jsonl", lines(*records))
    with pytest.raises(ReadError, match="no row fits all that was picked"):
        read(path, dataset="x", measure="ry")


def test_a_dataset_leaves_its_own_measures(put: Put) -> None:
    """Measures of other datasets of the same file are none to choose from."""
    records = [
        {"schema_version": "0.3.0", "evaluation_id": "e", "model_id": m, "evaluation_name": d, "sample_id": str(n),
         "evaluation_result_id": f"r{d}", "evaluation": {"score": n % 2}}
        for m in "ab" for d in "xy" for n in range(3)
    ]  # fmt: skip
    assert read(put("u_samples.jsonl", lines(*records)), dataset="y").measure == "ry"


def test_a_system_without_any_score(put: Put) -> None:
    """Its ids are as they should be: it was not scored."""
    none = written.inspect("b", dict.fromkeys(("q1", "q2"), None))
    paths = [put("a.json", written.inspect("a", {"q1": 1.0, "q2": 0.0})), put("b.json", none)]
    with pytest.raises(ItemMismatch, match="system 'b' has no score on any item"):
        compare(read(paths))


ALL = {f"q{number}" for number in range(6)}


def failing(system: str, failed: set[str]) -> bytes:
    found = json.loads(written.inspect(system, {item: float(item < "q4") for item in ALL}))
    for sample in found["samples"]:
        if sample["id"] in failed:
            sample |= {"error": {"message": "x"}, "scores": {}}
    return json.dumps(found).encode()


@pytest.mark.parametrize("ask", [compare, rank], ids=["compare", "rank"])
@pytest.mark.parametrize("other", [set(), {"q2"}, ALL], ids=["none", "one", "all"])
def test_the_way_out_of_failures_leads_out(put: Put, ask: Any, other: set[str]) -> None:
    """Whatever the refusal advises is tried, and answers: to leave items out only where some are left."""
    paths = [
        put("a.json", failing("a", {"q2"} if other != ALL else other)),
        put("b.json", failing("b", other)),
    ]
    with pytest.raises(TellapartError) as refusal:
        ask(read(paths, measure="match"))
    told = refusal.value.message_for("command line")
    assert "--errors zero" in told
    assert ask(read(paths, measure="match", errors="zero")).items == 6
    if "--missing drop" in told:
        assert ask(read(paths, measure="match"), missing="drop").items == 5


def test_errors_that_are_zero_already(put: Put) -> None:
    """What was typed is not suggested again."""
    tests = [
        {"nodeid": f"t::{n}", "outcome": outcome} for n, outcome in enumerate(("passed", "error", "skipped", "failed"))
    ]
    report = {"created": 1.0, "exitcode": 0, "root": "/", "summary": {}}
    paths = [put("a.json", json.dumps(report | {"tests": tests}))]
    paths.append(put("b.json", json.dumps(report | {"tests": [one | {"outcome": "passed"} for one in tests]})))
    with pytest.raises(ItemMismatch) as refusal:
        compare(read(paths, errors="zero"))
    assert "--errors" not in refusal.value.message_for("command line")


def test_a_universe_is_for_lists_of_what_was_solved(put: Put) -> None:
    """Other logs say of every item what became of it."""
    paths = [put(f"{name}.json", written.inspect(name, {"q1": 1.0, "q2": 0.0})) for name in "ab"]
    with pytest.raises(ReadError, match="Leave it out"):
        read(paths, universe="5")


def test_a_short_row_of_a_promptfoo_table(put: Put) -> None:
    """A row that lacks fields is refused with its line."""
    out = io.StringIO()
    names = ["word", "[a] x", "Status", "Score", "Named Scores", "Grader Reason", "Comment"]
    csv.writer(out).writerows([names, ["w", "o", "PASS", "1", "", "", ""], []])
    path = put("x.csv", out.getvalue() + "w2\n")
    with pytest.raises(DataError, match="line 4: found 1 fields"):
        read(path, format="promptfoo")


def test_an_archive_whose_list_points_before_its_start(put: Put) -> None:
    """A member that would begin before the file is damage, and no error of Python's."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", b'{"status": "success", "eval": {"task": "t", "model": "m"}}')
        archive.writestr("summaries.json", b"[]")
    content = bytearray(packed.getvalue())
    # The archive says that its list begins later than it does, so that all that lies before is counted from below 0.
    end = content.rindex(b"PK\x05\x06")
    start = int.from_bytes(content[end + 16 : end + 20], "little")
    content[end + 16 : end + 20] = (start + 40).to_bytes(4, "little")
    with pytest.raises(ReadError, match=r"cannot be read|cut"):
        describe(put("x.eval", bytes(content)))


def test_addresses_are_not_fetched() -> None:
    """A remote file is to be downloaded first."""
    with pytest.raises(ReadError, match="URLs are not fetched"):
        describe("https://example.com/log.json")


@pytest.mark.parametrize("indent", [None, 2])
def test_lines_of_records_that_span_several(put: Put, indent: int | None) -> None:
    """A record that comes twice is named by its line, also where records are printed over several lines, or in other scripts."""
    records = [json.loads(line) for line in lm_eval({"acc": 1.0}).splitlines()]
    records = [record | {"doc": {"q": "読む é"}, "doc_id": n} for n, record in enumerate(records * 8)]
    records.append(records[20])
    text = "".join(json.dumps(record, indent=indent, ensure_ascii=False) + "\n" for record in records)
    start = 1 + text[: text.index('"doc_id": 20,')].count("\n") - (0 if indent is None else 1)
    path = put("samples_t.jsonl", text)
    other = put("b/samples_t.jsonl", lm_eval({"acc": 1.0}))
    with pytest.raises(DataError, match=rf"line {start}\): it comes twice"):
        read([path, other])


@pytest.mark.parametrize("script", ["a", "読"])
def test_nesting_in_one_of_many_lines(put: Put, script: str) -> None:
    """A record that is nested too deep is refused with its line, be it one of a thousand."""
    records = lm_eval({"acc": 1.0}).splitlines() * 10
    deep = json.loads(records[0]) | {"doc": json.loads("[" * 250 + f'"{script}"' + "]" * 250)}
    records[27] = json.dumps(deep, ensure_ascii=False)
    path = put("samples_t.jsonl", "\n".join(records) + "\n")
    with pytest.raises(ReadError, match="line 28: found brackets nested 251 deep"):
        describe(path)


@pytest.mark.parametrize("results_first", [True, False])
def test_inspect_logs_of_the_first_version(put: Put, results_first: bool) -> None:
    """Samples had one score each, and the results said who gave it."""
    paths = []
    for name, marks in (("a", "CI"), ("b", "CC")):
        log = json.loads(written.inspect(name, {"q1": 1.0, "q2": 0.0}))
        del log["eval"]["scorers"]
        samples = log.pop("samples")
        for sample, mark in zip(samples, marks, strict=True):
            del sample["scores"]
            sample["score"] = {"value": mark, "answer": "x"}
        results = {"results": {"scorer": {"name": "includes", "params": {}}, "metrics": {}}}
        rest = results | {"samples": samples} if results_first else {"samples": samples} | results
        paths.append(put(f"{name}.json", json.dumps(log | {"version": 1} | rest)))
    scores = read(paths, measure="includes")
    assert scored(scores) == {"a": [1.0, 0.0], "b": [1.0, 1.0]}
