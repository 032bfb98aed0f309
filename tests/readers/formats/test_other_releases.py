"""Layouts that other releases and other options of the same programs write, unlike the samples."""

import io
import json
import subprocess
import sys
import zipfile
from typing import Any

import pytest
from tests.readers.formats import written
from tests.readers.formats.conftest import Put

from tellapart.foundation.errors import ItemMismatch, NoSuchFile, OpenScore, ReadError
from tellapart.readers import read
from tellapart.readers.format import FORMATS
from tellapart.verbs.compare import compare
from tellapart.verbs.convert import convert
from tellapart.verbs.describe import describe
from tellapart.verbs.rank import rank

RIGHT = {"a": [1, 0, 1, 0, 0, 1], "b": [1, 1, 1, 0, 1, 1]}
DATE = "2024-05-01T10-11-12.123456"


def means(path: str | list[str], **asked: Any) -> dict[str, float]:
    scores = read(path, **asked)
    return {name: float(scores.values[n].mean()) for n, name in enumerate(scores.systems)}


OWN = {name: sum(right) / len(right) for name, right in RIGHT.items()}


@pytest.mark.parametrize("key", ["correct", "is_correct"])
@pytest.mark.parametrize("wrapped", [False, True], ids=["a verdict", "a list of one"])
def test_opencompass_details_without_names(put: Put, key: str, wrapped: bool) -> None:
    """An evaluator's own details are in the order of the dataset, and some call the verdict is_correct."""
    for name, right in RIGHT.items():
        details = [{"pred": "x", "answer": "y", key: [bool(one)] if wrapped else bool(one)} for one in right]
        put(f"results/{name}/gsm8k.json", json.dumps({"accuracy": 50.0, "details": details}))
    folder = put("results/readme.txt", "").removesuffix("/readme.txt")
    assert means(folder) == OWN
    assert [item for _, item in read(folder).items] == ["0", "1", "2", "3", "4", "5"]


def test_opencompass_with_a_model_that_extracts(put: Put) -> None:
    """Two verdicts of one example are two measures; the one that its accuracy is made of is taken."""
    for name, right in RIGHT.items():
        one = {
            str(n): {"prompt": "p", "predictions": "1", "references": "1", "correct": bool(said), "model_extract_correct": True}
            for n, said in enumerate(right)
        }  # fmt: skip
        put(f"results/{name}/bbh.json", json.dumps({"accuracy": 50.0, "type": "GEN", "details": one}))
    folder = put("results/readme.txt", "").removesuffix("/readme.txt")
    assert means(folder) == OWN
    assert means(folder, measure="model_extract_correct") == {"a": 1.0, "b": 1.0}


def test_deepeval_before_metrics_had_data(put: Put) -> None:
    """metricsMetadata, where a metric is called `metric`."""
    paths = []
    for name, right in RIGHT.items():
        cases = [
            {"name": f"case_{n}", "input": "q", "success": True, "metricsMetadata": [{"metric": "Relevancy", "score": one, "threshold": 0.5}]}
            for n, one in enumerate(right)
        ]  # fmt: skip
        content = {"testFile": "t.py", "testCases": cases, "hyperparameters": {"model": name}}
        paths.append(put(f"{name}.json", json.dumps(content)))
    assert means(paths, measure="Relevancy") == OWN


def test_a_bare_list_of_what_was_resolved(put: Put) -> None:
    """A submission may list nothing else; any other list called so is not taken for one."""
    paths = [
        put(f"{name}/results/results.json", json.dumps({"resolved": [f"django__django-{n}" for n in range(12) if n % k]}))
        for name, k in (("x", 2), ("y", 3))
    ]  # fmt: skip
    with pytest.raises(ReadError, match="universe"):
        read(paths)
    assert means(paths, universe="12") == {"x": 0.5, "y": 8 / 12}
    other = put("tickets.json", json.dumps({"resolved": ["printer", "screen"]}))
    with pytest.raises(ReadError, match="tickets"):
        read(other)
    assert {mean.system: mean.mean for mean in describe(paths).means} == {}


def parquet(rows: list[dict[str, Any]]) -> bytes:
    pyarrow, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    writer.write_table(pyarrow.Table.from_pylist(rows), file := io.BytesIO())
    return file.getvalue()


