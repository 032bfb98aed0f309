"""`tellapart plan`: flags made of the population's fields, grids of comma lists, formats and exit codes."""

import _thread
import csv
import io
import itertools
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from tellapart.cli import main
from tellapart.foundation.spelling import options
from tellapart.populations import POPULATIONS

ANSWERS = str(Path(__file__).parents[2] / "examples" / "answers.csv")
RETRIEVAL = str(Path(__file__).parents[2] / "examples" / "retrieval.csv")


NORMAL = ("gaussian", "--sd", "0.12", "--correlation", "0.5")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["plan", *arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    code, out, err = run(capsys, *arguments, "--format", "json")
    assert (code, err) == (0, "")
    found: list[dict[str, object]] = json.loads(out, parse_constant=pytest.fail)["rows"]
    return found


def test_items(capsys: pytest.CaptureFixture[str]) -> None:
    """The first command of the issue."""
    assert (
        rows(capsys, "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01", "--power", "0.8")[0][
            "items"
        ]
        == 455
    )


def test_the_population_follows_from_the_flags(capsys: pytest.CaptureFixture[str]) -> None:
    """The shortest question there is, and the flags of a wrapper among those of what it wraps."""
    named = ("paired_binary", "--accuracy", "0.7", "--effect", "0.02", "--power", "0.8")
    assert rows(capsys, "--accuracy", "0.7", "--effect", "0.02") == rows(capsys, *named)
    clustered = "--sd 0.1 --correlation 0.8 --size 5 --icc 0.2 --effect 0.01,0.02 --items 500"
    found = rows(capsys, *clustered.split())
    assert [row["population"] for row in found] == [
        f"clustered(effect={effect}, population=gaussian(sd=0.1, correlation=0.8), size=5, icc=0.2)"
        for effect in (0.01, 0.02)
    ]


def test_help_without_a_population(capsys: pytest.CaptureFixture[str]) -> None:
    """Every flag of every population, and what it means to those that have it."""
    code, out, _ = run(capsys, "--accuracy", "0.7", "--help")
    assert code == 0
    assert "  " not in out.splitlines()[0]
    assert all(
        f"--{o.name.replace('_', '-')}" in out
        for name in POPULATIONS
        if POPULATIONS[name].from_spelling
        for o in options(POPULATIONS[name])
    )


def test_a_grid_with_a_curve(capsys: pytest.CaptureFixture[str]) -> None:
    """Comma lists make rows, and a person sees the curve."""
    binary = (
        "paired_binary",
        "--accuracy",
        "0.70",
        "--effect",
        "0.02",
        "--discordance",
        "0.10",
        "--items",
        "500,1000,2000,5000",
    )
    assert [r["items"] for r in rows(capsys, *binary)] == [500, 1000, 2000, 5000]
    _, out, _ = run(capsys, *binary)
    assert "1.00 ┤" in out


def test_commas_inside_parentheses_belong_to_a_spelling(capsys: pytest.CaptureFixture[str]) -> None:
    """A list of tests whose options have commas of their own."""
    tests = "wilcoxon(method=asymptotic, zeros=pratt),paired_t"
    found = rows(
        capsys,
        "gaussian",
        "--sd",
        "1",
        "--correlation",
        "0",
        "--effect",
        "1",
        "--items",
        "20",
        "--test",
        tests,
        "--replicates",
        "100",
    )
    assert [r["test"] for r in found] == ["wilcoxon(method=asymptotic, zeros=pratt)", "paired_t"]


def test_ranges(capsys: pytest.CaptureFixture[str]) -> None:
    """low:high is one value."""
    found = rows(
        capsys,
        "gaussian",
        "--mean",
        "0.7",
        "--sd",
        "0.12",
        "--correlation",
        "0.5",
        "--clip",
        "0:1",
        "--effect",
        "0.05",
        "--items",
        "50",
        "--replicates",
        "200",
    )
    assert found[0]["clip"] == [0.0, 1.0]
    assert found[0]["engine"] == "monte_carlo"


def test_a_whole_spelling_in_place_of_the_name(capsys: pytest.CaptureFixture[str]) -> None:
    """What JSON stores can be typed back."""
    stored = rows(capsys, "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01", "--power", "0.8")[0]
    again = rows(capsys, str(stored["population"]), "--power", "0.8")[0]
    assert again == stored


def test_a_pilot_file(capsys: pytest.CaptureFixture[str]) -> None:
    """The fourth command of the issue, on the bundled example, and its own effect only by name, with a warning."""
    base = ("pilot", ANSWERS, "--a", "small", "--b", "medium", "--power", "0.8")
    found = rows(capsys, *base, "--effect", "0.05")[0]
    assert (found["engine"], found["test"]) == ("exact", "mcnemar(variant=mid_p)")
    assured = rows(capsys, *base, "--effect", "0.05", "--assurance", "0.8")[0]
    assert assured["items"] > found["items"]  # type: ignore[operator]
    code, _, err = run(capsys, *base, "--effect", "observed")
    assert code == 0
    assert "warning: planning for the pilot's own effect" in err


@pytest.mark.parametrize(
    ("scores", "instead"),
    [
        (("1", "0", "1", "1"), "tellapart plan proportions --accuracy 0.5 --effect …"),
        (("100", "0", "100", "100"), "tellapart plan proportions --accuracy 0.5 --effect …"),
        (("0.1", "0.3", "0.5", "0.9"), "tellapart plan gaussian --sd 0.2236 --correlation 0 --effect …"),
    ],
    ids=str,
)
def test_a_pilot_of_separate_items(
    scores: tuple[str, ...], instead: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It was answered with the unpaired tests, one of which had been named; the plan of its numbers is what can be made."""
    file = tmp_path / "separate.csv"
    lines = [f"{name},{name}{i},{x}" for i, (name, x) in enumerate(zip("aabb", scores, strict=True))]
    file.write_text("\n".join(["system,item,score", *lines]) + "\n")
    code, _, err = run(capsys, "pilot", str(file), "--effect", "0.1", "--test", "two_proportion_z")
    assert code == 3
    assert instead in err
    assert "name an unpaired test" not in err


def test_a_continuous_pilot(capsys: pytest.CaptureFixture[str]) -> None:
    """300 topics: the paired t that `compare` would choose, simulated from the file."""
    found = rows(capsys, "pilot", RETRIEVAL, "--effect", "0.02", "--items", "300", "--replicates", "500")[0]
    assert (found["engine"], found["test"]) == ("monte_carlo", "paired_t")


def test_a_pilot_with_clusters_and_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Clusters of the file are planned whole by the cluster test, and repeated runs of an item stay together."""
    rng = np.random.default_rng(3)
    lines = ["system,item,cluster,run,score"]
    for item in range(60):
        level = rng.normal(0.5, 0.1)
        for system, run in itertools.product("ab", (1, 2)):
            lines.append(f"{system},q{item},{item // 4},{run},{level + rng.normal(0.0, 0.05):.6f}")
    file = tmp_path / "pilot.csv"
    file.write_text("\n".join(lines))
    base = ("pilot", str(file), "--effect", "0.02", "--items", "120", "--replicates", "300")
    together = rows(capsys, *base, "--cluster", "cluster")[0]
    assert together["test"] == "chosen"
    assert together["power_low"] < together["power"] < together["power_high"]  # type: ignore[operator]
    assert [r["effect"] for r in rows(capsys, *base[:3], "0.01,0.02", *base[4:])] == [0.01, 0.02]


@pytest.mark.parametrize("arguments", [["--items", "60"], ["--power", "0.8"]], ids=["power", "items"])
def test_ctrl_c_leaves_an_answer(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    """A long simulation interrupted from the keyboard: exit 0, a partial answer, a note, and nothing on stderr."""
    press = threading.Timer(1.0, _thread.interrupt_main)
    press.start()
    slow = (
        "beta", "--mean", "0.6", "--sd", "0.15", "--correlation", "0.7", "--effect", "0.05", "--test", "paired_t"
    )  # fmt: skip
    code, out, err = run(capsys, *slow, *arguments, "--replicates", "100000000", "--format", "json")
    press.cancel()
    # On a busy machine it may have said before how long it would take.
    assert (code, err.splitlines()[-1]) == (130, "interrupted: the answer that was printed is partial")
    answer = json.loads(out)
    assert answer["partial"]
    assert answer["notes"][0]["code"] == "interrupted"
    assert answer["notes"][0]["text"].capitalize() in answer["sentence"]
    row = answer["rows"][0]
    assert 0 < row["replicates"] < 100_000_000
    assert f"| replicates={row['replicates']} | seed=0 | partial=true |" in answer["signature"]
    assert row["power_low"] < row["power"] < row["power_high"]
    assert row["items"] == pytest.approx(46, abs=15)


def test_a_formula_loads_only_what_it_needs() -> None:
    """A cold start stays near that of numpy and scipy.special: no statistics package, no simulation, no tables of colours."""
    code = (
        "import sys; from tellapart.cli import main\n"
        "try: main(sys.argv[1:])\n"
        "except SystemExit: print(' '.join(sys.modules), file=sys.stderr)"
    )
    arguments = ["plan", *NORMAL, "--effect", "0.01", "--power", "0.8"]
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    loaded = set(done.stderr.split())
    assert "1,133" in done.stdout
    assert "scipy.special" in loaded
    spared = {
        "scipy.stats",
        "scipy.optimize",
        "rich",
        "tellapart.readers",
        "tellapart.methods.intervals.newcombe",
        "tellapart.methods.significance.wilcoxon",
        "tellapart.populations.evidence",
    }
    assert loaded.isdisjoint(spared | {"tellapart.planning.monte_carlo", "tellapart.planning.simulated_root"})


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_progress_is_shown_to_a_terminal_only() -> None:
    """A bar on a terminal's stderr leaves stdout as it is, and piped output has none."""
    # Shown at once: whether a plan takes the second that a bar waits for depends on the machine.
    at_once = "from tellapart import cli; from tellapart.cli import progress; progress.PATIENCE = 0.0; cli.main()"
    command = [
        sys.executable,
        "-c",
        at_once,
        "plan",
        "beta",
        "--mean",
        "0.6",
        "--sd",
        "0.15",
        "--correlation",
        "0.7",
    ]
    command += ["--effect", "0.05", "--items", "200", "--replicates", "20000", "--format", "json"]
    piped = subprocess.run(command, capture_output=True, check=True)
    assert piped.stderr == b""
    ours, theirs = os.openpty()
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=theirs, check=True)
    os.close(theirs)
    bar = os.read(ours, 1 << 16)
    os.close(ours)
    assert b"simulating" in bar
    assert shown.stdout == piped.stdout


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    """One line per row, for a spreadsheet."""
    code, out, _ = run(
        capsys,
        "gaussian",
        "--sd",
        "0.12",
        "--correlation",
        "0.5,0.8",
        "--items",
        "100",
        "--power",
        "0.8",
        "--format",
        "csv",
    )
    table = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert [r["correlation"] for r in table] == ["0.5", "0.8"]


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_report_formats(capsys: pytest.CaptureFixture[str], form: str) -> None:
    """The same table for a pull request or a paper."""
    code, out, _ = run(
        capsys,
        "gaussian",
        "--sd",
        "0.12",
        "--correlation",
        "0.5",
        "--items",
        "100",
        "--power",
        "0.8",
        "--format",
        form,
    )
    assert code == 0
    assert "paired" in out


@pytest.mark.parametrize("name", sorted(POPULATIONS))
def test_flags_come_from_the_fields(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Help lists every option of the population, and what every plan takes."""
    code, out, _ = run(capsys, name, "--help")
    assert code == 0
    assert all(f"--{o.name.replace('_', '-')}" in out for o in options(POPULATIONS[name]))
    assert "--comparisons" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["beta", "--sd", "0.12", "--mean", "0.5", "--items", "50", "--power", "0.8"], "--correlation"),
        (["gaussian", "--sd", "0.12", "--correlation", "0.5", "--efect", "1"], "effect"),
        (
            ["gaussian", "--sd", "a", "--correlation", "0.5", "--effect", "1", "--items", "5"],
            "sd=a should be a number",
        ),
        (
            ["gaussian", "--sd", "0.12", "--correlation", "0.5", "--effect", "1", "--items", "2.5"],
            "items=2.5 should be a whole number",
        ),
        (
            [
                "gaussian",
                "--sd",
                "0.12",
                "--correlation",
                "0.5",
                "--effect",
                "0.1",
                "--items",
                "50",
                "--engine",
                "x",
            ],
            "engine",
        ),
        (["gausian"], "did you mean 'gaussian'"),
        (["--items", "100"], "nothing says what the scores are like"),
        (["--items", "100", "gaussian", "--sd", "1"], "tellapart plan gaussian"),
        (["--acuracy", "0.7"], "--accuracy"),
        ([ANSWERS, "--effect", "0.1"], f"tellapart plan pilot {ANSWERS}"),
        (["--accuracy", "0.7", "--items", "5,x"], "plan: items=x should be a whole number"),
        (["beta"], "beta needs --sd, --correlation and --mean: sd is "),
        ([*NORMAL, "--effect", "0.1", "--items", "1,000"], "write thousands without a comma"),
        ([*NORMAL, "--effect", "0.1", "--items", ""], "--items is empty"),
        ([*NORMAL, "--effect", ",", "--items", "5"], "--effect is empty"),
        ([*NORMAL, "--effect", "0.1", "--items", "5", "--test", ""], "--test is empty"),
        ([*NORMAL, "--effect", "none,0.1", "--items", "5"], "a grid solves for one thing"),
        ([*NORMAL, "--effect", "observed", "--items", "5"], "effect=observed should be a number"),
        ([*NORMAL, "--effect", "0", "--power", "0.8"], "effect of 0"),
        ([*NORMAL, "--effect", "0.1", "--power", "0.05"], "between alpha"),
        ([*NORMAL, "--effect", "0.1", "--items", "1"], "2 or more"),
        (["gaussian", "--sd", "-1", "--correlation", "0.5", "--effect", "1", "--items", "5"], "sd=-1"),
        (
            ["gaussian", "--sd", "1", "--correlation", "1.5", "--effect", "1", "--items", "5"],
            "correlation=1.5",
        ),
        (
            [
                "paired_binary",
                "--accuracy",
                "0.7",
                "--effect",
                "0.02",
                "--correlation",
                "0.99",
                "--items",
                "5",
            ],
            "0.9526",
        ),
        (["pilot", RETRIEVAL, "--effect", "9", "--items", "5"], "lie between"),
        (["pilot", RETRIEVAL, "--effect", "0.02", "--power", "0.8", "--assurance", "80"], "assurance"),
        (
            [
                "paired_binary",
                "--accuracy",
                "71.4",
                "--effect",
                "0.02",
                "--discordance",
                "0.1",
                "--items",
                "5",
            ],
            "0.714",
        ),
    ],
)
def test_mistakes_exit_with_two(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    """One clear message, nothing on stdout."""
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_curves_of_solved_effects(capsys: pytest.CaptureFixture[str]) -> None:
    """Three powers at two sizes are two curves over the effect, not one that goes back and forth over the items."""
    asked = "plan gaussian --sd 0.1 --correlation 0.5 --items 50,100 --power 0.5,0.8,0.9"
    with pytest.raises(SystemExit, match="0"):
        main(asked.split())
    drawn = capsys.readouterr().out
    assert "● paired_t, 50 items" in drawn
    assert "○ paired_t, 100 items" in drawn
    assert "effect" in drawn.split("└")[1].splitlines()[1]


@pytest.mark.parametrize("population", [name for name in POPULATIONS if name not in {"pilot", "clustered"}])
def test_each_population_is_planned_by_its_example(population: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As it is typed; a flag that two questions of one command know is heard by both."""
    example = POPULATIONS[population].examples[0]
    with pytest.raises(SystemExit) as stop:
        main(["plan", example, "--items", "60", "--replicates", "20"])
    assert stop.value.code in {0, 1}, capsys.readouterr().err


def test_the_universe_of_a_pilot_is_not_that_of_an_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for model, solved in (("base", ["a", "b", "c", "d"]), ("new", ["b", "c", "d", "e", "f", "g"])):
        (tmp_path / f"{model}.json").write_text(json.dumps({"resolved_ids": solved, "schema_version": 2}))
    files = [str(tmp_path / f"{model}.json") for model in ("base", "new")]
    with pytest.raises(SystemExit) as stop:
        main(["plan", "pilot", *files, "--universe", "30", "--effect", "0.2", "--replicates", "40"])
    assert stop.value.code == 0, capsys.readouterr().err
