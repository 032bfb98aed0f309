"""Sheets with a row per system: questions as columns are items, measures as columns are means."""

from collections.abc import Callable

import pytest

from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]


@pytest.mark.parametrize("names", [("q1", "q2", "q3"), ("1", "2", "3"), ("Question 1", "Question 2", "Question 3")])
def test_questions_as_columns(names: tuple[str, ...], file: File) -> None:
    found = read(file(f"model,{','.join(names)}\nold,1,0,1\nnew,0.5,,1\n"))
    assert found.systems == ("old", "new")
    assert [item for _, item in found.items] == sorted(names)
    assert found.values[0, :, 0, 0].tolist() == [1.0, 0.0, 1.0]
    assert found.scored("new").tolist() == [True, False, True]


def test_means_are_led_to_audit(file: File, refusal: Refusal) -> None:
    said = refusal(file("model,accuracy,f1\nbase,0.7,0.6\nnew,0.8,0.7\n"))
    assert "holds no items: means of systems (accuracy, f1)" in said
    assert "check reported numbers with `tellapart audit`" in said


def test_several_rows_of_a_system_are_no_means(file: File, refusal: Refusal) -> None:
    """What tells them apart is asked for."""
    said = refusal(file("model,accuracy,latency\nbase,1,2\nbase,0,3\nnew,1,2\nnew,1,5\n"))
    assert "means" not in said
