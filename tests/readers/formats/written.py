"""Small files of every format of logs, as their programs write them: a system, a dataset, and scores by item, None where missing."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

pa: Any = import_module("pyarrow")
pq: Any = import_module("pyarrow.parquet")

Scores = Mapping[str, float | None]
Write = Callable[[str, Scores], bytes]

WRITERS: dict[str, Write] = {}
MEASURES: dict[str, str] = {}
"""The measure that each writer writes."""


def writes(name: str, measure: str) -> Callable[[Write], Write]:
    def keep(write: Write) -> Write:
        WRITERS[name], MEASURES[name] = write, measure
        return write

    return keep


def question(item: str) -> str:
    """What an item asks; laws on ids that are positions put another in its place."""
    return f"What is {item}?"


def lines(records: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(record) + "\n" for record in records).encode()


@writes("lm_eval", "acc")
def lm_eval(_: str, scores: Scores) -> bytes:
    return lines(
        [
            {"doc_id": item, "doc": {"q": question(item)}, "target": "t", "arguments": {}, "resps": [["r"]], "filtered_resps": ["r"],
             "filter": "none", "metrics": ["acc"], "doc_hash": f"h{question(item)}", "acc": score}
            for item, score in scores.items()
        ]
    )  # fmt: skip


@writes("inspect", "match")
def inspect(system: str, scores: Scores) -> bytes:
    samples = [
        {
            "id": item,
            "epoch": 1,
            "input": question(item),
            "metadata": {"g": "1"},
            "scores": {"match": {"value": score}},
        }
        for item, score in scores.items()
    ]
    about = {
        "task": "t",
        "model": system,
        "dataset": {"name": "d"},
        "config": {"epochs": 1},
        "scorers": [{"name": "match"}],
    }
    return json.dumps(
        {"version": 2, "status": "success", "eval": about, "plan": {"config": {}}, "samples": samples}
    ).encode()


@writes("helm", "exact_match")
def helm(_: str, scores: Scores) -> bytes:
    def stat(score: float | None) -> dict[str, Any]:
        found = {"name": {"name": "exact_match", "split": "test"}, "count": 0 if score is None else 1}
        return found if score is None else found | {"sum": score, "mean": score}

    return json.dumps(
        [{"instance_id": item, "train_trial_index": 0, "stats": [stat(score)]} for item, score in scores.items()]
    ).encode()


def helm_requests(items: Mapping[str, Any]) -> bytes:
    """The scenario_state.json that lies beside the stats of a run."""
    states = [{"instance": {"id": item, "input": {"text": question(item)}}} for item in items]
    return json.dumps({"adapter_spec": {}, "request_states": states}).encode()


@writes("mteb", "main_score")
def mteb(_: str, scores: Scores) -> bytes:
    entries = [
        {"hf_subset": item.removeprefix("T/"), "languages": ["x"], "main_score": score}
        for item, score in scores.items()
    ]
    return json.dumps(
        {"task_name": "T", "mteb_version": "2.0", "dataset_revision": "1", "scores": {"test": entries}}
    ).encode()


@writes("swebench", "resolved")
def swebench(_: str, scores: Scores) -> bytes:
    named = {1.0: "resolved_ids", 0.0: "unresolved_ids", None: "error_ids"}
    found: dict[str, Any] = {"total_instances": len(scores), "submitted_instances": len(scores)}
    for score, name in named.items():
        found[name] = [item for item, one in scores.items() if one == score]
    return json.dumps(found).encode()


@writes("promptfoo", "score")
def promptfoo(system: str, scores: Scores) -> bytes:
    rows = [
        {"promptIdx": 0, "provider": {"id": "p", "label": system}, "prompt": {"label": "q"}, "testIdx": place, "vars": {"w": item},
         "success": True, "score": score, "namedScores": {}, "failureReason": 0}
        for place, (item, score) in enumerate(scores.items())
    ]  # fmt: skip
    return json.dumps({"evalId": "e", "results": {"version": 3, "prompts": [], "results": rows}, "config": {}}).encode()


@writes("alpaca_eval", "preference")
def alpaca_eval(system: str, scores: Scores) -> bytes:
    return json.dumps(
        [
            {"instruction": item, "generator_1": "base", "generator_2": system, "dataset": "d", "annotator": "j",
             "preference": None if score is None else score + 1}
            for item, score in scores.items()
        ]
    ).encode()  # fmt: skip


@writes("mt_bench", "score")
def mt_bench(system: str, scores: Scores) -> bytes:
    return lines(
        [
            {"question_id": item.partition("/")[0], "model": system, "judge": ["j", "p"], "score": -1 if score is None else score,
             "turn": int(item.partition("/")[2]), "tstamp": 1.0}
            for item, score in scores.items()
        ]
    )  # fmt: skip


@writes("openai_evals", "correct")
def openai_evals(system: str, scores: Scores) -> bytes:
    head: list[dict[str, Any]] = [
        {"spec": {"completion_fns": [system], "base_eval": "d", "run_id": system}},
        {"final_report": {}},
    ]
    asked = [
        {
            "run_id": "r",
            "event_id": -n,
            "sample_id": item,
            "type": "sampling",
            "data": {"prompt": question(item)},
        }
        for n, item in enumerate(scores)
    ]
    return lines(
        head
        + asked
        + [
            {"run_id": "r", "event_id": n, "sample_id": item, "type": "match", "data": {"correct": score}}
            for n, (item, score) in enumerate(scores.items())
        ]
    )


@writes("deepeval", "Exact")
def deepeval(system: str, scores: Scores) -> bytes:
    cases = [
        {"name": item, "input": question(item), "metricsData": [{"name": "Exact", "score": score}]}
        for item, score in scores.items()
    ]
    return json.dumps({"testCases": cases, "hyperparameters": {"model": system}}).encode()


@writes("ragas", "recall")
def ragas(_: str, scores: Scores) -> bytes:
    return json.dumps(
        [{"user_input": item, "response": "r", "recall": score} for item, score in scores.items()]
    ).encode()


@writes("evalplus", "base")
def evalplus(_: str, scores: Scores) -> bytes:
    words = {1.0: "pass", 0.0: "fail", None: None}
    found = {item: [{"task_id": item, "base_status": words[score]}] for item, score in scores.items()}
    return json.dumps({"date": "2026", "hash": "h", "eval": found}).encode()


@writes("human_eval", "passed")
def human_eval(_: str, scores: Scores) -> bytes:
    return lines(
        [
            {
                "task_id": item,
                "completion": "c",
                "result": "r",
                "passed": None if score is None else bool(score),
            }
            for item, score in scores.items()
        ]
    )


@writes("lighteval", "em")
def lighteval(_: str, scores: Scores) -> bytes:
    rows = [
        {"doc": {"id": item, "task_name": "t|0", "query": question(item)}, "metric": {"em": score}}
        for item, score in scores.items()
    ]
    pq.write_table(pa.Table.from_pylist(rows), out := io.BytesIO())
    return out.getvalue()


@writes("opencompass", "correct")
def opencompass(_: str, scores: Scores) -> bytes:
    details = [
        {"example_abbr": item, "pred": ["p"], "answer": ["a"], "correct": [score], "prompt": question(item)}
        for item, score in scores.items()
    ]
    return json.dumps({"accuracy": 50.0, "details": details}).encode()


@writes("wmt_mqm", "mqm")
def wmt_mqm(system: str, scores: Scores) -> bytes:
    rows = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"]
    for item, score in scores.items():
        place = sum(question(item).encode())
        kind = {1.0: "Style\tMinor", 0.0: "No-error\tNo-error"}[score or 0.0]
        rows.append(f'{system}\td{place % 3}\t1\t{item}\tr1\tx "y <v>{question(item)}</v>\tz\t{kind}')
    return "\n".join([*rows, ""]).encode()


@writes("sacrebleu_segments", "chrF2")
def sacrebleu_segments(_: str, scores: Scores) -> bytes:
    return "".join(f"chrF2|nrefs:1|case:mixed|version:2.6.0 = {score}\n" for score in scores.values()).encode()


@writes("py_irt", "correct")
def py_irt(system: str, scores: Scores) -> bytes:
    return lines([{"subject_id": system, "responses": dict(scores)}])


@writes("every_eval_ever", "acc")
def every_eval_ever(system: str, scores: Scores) -> bytes:
    return lines(
        [
            {"schema_version": "0.3.0", "model_id": system, "evaluation_name": "d", "evaluation_result_id": "acc", "sample_id": item,
             "input": {"raw": question(item)}, "evaluation": {"score": score}, "error": None, "metadata": {}}
            for item, score in scores.items()
        ]
    )  # fmt: skip


@writes("table_json", "good")
def table_json(_: str, scores: Scores) -> bytes:
    return json.dumps(
        {
            "columns": ["id", "text", "good"],
            "data": [[item, question(item), score] for item, score in scores.items()],
        }
    ).encode()


@writes("langsmith", "correct")
def langsmith(_: str, scores: Scores) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["inputs.q", "error", "feedback.correct", "example_id", "id"])
    writer.writerows(
        [question(item), "", "" if score is None else score, item, f"r{item}"] for item, score in scores.items()
    )
    return out.getvalue().encode()


@writes("braintrust", "exact")
def braintrust(_: str, scores: Scores) -> bytes:
    return json.dumps(
        [
            {"input": item, "output": "o", "expected": "e", "scores": {"exact": score}, "error": None}
            for item, score in scores.items()
        ]
    ).encode()


@writes("phoenix", "correct")
def phoenix(_: str, scores: Scores) -> bytes:
    return json.dumps(
        [
            {"example_id": item, "repetition_number": 1, "input": {"q": question(item)}, "output": "o", "error": None,
             "annotations": [{"name": "correct", "annotator_kind": "CODE", "label": None, "score": score}]}
            for item, score in scores.items()
        ]
    ).encode()  # fmt: skip


@writes("annotations", "judge")
def annotations(system: str, scores: Scores) -> bytes:
    return json.dumps(
        [
            {"id": f"{system} {item}", "fields": {"prompt": question(item)}, "metadata": {"model": system, "item": item},
             "suggestions": {"rating": {"value": score, "agent": "gpt"}}, "responses": {}}
            for item, score in scores.items()
        ]
    ).encode()  # fmt: skip


@writes("pytest_evals", "accuracy")
def pytest_evals(_: str, scores: Scores) -> bytes:
    return json.dumps(
        {
            item: {"status": "passed", "params": {"i": "x"}, "fixtures": {"eval_bag": {"accuracy": score}}, "eval_name": "d"}
            for item, score in scores.items()
        }
    ).encode()  # fmt: skip


@writes("pytest", "outcome")
def pytest_report(_: str, scores: Scores) -> bytes:
    words = {1.0: "passed", 0.0: "failed", None: "skipped"}
    tests = [{"nodeid": item, "outcome": words[score]} for item, score in scores.items()]
    return json.dumps({"created": 1.0, "summary": {}, "tests": tests}).encode()


@writes("tidy", "match")
def tidy(system: str, scores: Scores) -> bytes:
    head = "system,dataset,item,measure,score,run,cluster,rater,status,better,source,format,primary,cluster_key,text\n"
    rows = [
        f"{system},d,{item},match,{'' if score is None else score},,,,{'missing' if score is None else 'scored'},,s,inspect,,,{question(item)}\n"
        for item, score in scores.items()
    ]
    return "".join([head, *rows]).encode()


@writes("trec_eval", "map")
def trec_eval(_: str, scores: Scores) -> bytes:
    rows = [f"map                   \t{item}\t{score}\n" for item, score in scores.items()]
    return "".join([*rows, "map                   \tall\t0.5\n"]).encode()


@writes("ir_measures", "nDCG@10")
def ir_measures(_: str, scores: Scores) -> bytes:
    return "".join([*(f"{item}\tnDCG@10\t{score}\n" for item, score in scores.items()), "all\tnDCG@10\t0.5\n"]).encode()
