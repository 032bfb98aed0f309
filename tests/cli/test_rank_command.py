"""`tellapart rank`: what a user types, sees, and gets as an exit code."""

import csv
import io
import json
import random
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from tellapart import rank, read
from tellapart.boards import CORRECTIONS
from tellapart.cli import main
from tellapart.cli.input import GivenFiles
from tellapart.render import render
from tellapart.render.screen import Screen
from tellapart.verbs.judging_options import JudgingOptions

EXAMPLES = Path(__file__).parents[2] / "examples"
ANSWERS = str(EXAMPLES / "answers.csv")
RETRIEVAL = str(EXAMPLES / "retrieval.csv")

KEYS = {
    "schema",
    "systems",
    "pairs",
    "letters",
    "correction",
    "alpha",
    "datasets",
    "sentence",
    "notes",
    "signature",
}
SYSTEM_KEYS = {"name", "mean", "low", "high", "rank", "rank_low", "rank_high", "tier", "may_be_best"}
PAIR_KEYS = {"a", "b", "effect", "pvalue", "adjusted_pvalue", "significant"}

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["rank", *arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def told(capsys: Capture, *arguments: str) -> dict[str, Any]:
    """The JSON of an answer, which must be strict and alone on stdout."""
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert (code, err) == (0, "")
    answer: dict[str, Any] = json.loads(out, parse_constant=pytest.fail)
    return answer


@pytest.fixture
def suite(tmp_path: Path) -> str:
    """A long table: four systems on three datasets of 20 items in clusters of four; 'late' lacks the items of one dataset."""
    chance = random.Random(3)  # noqa: S311  (scores, not secrets)
    lines = ["system,dataset,item,topic,score"]
    for place in range(60):
        home, ease = ("easy", "hard", "odd")[place // 20], chance.gauss(0, 1)
        for step, name in enumerate(("old", "new", "late", "twin")):
            if (name, home) != ("late", "odd"):
                score = ease if name in {"old", "twin"} else ease + 0.5 * step + chance.gauss(0, 0.5)
                lines.append(f"{name},{home},q{place:02d},t{place // 4},{score:.4f}")
    path = tmp_path / "suite.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_three_systems(capsys: Capture) -> None:
    """The text opens with the headline, shows every pair that differs, and has the sentence to quote; nothing of it is coloured."""
    code, out, err = run(capsys, ANSWERS)
    assert (code, err) == (0, "")
    answer = told(capsys, ANSWERS)
    assert [s["may_be_best"] for s in answer["systems"]] == [True, True, False]
    assert (answer["separation"]["tiers"], answer["neighbours_told_apart"]) == (2, 1)
    assert out.startswith(f"{answer['headline']}\n")
    assert {line.split("  ")[0] for line in out.splitlines() if " > " in line[: len("medium > small")]} == {
        f"{p['b']} > {p['a']}" for p in answer["pairs"] if p["significant"]
    } | {"better > worse"}
    assert answer["sentence"] in out
    assert "\x1b[" not in out


def test_json_contract(capsys: Capture) -> None:
    """The promised keys are there, and the numbers fit together."""
    answer = told(capsys, ANSWERS)
    assert answer["schema"] == "tellapart/leaderboard/2"
    assert set(answer) >= KEYS
    assert all(set(s) >= SYSTEM_KEYS for s in answer["systems"])
    assert all(set(p) >= PAIR_KEYS for p in answer["pairs"])
    assert [s["name"] for s in answer["systems"]] == ["large", "medium", "small"]
    assert answer["letters"] == {"large": "a", "medium": "a", "small": "b"}
    assert answer["datasets"] is None
    assert (answer["correction"], answer["alpha"], answer["resamples"]) == ("max_t", 0.05, 10_000)
    assert all(p["adjusted_pvalue"] >= p["pvalue"] for p in answer["pairs"])
    assert "\n" not in answer["signature"]


def test_two_systems(capsys: Capture) -> None:
    """Two systems are a leaderboard: one pair, no correction needed, and one is the best."""
    answer = told(capsys, RETRIEVAL)
    (pair,) = answer["pairs"]
    assert pair["pvalue"] == pair["adjusted_pvalue"] <= 0.05
    assert pair["significant"]
    assert [s["may_be_best"] for s in answer["systems"]] == [True, False]
    code, out, _ = run(capsys, RETRIEVAL)
    assert code == 0
    assert out.startswith(f"{answer['headline']}\n")
    assert answer["measure"] == "nDCG@10"
    assert answer["measure"] in out


@pytest.mark.parametrize(
    ("form", "marks"),
    [
        ("markdown", ["| system | score (%) | 95 % CI |", "| large |", "> The evaluation separates"]),
        ("latex", [r"\toprule", r"large $>$ small", r"95 \% CI"]),
    ],
)
def test_other_formats(capsys: Capture, form: str, marks: list[str]) -> None:
    """Markdown for a pull request, booktabs for a paper."""
    code, out, _ = run(capsys, ANSWERS, "--format", form)
    assert code == 0
    assert all(mark in out for mark in marks)


def test_standard_input() -> None:
    """`-` reads standard input."""
    command = [sys.executable, "-m", "tellapart", "rank", "-", "--format", "json"]
    text = Path(ANSWERS).read_text(encoding="utf-8")
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["systems"]) == 3


def test_shuffled_rows_change_nothing(capsys: Capture, suite: str, tmp_path: Path) -> None:
    """The order of lines in a file is not evidence: the whole output is the same, but for the file that it names."""
    first, *lines = Path(suite).read_text(encoding="utf-8").splitlines()
    random.Random(1).shuffle(lines)  # noqa: S311  (an order, not a secret)
    other = tmp_path / "shuffled.csv"
    other.write_text("\n".join([first, *lines]), encoding="utf-8")
    options = ("--missing", "pairwise", "--datasets", "--cluster", "topic", "--format", "json")
    answers = []
    for file in (suite, str(other)):
        code, out, err = run(capsys, file, *options)
        assert (code, err) == (0, "")
        answers.append(out.replace(json.dumps(file)[1:-1], "FILE"))
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", [c for c in CORRECTIONS if c != "max_t"])
def test_corrections(capsys: Capture, name: str) -> None:
    """Every correction can be named; those without a family-wise guarantee call nobody the best."""
    answer = told(capsys, RETRIEVAL, "--correction", name)
    assert answer["family_wise"] == (name not in {"bh", "by", "none"})
    assert answer["pairs"][0]["significant"]
    code, out, _ = run(capsys, RETRIEVAL, "--correction", name)
    assert code == 0
    assert out.startswith(f"{answer['headline']}\n")
    # Only a family-wise promise carries over from pairs to who may be the best.
    assert ("best" in out.split("Notes")[0]) == answer["family_wise"]


def test_corrections_of_single_pvalues_get_more_flips(capsys: Capture, tmp_path: Path) -> None:
    """Flips are raised where a correction multiplies the smallest p-value they can give, unless a number is asked for."""
    chance = random.Random(2)  # noqa: S311  (scores, not secrets)
    names = [f"s{i:02d}" for i in range(30)]
    rows = [",".join(f"{chance.gauss(0.1 * i, 1):.3f}" for i in range(30)) for _ in range(40)]
    path = tmp_path / "many.csv"
    path.write_text("\n".join([",".join(["item", *names]), *(f"q{i},{row}" for i, row in enumerate(rows))]))
    assert told(capsys, str(path))["resamples"] == 10_000
    assert told(capsys, str(path), "--correction", "bonferroni")["resamples"] == 5 * 435 * 20
    assert told(capsys, str(path), "--correction", "bonferroni", "--resamples", "999")["resamples"] == 999


def test_baseline(capsys: Capture) -> None:
    """Against one system: only its pairs, and no word about the best."""
    code, out, _ = run(capsys, ANSWERS, "--baseline", "medium")
    assert code == 0
    assert "tier" not in out.split("Notes")[0]
    assert "best?" not in out
    answer = told(capsys, ANSWERS, "--baseline", "medium")
    assert out.startswith(f"{answer['headline']}\n")
    assert [answer["separation"][key] for key in ("better", "worse", "not_told_apart")] == [0, 1, 1]
    assert {p["a"] for p in answer["pairs"]} == {"medium"}
    assert answer["neighbours_told_apart"] is None


def test_lower_is_better(capsys: Capture) -> None:
    """Errors instead of scores: the order turns, the effects keep their sign."""
    up, down = told(capsys, ANSWERS), told(capsys, ANSWERS, "--lower-is-better")
    assert [s["name"] for s in down["systems"]] == [s["name"] for s in reversed(up["systems"])]
    assert [s["rank"] for s in down["systems"]] == [1, 2, 3]
    assert "lower_is_better" in down["signature"]
    assert [s["may_be_best"] for s in down["systems"]] == [True, False, False]
    assert {p["verdict"] for p in down["pairs"] if "small" in (p["a"], p["b"])} != {"undetermined"}
    code, out, _ = run(capsys, ANSWERS, "--lower-is-better")
    assert code == 0
    assert out.startswith(f"{down['headline']}\n")
    told_apart = {line.split("  ")[0] for line in out.splitlines() if " > " in line}
    assert told_apart >= {f"small > {name}" for name in ("medium", "large")}


def test_missing_error_names_the_gaps(capsys: Capture, suite: str) -> None:
    """Gaps are an error by default: who lacks how many items, which first, and both ways out."""
    code, out, err = run(capsys, suite)
    assert (code, out) == (3, "")
    assert "'late' lacks 20 of 60 items (first: 'odd/q40')" in err
    assert "--missing drop" in err
    assert "--missing pairwise" in err


def test_missing_drop(capsys: Capture, suite: str) -> None:
    """A system that lacks a third of the items is left out, and named."""
    answer = told(capsys, suite, "--missing", "drop")
    assert {s["name"] for s in answer["systems"]} == {"old", "new", "twin"}
    assert answer["items"] == 60
    assert answer["notes"][0] == {
        "code": "system_left_out",
        "values": {"system": "late", "lacking": pytest.approx(1 / 3)},
        "text": "late left out: it lacks 33.3 % of the items",
    }


def test_missing_pairwise(capsys: Capture, suite: str) -> None:
    """Every pair on what it shares, with the number of items of each system."""
    answer = told(capsys, suite, "--missing", "pairwise")
    assert {s["name"]: s["items"] for s in answer["systems"]} == {
        "late": 40,
        "new": 60,
        "old": 60,
        "twin": 60,
    }
    twins = next(p for p in answer["pairs"] if {p["a"], p["b"]} == {"old", "twin"})
    assert (twins["effect"], twins["pvalue"], twins["significant"]) == (0.0, 1.0, False)
    _, out, _ = run(capsys, suite, "--missing", "pairwise")
    heads = next(line for line in out.splitlines() if line.startswith("system"))
    assert "items" in heads.split()


def test_clusters(capsys: Capture, suite: str) -> None:
    """`--cluster` flips whole clusters, and says how many there are."""
    answer = told(capsys, suite, "--missing", "drop", "--cluster", "topic")
    assert answer["clusters"] == 15
    assert answer["items"] == 60


def test_one_dataset(capsys: Capture, suite: str) -> None:
    """`--dataset` takes the items of one dataset only."""
    answer = told(capsys, suite, "--dataset", "easy")
    assert answer["items"] == 20
    assert len(answer["systems"]) == 4


def test_datasets(capsys: Capture, suite: str) -> None:
    """`--datasets` adds each dataset alone and the pairs across datasets."""
    answer = told(capsys, suite, "--datasets", "--missing", "pairwise")
    assert [d["name"] for d in answer["datasets"]["within"]] == ["easy", "hard", "odd"]
    assert len(answer["datasets"]["across"]) == 6
    across = answer["datasets"]["across"][0]
    assert {
        "equal_weight",
        "item_weight",
        "new_dataset",
        "heterogeneity",
        "wins",
        "significant_wins",
        "wins_at_least",
    } <= set(across)
    assert {across["a"], across["b"]} & {"late"}
    against = told(capsys, suite, "--datasets", "--missing", "pairwise", "--baseline", "old")
    assert {pair["a"] for pair in against["datasets"]["across"]} == {"old"}


def test_narrow_tables_keep_their_words(suite: str) -> None:
    """At 80 columns no p-value and no heading of the table across datasets is broken inside a word."""
    answer = rank(read(suite), datasets=True, missing="pairwise")
    page = render(answer, "text", Screen(80))
    assert max(map(len, page.splitlines()[:-1])) <= 80
    across = page.partition("across datasets")[2].partition("\n\n")[0]
    assert "significant" in across
    assert "p < 0.0001" in across


def test_many_systems_stay_readable(capsys: Capture, tmp_path: Path) -> None:
    """With sixty long names no line is wider than 110 columns, and pairs and tier sizes are few."""
    chance = random.Random(5)  # noqa: S311  (scores, not secrets)
    names = [f"organisation-{i % 7}/a-model-with-a-long-name-{i:02d}-instruct" for i in range(60)]
    lines = [",".join(["item", *names])]
    for item in range(80):
        ease = chance.gauss(0, 1)
        lines.append(",".join([f"q{item}", *(f"{ease + 0.02 * i + chance.gauss(0, 0.5):.4f}" for i in range(60))]))
    path = tmp_path / "many.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    code, out, _ = run(capsys, str(path))
    assert code == 0
    *body, signature = out.splitlines()
    assert signature.startswith("tellapart")
    assert max(map(len, body)) <= 110
    assert sum(" > " in line for line in body) <= 30
    assert "letters" not in out.split("\n\n")[1]
    assert all(sum(name in line for line in body) >= 1 for name in names)


def test_nothing_to_tell_apart(capsys: Capture, tmp_path: Path) -> None:
    """Equal systems are undetermined, not tied for the best."""
    path = tmp_path / "equal.csv"
    path.write_text("item,a,b,c\n1,0,1,1\n2,1,0,1\n3,1,1,0\n4,0,0,1\n")
    answer = told(capsys, str(path))
    assert (answer["separation"]["told_apart"], answer["separation"]["tiers"]) == (0, 1)
    assert all(s["may_be_best"] for s in answer["systems"])
    assert {p["verdict"] for p in answer["pairs"]} == {"undetermined"}
    assert run(capsys, str(path), "--baseline", "a", "--fail-on", "undetermined")[0] == 1


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([], 2, "FILE"),
        (["no-such-file.csv"], 3, "no-such-file.csv"),
        ([ANSWERS, "--baseline", "smal"], 3, "did you mean 'small'"),
        ([ANSWERS, "--correction", "holms"], 2, "did you mean 'holm'"),
        ([ANSWERS, "--correction", "max_t(resampling=jackknife)"], 2, "flips"),
        ([ANSWERS, "--alpha", "0"], 2, "between 0 and 0.5"),
        ([ANSWERS, "--alpha", "nan"], 2, "it should be a number"),
        ([ANSWERS, "--resamples", "10"], 2, "between 99 and 10000000"),
        ([ANSWERS, "--missing", "ignore"], 2, "'error', 'drop', 'pairwise'"),
        ([ANSWERS, "--gap", "-1"], 2, "above 0"),
        ([ANSWERS, "--gap", "nan"], 2, "it should be a number"),
        ([ANSWERS, "--seed", "-1"], 2, "seed is -1"),
        ([ANSWERS, "--dataset", "x"], 3, "'x'"),
        ([ANSWERS, "--metric", "f1"], 3, "tp, fp, fn"),
        ([ANSWERS, "--cluster", "topic"], 3, "topic"),
        ([ANSWERS, "--format", "xml"], 2, "--format"),
    ],
)
def test_mistakes_get_one_message_and_no_output(capsys: Capture, arguments: list[str], code: int, said: str) -> None:
    """Usage errors exit with 2, bad data with 3; nothing reaches stdout, and no traceback."""
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert said in err
    assert "Traceback" not in err


