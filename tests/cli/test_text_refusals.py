"""Texts, labels and runs that cannot be compared: every command that reads them says the same, in one line, and what to do."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tellapart.cli import main

pytest.importorskip("sacrebleu")
pytest.importorskip("ir_measures")

PlanCase = Callable[..., tuple[int, str, str]]

REFERENCE = [f"the {animal} sat on the {place} today" for animal in ("cat", "dog", "hen") for place in ("mat", "tree")]  # fmt: skip
QRELS = [f"q{query} 0 d{doc} {int(doc == query % 5)}" for query in range(8) for doc in range(5)]
RUNS = {
    name: [f"q{query} Q0 d{doc} 0 {(doc * 7 + query * step) % 11} x" for query in range(8) for doc in range(5)]
    for name, step in (("one", 3), ("two", 5))
}
LABELS = [
    [system, str(item), "yes" if item % 3 else "no", "yes" if item % step else "no"]
    for system, step in (("A", 4), ("B", 5))
    for item in range(30)
]


def table(rows: list[list[str]]) -> str:
    return "".join(f"{','.join(row)}\n" for row in [["system", "item", "label", "prediction"], *rows])


def changed(place: int, column: int, word: str) -> str:
    """The predictions with one cell replaced."""
    return table([*LABELS[:place], [*LABELS[place][:column], word, *LABELS[place][column + 1 :]], *LABELS[place + 1 :]])  # fmt: skip


def lines(*given: str) -> str:
    return "".join(f"{line}\n" for line in given)


FILES = {
    "ref.txt": lines(*REFERENCE),
    "a.txt": lines(*REFERENCE).replace("cat", "dog"),
    "b.txt": lines(*REFERENCE).replace("tree", "mat"),
    "short.txt": lines(*REFERENCE[:4]),
    "nothing.txt": "zz yy\n" * len(REFERENCE),
    "documents.txt": "d1\nd2\n",
    "empty.txt": "",
    "labels.csv": table(LABELS),
    "two_labels.csv": changed(31, 2, "no"),
    "blank.csv": changed(3, 3, ""),
    "three.csv": changed(5, 2, "maybe").replace("B,5,yes", "B,5,maybe"),
    "qrels": lines(*QRELS),
    "remarked.qrels": lines("# judged by hand", "", *QRELS, ""),
    "few.qrels": lines(*QRELS, "q9 0 d1"),
    "half.qrels": lines(*QRELS, "q9 0 d1 0.5"),
    "twice.qrels": lines(*QRELS, "q0 0 d0 1"),
    "one": lines(*RUNS["one"]),
    "two": lines(*RUNS["two"]),
    "remarked": lines("# a run", "", *RUNS["one"]),
    "few": lines(*RUNS["one"], "q1 Q0 d0"),
    "infinite": lines("q0 Q0 d9 0 inf x", *RUNS["one"]),
    "worded": lines("q0 Q0 d9 0 high x", *RUNS["one"]),
    "twice": lines(*RUNS["one"], "q0 Q0 d0 0 1 x"),
    "strange": lines(*RUNS["one"]).replace("q", "topic"),
}

TEXTS = "a.txt b.txt --reference ref.txt --metric"
JUDGED = "--qrels qrels --measure nDCG@3"

REFUSED = [
    ("a.txt b.txt --metric bleu", 3, ["a.txt", "--reference"]),
    ("a.txt b.txt --reference ref.txt", 2, ["--reference", "--metric"]),
    ("short.txt b.txt --reference ref.txt --metric bleu", 3, ["short.txt has 4", "ref.txt has 6"]),
    ("a.txt b.txt --reference short.txt --metric chrf", 3, ["a.txt has 6", "short.txt has 4"]),
    (f"{TEXTS} bleu --reference short.txt", 3, ["short.txt has 4", "ref.txt has 6"]),
    (f"{TEXTS} bleu --documents documents.txt", 3, ["documents.txt has 2", "ref.txt has 6"]),
    ("a.txt empty.txt --reference ref.txt --metric ter", 3, ["empty.txt", "is empty"]),
    (f"{TEXTS} bleu(tokenize=13)", 2, ["tokenize=13", "'13a'?"]),
    (f"{TEXTS} bleu(smooth=exb)", 2, ["smooth=exb", "exp or floor or add-k or none"]),
    (f"{TEXTS} blue", 2, ["'blue'", "'bleu'?"]),
    ("one two --qrels qrels --measure nDGC@3", 2, ["'nDGC@3'", "'nDCG'"]),
    ("one two --qrels qrels --metric nDGC@3", 2, ["'nDGC@3'", "'nDCG'"]),
    ("one two --qrels qrels", 2, ["--measure nDCG@10"]),
    ("one two --measure nDCG@3", 3, ["--qrels FILE"]),
    (f"few two {JUDGED}", 3, ["few, line 41", "found 3 fields", "query Q0 document rank score tag"]),
    (f"infinite two {JUDGED}", 3, ["infinite, line 1", "'inf'", "finite"]),
    (f"worded two {JUDGED}", 3, ["worded, line 1", "'high'", "finite"]),
    (f"twice two {JUDGED}", 3, ["twice, line 41", "'d0' already (line 1)"]),
    (f"strange two {JUDGED}", 3, ["strange", "'topic0'", "'q0'"]),
    ("one two --qrels few.qrels --measure AP", 3, ["few.qrels, line 41", "query iteration document relevance"]),
    ("one two --qrels half.qrels --measure AP", 3, ["half.qrels, line 41", "'0.5'", "whole number"]),
    ("one two --qrels twice.qrels --measure AP", 3, ["twice.qrels, line 41", "'d0' already (line 1)"]),
    (f"{TEXTS} bleu --cluster x", 2, ["--cluster is for tables", "--reference", "--documents"]),
    (f"{TEXTS} bleu --column item=x", 2, ["--column is for tables", "--reference"]),
    (f"{TEXTS} bleu --dataset x", 2, ["--dataset is for tables", "--reference"]),
    (f"{TEXTS} bleu --errors zero", 2, ["--errors is for logs", "--reference"]),
    (f"{TEXTS} bleu --as tidy", 2, ["--as is for logs", "--reference"]),
    (f"one two {JUDGED} --where a=b", 2, ["--where is for logs", "--qrels"]),
    (f"one two {JUDGED} --cluster x", 2, ["--column is for tables", "--qrels"]),
    ("labels.csv two_labels.csv --unretrieved drop", 2, ["--unretrieved is for runs", "--qrels"]),
]  # fmt: skip

OF_LABELS = [
    ("two_labels.csv --metric f1", 3, ["line 33", "line 3;", "one label"]),
    ("blank.csv --metric f1", 3, ["lacks 1 of 30 items", "'3'", "--missing drop"]),
    ("three.csv --metric f1", 2, ["have 3", "average=macro", "average=weighted", "average=micro"]),
    ("labels.csv --metric f1(positive=maybe)", 2, ["no label is 'maybe'", "'no', 'yes'"]),
]

AGAINST = [
    (f"{TEXTS} bleu --lower-is-better", "--lower-is-better"),
    (f"one two {JUDGED} --lower-is-better", "--lower-is-better"),
    ("one two --qrels qrels --metric nDCG@3 --lower-is-better", "--lower-is-better"),
]

VERBS = ("compare", "rank", "plan pilot", "gate")


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> PlanCase:
    """Exit code, output and complaint of a command among those files."""
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")

    def asked(verb: str, words: str, *more: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main([*verb.split(), *_flagged(verb, words.split()), *more])
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return asked


def _flagged(verb: str, words: list[str]) -> list[str]:
    """What each verb takes beside the files; a gate names them by flags."""
    if verb == "gate":
        return ["--baseline", words[0], "--candidate", *words[1:], "--margin", "1"]
    more = ["--effect", "0.1", "--items", "100", "--replicates", "20"] if verb == "plan pilot" else []
    return [*words, *more]


def refused(found: tuple[int, str, str], code: int, said: list[str]) -> None:
    """One line on stderr, with commands below it at most; nothing on stdout."""
    assert found[:2] == (code, "")
    assert found[2].partition("\n\nTry:\n")[0].rstrip().count("\n") == 0, found[2]
    assert [one for one in said if one not in found[2]] == []


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("words", "code", "said"), REFUSED)
def test_files(ask: PlanCase, verb: str, words: str, code: int, said: list[str]) -> None:
    """Files that do not belong together, lines that cannot be read, names that nothing has."""
    if (verb, words) == ("plan pilot", "a.txt b.txt --reference ref.txt"):
        said = ["--reference is for metrics of texts", "--metric"]
    refused(ask(verb, words), code, said)


@pytest.mark.parametrize("verb", VERBS[:3])
@pytest.mark.parametrize(("words", "code", "said"), OF_LABELS)
def test_labels(ask: PlanCase, verb: str, words: str, code: int, said: list[str]) -> None:
    """An item with two labels, a blank prediction, too many classes for a binary metric, a positive that no label is."""
    refused(ask(verb, words), code, said)


def test_an_option_of_a_metric_is_no_score(ask: PlanCase) -> None:
    """Only a name that no metric has may be that of a score."""
    assert "--measure" not in ask("compare", f"{TEXTS} bleu(tokenize=13)")[2]
    assert "--measure" in ask("compare", f"{TEXTS} blue")[2]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(("words", "flag"), AGAINST)
def test_a_direction_against_what_is_known(ask: PlanCase, verb: str, words: str, flag: str) -> None:
    """Refused before a plan is written to a file, too."""
    more = ["--save", "plan.json"] if verb == "plan pilot" else []
    refused(ask(verb, words, *more), 2, [flag, "is better; leave it out"])
    assert not Path("plan.json").exists()


@pytest.mark.parametrize("verb", ["compare", "rank", "gate"])
def test_more_errors_are_not_better(ask: PlanCase, verb: str) -> None:
    """TER counts errors, whoever says otherwise."""
    refused(ask(verb, f"{TEXTS} ter --higher-is-better"), 2, ["--higher-is-better", "lower ter is better"])


def test_a_saved_plan_has_the_direction_of_its_metric(ask: PlanCase) -> None:
    """TER's plan is for lower scores, and the comparison that follows it finds that as planned; runs keep their measure."""
    assert ask("plan pilot", f"{TEXTS} ter", "--save", "ter.json")[0] == 0
    assert json.loads(Path("ter.json").read_text())["direction"] == "lower"
    out = ask("compare", f"{TEXTS} ter --plan ter.json --format json")[1]
    assert [one["what"] for one in json.loads(out)["plan"]["deviations"]] == ["items"]
    assert ask("plan pilot", "one two --qrels qrels --metric nDCG@3", "--save", "runs.json")[0] == 0
    kept = json.loads(Path("runs.json").read_text())
    assert (kept["measure"], kept["direction"]) == ("nDCG@3", "higher")


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize(
    ("absent", "words", "extra"),
    [("sacrebleu", f"{TEXTS} bleu", "tellapart[mt]"), ("ir_measures", f"one two {JUDGED}", "tellapart[ir]")],
)
def test_libraries_that_are_absent(
    ask: PlanCase, monkeypatch: pytest.MonkeyPatch, verb: str, absent: str, words: str, extra: str
) -> None:
    """The line that installs them."""
    monkeypatch.setitem(sys.modules, absent, None)
    code, out, err = ask(verb, words)
    refused((code, out, err), code, [f"pip install '{extra}'"])
    assert code in {2, 3}


