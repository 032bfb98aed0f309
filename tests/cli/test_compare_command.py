"""The command line: what a user types, sees, and gets as an exit code."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.exhaustive import of_all

from tellapart.cli import main
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS

README = Path(__file__).parents[2] / "README.md"
EXAMPLES = Path(__file__).parents[2] / "examples"
RETRIEVAL = str(EXAMPLES / "retrieval.csv")
ANSWERS = str(EXAMPLES / "answers.csv")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_the_readme_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The first command of the README answers with the headline and the measure; that B is better a program reads as a verdict."""
    asked = ("compare", RETRIEVAL, "--a", "baseline", "--b", "candidate")
    code, out, err = run(capsys, *asked)
    assert (code, err) == (0, "")
    answer = json.loads(run(capsys, *asked, "--format", "json")[1])
    assert (answer["verdict"], answer["measure"]) == ("b better", "nDCG@10")
    assert out.startswith(f"{answer['headline']}\n")
    assert answer["measure"] in out
    assert "\x1b[" not in out


def test_the_readme_shows_what_the_demo_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """The page at the top of the README is the beginning of what `make demo` prints, number for number."""
    makefile = (README.parent / "Makefile").read_text(encoding="utf-8")
    demo = re.search(r"tellapart (compare examples/\S+ .*)", makefile)
    shown = re.search(r"```text\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert demo is not None
    assert shown is not None
    _, file, *flags = shlex.split(demo[1])
    _, out, _ = run(capsys, "compare", str(README.parent / file), *flags)
    assert out.startswith(shown[1])


def test_the_readme_file_can_be_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The plainest file that the README shows is one."""
    shown = re.search(r"```csv\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    file = tmp_path / "scores.csv"
    file.write_text(shown[1], encoding="utf-8")
    code, out, err = run(capsys, "compare", str(file), "--a", "baseline", "--b", "candidate")
    assert (code, err) == (0, "")
    assert "candidate" in out


def test_json_is_strict_and_data_goes_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    """`--format json` prints one document and nothing else."""
    code, out, err = run(capsys, "compare", RETRIEVAL, "--format", "json")
    said = json.loads(out, parse_constant=pytest.fail)
    assert (code, err) == (0, "")
    assert (said["a"]["name"], said["b"]["name"], said["items"], said["measure"]) == (
        "baseline",
        "candidate",
        300,
        "nDCG@10",
    )
    assert "\n" not in said["signature"]


@pytest.mark.parametrize(("form", "mark"), [("markdown", "| A = baseline |"), ("latex", r"\toprule")])
def test_other_formats(capsys: pytest.CaptureFixture[str], form: str, mark: str) -> None:
    """Markdown for a pull request, booktabs for a paper."""
    code, out, _ = run(capsys, "compare", RETRIEVAL, "--format", form)
    assert code == 0
    assert mark in out


@pytest.mark.parametrize(
    ("pair", "gate", "code"),
    [
        (("small", "large"), "worse", 0),
        (("large", "small"), "worse", 1),
        (("large", "small"), "not-better", 1),
        (("small", "large"), "not-better", 0),
        (("medium", "large"), "undetermined", 1),
        (("medium", "large"), "worse", 0),
        (("small", "large"), "undetermined", 0),
    ],
)
def test_gates(capsys: pytest.CaptureFixture[str], pair: tuple[str, str], gate: str, code: int) -> None:
    """`--fail-on` turns a verdict into exit code 1, with the answer printed all the same."""
    found, out, _ = run(capsys, "compare", ANSWERS, "--a", pair[0], "--b", pair[1], "--fail-on", gate)
    assert found == code
    assert "sha256:" in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["compare", ANSWERS], 2, "tellapart rank"),
        (["compare", ANSWERS, "--a", "smal", "--b", "large"], 3, "did you mean 'small'"),
        (["compare", "no-such-file.csv"], 3, "no-such-file.csv"),
        (["compare", RETRIEVAL, "--test", "paired_x"], 2, "did you mean 'paired_t'"),
        (["compare", RETRIEVAL, "--alpha", "2"], 2, "between 0 and 0.5"),
        (["compare", RETRIEVAL, "--alpha", "x"], 2, "--alpha"),
        (
            ["compare", RETRIEVAL, "--metric", "accuracy"],
            3,
            "accuracy is counted from columns label and prediction",
        ),
        (["compare", RETRIEVAL, "--metric", "nDCG@10"], 2, "picked by its name with --measure"),
        (
            ["compare", RETRIEVAL, "--metric", "acc"],
            2,
            "did you mean 'accuracy'? A score is picked by its name",
        ),
        (["compare", RETRIEVAL, "--metric", "f1"], 3, "leave --metric out and pick it with --measure"),
        (["compare", RETRIEVAL, "baseline", "candidate"], 3, "name it with --a or --b"),
        (["compare", RETRIEVAL, "--column", "item"], 2, "role=name"),
        (["compare", RETRIEVAL, "--column", "item=item", "--column", "item=score"], 2, "name one"),
        (["compare", RETRIEVAL, "--column", "cluster=item", "--cluster", "system"], 2, "name one"),
        (["compare", RETRIEVAL, "--column", "item=system", "--column", "system=system"], 3, "two roles"),
        (["compare", RETRIEVAL, "--name", "baseline"], 2, "old=new, for example --name run_17=baseline"),
        (["compare", RETRIEVAL, "--name", "base=x"], 3, "did you mean 'baseline'"),
        (["compare", RETRIEVAL, "--seed", "-1"], 2, "seed is -1"),
        (["compare", RETRIEVAL, "--test", ""], 2, "names no test"),
        (["compare", RETRIEVAL, "--interval", "welch_t"], 2, "different items"),
        (["compare", RETRIEVAL, "--test", "bootstrap(resamples=1000000000)"], 2, "resamples"),
        (["compare", RETRIEVAL, "--dataset", "x"], 3, "no dataset"),
        (["compare"], 2, "FILE"),
        (["compair", RETRIEVAL], 2, "did you mean 'compare'"),
    ],
)
def test_mistakes_get_one_message_and_no_output(
    capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, said: str
) -> None:
    """Usage errors exit with 2, bad data with 3; nothing reaches stdout, and no traceback."""
    found, out, err = run(capsys, *arguments)
    assert (found, out) == (code, "")
    assert said in err
    assert "Traceback" not in err


def test_standard_input_and_pipes() -> None:
    """`-` reads standard input, and a reader who leaves early is no error."""
    text = Path(ANSWERS).read_text(encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "tellapart",
        "compare",
        "-",
        "--a",
        "small",
        "--b",
        "large",
        "--format",
        "json",
    ]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] == "b better"


def test_every_test_in_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Help is generated from the registries."""
    code, out, _ = run(capsys, "compare", "--help-all")
    assert code == 0
    assert all(name in out for name in TESTS)


@pytest.mark.parametrize(("gate", "code"), [("worse", 1), ("not-better", 1), ("undetermined", 0)])
def test_gates_where_lower_is_better(capsys: pytest.CaptureFixture[str], gate: str, code: int) -> None:
    """A score that rises is worse where lower is better, and the gate goes by the verdict."""
    flags = ("--a", "small", "--b", "large", "--lower-is-better", "--fail-on", gate, "--format", "json")
    found, out, _ = run(capsys, "compare", ANSWERS, *flags)
    said = json.loads(out)
    assert (found, said["verdict"]) == (code, "a better")
    assert said["effect"] > 0.0


@pytest.mark.parametrize("form", ["text", "json"])
def test_terminals_without_unicode(form: str) -> None:
    """A terminal that cannot show a minus sign or a delta gets the answer all the same, and no sign is lost."""
    command = [sys.executable, "-m", "tellapart", "compare", RETRIEVAL, "--b", "baseline", "--format", form]
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert done.returncode == 0, done.stderr
    if form == "json":
        assert json.loads(done.stdout)["effect"] < 0.0
    else:
        assert "Delta = -0.016" in done.stdout.decode("latin-1")


WORDY = "item,category,old,new\n" + "".join(f"q{i},math,0.{i % 7},0.{i % 5}\n" for i in range(60))


def test_columns_nobody_asks_about(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Columns of text beside two systems do not matter, whether these are named or not; one that is named is refused."""
    file = tmp_path / "wordy.csv"
    file.write_text(WORDY, encoding="utf-8")
    for flags in ([], ["--a", "old"], ["--a", "old", "--b", "new"]):
        code, out, err = run(capsys, "compare", str(file), *flags, "--format", "json")
        answer = json.loads(out)
        assert (code, err, answer["items"], answer["a"]["name"], answer["b"]["name"]) == (
            0,
            "",
            60,
            "old",
            "new",
        )
    code, _, err = run(capsys, "compare", str(file), "--a", "category", "--b", "new")
    assert code == 3
    assert "found 'math' in column 'category'" in err


OTHERS = "system,dataset,item,score\n" + "".join(
    f"{system},{dataset},q{i},0.{i % step}\n"
    for system, step in (("v1", 7), ("v2", 5))
    for dataset in ("d", "e")
    for i in range(60)
)


@pytest.mark.parametrize(
    "command",
    ["compare", "compare --a old --b v2", "rank", "plan pilot --a old --b v2 --effect 0.1 --power 0.8"],
)
def test_rows_nobody_asks_about(capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str) -> None:
    """Every command on files leaves out what is not asked for before it is checked, and takes other names for systems."""
    file = tmp_path / "others.csv"
    file.write_text(f"{OTHERS}v1,f,q1,oops\n", encoding="utf-8")
    chosen = [*command.split(), str(file), "--dataset", "d", "--format", "json"]
    code, out, err = run(capsys, *chosen, "--name", "v1=old", "--name", "v2=v2")
    assert (code, err) == (0, "")
    assert command.startswith("plan") or '"old"' in out
    code, out, err = run(capsys, *[word for word in chosen if word not in {"--dataset", "d"}], "--name", "v1=old")
    assert (code, out) == (3, "")
    assert "found 'oops' in column 'score'" in err


def terminal(columns: int, *arguments: str, errors: bool = True, **environment: str) -> str:
    """What a person sees in a terminal of so many columns, on stdout and, unless it is sent elsewhere, on stderr."""
    import fcntl  # noqa: PLC0415  (there are no terminals elsewhere)
    import struct  # noqa: PLC0415
    import termios  # noqa: PLC0415

    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    settings = {k: v for k, v in os.environ.items() if k not in {"NO_COLOR", "TERM"}} | environment
    with subprocess.Popen(
        [sys.executable, "-m", "tellapart", *arguments],
        stdout=theirs,
        stderr=theirs if errors else subprocess.DEVNULL,
        env=settings,
    ) as child:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 1 << 16):
                seen += part
        except OSError:  # the last word of a terminal whose program has ended
            pass
        child.wait()
    os.close(ours)
    return seen.decode().replace("\r\n", "\n")


LONG_NAME = "organisation/a-model-with-a-name-that-nobody-can-remember-and-no-table-can-hold-instruct-v2"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
@pytest.mark.parametrize("command", ["compare", "rank"])
def test_nothing_is_wider_than_the_terminal(command: str, tmp_path: Path) -> None:
    """Names longer than a line, tables, sentences and the signature fit 80 columns, with colours and without."""
    file = tmp_path / "long.csv"
    rows = "".join(f"q{i},0.{i % 7},0.{i % 5}\n" for i in range(60))
    file.write_text(f"item,{LONG_NAME},{LONG_NAME}-again\n{rows}", encoding="utf-8")
    # On a busy machine a bar is shown beside the answer, on stderr.
    coloured = terminal(80, command, str(file), errors=False)
    plain = terminal(80, command, str(file), errors=False, NO_COLOR="1")
    assert "\x1b[1" in coloured
    assert "\x1b" not in plain
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()
    assert max(map(len, plain.splitlines())) <= 80
    assert "sha256:" in plain


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
def test_errors_fit_the_terminal() -> None:
    """A refusal is broken between words where a person reads it; the commands below it stay whole, to be pasted."""
    said, _, commands = terminal(60, "compare", ANSWERS).partition("\n\nTry:\n")
    assert "tellapart rank" in " ".join(said.split())
    assert max(map(len, said.splitlines())) <= 60
    assert commands.splitlines() == [
        f"  tellapart compare {shlex.quote(ANSWERS)} --a small --b large",
        f"  tellapart rank {shlex.quote(ANSWERS)}",
    ]


CELLS = st.one_of(
    st.floats(-1e3, 1e3),
    st.sampled_from([0, 1, 0.1, 0.3, 1 / 3, 1e-9, 1e9, 1e15, 1e-50, 1e50, 1e-320]),
    st.integers(-3, 3),
)
COLUMNS = st.sampled_from([CELLS, st.integers(0, 1), st.sampled_from([0, 0.1, 0.2, 1]), st.just(0.7)])
METHODS = [
    *TESTS,
    "all",
    "wilcoxon(zeros=pratt)",
    "mcnemar(variant=unconditional)",
    "cluster_t(variance=cr2)",
]
SPELLED = {"equivalence": "equivalence(margin=0.1)", "non_inferiority": "non_inferiority(margin=0.1)"}
FLAGS = {
    "--test": st.sampled_from(METHODS).map(lambda name: SPELLED.get(name, name)),
    "--interval": st.sampled_from(list(INTERVALS)),
    "--margin": st.sampled_from(["0.1", "3", "1e-60", "1e60"]),
    "--effect": st.sampled_from(["0.1", "-3", "1e-60", "1e60"]),
    "--alpha": st.sampled_from(["0.001", "1e-11", "0.49"]),
    "--missing": st.just("drop"),
    "--cluster": st.just("group"),
}


@st.composite
def tables(draw: st.DrawFn) -> list[list[Any]]:
    """Rows of a small wide table: two systems, groups of items, now and then a blank or a constant shift."""
    items = draw(st.integers(1, 9))
    column = draw(COLUMNS)
    a, b = (draw(st.lists(column, min_size=items, max_size=items)) for _ in "ab")
    if draw(st.booleans()):
        b = [score + 0.1 for score in a]
    groups = draw(st.lists(st.integers(0, 3), min_size=items, max_size=items))
    rows: list[list[Any]] = [[f"q{i}", *row] for i, row in enumerate(zip(groups, a, b, strict=True))]
    if draw(st.integers(0, 5)) == 0:
        rows[0][-1] = ""
    return rows


@settings(
    max_examples=of_all(30, 150),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    rows=tables(),
    flags=st.fixed_dictionaries({}, optional=FLAGS),
    form=st.sampled_from(["json", "text", "latex"]),
)
def test_whatever_is_asked_of_whatever_table(
    rows: list[list[Any]],
    flags: dict[str, str],
    form: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """An answer with a p-value and bounds, or one refusal and no output: never a traceback, a warning or a NaN."""
    table = tmp_path / "table.csv"
    lines = (
        [["item", "group", "A", "B"], *rows]
        if "--cluster" in flags
        else [["item", "A", "B"], *[[i, *x] for i, _, *x in rows]]
    )
    table.write_text("\n".join(",".join(map(str, line)) for line in lines) + "\n")
    given_flags = [word for flag in flags.items() for word in flag]
    code, out, err = run(capsys, "compare", str(table), *given_flags, "--format", form)
    assert code in {0, 2, 3}
    assert (out == "") == (code != 0)
    assert (err == "") == (code == 0)
    if code == 0 and form == "json":
        said = json.loads(out, parse_constant=pytest.fail)
        assert 0.0 < said["pvalue"] <= 1.0
        low, high = (said["interval"][end] for end in ("low", "high"))
        # Of items too few to resample there is no interval, and nothing is claimed.
        assert said["verdict"] == "undetermined" if low is None or high is None else low <= high
        assert "\n" not in said["sentence"]
        if said["verdict"] in {"a better", "b better"}:
            assert said["pvalue"] <= float(flags.get("--alpha", "0.05"))


@pytest.mark.parametrize(
    ("gates", "code", "said"),
    [
        (["--require", "better"], 0, ""),
        (["--require", "better", "--require", "not-worse", "--margin", "0.01"], 0, ""),
        (["--fail-on", "worse", "--fail-on", "undetermined"], 0, ""),
        (
            ["--require", "equivalent", "--margin", "0.001"],
            1,
            "gate failed: --require equivalent; verdict: b better; effect B − A: +0.0160; exit code 1",
        ),
        (["--require", "not-worse"], 2, "--require not-worse needs a margin"),
    ],
)
def test_gates_have_exit_codes(capsys: pytest.CaptureFixture[str], gates: list[str], code: int, said: str) -> None:
    """One line on stderr says which rule failed, at which verdict and effect; without a margin nothing is computed."""
    found, out, err = run(capsys, "compare", RETRIEVAL, "--a", "baseline", "--b", "candidate", *gates)
    assert found == code
    assert bool(out) == (code != 2)
    assert said in err
    assert err.count("\n") == (code != 0)


def weeks(folder: Path, lifts: tuple[float, ...] = (0.3, 0.3, -0.3)) -> Path:
    """A table of weeks, and a file of each week alone."""
    rows = [
        (f"W{week}", f"{week}-{i}", i % 7 / 10, i % 7 / 10 + lift + (i % 5 - 2) / 20)
        for week, lift in enumerate(lifts, start=1)
        for i in range(30)
    ]
    for label in {row[0] for row in rows}:
        mine = "".join(f"{item},{a:.3f},{b:.3f}\n" for week, item, a, b in rows if week == label)
        (folder / f"{label}.csv").write_text(f"item,old,new\n{mine}", encoding="utf-8")
    lines = "".join(f"{week},{item},{a:.3f},{b:.3f}\n" for week, item, a, b in rows)
    path = folder / "weeks.csv"
    path.write_text(f"week,item,old,new\n{lines}", encoding="utf-8")
    return path


def test_a_difference_that_changed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """By a column or by files: the same groups, and a gate that fails."""
    path = weeks(tmp_path)
    code, out, _ = run(capsys, "compare", str(path), "--by", "week", "--format", "json")
    by_column = json.loads(out)
    files = [str(tmp_path / f"W{week}.csv") for week in (1, 2, 3)]
    _, out, _ = run(capsys, "compare", *files, "--labels", "W1,W2,W3", "--format", "json")
    by_file = json.loads(out)
    assert code == 0
    assert by_column["drift"] is True
    assert by_column["groups"] == by_file["groups"]
    assert by_column["omnibus_pvalue"] == by_column["groups"][2]["adjusted_pvalue"]
    code, _, err = run(capsys, "compare", str(path), "--by", "week", "--fail-on", "drift")
    assert code == 1
    assert "--fail-on drift" in err
    steady = weeks(tmp_path, (0.3, 0.3))
    code, _, err = run(capsys, "compare", str(steady), "--by", "week", "--fail-on", "drift")
    assert (code, err) == (0, "")


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
def test_groups_in_every_format(capsys: pytest.CaptureFixture[str], tmp_path: Path, form: str) -> None:
    """Every group has its row, and the changes their column."""
    _, out, _ = run(capsys, "compare", str(weeks(tmp_path)), "--by", "week", "--format", form)
    assert "simultaneous 95" in out
    assert all(label in out for label in ("W1", "W2", "W3"))


def test_groups_that_cannot_be(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A gate without groups, a wrong column and labels that do not fit are told apart from bad data."""
    path, first = str(weeks(tmp_path)), str(tmp_path / "W1.csv")
    assert run(capsys, "compare", ANSWERS, "--a", "small", "--b", "large", "--fail-on", "drift")[0] == 2
    assert run(capsys, "compare", path, "--by", "weak")[0] == 3
    assert run(capsys, "compare", path, first, "--labels", "one")[0] == 2