def test_lighteval_before_documents_had_ids(put: Put) -> None:
    """The example is the item, its second time numbered; where cells did not fit a column, the writer printed all of them as texts."""
    paths = []
    for name, right in RIGHT.items():
        rows: list[dict[str, Any]] = [
            {"example": f"question {n % 5}", "full_prompt": "p", "num_effective_few_shots": 5, "metrics": {"acc": float(one), "f1": 0.5}}
            for n, one in enumerate(right)
        ]  # fmt: skip
        if name == "b":
            rows = [{key: str(value) for key, value in row.items()} for row in rows]
        paths.append(put(f"details/{name}/{DATE}/details_arc|25_{DATE}.parquet", parquet(rows)))
    scores = read(paths, measure="acc")
    assert means(paths, measure="metrics.acc") == OWN
    assert {dataset for dataset, _ in scores.items} == {"arc|25"}
    assert {item for _, item in scores.items} == {f"question {n}" for n in range(5)} | {"question 0 #2"}
    bad = [{"example": "q", "full_prompt": "p", "num_effective_few_shots": "5", "metrics": "{'acc': open('x')}"}]
    with pytest.raises(ReadError, match=r"row 1: found .* as metrics"):
        read(put(f"details/c/{DATE}/details_arc|25_{DATE}.parquet", parquet(bad)))


def test_lighteval_text_without_a_number_is_missing(put: Put) -> None:
    rows = [
        {"example": f"q{n}", "full_prompt": "p", "num_effective_few_shots": "0", "metrics": f"{{'acc': {said}}}"}
        for n, said in enumerate(("1.0", "nan", "0"))
    ]  # fmt: skip
    answer = describe(put(f"details/c/{DATE}/details_arc_{DATE}.parquet", parquet(rows)))
    assert [(one.rows, one.missing) for one in answer.sources] == [(3, 1)]


LONG = "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"
MORE = " 83.3/60.0/50.0/33.3 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)"


@pytest.mark.parametrize(
    ("signature", "more", "measure"),
    [
        (LONG, MORE, "BLEU"),
        ("BLEU|#:1|c:mixed|e:yes|tok:13a|s:exp|v:2.6.0", MORE, "BLEU"),
        ("BLEU+case.mixed+lang.de-en+numrefs.1+smooth.exp+tok.13a+version.1.4.14", MORE, "BLEU"),
        ("chrF2+case.mixed+numchars.6+space.False+version.1.4.14", "", "chrF2"),
        ("chrF2++|#:1|c:mixed|e:yes|nc:6|nw:2|s:no|v:2.6.0", "", "chrF2++"),
    ],
)
def test_lines_of_sacrebleu(put: Put, signature: str, more: str, measure: str) -> None:
    """BLEU says its precisions after the value; short signatures; and those before version 2."""
    paths = [
        put(f"{name}.sl", "".join(f"{signature} = {n * k + 0.5}{more}\n" for n in range(5)))
        for name, k in (("a", 1), ("b", 2))
    ]
    scores = read(paths)
    assert (scores.measure, scores.systems) == (measure, ("a", "b"))
    assert scores.values[1, :, 0, 0].tolist() == [0.5, 2.5, 4.5, 6.5, 8.5]
    assert (read(paths, measure=signature).values == scores.values).all()


def test_what_sacrebleu_prints_is_read(put: Put) -> None:
    """The program itself, by each metric, with the long signature and the short one."""
    pytest.importorskip("sacrebleu")
    reference = put("ref.txt", "the cat sat on the mat\na dog barked loudly today\n")
    said = put("hyp.txt", "the cat sat on a mat\na dog barks loudly today\n")
    for metric in ("bleu", "chrf", "ter"):
        for short in ([], ["-sh"]):
            words = [sys.executable, "-m", "sacrebleu", reference, "-i", said, "-m", metric, "-sl", "-w", "6"]
            full, alone = (
                subprocess.run([*words, *short, *more], check=True, capture_output=True, text=True).stdout
                for more in ([], ["-b"])
            )
            answer = describe(put(f"{metric}.sl", full))
            assert [one.format for one in answer.sources] == ["sacrebleu_segments"]
            values = [float(line) for line in alone.split()]
            assert answer.means[0].mean == pytest.approx(sum(values) / len(values), abs=1e-9)


