"""`tellapart plan`: flags made of the population's fields, grids of comma lists, formats and exit codes."""

import csv
import io
import json
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.populations import POPULATIONS
from tellapart.spelling import options

ANSWERS = str(Path(__file__).parents[2] / "examples" / "answers.csv")
RETRIEVAL = str(Path(__file__).parents[2] / "examples" / "retrieval.csv")


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
        rows(
            capsys, "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01", "--power", "0.8"
        )[0]["items"]
        == 455
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
    assert "To quote" in out


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
    stored = rows(
        capsys, "gaussian", "--sd", "0.12", "--correlation", "0.8", "--effect", "0.01", "--power", "0.8"
    )[0]
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


def test_a_continuous_pilot(capsys: pytest.CaptureFixture[str]) -> None:
    """300 topics: the paired t that `compare` would choose, simulated from the file."""
    found = rows(capsys, "pilot", RETRIEVAL, "--effect", "0.02", "--items", "300", "--replicates", "500")[0]
    assert (found["engine"], found["test"]) == ("monte_carlo", "paired_t")


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    """One line a row, for a spreadsheet."""
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
    assert "--assurance" in out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["gaussian", "--sd", "0.12", "--items", "50", "--power", "0.8"], "--correlation"),
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
