"""One spelling everywhere: what is printed can be typed."""

import subprocess
import sys
import time
from typing import Any

import numpy as np
import pytest

import tellapart
from tellapart.foundation.errors import SpellingError, UsageError, nearest
from tellapart.foundation.spelling import spell, split
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.significance import TESTS
from tellapart.methods.significance.margins import Equivalence
from tellapart.methods.significance.paired_t import PairedT


def test_a_spelling_reads_back() -> None:
    """`str` and `parse` are inverse, nested spellings included."""
    for text in ("paired_t", "paired_t(alternative=less)", "equivalence(test=paired_t, margin=0.01)"):
        assert str(TESTS.parse(text)) == text


def test_nested_options_become_objects() -> None:
    """A test inside a test is parsed by the registry of tests."""
    assert TESTS.parse("equivalence(test=paired_t, margin=0.01)") == Equivalence(test=PairedT(), margin=0.01)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("paired_tt", "did you mean 'paired_t'"),
        ("paired_t(alternativ=less)", "did you mean 'alternative'"),
        ("paired_t(alternative=up)", "two-sided or less or greater"),
        ("paired_t(less)", "not option=value"),
        ("gaussian", "no test is called"),
        ("equivalence(margin=-1)", "above 0"),
        ("equivalence(margin=nan)", "a number"),
        ("paired_t(alternative=less, alternative=less)", "twice"),
        ("equivalence(test=equivalence(margin=1), margin=1)", "plain two-sided test"),
        ("(", "name or name(option=value"),
        ("", "name or name(option=value"),
    ],
)
def test_a_mistake_is_answered_with_what_was_meant(text: str, said: str) -> None:
    """Errors name the nearest word or what is wanted."""
    with pytest.raises(SpellingError) as error:
        TESTS.parse(text)
    assert said in str(error.value)


def test_nothing_is_near_where_nothing_is_known() -> None:
    """A list of known words that is empty is told as such, and not left blank."""
    assert nearest("wilcoxon", []) == "there are none"


def test_numbers_are_spelled_shortest_and_exactly() -> None:
    """A float prints as what reads back to the same float."""
    assert [spell(x) for x in (0.1, 1.0, 1e-12, 1 / 3, (0.0, 1.0), True, None)] == [
        "0.1", "1", "1e-12", "0.3333333333333333", "0:1", "true", "none",
    ]  # fmt: skip


def test_commas_inside_parentheses_do_not_split() -> None:
    """A comma list of spellings keeps their own commas."""
    assert split("a(x=1, y=2), b") == ["a(x=1, y=2)", "b"]


def _in_another_process(code: str) -> list[str]:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.split()


def test_one_that_is_named_is_imported_alone() -> None:
    """A folder of plug-ins is read when all are listed, and in the same order whichever was named first."""
    named = "from tellapart.methods.intervals import INTERVALS; INTERVALS.parse('wilson')\n"
    listed = "print(*INTERVALS)"
    alone = _in_another_process(named + "import sys; print(*sys.modules)")
    assert "tellapart.methods.intervals.wilson" in alone
    assert "tellapart.methods.intervals.tango" not in alone
    assert _in_another_process(named + listed) == list(INTERVALS)
    assert _in_another_process("from tellapart.methods.intervals import INTERVALS\n" + listed) == list(INTERVALS)


def test_a_name_that_no_file_has_is_looked_for_in_all() -> None:
    """So a wrong name is answered with the nearest of all."""
    code = (
        "from tellapart.methods.intervals import INTERVALS\n"
        "from tellapart.foundation.errors import SpellingError\n"
        "try: INTERVALS.parse('tangoo')\n"
        "except SpellingError as error: print(error)"
    )
    assert "'tango'?" in _in_another_process(code)


@pytest.mark.parametrize(
    "asked", [{"test": np.array(["a", "b"])}, {"alpha": np.array([0.1, 0.2])}, {"missing": np.zeros(2)}]
)
def test_an_array_is_no_single_option(asked: dict[str, Any]) -> None:
    """Several values where one is wanted are refused in words, whatever kind of value it is."""
    scores = {"a": [0.1, 0.2, 0.4], "b": [0.3, 0.1, 0.9]}
    with pytest.raises(UsageError, match=f"{next(iter(asked))} is"):
        tellapart.compare(scores, **asked)


@pytest.mark.parametrize("sign", [1, -1])
def test_whole_numbers_beyond_all_floats_are_refused_in_short(sign: int) -> None:
    with pytest.raises(UsageError, match=r"1e[+]300") as refused:
        tellapart.rank({"a": [0.1, 0.2, 0.4], "b": [0.3, 0.1, 0.9]}, resamples=sign * 10**400)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "paired_t" + " " * 60_000 + "x",
        " " * 60_000 + "paired_t!",
        "paired_t(" + " " * 60_000,
        "paired_t(" + ")" * 60_000 + "x",
        "paired_t(" + "a=1," * 15_000 + ")",
        "x" * 60_000,
        "bootstrap(resamples=1" + " " * 60_000 + "%x)",
    ],
    ids=["blanks within", "blanks before", "open", "closed", "options", "name", "percent"],
)
def test_a_spelling_is_read_in_a_time_that_grows_with_its_length(text: str) -> None:
    """Blanks in the middle took the square of their number: half a minute for 60,000 of them."""
    began = time.process_time()
    with pytest.raises(SpellingError):
        TESTS.parse(text)
    assert time.process_time() - began < 1.0