def test_segments_that_two_documents_number_alike(put: Put) -> None:
    """doc_seg_id begins anew in every document: errors of two segments are not added up."""
    head = "system\tdoc\tdoc_seg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = [
        f"{system}\t{document}\t{n}\tr\tx\ty\tAccuracy/Omission\t{'Major' if n % k else 'Minor'}\n"
        for system, k in (("a", 2), ("b", 3))
        for document in ("d1", "d2")
        for n in range(1, 5)
    ]
    scores = read(put("mqm.tsv", head + "".join(rows)))
    assert {item for _, item in scores.items} == {f"{d}:{n}" for d in ("d1", "d2") for n in range(1, 5)}
    assert scores.values[0, :, 0, 0].tolist() == [5.0, 1.0, 5.0, 1.0] * 2
    named = read(put("mqm2.tsv", head.replace("doc_seg_id", "global_seg_id") + "".join(rows[:4] + rows[8:12])))
    assert {item for _, item in named.items} == {"1", "2", "3", "4"}


def test_a_measure_that_ir_measures_got_later(put: Put) -> None:
    """A cutoff tells that it is one; beside it there may be any."""
    rows = "".join(f"q{n}\tAWRF@20\t0.{n}\nq{n}\tNews\t0.5\n" for n in range(1, 6))
    path = put("run.tsv", f"{rows}all\tAWRF@20\t0.3\nall\tNews\t0.5\n")
    answer = describe(path)
    assert [one.format for one in answer.sources] == ["ir_measures"]
    assert {mean.measure: mean.items for mean in answer.means} == {"AWRF@20": 5, "News": 5}
    plain = put("people.tsv", "ann\tteam 4\t0.5\nbob\tteam 5\t0.25\n")
    assert not any(FORMATS[name]().claim(read_origin(plain)) for name in ("ir_measures", "trec_eval"))


def read_origin(path: str) -> Any:
    from tellapart.readers.storage.files import File  # noqa: PLC0415  (only here)

    return File(path, "x")


class TestRescored:
    """Inspect writes a log that is scored again beside the first one, under the same eval_id, and dates neither."""

    @staticmethod
    def log(model: str, right: list[int], run: str, created: str = "2026-01-01T00:00:00+00:00") -> bytes:
        found = json.loads(written.inspect(model, {f"s{n}": one for n, one in enumerate(right)}))
        found["eval"] |= {"eval_id": run, "created": created}
        return json.dumps(found).encode()

    @pytest.fixture
    def folder(self, put: Put) -> str:
        put("logs/a.json", self.log("a", RIGHT["a"], "e1"))
        put("logs/a-scored.json", self.log("a", [1, *RIGHT["a"][1:5], 0], "e1"))
        return put("logs/b.json", self.log("b", RIGHT["b"], "e2")).removesuffix("/b.json")

    @pytest.mark.parametrize(("same_system", "match"), [(None, r"a\.json: the same run .*a-scored.json.* scored again"), ("latest", "at the same time")])  # fmt: skip
    def test_nobody_guesses(self, folder: str, same_system: Any, match: str) -> None:
        with pytest.raises(ReadError, match=match):
            read(folder, same_system=same_system)

    def test_both_as_systems(self, folder: str) -> None:
        assert read(folder, same_system="separate").systems == ("a (a-scored)", "a (a)", "b")
        assert any("--same-system separate" in command for command in describe(folder).commands)

    def test_by_a_scorer_of_its_own_there_is_one(self, put: Put) -> None:
        """What only one of the two has is nobody's second time."""
        put("logs/a.json", self.log("a", RIGHT["a"], "e1"))
        other = self.log("a", RIGHT["a"], "e1").replace(b'"match"', b'"judge"')
        put("logs/a-scored.json", other)
        folder = put("logs/b.json", self.log("b", RIGHT["b"], "e2")).removesuffix("/b.json")
        assert means(folder, measure="match") == OWN


class TestRefusals:
    def test_a_killed_evaluation_says_so(self, put: Put) -> None:
        """`describe` of a log that holds no item says why there is none."""
        start = {"version": 2, "eval": {"task": "t", "model": "m"}, "plan": {}}
        with zipfile.ZipFile(content := io.BytesIO(), "w") as archive:
            archive.writestr("_journal/start.json", json.dumps(start))
        path = put("killed.eval", content.getvalue())
        with pytest.raises(ReadError, match=r"1 file, without items: .*the evaluation was killed"):
            describe(path)

    def test_a_path_is_taken_for_a_system_where_two_are_asked_for(self, put: Put) -> None:
        path = put("s.csv", "item,a,b\n1,0,1\n2,1,1\n3,0,1\n")
        with pytest.raises(NoSuchFile, match="if it is a system, name it with a=… or b=…"):
            compare([path, "candidate"])
        for asked in (describe, rank):
            with pytest.raises(NoSuchFile, match=r"no such file\. Check the path$"):
                asked([path, "candidate"])

    def test_a_board_names_the_file_without_a_score(self, put: Put) -> None:
        for n, model in enumerate("xyz"):
            for k in range(5):
                content = json.loads(written.mteb("", {"T/default": 0.5 + (k * (n + 1) % 4) / 10}))
                put(f"r/lab__{model}/1/T{k}.json", json.dumps(content | {"task_name": f"T{k}"}))
        old = {"mteb_dataset_name": "T4", "mteb_version": "1.2.0", "test": {"cos_sim": {"spearman": 0.5}}}
        silent = put("r/lab__x/1/T4.json", json.dumps(old))
        with pytest.raises(ItemMismatch) as error:
            rank(read(silent.rpartition("/lab__x")[0]))
        assert f"{silent} has none by this measure" in error.value.message


