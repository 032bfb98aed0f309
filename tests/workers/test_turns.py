"""Threads take turns at first, and work together where there is more to do."""

from threading import Event

import pytest

from tellapart.compute import pool
from tellapart.compute.pool import Threads


@pytest.fixture
def two() -> Threads:
    return Threads(2)


def test_they_take_turns_at_first(two: Threads, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the time for that, the second bundle waits until the first is done."""
    monkeypatch.setattr(pool, "ALONE", 60.0)
    may_end, second_began = Event(), Event()
    first = two.submit(may_end.wait, [(30.0,)])
    second = two.submit(second_began.set, [()])
    assert not second_began.wait(0.1)
    may_end.set()
    assert second_began.wait(30.0)
    assert first.result().unpacked() == [True]
    assert second.result().unpacked() == [None]
    two.close()


def test_nobody_waits_for_a_long_one(two: Threads, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the time the second bundle starts, which here is all that the first one waits for."""
    monkeypatch.setattr(pool, "ALONE", 0.05)
    second_began = Event()
    first = two.submit(second_began.wait, [(30.0,)])
    two.submit(second_began.set, [()])
    assert first.result().unpacked() == [True]
    two.close()


def test_the_time_is_counted_once(two: Threads, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the first bundle on, not from each."""
    monkeypatch.setattr(pool, "ALONE", 0.05)
    two.submit(bool, [()]).result()
    monkeypatch.setattr(pool, "ALONE", 60.0)
    second_began = Event()
    first = two.submit(second_began.wait, [(30.0,)])
    two.submit(second_began.set, [()])
    assert first.result().unpacked() == [True]
    two.close()
