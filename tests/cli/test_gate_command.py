"""`tellapart gate` as a job of continuous integration runs it: exit codes, summary, outputs, annotations, JUnit."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from lxml import etree

from tellapart.cli import main

SCHEMA = Path(__file__).parents[1] / "reference" / "junit.xsd"
MARKUP = "<b>|*x*\n::error::gone"


def run(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(arguments)
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Files of a baseline, of a candidate that is as good, and of one that is worse."""
    rng = np.random.default_rng(8)
    right = rng.random(800) < 0.7
    for name, kept in (("old", 1.0), ("same", 0.985), ("worse", 0.8)):
        flipped = rng.random(800) >= kept
        scores = np.where(flipped, (~right if name == "same" else False), right).astype(int)
        rows = [f"q{i},{score}\n" for i, score in enumerate(scores.tolist())]
        (tmp_path / f"{name}.csv").write_text("item,score\n" + "".join(rows))
    monkeypatch.chdir(tmp_path)
    return tmp_path


GATE = ["gate", "--baseline", "old.csv", "--candidate"]


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("candidate", "margin", "rules", "verdict", "code"),
    [
        ("same.csv", "0.03", [], "pass", 0),
        ("same.csv", "0.03", ["--fail-on", "undetermined"], "pass", 0),
        ("same.csv", "0.0001", [], "undetermined", 0),
        ("same.csv", "0.0001", ["--fail-on", "undetermined"], "undetermined", 1),
        ("worse.csv", "0.03", [], "fail", 1),
        ("worse.csv", "0.03", ["--fail-on", "undetermined"], "fail", 1),
        ("worse.csv", "0.5", ["--fail-on", "undetermined"], "pass", 0),
    ],
)
def test_exit_codes(
    candidate: str, margin: str, rules: list[str], verdict: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, _ = run([*GATE, candidate, "--margin", margin, "--format", "json", *rules], capsys)
    answer = json.loads(out)
    assert (answer["schema"], answer["verdict"], found) == ("tellapart/gate/1", verdict, code)
    assert answer["comparison"]["margin"] == float(margin)
    assert {"dataset", "verdict", "effect", "low", "high", "pvalue", "adjusted_pvalue"} <= set(answer["checks"][0])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        ([*GATE, "same.csv"], 2, "--margin"),
        ([*GATE, "same.csv", "--margin", "0"], 2, "margin"),
        ([*GATE, "same.csv", "--margin", "-0.1"], 2, "margin"),
        (["gate", "--candidate", "same.csv", "--margin", "0.1"], 2, "--baseline"),
        (["gate", "--baseline", "same.csv", "--margin", "0.1"], 2, "--candidate"),
        ([*GATE, "old.csv", "--margin", "0.1"], 3, "twice"),
        ([*GATE, "none.csv", "--margin", "0.1"], 3, "none.csv"),
        ([*GATE, "same.csv", "--plan", "old.csv"], 3, "not a plan file"),
        ([*GATE, "same.csv", "--margin", "0.1", "--fail-on", "deviation"], 2, "--plan"),
        ([*GATE, "same.csv", "--margin", "0.1", "--measure", "f7"], 3, "--measure-name f7"),
    ],
)
def test_never_a_pass_by_accident(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, out, err = run(arguments, capsys)
    assert found == code
    assert said in err
    assert ("pass" in out) == (code == 0)


def test_items(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Items that vanished are refused; items of none are no comparison at all."""
    rows = (folder / "old.csv").read_text().splitlines()
    (folder / "part.csv").write_text("\n".join(rows[:500]) + "\n")
    (folder / "other.csv").write_text(rows[0] + "\n" + "\n".join(f"x{row}" for row in rows[1:]) + "\n")
    for name in ("part.csv", "other.csv"):
        code, _, err = run([*GATE, name, "--margin", "0.1"], capsys)
        assert code == 3
        assert "lacks" in err
    assert run([*GATE, "part.csv", "--margin", "0.1", "--missing", "drop"], capsys)[0] == 0
    code, out, _ = run(
        ["gate", "--baseline", "part.csv", "--candidate", "old.csv", "--margin", "0.1", "--format", "json"],
        capsys,
    )
    assert code == 0
    (note,) = (note for note in json.loads(out)["notes"] if note["code"] == "new_items_left_out")
    assert note["values"]["items"] == 301


def test_several_files_follow_one_flag(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = (folder / "old.csv").read_text().splitlines()
    for name, part in (("one", rows[1:400]), ("two", rows[400:])):
        (folder / f"{name}.csv").write_text("\n".join(["system,item,score", *(f"m,{row}" for row in part)]) + "\n")
    several = ["gate", "--baseline", "one.csv", "two.csv", "--candidate", "same.csv", "--margin", "0.03"]
    code, out, _ = run([*several, "--format", "json"], capsys)
    answer = json.loads(out)
    assert (code, answer["verdict"]) == (0, "pass")
    assert (answer["baseline"], answer["candidate"], answer["checks"][0]["items"]) == ("m", "same", 800)


def test_github(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    summary, output = folder / "summary.md", folder / "output.txt"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    code, out, err = run([*GATE, "worse.csv", "--margin", "0.03", "--github"], capsys)
    assert code == 1
    assert summary.read_text().startswith("before\n**fail: ")
    assert summary.read_text().count("| fail |") == 1
    values = dict(line.split("=", 1) for line in output.read_text().splitlines() if "=" in line)
    assert values["verdict"] == "fail"
    assert float(values["effect"]) < -0.03
    assert len(re.findall(r"^::error ", err, re.MULTILINE)) == 1
    assert "::error" not in out
    _, _, err = run([*GATE, "same.csv", "--margin", "0.0001", "--github"], capsys)
    assert len(re.findall(r"^::warning ", err, re.MULTILINE)) == 1
    _, _, err = run([*GATE, "same.csv", "--margin", "0.03", "--github"], capsys)
    assert "::" not in err


def test_outside_github_it_says_so(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.delenv(name, raising=False)
    code, _, err = run([*GATE, "same.csv", "--margin", "0.03", "--github"], capsys)
    assert code == 0
    assert "GITHUB_STEP_SUMMARY is not set" in err
    assert not (folder / "summary.md").exists()


def test_names_are_data(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A system's name writes no workflow command, no output, no markup and no XML."""
    summary, output, junit = folder / "summary.md", folder / "output.txt", folder / "gate.xml"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    rows = (folder / "worse.csv").read_text().splitlines()[1:]
    quoted = '"' + MARKUP + '"'
    (folder / "evil.csv").write_text("system,item,score\n" + "".join(f"{quoted},{row}\n" for row in rows))
    code, _, err = run([*GATE, "evil.csv", "--margin", "0.03", "--github", "--junit", "gate.xml"], capsys)
    assert code == 1
    assert re.findall(r"^::.*", err, re.MULTILINE) == re.findall(
        r"^::error title=tellapart gate::.*", err, re.MULTILINE
    )
    assert "<b>" not in summary.read_text().replace("\\<b>", "").replace("&lt;b>", "")
    assert sum(line.startswith("verdict=") for line in output.read_text().splitlines()) == 1
    case = ET.parse(junit).getroot().find(".//testcase")  # noqa: S314  (our own file)
    assert case is not None
    assert "<b>" in case.attrib["classname"]


COMMANDS = ("::error title=x::y", "::stop-commands::x", "a long name that is broken ::warning::here", "\n::debug::x", " ::set-env::x", "##[group]x", "b ##[error]y")  # fmt: skip


@pytest.mark.parametrize("form", ["text", "json", "markdown", "html", "latex", "csv"])
@pytest.mark.parametrize("said", ["--github", "CI"])
def test_no_line_is_a_command_of_a_name(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, form: str, said: str
) -> None:
    """A runner takes what follows `::` behind any blanks at the start of a line, and `##[` anywhere."""
    monkeypatch.setenv("CI", "true") if said == "CI" else monkeypatch.delenv("CI", raising=False)
    for name in ("GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"):
        monkeypatch.setenv(name, str(folder / name))
    for side, right in (("old", 7), ("new", 2)):
        rows = [f'"{dataset}","{COMMANDS[0]}",q{n},{int(n % right > 0)}\n' for dataset in COMMANDS for n in range(60)]
        (folder / f"{side}.csv").write_text("dataset,system,item,score\n" + "".join(rows))
    gate = [
        "gate",
        "--baseline",
        "old.csv",
        "--candidate",
        "new.csv",
        "--margin",
        "0.05",
        "--each",
        "dataset",
    ]
    code, out, err = run([*gate, "--format", form, *(["--github"] if said == "--github" else [])], capsys)
    assert code == 1, err
    assert "stop-commands" in out
    lines = re.split("[\r\n]+", f"{out}\n{err}")
    ours = [line for line in lines if re.match(r"::(error|warning) title=tellapart gate::", line)]
    assert len(ours) == (said == "--github")
    assert not [line for line in lines if line not in ours and (line.lstrip().startswith("::") or "##[" in line)]
    if form == "json":
        assert {name.strip() for name in COMMANDS} <= {check["dataset"] for check in json.loads(out)["checks"]}


def valid(file: Path) -> bool:
    """Whether a file is what readers of JUnit XML take."""
    schema = etree.XMLSchema(etree.parse(SCHEMA))
    schema.assertValid(etree.parse(file))
    return True


def test_junit_of_every_verdict(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Passed, skipped where it is open, failed where that is asked for; a case twice skipped would be seen."""
    for candidate, margin in (("same", "0.03"), ("same", "0.0001"), ("worse", "0.03")):
        for rules in ([], ["--fail-on", "undetermined"]):
            run([*GATE, f"{candidate}.csv", "--margin", margin, "--junit", "gate.xml", *rules], capsys)
            assert valid(folder / "gate.xml")
    broken = (folder / "gate.xml").read_text().replace("<testcase ", "<case ").replace("</testcase>", "</case>")
    (folder / "broken.xml").write_text(broken)
    with pytest.raises(etree.DocumentInvalid):
        valid(folder / "broken.xml")


def test_junit(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The elements and attributes that readers of JUnit XML rely on, with counts that add up."""
    rows = {name: (folder / f"{name}.csv").read_text().splitlines()[1:] for name in ("old", "same", "worse")}
    for name, second in (("base", "old"), ("cand", "worse")):
        first = "old" if name == "base" else "same"
        lines = [f"x,{row}" for row in rows[first]] + [f"y,z{row}" for row in rows[second]]
        (folder / f"{name}.csv").write_text("dataset,item,score\n" + "\n".join(lines) + "\n")
    each = [
        "gate",
        "--baseline",
        "base.csv",
        "--candidate",
        "cand.csv",
        "--margin",
        "0.03",
        "--each",
        "dataset",
    ]
    code, out, _ = run([*each, "--junit", "gate.xml"], capsys)
    assert code == 1
    assert out.startswith("fail: ")
    assert valid(folder / "gate.xml")
    root = ET.parse(folder / "gate.xml").getroot()  # noqa: S314  (our own file)
    suite = root.find("testsuite")
    assert root.tag == "testsuites"
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"], suite.attrib["errors"]) == ("2", "1", "0")
    outcomes = {case.attrib["name"]: [child.tag for child in case] for case in suite.iter("testcase")}
    assert outcomes == {"x": [], "y": ["failure"]}


@pytest.mark.usefixtures("folder")
def test_plan_then_gate_needs_no_other_flag(capsys: pytest.CaptureFixture[str]) -> None:
    plan = [
        "plan",
        "paired_binary",
        "--accuracy",
        "0.7",
        "--discordance",
        "0.05",
        "--effect",
        "0.02",
        "--items",
        "800",
    ]
    assert run([*plan, "--save", "plan.json", "--margin", "0.03"], capsys)[0] == 0
    held = ["--plan", "plan.json", "--fail-on", "deviation", "--format", "json"]
    for asked in ([*GATE, "same.csv"], ["compare", "old.csv", "same.csv"]):
        code, out, _ = run([*asked, *held], capsys)
        checked = json.loads(out)["plan"]
        assert (code, checked["file"], checked["deviations"]) == (0, "plan.json", [])
    code, out, err = run([*GATE, "same.csv", "--plan", "plan.json", "--alpha", "0.2", "--fail-on", "deviation"], capsys)
    assert code == 1
    assert "alpha: planned 0.05, found 0.2" in err


def test_a_plan_that_was_not_kept_is_red_everywhere(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who looks at annotations or at JUnit sees what the exit code says."""
    plan = ["plan", "paired_binary", "--accuracy", "0.7", "--discordance", "0.06", "--effect", "0.03"]
    assert run([*plan, "--items", "900", "--margin", "0.03", "--save", "plan.json"], capsys)[0] == 0
    gate = [*GATE, "same.csv", "--plan", "plan.json", "--github", "--junit", "gate.xml"]
    code, _, err = run([*gate, "--fail-on", "deviation"], capsys)
    assert code == 1
    assert len(re.findall(r"^::error .*planned 900, found 800", err, re.MULTILINE)) == 1
    suite = ET.parse(folder / "gate.xml").getroot().find("testsuite")  # noqa: S314  (our own file)
    assert suite is not None
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("2", "1")
    code, _, err = run(gate, capsys)
    assert code == 0
    assert "::" not in err


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("old.csv new.csv --margin 0.1", "--baseline old.csv --candidate new.csv --margin …"),
        ("both.csv", "--baseline both.csv --candidate both.csv --a SYSTEM --b SYSTEM --margin …"),
        ("a b c", "--baseline OLD --candidate NEW --margin …"),
    ],
)
def test_files_without_a_side(typed: str, meant: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is guessed: the command that was likely meant is spelled out."""
    code, out, err = run(["gate", *typed.split()], capsys)
    assert (code, out) == (2, "")
    assert err.endswith(f"say which side each file is: tellapart gate {meant}\n")


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("side", ["greater", "less"])
def test_a_test_of_one_side_is_no_gate(side: str, capsys: pytest.CaptureFixture[str]) -> None:
    """By itself and from a plan; compare refuses before it prints its page."""
    test = f"paired_t(alternative={side})"
    code, out, err = run([*GATE, "worse.csv", "--margin", "0.03", "--test", test], capsys)
    assert (code, out) == (2, "")
    assert "--test paired_t\n" in err
    plan = ["plan", "gaussian(sd=0.4, correlation=0.5, effect=0.05)", "--items", "800", "--margin", "0.03"]
    assert run([*plan, "--test", test, "--save", "plan.json"], capsys)[0] == 0
    code, out, err = run([*GATE, "worse.csv", "--plan", "plan.json"], capsys)
    assert (code, out) == (2, "")
    assert "--test paired_t, which is then told as a deviation" in err
    assert run([*GATE, "worse.csv", "--plan", "plan.json", "--test", "paired_t"], capsys)[0] == 1
    rule = ["--fail-on", "worse"] if side == "greater" else ["--require", "better"]
    code, out, err = run(["compare", "old.csv", "worse.csv", "--plan", "plan.json", *rule], capsys)
    assert (code, out) == (2, "")
    assert "beside the plan" in err


@pytest.mark.usefixtures("folder")
def test_every_broken_rule_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    plan = ["plan", "paired_binary", "--accuracy", "0.7", "--discordance", "0.06", "--effect", "0.03"]
    assert run([*plan, "--items", "900", "--margin", "0.03", "--save", "plan.json"], capsys)[0] == 0
    code, _, err = run([*GATE, "worse.csv", "--plan", "plan.json", "--fail-on", "deviation"], capsys)
    assert code == 1
    assert err.startswith("gate failed: --fail-on worse, --fail-on deviation; fail: worse is worse than old; effect −")
    rules = ["--require", "not-worse", "--fail-on", "deviation"]
    code, _, err = run(["compare", "old.csv", "worse.csv", "--plan", "plan.json", *rules], capsys)
    assert code == 1
    assert err.startswith("gate failed: --require not-worse, --fail-on deviation; verdict: a better; ")
    assert "not as planned: items: planned 900, found 800; exit code 1" in err
