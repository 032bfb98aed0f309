"""Commands below refusals: whole, in the words that were typed, and answered when they are run."""

import shlex
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.cli.commands import group
from tellapart.cli.corrected_commands import corrected_commands
from tellapart.foundation.surfaces import option

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def _beside_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES.parent)


def refused(capsys: pytest.CaptureFixture[str], typed: str) -> list[str]:
    """The commands below the refusal of a command."""
    with pytest.raises(SystemExit) as stop:
        main(shlex.split(typed))
    assert stop.value.code in {2, 3}
    _, _, tries = capsys.readouterr().err.partition("\n\nTry:\n")
    return [line.strip() for line in tries.splitlines()]


@pytest.mark.parametrize(
    ("typed", "commands"),
    [
        ("compare examples/retrieval.csv -a baselin", ["compare examples/retrieval.csv -a baseline"]),
        ("compare examples/retrieval.csv --json", ["compare examples/retrieval.csv --format json"]),
        ("compare --json examples/retrieval.csv", ["compare --format json examples/retrieval.csv"]),
        ("compare examples/retrieval.csv --confidence 0.9", ["compare examples/retrieval.csv --alpha 0.05"]),
        ("compare examples/retrieval.csv --alpha 5", ["compare examples/retrieval.csv --alpha 0.05"]),
        (
            "compare examples/retrieval.csv --fail-on=undeterminated",
            ["compare examples/retrieval.csv --fail-on=undetermined"],
        ),
        ("compare examples/retrieval.csv --margin 2", ["compare examples/retrieval.csv --margin 0.02"]),
        ("diff examples/retrieval.csv -b baseline", ["compare examples/retrieval.csv -b baseline"]),
        (
            "compare examples/answers.csv",
            ["compare examples/answers.csv --a small --b large", "rank examples/answers.csv"],
        ),
        (
            "compare examples/answers.csv -a small -b large --test wilcoxn --seed 1",
            ["compare examples/answers.csv -a small -b large --test wilcoxon --seed 1"],
        ),
        (
            "compare examples/answers.csv --limit columns=2 -a small -b large",
            ["compare examples/answers.csv -a small -b large --limit columns=4"],
        ),
        ("plan --accuracy 71 --effect 0.02", ["plan --accuracy 0.71 --effect 0.02"]),
        ("plan clustred --size 5 --icc 0.2 --sd 1 --correlation 0 --effect 0.2 --items 50", None),
    ],
)
def test_refusals_end_with_commands_that_are_answered(
    typed: str, commands: list[str] | None, capsys: pytest.CaptureFixture[str]
) -> None:
    found = refused(capsys, typed)
    assert commands is None or found == [f"tellapart {command}" for command in commands]
    assert found
    for command in found:
        with pytest.raises(SystemExit) as stop:
            main(shlex.split(command)[1:])
        assert stop.value.code in {0, 1}


@pytest.mark.parametrize(
    "typed",
    [
        "compare examples/missing.csv",
        "compare examples/retrieval.csv --column item",
        "compare examples/retrieval.csv --xyzzy",
        "compare examples/retrieval.csv --output answer.pdf",
        "audit --a 71.4 --b 0.706 --items 1000",
    ],
)
def test_nothing_is_guessed_where_no_fix_is_named(typed: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, typed) == []


@pytest.mark.parametrize(
    ("typed", "message", "commands"),
    [
        ("rank x.csv --ties drop", f"leave {option('ties', 'drop')} out", ["rank x.csv"]),
        ("rank x.csv --ties=drop --seed 2", f"Leave {option('ties')} out", ["rank x.csv --seed 2"]),
        ("rank x.csv --missing error", f"pass {option('missing', 'drop')}", ["rank x.csv --missing drop"]),
        (
            "rank 'a b.csv'",
            f"take {option('seeds_as', 'random')} with {option('column', 'seed=run')}, or {option('seeds_as', 'fixed')}",
            ["rank 'a b.csv' --seeds-as random --column seed=run", "rank 'a b.csv' --seeds-as fixed"],
        ),
        ("rank x.csv", f"name it: {option('column', 'rater=…')}", []),
        ("rank -- x.csv", f"pass {option('missing', 'drop')}", []),
        ("rank x.csv", f"{option('lower_is_better')} says so", ["rank x.csv --lower-is-better"]),
        ("rank x.csv", f"{option('no_such_option', '1')} says so", []),
    ],
)
def test_options_are_added_replaced_and_left_out(typed: str, message: str, commands: list[str]) -> None:
    command = group.get_command(None, "rank")  # type: ignore[arg-type]  # a context is needed for refusals only
    found = corrected_commands(shlex.split(typed), message, command)
    assert found == tuple(f"tellapart {line}" for line in commands)
