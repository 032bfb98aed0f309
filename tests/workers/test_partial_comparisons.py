"""A comparison that is stopped answers from the resamples that were drawn first, and is marked everywhere as a part."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.workers import boards
from tests.workers.test_partial_answers import Losing

from tellapart import Comparison, Scores, compare
from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.foundation.errors import UsageError, WorkLost
from tellapart.foundation.parallel_map import FEWEST_COUNTED
from tellapart.foundation.seeds import stream
from tellapart.numerics.resampling import draws
from tellapart.numerics.sign_flip_law import random_flips

PIECES = {
    "drawn": draws,
    "drawn counts": draws,
    "looked at first": draws,
    "swapped counts": random_flips,
}
ASKED = {"drawn": 9_999, "drawn counts": 9_999, "looked at first": 1_999, "swapped counts": 1_999}
"""Resamples of the bootstrap that is stopped: that which was named, the first look of one, and that of a permutation test's interval."""


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (draws, random_flips):
        monkeypatch.setattr(module, "WORTH", 1 << 19)


@pytest.fixture
def stopping(monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """Interrupts the call behind so many of a module; what was drawn is noted."""

    def after(module: Any, number: float) -> list[int]:
        drawn: list[int] = []
        piece = module._piece

        came: list[int] = []

        def stopped(subject: Any, start: int, stop: int, which: int) -> Any:
            if len(drawn) >= number and not came:
                came.append(which)
                raise KeyboardInterrupt
            if not came:
                drawn.append(stop - start)
            return piece(subject, start, stop, which)

        monkeypatch.setattr(module, "_piece", stopped)
        return drawn

    return after


def _enough(kind: str, stopping: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch) -> int:
    """After how many pieces there are the fewest resamples that are answered from."""
    with monkeypatch.context():
        drawn = stopping(PIECES[kind], 1e9)
        boards.compared(kind, 1)
    return next(n for n in range(1, len(drawn)) if sum(drawn[:n]) >= FEWEST_COUNTED)


@pytest.mark.parametrize("kind", PIECES)
def test_an_interrupted_comparison(
    kind: str, stopping: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """p-value, interval and what is said of them are those of the resamples that came first."""
    whole = boards.compared(kind, 1)
    drawn = stopping(PIECES[kind], _enough(kind, stopping, monkeypatch) + 1)
    answer = boards.compared(kind, 1)
    asked, done = ASKED[kind], answer.notes[0].values["resamples"]
    # What is drawn behind the interrupt is as little as can be answered from.
    assert done <= sum(drawn)
    assert (answer.partial, answer.stopped, whole.partial, whole.stopped) == (True, "interrupt", False, None)
    assert FEWEST_COUNTED <= done < asked
    assert answer.notes[0].code == "interrupted"
    assert answer.notes[0].values == {"resamples": done, "asked_resamples": asked}
    assert f"| resamples={done} | partial=true | data=" in answer.signature
    assert answer.headline.startswith("partial, ")
    assert f"{done:,} of {asked:,} resamples" in answer.sentence
    assert answer.pvalue >= 1.0 / (1.0 + sum(drawn))
    tails = 1.0 if kind == "swapped counts" else 2.0
    share = answer.pvalue / tails
    assert answer.pvalue_error == pytest.approx(tails * math.sqrt(share * (1.0 - share) / (1.0 + sum(drawn))))
    assert share * (1.0 + sum(drawn)) == pytest.approx(round(share * (1.0 + sum(drawn))), abs=1e-6)
    assert (answer.effect, answer.a.mean, answer.items) == (whole.effect, whole.a.mean, whole.items)
    method = {note.code: note.values for note in answer.notes}["pvalue_method"]["method"]
    assert method.startswith(f"{sum(drawn):,} ")
    for told in (answer.interval, whole.interval):
        assert told.low < answer.effect < told.high


def test_test_and_interval_are_about_the_same_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that the default holds against zero are drawn once, and where that was stopped both are made of so many."""
    drawn: list[int] = []
    piece = draws._piece

    def noted(subject: Any, start: int, stop: int, which: int) -> Any:
        drawn.append(which)
        return piece(subject, start, stop, which)

    monkeypatch.setattr(draws, "_piece", noted)
    whole = _counted(None)
    assert not whole.partial
    assert sorted(drawn) == list(range(len(drawn)))
    answer = _counted(1e-9)
    assert (answer.pvalue <= answer.alpha) == (not answer.interval.low <= 0.0 <= answer.interval.high)


def _counted(time_limit: float | None) -> Comparison:
    """Counts of which F1 is made."""
    counts = stream(6).integers(0, 9, (2, 300, 1, 3)).astype(np.float64)
    scores = Scores.from_arrays(dict(zip("ab", counts, strict=True)), parts=("tp", "fp", "fn"))
    test = "both(first=paired_t, second=bootstrap(kind=studentised, resamples=9999))"
    return compare(scores, executor=1, test=test, time_limit=time_limit)


def test_what_would_take_long_is_not_begun_after_an_interrupt(
    stopping: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interval of this test has resamples of its own."""
    monkeypatch.setattr("tellapart.verbs.compare.by_workers.PATIENCE", 0.0)
    stopping(random_flips, _enough("swapped counts", stopping, monkeypatch) + 1)
    with pytest.raises(KeyboardInterrupt):
        boards.compared("swapped counts", 1)


def test_before_enough_is_drawn_there_is_no_answer(stopping: Callable[..., list[int]]) -> None:
    stopping(draws, 2)
    with pytest.raises(KeyboardInterrupt):
        boards.compared("drawn", 1)


def test_too_few_for_the_level_is_no_answer_and_no_fault_of_the_question(
    stopping: Callable[..., list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An interval of one in a thousand takes two thousand resamples."""
    stopping(draws, _enough("drawn counts", stopping, monkeypatch))
    with pytest.raises(KeyboardInterrupt):
        boards.compared("drawn counts", 1, alpha=0.001)
    with pytest.raises(UsageError, match="the time was up before there were enough resamples"):
        boards.compared("drawn counts", 1, alpha=0.001, time_limit=1e-9)


@pytest.mark.parametrize("kind", PIECES)
def test_time_that_is_up(kind: str) -> None:
    for workers in (1, 2):
        answer = boards.compared(kind, workers, time_limit=1e-9)
        assert (answer.partial, answer.stopped, answer.notes[0].code) == (True, "time", "time_limit")
        assert FEWEST_COUNTED <= answer.notes[0].values["resamples"] < ASKED[kind]


def test_what_swaps_and_draws_again() -> None:
    """Both are stopped, and the note tells the fewer."""
    answer = _counted(1e-9)
    assert (answer.partial, answer.stopped) == (True, "time")
    assert FEWEST_COUNTED <= answer.notes[0].values["resamples"] < 9_999


def test_a_piece_that_ends_every_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the last that is drawn, behind enough, that is answered from; before, it is an error of its own."""
    cuts: list[tuple[int, int, int, int]] = []
    piece = draws._piece

    def noted(subject: Any, start: int, stop: int, which: int) -> Any:
        cuts.append((0, start, stop, which))
        return piece(subject, start, stop, which)

    with monkeypatch.context() as there:
        there.setattr(draws, "_piece", noted)
        boards.compared("swapped counts", 1)
    answer = boards.compared("swapped counts", Losing(cuts[-1]))
    assert (answer.partial, answer.stopped) == (True, "lost")
    assert {"interrupted", "work_lost"} <= set(codes(answer.notes))
    for deadly in (cuts[0], cuts[1]):
        with pytest.raises(WorkLost, match="resamples "):
            boards.compared("swapped counts", Losing(deadly))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = stream(1)
    a = rng.normal(size=400)
    rows = [
        f"{n},{x!r},{y!r}" for n, (x, y) in enumerate(zip(a.tolist(), (a + rng.normal(size=400)).tolist(), strict=True))
    ]
    (tmp_path / "s.csv").write_text("\n".join(["item,a,b", *rows]))
    with pytest.raises(SystemExit) as stop:
        main(
            [
                "compare",
                str(tmp_path / "s.csv"),
                "--test",
                "bootstrap",
                "--time-limit",
                "0.000001s",
                "--format",
                "json",
            ]
        )
    found = json.loads(capsys.readouterr().out)
    assert (int(stop.value.code or 0), found["stopped"], found["partial"]) == (0, "time", True)
