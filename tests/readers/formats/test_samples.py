"""Real files of each program, against a parse of our own: plain json and csv, and p-values by scipy."""

import csv
import gzip
import json
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tellapart.cli import main
from tellapart.foundation.errors import TellapartError
from tellapart.readers import FORMATS, Certainty, read
from tellapart.readers.detect import summary_only
from tellapart.readers.storage.files import File
from tellapart.readers.storage.origin import Memory
from tellapart.verbs.compare import compare
from tellapart.verbs.describe import describe

pytestmark = pytest.mark.shared

Means = dict[str, dict[Any, float]]
"""Of each system the mean of the runs of each item."""


@pytest.fixture(scope="session")
def samples(shared: Path) -> Path:
    folder = shared / "format-samples"
    if not folder.is_dir():
        pytest.skip("the real files of other programs are not beside this checkout")
    return folder


def text(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text(encoding="utf-8")


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in text(path).splitlines() if line.strip()]


def averaged(rows: Iterator[tuple[str, Any, float]]) -> Means:
    found: defaultdict[str, defaultdict[Any, list[float]]] = defaultdict(lambda: defaultdict(list))
    for system, item, score in rows:
        found[system][str(item)].append(float(score))
    return {s: {i: sum(v) / len(v) for i, v in items.items()} for s, items in found.items()}


Parse = Callable[[Path], Iterator[tuple[str, Any, float]]]