def test_every_correction_in_help(capsys: Capture) -> None:
    """Help is generated from the registry."""
    code, out, _ = run(capsys, "--help-all")
    assert code == 0
    assert all(name in out for name in CORRECTIONS)


def test_input_flags_are_those_of_compare(capsys: Capture) -> None:
    """What `compare` takes about input, `rank` takes, in the same words, but for what alpha is the level of; what a pilot takes, `compare` takes."""

    def flags(*command: str) -> dict[str, str]:
        with pytest.raises(SystemExit):
            main([*command, "--help-all"])
        entries = re.split(r"\n  (?=-)", capsys.readouterr().out)
        entries = [re.sub(r"^-\w, ", "", entry) for entry in entries]
        return {entry.split()[0]: " ".join(entry.partition("\n\n")[0].split()) for entry in entries[1:]}

    compared, ranked, piloted = flags("compare"), flags("rank"), flags("plan", "pilot")
    shared = {
        f"--{entry.name.rstrip('_').replace('_', '-')}" for entry in (*fields(GivenFiles), *fields(JudgingOptions))
    } - {
        "--files",
        "--alpha",
    }
    assert {"--measure", "--cluster", "--dataset", "--column", "--metric", "--lower-is-better"} < shared
    assert all(compared[flag] == ranked[flag] for flag in shared)
    plain = {"--measure", "--cluster", "--dataset", "--column", "--a", "--b", "--missing"}
    assert all(compared[flag] == piloted[flag] for flag in plain)


def test_standings_for_a_spreadsheet(capsys: Capture) -> None:
    """One line per system, with the keys and values of the JSON."""
    code, out, _ = run(capsys, ANSWERS, "--format", "csv")
    table = list(csv.DictReader(io.StringIO(out)))
    systems = told(capsys, ANSWERS)["systems"]
    assert code == 0
    assert [set(row) for row in table] == [set(s) for s in systems]
    assert [float(row["mean"]) for row in table] == [s["mean"] for s in systems]
    assert [row["may_be_best"] for row in table] == [str(s["may_be_best"]).lower() for s in systems]
