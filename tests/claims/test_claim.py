"""A claim: every field is a flag, a column and a check, said once."""

from decimal import Decimal

import click
import pytest

from tellapart.claims.accuracies import accuracies, shared_unit
from tellapart.claims.claim import COLUMNS, Claim, context
from tellapart.cli.audit import command
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import options


def test_fields_are_flags_and_columns() -> None:
    """No list of names besides the fields themselves."""
    names = [one.name for one in options(Claim)]
    flags = {one.name for one in command.params if isinstance(one, click.Option)}
    assert list(COLUMNS) == names
    assert set(names) < flags


def test_no_column_has_two_meanings() -> None:
    """A name stands for one field."""
    known = [name for field, names in COLUMNS.items() for name in (field, *names)]
    assert len(known) == len(set(known))


def test_what_was_given() -> None:
    """By name and as it was given; blanks were not."""
    claim = Claim(a="0.70", b=0.72, items=1000, name="", dataset="two\nlines")
    assert claim.printed == {"a": "0.70", "b": 0.72, "items": 1000, "dataset": "two\nlines"}
    assert Claim(name="x").printed == {"name": "x"}


def test_kinds_of_claims() -> None:
    """An sd or se makes numbers means, right answers make them counts; what says nothing of a system fills blanks only."""
    for spread in ("sd", "sd_a", "sd_b", "se", "se_a", "se_b", "se_difference"):
        assert Claim(**{spread: "0.1"}).of_means  # type: ignore[arg-type]  # by name
    assert not Claim(a="0.1", correlation="0.5").of_means
    assert Claim(correct_b=3).of_counts
    assert not Claim(a=3).of_counts
    for side in ("a", "b", "correct_a", "correct_b"):
        assert Claim(**{side: "0.1"}).has_numbers  # type: ignore[arg-type]  # by name
    assert not Claim(items=100, unit="percent").has_numbers


@pytest.mark.parametrize(
    ("printed", "value"), [("1000", 1000), ("1,000", 1000), (1000, 1000), (1e3, 1000), (Decimal(1000), 1000)]
)
def test_whole_numbers(printed: str | float | Decimal, value: int) -> None:
    """With or without thousands separators, and as numbers of any kind."""
    assert Claim(items=printed).number_of_items == value


@pytest.mark.parametrize("printed", ["1", "10000001", "1e3", "12.5", "1,00", "-5", "", "9" * 50])
def test_no_number_of_items(printed: str) -> None:
    """Fewer than two, more than ten million, or no whole number."""
    with pytest.raises(UsageError, match="whole number from 2 to 10,000,000"):
        _ = Claim(items=printed).number_of_items


def test_the_limits_of_whole_numbers_are_allowed() -> None:
    """The least and the most are themselves allowed."""
    assert [Claim(items=n).number_of_items for n in (2, 10**7)] == [2, 10**7]
    assert [Claim(decimals=n).number_of_decimals for n in (0, 300, None)] == [0, 300, None]
    assert Claim(systems=10**6).whole_number("systems", least=2) == 10**6


@pytest.mark.parametrize(
    ("printed", "unit", "value"),
    [
        ("0.02", "fraction", 0.02),
        ("2", "percent", 0.02),
        ("0.1", "percent", 0.001),
        ("2%", "percent", 0.02),
        ("2%", "fraction", 0.02),
        ("7", None, 7.0),
    ],
)
def test_differences_in_the_unit_of_the_accuracies(printed: str, unit: None, value: float) -> None:
    """An effect and the spread of runs are given as a and b are; of means as they stand."""
    said = context(Claim(effect=printed, seed_sd=printed), unit)
    assert (said.effect, said.seed_sd) == (value, value)


@pytest.mark.parametrize(("printed", "unit"), [("0.09", "percent"), ("1", "fraction"), ("0", None), ("-1", None)])
def test_differences_that_cannot_be_told(printed: str, unit: None) -> None:
    """A small number beside percentages may be a fraction; a whole one beside fractions is none."""
    with pytest.raises(UsageError, match="effect is"):
        context(Claim(effect=printed), unit)


def test_the_unit_of_the_other_claims() -> None:
    """Settled by those whose unit is certain and that agree; claims that cannot be read say nothing."""
    certain, open_ = Claim(a="71.4", b="70.6", items=1000), Claim(a="90", b="91", items=500)
    unreadable, means = Claim(a="x", b="1", items=5), Claim(a="714", b="706", items=1000, sd="1")
    fraction = Claim(a="0.714", b="0.706", items=1000)
    assert shared_unit([certain, open_, unreadable, means]) == "percent"
    assert shared_unit([certain, fraction]) is None
    assert shared_unit([open_]) is None
    pair = accuracies(open_, "percent")
    assert (pair.unit, pair.guessed, float(pair.a.value)) == ("percent", True, 0.9)
    assert not accuracies(certain, "percent").guessed
    with pytest.raises(UsageError, match="can be"):
        accuracies(open_, "fraction")


def test_the_unit_that_was_said() -> None:
    """It settles what the numbers leave open, whatever the other claims are in."""
    said = accuracies(Claim(a="0.9", b="0.8", items=1000, unit="percent"), "fraction")
    assert (said.unit, said.guessed, float(said.a.value)) == ("percent", False, 0.009)
    with pytest.raises(UsageError, match="unit is 'points'; it should be fraction or percent or count"):
        Claim(unit="points")  # type: ignore[arg-type]  # what is no unit


@pytest.mark.parametrize(
    ("claim", "message"),
    [
        (Claim(a="101", b="70", items=1000, unit="percent"), "as a percent it should lie between 0 and 100"),
        (Claim(a="1.1", b="0.7", items=1000, unit="fraction"), "as a fraction it should lie between 0 and 1"),
        (Claim(correct_a="1001", correct_b="7", items=1000), "as a count it should lie between 0 and 1000"),
        (Claim(correct_a="7.5", correct_b="7", items=1000), "a number of right answers is whole"),
        (Claim(correct_a="70%", correct_b="72", items=1000), "a count has no percent sign"),
        (Claim(correct_a="700", correct_b="720", b="71.0", items=1000), "does not round to b = 71.0"),
        (Claim(correct_a="700", items=1000), "correct_b is missing"),
    ],
    ids=str,
)
def test_accuracies_that_cannot_be(claim: Claim, message: str) -> None:
    """Beyond perfection, half a right answer, or counts beside other accuracies."""
    with pytest.raises(UsageError) as refused:
        accuracies(claim, None)
    assert message in str(refused.value)


@pytest.mark.parametrize("text", ["12,345", "12 345", "12\u202f345", "12'345", "12_345", "12345.0"])
def test_thousands_as_people_set_them_apart(text: str) -> None:
    """Commas, blanks, apostrophes: the same number; what leaves a digit over is refused."""
    assert Claim(items=text).number_of_items == 12_345
    with pytest.raises(UsageError):
        Claim(items=f"{text[:3]}5,00").number_of_items  # noqa: B018  (asking is the point)