def lm_eval(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*/samples_arith_gen_*.jsonl")):
        model = json.loads(next(path.parent.glob("results_*.json")).read_text())["model_name"]
        for record in lines(path):
            if record["filter"] == "flexible-extract":
                yield model, record["doc_id"], record["exact_match"]


def inspect(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.json.gz")):
        log = json.loads(text(path))
        for sample in log["samples"]:
            yield (
                log["eval"]["model"],
                sample["id"],
                {"C": 1.0, "I": 0.0}[sample["scores"]["includes"]["value"]],
            )


def helm(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("runs/v1/*/per_instance_stats.json.gz")):
        model = json.loads((path.parent / "run_spec.json").read_text())["adapter_spec"]["model"]
        for instance in json.loads(text(path)):
            for stat in instance["stats"]:
                if stat["name"]["name"] == "quasi_exact_match":
                    yield model, instance["instance_id"], stat["mean"]


def mteb(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("results/sentence-transformers__*/*/*.json")):
        found = json.loads(path.read_text())
        if path.name != "model_meta.json":
            model = json.loads((path.parent / "model_meta.json").read_text())["name"]
            for entry in found["scores"].get("test", ()):
                yield model, f"{found['task_name']}/{entry['hf_subset']}", entry["main_score"]


def swebench(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.shared-run1.json")):
        report = json.loads(path.read_text())
        for instance in report["submitted_ids"]:
            yield (
                path.name.split(".")[0].replace("__", "/"),
                instance,
                float(instance in report["resolved_ids"]),
            )


def promptfoo(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for row in json.loads(text(folder / "output.json.gz"))["results"]["results"]:
        name = f"[{row['provider']['label']}] {row['prompt']['label']}"
        if name.endswith("] Reverse {{word}}"):
            yield name, row["vars"]["word"], row["namedScores"]["brevity"]


def alpaca_eval(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("results/*/alpaca_eval_gpt4/annotations.json.gz")):
        for record in json.loads(text(path)):
            preference = record["preference"]
            yield record["generator_2"], record["instruction"], 0.5 if preference == 0 else preference - 1


def openai_evals(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.jsonl")):
        records = lines(path)
        model = next(r["spec"]["completion_fns"][0] for r in records if "spec" in r)
        yield from ((model, r["sample_id"], r["data"]["correct"]) for r in records if r.get("type") == "match")


def deepeval(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*/test_run_*.json")):
        run = json.loads(path.read_text())
        for one in run["testCases"]:
            scores = {metric["name"]: metric.get("score") for metric in one["metricsData"]}
            yield run["hyperparameters"]["model"], one["name"], scores["Length fit"]


def ragas(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.csv")):
        for row in csv.DictReader(text(path).splitlines()):
            yield path.stem, row["user_input"], float(row["rouge_score(mode=fmeasure)"])


def evalplus(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.json")):
        for task, tries in json.loads(path.read_text())["eval"].items():
            for one in tries:
                passed = one["base_status"] == one["plus_status"] == "pass"
                yield path.name.removesuffix("_eval_results.json"), task, float(passed)


def human_eval(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.jsonl")):
        for record in lines(path):
            yield path.name.removesuffix(".jsonl_results.jsonl"), record["task_id"], record["passed"]


def lighteval(folder: Path) -> Iterator[tuple[str, Any, float]]:
    parquet = import_module("pyarrow.parquet")
    for path in sorted(folder.glob("details/org/*/*/*.parquet")):
        for row in parquet.read_table(path).to_pylist():
            yield f"org/{path.parts[-3]}", row["doc"]["id"], row["metric"]["em"]


def opencompass(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*/results/*/sum_shared.json")):
        for one in json.loads(path.read_text())["details"]:
            for verdict in one["correct"]:
                yield path.parent.name, one["example_abbr"], verdict


def wmt_mqm(folder: Path) -> Iterator[tuple[str, Any, float]]:
    header, *rows = text(folder / "mqm_ted_ende_two_talks.tsv.gz").splitlines()
    weights: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in rows:
        one = dict(zip(header.split("\t"), row.split("\t"), strict=False))
        light = one["severity"] == "Minor" and one["category"] == "Fluency/Punctuation"
        weight = {"Major": 5.0, "Minor": 1.0, "No-error": 0.0}[one["severity"]]
        weights[one["system"], one["seg_id"]] += 0.1 if light else weight
    yield from ((system, item, weight) for (system, item), weight in weights.items() if system != "Facebook-AI")


def sacrebleu_segments(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for name in ("sysA.chrf", "sysB.chrf"):
        for number, line in enumerate(text(folder / f"{name}.sl").splitlines(), 1):
            yield name, number, float(line.rpartition(" = ")[2])


def every_eval_ever(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.rglob("*_samples.jsonl")):
        for record in lines(path):
            if record["evaluation_result_id"] == "exact_match:strict-match":
                yield record["model_id"], record["sample_id"], record["evaluation"]["score"]


def wandb(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*/*.table.json")):
        table = json.loads(path.read_text())
        for row in table["data"]:
            one = dict(zip(table["columns"], row, strict=True))
            yield path.parent.name, one["id"], one["judge"]


def langsmith(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.csv")):
        for row in csv.DictReader(text(path).splitlines()):
            if not row["error"]:
                yield path.stem, row["example_id"], float(row["feedback.correct"])


def braintrust(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.json")):
        for row in json.loads(path.read_text()):
            if row["error"] is None:
                yield path.stem, row["input"], row["scores"]["exact"]


def pytest_json(folder: Path) -> Iterator[tuple[str, Any, float]]:
    for path in sorted(folder.glob("*.json")):
        for test in json.loads(path.read_text())["tests"]:
            score = {"passed": 1.0, "xpassed": 1.0, "failed": 0.0, "xfailed": 0.0}.get(test["outcome"])
            if score is not None:
                yield path.stem, test["nodeid"], score


CASES: dict[str, tuple[str, Parse, list[str], dict[str, Any]]] = {
    "lm_eval": (
        "lm_eval_0_4_13",
        lm_eval,
        ["."],
        {"dataset": "arith_gen", "measure": "exact_match,flexible-extract"},
    ),
    "inspect json": ("inspect_0_3_285", inspect, ["*.json.gz"], {"measure": "includes"}),
    "inspect reducer": (
        "inspect_0_3_285",
        inspect,
        ["*.json.gz"],
        {"measure": "includes", "where": {"reducer": "mean"}},
    ),
    "helm": ("helm_0_5_16", helm, ["runs"], {"measure": "quasi_exact_match"}),
    "mteb": ("mteb", mteb, ["results/sentence-transformers__*"], {"where": {"split": "test"}}),
    "swebench": ("swebench_5_0_2", swebench, ["*.shared-run1.json"], {"errors": "zero"}),
    "promptfoo": ("promptfoo_0_121_20", promptfoo, ["output.json.gz"], {"measure": "brevity"}),
    "promptfoo jsonl": ("promptfoo_0_121_20", promptfoo, ["output.jsonl.gz"], {"measure": "brevity"}),
    "alpaca_eval": ("alpaca_eval", alpaca_eval, ["results"], {"where": {"annotator": "alpaca_eval_gpt4"}}),
    "openai_evals": ("openai_evals_3_0_1", openai_evals, ["."], {}),
    "deepeval": ("deepeval_4_3_1", deepeval, ["."], {"measure": "Length fit"}),
    "ragas": ("ragas_0_4_3", ragas, ["*.csv"], {"measure": "rouge_score(mode=fmeasure)"}),
    "evalplus": ("evalplus_0_3_1", evalplus, ["."], {"measure": "plus"}),
    "human_eval": ("human_eval_1_0_3", human_eval, ["."], {}),
    "lighteval": ("lighteval_0_13_0", lighteval, ["."], {"measure": "em"}),
    "opencompass": ("opencompass_0_5_4", opencompass, ["."], {"dataset": "sum_shared"}),
    "wmt_mqm": ("wmt_mqm", wmt_mqm, ["mqm_*"], {"systems": ("UEdin", "Online-W")}),
    "sacrebleu": ("sacrebleu_2_6_0", sacrebleu_segments, ["*.sl"], {}),
    "every_eval_ever": (
        "every_eval_ever_0_3_0",
        every_eval_ever,
        ["."],
        {"measure": "exact_match:strict-match"},
    ),
    "wandb": ("wandb_0_31_0", wandb, ["."], {"measure": "judge"}),
    "langsmith": ("langsmith_0_14_17", langsmith, ["*.csv"], {"measure": "feedback.correct"}),
    "braintrust": ("braintrust_0_47_0", braintrust, ["*.json"], {}),
    "pytest": ("pytest", pytest_json, ["*.json"], {}),
}


@pytest.mark.parametrize("name", CASES)
def test_an_independent_parse_agrees(name: str, samples: Path) -> None:
    """Systems, items, means and the p-value of Student's test are those of a plain parse and of scipy."""
    folder, parse, sources, asked = CASES[name]
    expected = averaged(parse(samples / folder))
    scores = read([str(samples / folder / source) for source in sources], **asked)
    chosen = [system for system in scores.systems if system in expected]
    assert {*expected} == {*chosen}
    a, b = chosen
    answer = compare(scores, a, b, missing="drop", test="paired_t", raters_as="fixed")
    shared = sorted(expected[a].keys() & expected[b].keys())
    one, other = ([expected[system][item] for item in shared] for system in (a, b))
    assert (answer.items, answer.a.name, answer.b.name) == (len(shared), a, b)
    assert answer.a.mean == pytest.approx(sum(one) / len(one))
    assert answer.b.mean == pytest.approx(sum(other) / len(other))
    assert answer.pvalue == pytest.approx(stats.ttest_rel(other, one).pvalue)
    assert answer.sources is not None
    assert all(source.rows == source.scored + source.missing + source.errors for source in answer.sources)


WITHOUT_ITEMS = re.compile(
    r"README|results_2026|/stats\.json|run_spec|scenario|model_meta|run_settings|ranx.*report\.json$|predictions/|preds_|summary/|summary.tsv|sysA$|sysB$|/ref$"
    r"|sysA\.json|paired\.json|\.slb|sum_acc|lawbench|/[-0-9a-f]{36}\.json$|ranx|qrels|with_llm_scoring"
)


def test_every_file_is_claimed_by_one_format(samples: Path) -> None:
    """Whatever its name, a file with items is claimed for certain by one format, and every other by none."""
    for path in sorted(one for one in samples.rglob("*") if one.is_file()):
        name = str(path.relative_to(samples))
        for origin in (File(str(path), "x"), Memory("x", "x", path.read_bytes())):
            claims = [kind for kind in FORMATS if FORMATS[kind]().claim(origin) == Certainty.CERTAIN]
            assert len(claims) == (0 if WITHOUT_ITEMS.search(name) else 1), (name, claims)


def test_every_command_that_is_suggested_answers(
    samples: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of every folder and every file of the samples: what `describe` says to type next can be typed."""
    monkeypatch.chdir(samples)
    found = [path for path in sorted(samples.rglob("*")) if path.is_dir() or "run_evaluation" not in str(path)]
    answered = 0
    for path in (str(one.relative_to(samples)) for one in found):
        try:
            commands = describe(path).commands
        except TellapartError:
            continue
        for command in commands:
            words = [str(tmp_path / "x.csv") if word == "scores.csv" else word for word in shlex.split(command)[1:]]
            (tmp_path / "x.csv").unlink(missing_ok=True)
            with pytest.raises(SystemExit) as left:
                main(words)
            assert left.value.code in {0, 1}, (command, capsys.readouterr().err)
            answered += 1
    assert answered > 120


def test_aggregates_are_known_for_what_they_are(samples: Path) -> None:
    """Files of means only are refused with the way out."""
    for name in (
        "lm_eval_0_4_13/acme__large-8b/results_2026-11-15T08-15-28.181164.json",
        "lighteval_0_13_0/results/org/base/results_2026-11-15T09-03-55.599744.json",
        "helm_0_5_16/runs/v1/simple_classification_model=mock_parity-l/stats.json.gz",
        "sacrebleu_2_6_0/sysA.json",
        "sacrebleu_2_6_0/paired.json",
        "opencompass_0_5_4/20261115_090846/results/mock-large/sum_acc.json",
        "opencompass_0_5_4/20261115_090846/predictions/mock-large/sum_acc.json",
        "swebench_5_0_2/preds_acme__agent-1.jsonl",
        "ranx_0_3_21/report.json",
        "ranx_0_3_21/bm25.run.json.gz",
        "trec/qrels.txt",
    ):
        said = summary_only(File(str(samples / name), "x"))
        assert said is not None, name
        assert "pass" in said, name


def test_descriptions_of_all_samples(samples: Path) -> None:
    """Every folder of samples is described, or refused in words."""
    for name in (
        "lm_eval_0_4_13",
        "inspect_0_3_285",
        "helm_0_5_16",
        "mteb",
        "promptfoo_0_121_20",
        "swebench_5_0_2",
        "alpaca_eval",
    ):
        answer = describe(str(samples / name))
        assert answer.systems
        assert answer.items > 1
        assert answer.commands
