"""`tellapart rank --baseline … --require …`: what a pipeline gets as an exit code, and the one line it logs."""

import json
from pathlib import Path

import pytest

from tellapart.cli import main

ANSWERS = str(Path(__file__).parents[2] / "examples" / "answers.csv")

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as stop:
        main(["rank", ANSWERS, *arguments])
    out, err = capsys.readouterr()
    return int(stop.value.code or 0), out, err


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--require", "better"), 1),
        (("--margin", "0.05", "--require", "not-worse"), 1),
        (("--margin", "0.3", "--require", "not-worse", "--require", "equivalent", "--fail-on", "worse"), 0),
        (("--fail-on", "worse"), 1),
        (("--fail-on", "worse", "--margin", "0.3"), 0),
        (("--fail-on", "undetermined"), 1),
        (("--require", "not-worse"), 2),
        (("--require", "equivalent"), 2),
    ],
)
def test_exit_codes(capsys: Capture, arguments: tuple[str, ...], code: int) -> None:
    """0 where all hold, 1 with the answer printed where one does not, 2 where a margin is missing."""
    found, out, err = run(capsys, "--baseline", "medium", *arguments)
    assert found == code
    assert bool(out) == (code < 2)
    assert err.count("\n") == (code > 0)


def test_one_line(capsys: Capture) -> None:
    """Rule, verdicts, effects and the exit code; the answer is whole on stdout."""
    code, out, err = run(capsys, "--baseline", "medium", "--require", "better", "--format", "json")
    assert code == 1
    assert json.loads(out)["baseline"] == "medium"
    assert err == (
        "gate failed: --require better; verdicts against medium: large undetermined, effect +0.0450; "
        "small worse, effect −0.123; exit code 1\n"
    )


@pytest.mark.parametrize("flag", [("--require", "better"), ("--fail-on", "worse"), ("--margin", "0.1")])
def test_gates_and_margins_need_a_baseline(capsys: Capture, flag: tuple[str, str]) -> None:
    """Nothing else says whom a system must not be worse than."""
    code, out, err = run(capsys, *flag)
    assert (code, out) == (2, "")
    assert "--baseline" in err


def test_the_better_systems_pass_against_the_worst(capsys: Capture) -> None:
    """Every system other than the baseline is shown to be better."""
    assert run(capsys, "--baseline", "small", "--require", "better")[0] == 0
    assert run(capsys, "--baseline", "large", "--require", "better")[0] == 1
