"""The command line: what a user types, sees, and gets as an exit code."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tellapart.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
RETRIEVAL = str(EXAMPLES / "retrieval.csv")
ANSWERS = str(EXAMPLES / "answers.csv")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


def test_the_readme_command(capsys: pytest.CaptureFixture[str]) -> None:
    """The first command of the README answers in words."""
    code, out, err = run(capsys, "compare", RETRIEVAL, "--a", "baseline", "--b", "candidate")
    assert (code, err) == (0, "")
    assert out.startswith("candidate is better than baseline")
    assert "nDCG@10" in out
    assert "\x1b[" not in out


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
    assert "To quote" in out


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["compare", ANSWERS], 2, "tellapart rank"),
        (["compare", ANSWERS, "--a", "smal", "--b", "large"], 3, "did you mean 'small'"),
        (["compare", "no-such-file.csv"], 3, "no-such-file.csv"),
        (["compare", RETRIEVAL, "--test", "paired_x"], 2, "did you mean 'paired_t'"),
        (["compare", RETRIEVAL, "--alpha", "2"], 2, "between 0 and 0.5"),
        (["compare", RETRIEVAL, "--alpha", "x"], 2, "--alpha"),
        (["compare", RETRIEVAL, "--metric", "accuracy"], 2, "no metric is called 'accuracy'"),
        (["compare", RETRIEVAL, "--column", "item"], 2, "role=name"),
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
    from tellapart.significance import TESTS  # noqa: PLC0415

    code, out, _ = run(capsys, "compare", "--help")
    assert code == 0
    assert all(name in out for name in TESTS)