class TestManyScores:
    """Tables with a column per measure, and files whose columns say more than scores."""

    TABLE = "qid,bleu,rouge\n" + "".join(f"{n},{n % 4 / 4},{n % 3 / 3}\n" for n in range(12))
    SHIFTED = "qid,bleu,rouge\n" + "".join(f"{n},{n % 5 / 5},{n % 2 / 2}\n" for n in range(12))

    @pytest.fixture
    def tables(self, put: Put) -> list[str]:
        return [put("a.csv", self.TABLE), put("b.csv", self.SHIFTED)]

    def test_all_are_described_and_converted(self, tables: list[str], put: Put) -> None:
        """Several columns could be the score: who asks what there is gets each, and a comparison asks which."""
        answer = describe(tables)
        found = {(mean.system, mean.measure): mean.mean for mean in answer.means}
        assert found == pytest.approx(
            {("a", "bleu"): 0.375, ("a", "rouge"): 1 / 3, ("b", "bleu"): 0.35, ("b", "rouge"): 0.25}
        )
        assert any("--measure bleu" in command for command in answer.commands)
        with pytest.raises(OpenScore) as error:
            read(tables)
        assert error.value.columns == ("bleu", "rouge")
        again = read(put("all.csv", convert(tables, "all.csv")), measure="rouge")
        assert (again.values == read(tables, measure="rouge").values).all()

    def test_a_role_may_be_said(self, put: Put) -> None:
        """What a refusal advises can be typed, and the command that follows says it again."""
        path = put("o.csv", "utterance,answer,score\n" + "".join(f"q{n},a,0.{n}\n" for n in range(1, 6)))
        with pytest.raises(ReadError, match="Say which it is: columns="):
            describe(path)
        answer = describe(path, columns={"item": "utterance"})
        assert (answer.items, [one.format for one in answer.sources]) == (5, ["delimited"])
        assert all("--column item=utterance" in command for command in answer.commands)

    def test_ragas_before_it_had_user_input(self, put: Put) -> None:
        """question, answer and contexts begin a table of releases before 0.2; a question and an answer alone begin any."""
        head = "question,answer,contexts,ground_truth,faithfulness,recall\n"
        rows = "".join(f"what is {n}?,a,['c'],g,0.{n % 2},1\n" for n in range(1, 6))
        answer = describe(put("r.csv", head + rows))
        assert [(one.format, one.rows) for one in answer.sources] == [("ragas", 10)]
        assert {mean.measure for mean in answer.means} == {"faithfulness", "recall"}
        assert not {"faithfulness", "recall"} & {one.key for one in answer.clusters}

    def test_a_score_groups_no_items(self, put: Put) -> None:
        table = {
            "columns": ["id", "topic", "exact/score"],
            "data": [[f"q{n}", n % 2, n % 3] for n in range(9)],
        }
        answer = describe(put("t.table.json", json.dumps(table)))
        assert not answer.clusters

    def test_promptfoo_without_what_lies_around_its_results(self, put: Put) -> None:
        """The first releases wrote the results alone, with the provider as a text."""
        rows = [
            {"prompt": {"raw": "say {{x}}", "display": "say"}, "provider": f"lab:{name}", "vars": {"x": str(n)}, "success": bool(one), "score": one}
            for name, right in RIGHT.items()
            for n, one in enumerate(right)
        ]  # fmt: skip
        found = means(put("p.json", json.dumps({"version": 1, "results": rows, "stats": {}})))
        assert found == {f"[lab:{name}] say {{{{x}}}}": mean for name, mean in OWN.items()}
