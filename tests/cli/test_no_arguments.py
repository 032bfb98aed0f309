"""Help: what a command shows where nothing else is typed, in two lengths."""

import re
from pathlib import Path

import pytest

from tellapart.cli import main
from tellapart.populations import POPULATIONS


@pytest.mark.parametrize("typed", [[], ["plan"], ["compare"], ["rank"]])
def test_nothing_typed_shows_the_help_as_it_is_printed(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """As --help shows it, line by line, and not as the message of an error."""
    printed = []
    for words in (typed, [*typed, "--help"]):
        with pytest.raises(SystemExit):
            main(words)
        printed.append("".join(capsys.readouterr()).strip())
    assert printed[0] == printed[1]
    assert printed[0].count("\n") > 10


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main([*words])
    assert stop.value.code == 0
    return capsys.readouterr().out


GROUPED = ("compare", "rank", "gate", "audit", "agreement")


@pytest.mark.parametrize("command", [*GROUPED, "score", *(f"plan {name}" for name in POPULATIONS)])
def test_short_help_fits_a_screen_and_names_every_flag(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    short, full = printed(capsys, *command.split(), "-h"), printed(capsys, *command.split(), "--help-all")
    assert short.count("\n") <= 40
    assert max(map(len, short.splitlines())) <= 80
    flags = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", full, re.MULTILINE)) - {"--help"}
    assert len(flags) > 8
    assert {flag for flag in flags if not re.search(rf"{flag}\b", short)} == set()


RATERS = {"--cost-rating", "--cost-rater", "--most-raters"}
RUNS = {"--cost-run", "--most-items"}


@pytest.mark.parametrize(
    ("population", "hidden"),
    [
        ("gaussian", {*RATERS, *RUNS, "--budget", "--assurance"}),
        ("votes", {*RATERS, *RUNS, "--evidence"}),
        ("ratings", {*RUNS, "--assurance"}),
        ("runs", {*RATERS, "--assurance"}),
        ("pilot", {*RUNS, "--evidence"}),
    ],
)
def test_flags_of_one_population_are_not_listed_under_another(
    population: str, hidden: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    every = printed(capsys, "plan", "--help-all")
    own = printed(capsys, "plan", population, "--help-all")
    assert all(f"  {flag} " in every for flag in hidden)
    assert not [flag for flag in hidden if f"  {flag} " in own]


@pytest.mark.parametrize("command", [[], ["compare"], ["plan", "gaussian"]])
def test_help_may_be_a_command(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "help", *command) == printed(capsys, *command, "--help")


def test_systems_have_short_flags(capsys: pytest.CaptureFixture[str]) -> None:
    file = str(Path(__file__).parents[2] / "examples" / "retrieval.csv")
    typed = printed(capsys, "compare", file, "-a", "candidate", "-b", "baseline")
    assert typed == printed(capsys, "compare", file, "--a", "candidate", "--b", "baseline")