def test_remarks_and_blank_lines_are_skipped(ask: PlanCase) -> None:
    """In runs and in judgements."""
    plain = json.loads(ask("compare", f"one two {JUDGED} --format json")[1])
    words = "remarked two --qrels remarked.qrels --measure nDCG@3 --format json"
    remarked = json.loads(ask("compare", words)[1])
    assert (remarked["effect"], remarked["items"]) == (plain["effect"], plain["items"])


@pytest.mark.parametrize("verb", ["compare", "rank", "gate"])
def test_nothing_matched_is_a_zero_with_a_note(ask: PlanCase, verb: str) -> None:
    """Scored and told, not refused."""
    code, out, err = ask(verb, "nothing.txt b.txt --reference ref.txt --metric bleu(smooth=none)", "--format", "json")
    assert (code, err) == (0, "")
    notes = json.loads(out).get("notes") or json.loads(out)["comparison"]["notes"]
    assert "nothing_matched" in {note["code"] for note in notes}


def test_a_gate_names_the_metric(ask: PlanCase) -> None:
    """BLEU is no mean of scores."""
    out = ask("gate", f"{TEXTS} bleu")[1]
    facts = {line.split()[0]: line.split()[1:] for line in out.splitlines() if line.startswith(("margin", "baseline"))}  # fmt: skip
    assert facts["margin"] == ["1", "of", "bleu"]
    assert facts["baseline"][:2] == ["a,", "bleu"]
