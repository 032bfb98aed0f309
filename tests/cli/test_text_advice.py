"""Advice on texts and runs is typed as it stands: what a refusal or a note names works."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tellapart.cli import main

pytest.importorskip("sacrebleu")
pytest.importorskip("ir_measures")

PlanCase = Callable[..., tuple[int, str, str]]

WORDS = ("red", "blue", "green", "old", "new", "big", "small", "cat", "dog", "hen", "tree", "house", "runs")
REFERENCE = [
    " ".join(WORDS[(7 * line + 3 * place) % len(WORDS)] for place in range(5 + line % 4)) for line in range(40)
]
OTHERS = {
    "commas.txt": "Well, yes, it may be so.\nNo, said the hen\nAnd so, at last, we went home, all of us\n",
    "quotes.txt": 'He said "no" to us all\n"Never mind, said the dog\nthere was nothing left to say\n',
    "chinese.txt": "今天天气很好，我们去公园。\n他昨天没有来上班\n这是一个测试句子。\n",
    "tabs.txt": "one long line with a\ttab inside it\nanother line without any of them\nthe third line ends here\n",
}
TABLES = {
    "no_scores.csv": "system,item,answer\na,1,it may well be so\nb,1,no one knows that\n",
    "no_header.csv": "first model,what is it now,yes it is\nother model,what is it now,no it is not\n",
    "numbers.txt": "1 2 3\n4 5 6 7\n8 9\n",
    "named.txt": "system\nit may well be so\nno one knows that\n",
}


COUNTED = {
    "labels": ("item,label,prediction", ("cat", "dog")),
    "texts": ("item,reference,hypothesis", ("the old dog sat there", "the cat ran to the tree")),
}


def worse(first: int) -> list[str]:
    """The reference, with a word too many in every third line: as good as the other system, on other lines."""
    return [line.replace(" ", " odd ", 1) if place % 3 == first else line for place, line in enumerate(REFERENCE)]  # fmt: skip


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> PlanCase:
    """Exit code, output and complaint of a command among those files."""
    monkeypatch.chdir(tmp_path)
    documents = [f"d{line // 3}" for line in range(len(REFERENCE))]
    texts = {"my ref.txt": REFERENCE, "a.txt": worse(0), "b.txt": worse(1), "documents": documents}
    runs = {
        name: [f"q{query} Q0 d{doc} 0 {(doc * 7 + query * step) % 11} x" for query in range(30) for doc in range(6)]
        for name, step in (("one", 3), ("two", 5))
    }
    qrels = [f"q{query} 0 d{doc} {int(doc == query % 5)}" for query in range(30) for doc in range(5)]
    for name, found in (texts | runs | {"qrels": qrels}).items():
        Path(name).write_text("".join(f"{line}\n" for line in found))
    for name, content in (OTHERS | TABLES).items():
        Path(name).write_text(content, encoding="utf-8")

    def asked(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(list(words))
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return asked


TYPED = {
    "compare": ["compare", "a.txt", "b.txt"],
    "rank": ["rank", "a.txt", "b.txt"],
    "gate": ["gate", "--baseline", "a.txt", "--candidate", "b.txt", "--margin", "1"],
    "plan": ["plan", "pilot", "a.txt", "b.txt", "--effect", "1", "--items", "40", "--replicates", "20"],
}


@pytest.mark.parametrize("metric", [[], ["--metric", "f1"], ["--metric", "chrf(words=2)"]], ids=str)
@pytest.mark.parametrize("verb", TYPED)
def test_texts_without_references(ask: PlanCase, verb: str, metric: list[str]) -> None:
    """They are told from tables, and the flags that are advised are all that is missing; a metric of texts stays the one named."""
    code, out, err = ask(*TYPED[verb], *metric)
    assert (code, out, err.count("\n")) == (3, "", 1)
    assert "looks like text" in err
    advice = re.search(r"--reference FILE --metric ([^. ]+)", err.replace('"', ""))
    assert advice is not None
    assert advice[1] == ("chrf(words=2)" if "chrf(words=2)" in metric else "bleu")
    assert ask(*TYPED[verb], "--reference", "my ref.txt", "--metric", advice[1])[0] == 0


@pytest.mark.parametrize("name", OTHERS)
def test_what_looks_like_text(ask: PlanCase, name: str) -> None:
    """Commas, quotes and tabs inside sentences, and languages without blanks."""
    for verb in ("compare", "describe"):
        code, _, err = ask(verb, name)
        assert (code, "looks like text" in err) == (3, True)


@pytest.mark.parametrize("name", TABLES)
def test_what_looks_like_a_table(ask: PlanCase, name: str) -> None:
    """A table that lacks something is told what a table lacks."""
    code, _, err = ask("compare", name)
    assert (code, "looks like text" in err) == (3, False)


@pytest.mark.parametrize("verb", ["compare", "rank", "gate", "plan pilot"])
@pytest.mark.parametrize("kind", COUNTED)
def test_tables_of_what_is_counted(ask: PlanCase, verb: str, kind: str) -> None:
    """Columns of labels or texts are no scores, and the metric that is advised counts them."""
    header, told = COUNTED[kind]
    names = ("old", "new")
    for name, step in zip(names, (3, 4), strict=True):
        rows = (f"{item},{told[item % 2]},{told[item % step % 2]}" for item in range(20))
        Path(f"{name}.csv").write_text("\n".join([header, *rows]))
    files = ["--baseline", "old.csv", "--candidate", "new.csv", "--margin", "0.5"] if verb == "gate" else ["old.csv", "new.csv"]  # fmt: skip
    more = ["--effect", "0.1", "--items", "50", "--replicates", "20"] if verb == "plan pilot" else []
    code, out, err = ask(*verb.split(), *files, *more)
    advice = re.search(r"counted from: --metric (\w+)\.", err)
    assert (code, out) == (3, "")
    assert advice is not None, err
    assert ask(*verb.split(), *files, *more, "--metric", advice[1])[0] == 0


def test_references_that_do_not_fit_are_no_tables(ask: PlanCase) -> None:
    """Where references are named, the files are known to be texts."""
    err = ask("compare", "a.txt", "commas.txt", "--reference", "my ref.txt", "--metric", "bleu")[2]
    assert "looks like" not in err
    assert "commas.txt has 3 lines" in err


def test_a_saved_plan_has_the_direction_of_its_log(ask: PlanCase) -> None:
    """A log that says that lower scores are better is planned for, and followed, as such."""
    row = {"doc_id": 0, "target": "", "filter": "none", "metrics": ["acc"], "doc": {}, "arguments": [], "resps": [], "filtered_resps": []}  # fmt: skip
    results = {"results": {}, "higher_is_better": {"t": {"acc": False}}, "config": {}}
    for name, step in (("a", 3), ("b", 4)):
        Path(name).mkdir()
        rows = (json.dumps(row | {"doc_id": item, "acc": float(item % step)}) for item in range(30))
        Path(f"{name}/samples_t_2026-01-01T00-00-00.1.jsonl").write_text("\n".join(rows))
        told = json.dumps(results | {"model_name": name})
        Path(f"{name}/results_2026-01-01T00-00-00.1.json").write_text(told)
    code, _, err = ask("plan", "pilot", "a", "b", "--effect", "-0.1", "--items", "30", "--save", "plan.json")
    assert (code, json.loads(Path("plan.json").read_text())["direction"]) == (0, "lower"), err
    out = ask("compare", "a", "b", "--plan", "plan.json", "--format", "json")[1]
    assert "direction" not in {one["what"] for one in json.loads(out)["plan"]["deviations"]}


def test_a_saved_plan_has_the_direction_of_its_ratings(ask: PlanCase) -> None:
    """Weighted errors of MQM are ratings of which fewer are better, in the plan of their pilot too."""
    lines = ["system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment"]
    for place in range(120):
        segment, rater, system = place // 6, place // 2 % 3, "ab"[place % 2]
        severity = ("no-error", "Minor", "Major")[(7 * segment + 5 * rater + place) % 3]
        category = "No-error" if severity == "no-error" else "Accuracy/Omission"
        lines.append(f"{system}\td\t1\t{segment}\trater{rater}\tx\ty\t{category}\t{severity}\t")
    Path("mqm.tsv").write_text("\n".join(lines) + "\n")
    code, out, err = ask("plan", "pilot", "mqm.tsv", "--effect", "-0.5", "--items", "30", "--save", "plan.json")
    assert (code, json.loads(Path("plan.json").read_text())["direction"]) == (0, "lower"), err
    out = ask("compare", "mqm.tsv", "--plan", "plan.json", "--format", "json")[1]
    assert "direction" not in {one["what"] for one in json.loads(out)["plan"]["deviations"]}


ONE_SEGMENT = {
    "texts": ("one_a.txt one_b.txt --reference one_ref.txt --metric bleu", "segment", "line"),
    "runs": ("run_a run_b --qrels qrels --measure nDCG@10", "query", "judgements"),
    "scores": ("scores.csv", "item", "column of items"),
}


@pytest.mark.parametrize("kind", ONE_SEGMENT)
@pytest.mark.parametrize("verb", ["compare", "rank", "plan pilot"])
def test_one_segment_alone_is_called_that(ask: PlanCase, verb: str, kind: str) -> None:
    """Nothing is wrong with its name, and no system lacks it: there is one, and how more are given is said."""
    for name, text in {"one_a": "a cat sat", "one_b": "the cat sat", "one_ref": "the cat sat down"}.items():
        Path(f"{name}.txt").write_text(f"{text}\n")
    Path("qrels").write_text("301 0 d1 1\n")
    for name in ("run_a", "run_b"):
        Path(name).write_text("301 Q0 d1 1 0.5 tag\n")
    Path("scores.csv").write_text("system,item,score\na,1,0.3\nb,1,0.4\n")
    typed, unit, advice = ONE_SEGMENT[kind]
    wanted = ["--effect", "1", "--power", "0.8"] if verb == "plan pilot" else []
    code, _, err = ask(*verb.split(), *typed.split(), *wanted)
    assert code == 3
    assert f"one {unit}" in err
    assert advice in err
    assert "ids" not in err
