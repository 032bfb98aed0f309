"""What is stopped answers with the rows, tables or resamples that were done in their order, and is marked everywhere as a part."""

import json
from collections.abc import Callable
from concurrent.futures import Executor, Future
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from tests.workers import boards
from tests.workers.test_same_bits import FEW, SCALE

from tellapart import Leaderboard, Scores, rank
from tellapart.answers.calibration import Calibration
from tellapart.answers.parts import codes
from tellapart.answers.reproduction import Reproduction
from tellapart.boards import joint_pvalues
from tellapart.boards.joint_pvalues import count_exceedances
from tellapart.cli import main
from tellapart.foundation.parallel_map import FEWEST_COUNTED
from tellapart.foundation.seeds import stream
from tellapart.studies.calibration import run as calibration_run
from tellapart.studies.calibration.pieces import computed, pieces
from tellapart.studies.reproduction import reproduce
from tellapart.studies.reproduction import run as reproduction_run
from tellapart.studies.reproduction.table import SIMULATED, Setting, beside_checkout

Capture = pytest.CaptureFixture[str]
PIECES = [piece for line in FEW for piece in pieces(line, 3)]
REPLICATES = 200


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A calibration of a few lines, most of them in several blocks."""
    monkeypatch.setattr(calibration_run, "lines", lambda _: FEW)
    monkeypatch.setattr(calibration_run, "unlisted", lambda *_: [])


def _calibrated(executor: Any = 1, **limits: Any) -> Calibration:
    return calibration_run.calibrate(SCALE, seed=3, executor=executor, **limits)


def _stopping(function: Callable[..., Any], after: int) -> Callable[..., Any]:
    """The function, interrupted in the call behind so many."""
    made: list[Any] = []

    def stopped(*call: Any) -> Any:
        made.append(call)
        if len(made) > after:
            raise KeyboardInterrupt
        return function(*call)

    return stopped


@pytest.mark.parametrize(("after", "executor"), [*((after, 1) for after in range(1, len(PIECES))), (5, 2)])
def test_an_interrupted_calibration(after: int, executor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines that are whole as they are in a whole one; the next one from those of its blocks that are there."""
    if executor == 1:
        monkeypatch.setattr(calibration_run, "computed", _stopping(computed, after))
    else:
        monkeypatch.setattr(calibration_run.Course, "take", _stopping(calibration_run.Course.take, after))
    answer = _calibrated(executor)
    whole = sum(len(pieces(line, 3)) <= after - _before(number) for number, line in enumerate(FEW))
    short = sum(piece[2].size for piece in PIECES[_before(whole) : after])
    assert answer.partial
    assert answer.stopped == "interrupt"
    found = (*answer.rows, *answer.corrections, *answer.leaderboards)
    assert len(found) == whole + bool(short)
    (note,) = answer.notes
    assert note.code == "interrupted"
    assert (note.values["answered"], note.values["asked"]) == (whole + bool(short), len(FEW))
    assert note.values["replicates"] == (short or None)
    assert "| partial=true |" in answer.signature
    assert answer.headline.startswith("partial, ")
    assert answer.sentence.endswith(f"{note.text.capitalize()}.")


def _before(line: int) -> int:
    """Pieces of the lines before one."""
    return sum(len(pieces(one, 3)) for one in FEW[:line])


def test_what_is_there_is_as_in_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two lines and half of the third: its own rate says of how many evaluations."""
    whole = _calibrated()
    monkeypatch.setattr(calibration_run, "computed", _stopping(computed, _before(2) + 1))
    answer = _calibrated()
    assert not whole.partial
    assert whole.stopped is None
    (changes,) = [row for row in answer.rows if row.group == "changes"]
    (those,) = [row for row in whole.rows if row.group == "changes"]
    assert changes.size is not None
    assert those.size is not None
    assert (changes.size.replicates, those.size.replicates) == (20, 30)
    assert all(row in whole.rows for row in answer.rows if row is not changes)
    assert (len(answer.rows), len(whole.rows) > 3) == (3, True)
    assert "partial" not in whole.signature


def test_before_anything_is_done_an_interrupt_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_run, "computed", _stopping(computed, 0))
    with pytest.raises(KeyboardInterrupt):
        _calibrated()
    monkeypatch.setattr(reproduction_run, "numbers", _stopping(reproduction_run.numbers, 0))
    with pytest.raises(KeyboardInterrupt):
        reproduce("retrieval-pairing", replicates=REPLICATES, executor=1)


class Losing(Executor):
    """Computes at once what it is given, but for bundles with one call, at which it says that its worker is gone."""

    def __init__(self, deadly: Any) -> None:
        self.deadly = deadly

    def submit(self, task: Any, /, function: Any = int, calls: Any = (), *subjects: Any) -> "Future[Any]":  # type: ignore[override]  # what is submitted to it
        future: Future[Any] = Future()
        if self.deadly in calls:
            future.set_exception(BrokenProcessPool("a process was terminated abruptly"))
        elif calls:
            future.set_result(task(function, calls, *subjects))
        return future


def test_a_piece_that_ends_every_worker_is_named() -> None:
    """And what comes before it is answered."""
    answer = _calibrated(Losing(PIECES[4]))
    assert (answer.partial, answer.stopped) == (True, "lost")
    assert codes(answer.notes) == ("interrupted", "work_lost")
    kind, number, block = PIECES[4]
    assert (
        answer.notes[1].values["work"]
        == f"block {block.number + 1} ({block.size} evaluations) of {kind} {number + 1} of the calibration"
    )
    assert answer.notes[0].values["answered"] == 2


def test_time_that_is_up() -> None:
    answer = _calibrated(time_limit=1e-9)
    assert (answer.partial, answer.stopped, codes(answer.notes)) == (True, "time", ("time_limit",))
    assert len(answer.rows) == 1


def _reproduced(executor: Any = 1, **limits: Any) -> Reproduction:
    return reproduce("embeddings", replicates=REPLICATES, executor=executor, **limits)


@pytest.fixture(scope="module")
def reproduced() -> Reproduction:
    return _reproduced()


@pytest.mark.parametrize("after", [1, 2])
def test_an_interrupted_reproduction(after: int, reproduced: Reproduction, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reproduction_run, "numbers", _stopping(reproduction_run.numbers, after))
    answer, asked = _reproduced(), len(reproduced.tables)
    assert answer.tables == reproduced.tables[:after]
    assert (answer.partial, answer.stopped) == (True, "interrupt")
    assert answer.notes[0].values == {
        "answered": after,
        "asked": asked,
        "replicates": None,
        "asked_replicates": REPLICATES,
    }
    assert sum(answer.counts.values()) == sum(len(table.cells) for table in answer.tables)
    assert f"done={after} of {asked} tables | partial=true" in answer.signature
    assert f"{after} of {asked} tables" in answer.sentence
    assert not reproduced.partial
    assert "partial" not in reproduced.signature


def test_reproductions_stop_when_time_is_up_or_work_is_lost(reproduced: Reproduction) -> None:
    answer = reproduce("retrieval", replicates=REPLICATES, executor=1, time_limit=1e-9)
    whole = reproduce("retrieval", replicates=REPLICATES, executor=1)
    assert (answer.stopped, answer.tables) == ("time", whole.tables[:1])
    plain = next(n for n, table in enumerate(reproduced.tables) if table.name not in SIMULATED)
    assert plain > 0
    setting = Setting(0, REPLICATES, beside_checkout())
    lost = _reproduced(Losing((reproduced.tables[plain].name, setting)))
    assert (lost.stopped, lost.tables) == ("lost", reproduced.tables[:plain])
    assert lost.notes[1].values["work"] == f"the table {reproduced.tables[plain].name}"


def test_a_simulated_table_is_answered_from_what_there_is() -> None:
    """Its numbers come from fewer evaluations, of which it is said how many; what agrees with them is wider."""
    asked = 20_000
    answer = reproduce("embeddings-wilcoxon", replicates=asked, executor=1, time_limit=1e-9)
    (note,) = answer.notes
    done = note.values["replicates"]
    assert note.values == {"answered": 1, "asked": 1, "replicates": done, "asked_replicates": asked}
    assert 0 < done < asked
    assert f"{done:,} of {asked:,} simulated evaluations per number" in answer.sentence
    whole = reproduce("embeddings-wilcoxon", replicates=asked, executor=1).tables[0].cells[0]
    first = answer.tables[0].cells[0]
    assert None not in {first.low, first.high, whole.low, whole.high}
    assert first.high - first.low > whole.high - whole.low  # type: ignore[operator]


def _board(executor: Any = 1, **limits: Any) -> Leaderboard:
    return boards.ranked("swapped", executor, **limits)


@pytest.fixture
def cut(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Where blocks of a board end, which has several."""
    boards.cut_small(monkeypatch)
    seen: list[int] = []

    def noted(draws: Any, steps: int) -> Any:
        seen.append(draws.resamples)
        return count_exceedances(draws, steps)

    monkeypatch.setattr(joint_pvalues, "count_exceedances", noted)
    assert not _board().partial
    blocks, seen[:] = list(seen), []
    return blocks


def test_an_interrupted_board(cut: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged by the resamples that came first, as if these alone had been asked for."""
    after = next(n for n in range(1, len(cut)) if sum(cut[:n]) >= FEWEST_COUNTED)
    assert after < len(cut)
    monkeypatch.setattr(joint_pvalues, "count_exceedances", _stopping(count_exceedances, after))
    answer, done = _board(), sum(cut[:after])
    assert (answer.partial, answer.stopped, answer.resamples) == (True, "interrupt", done)
    assert answer.corrected.smallest_pvalue == 1.0 / (1.0 + done)
    values = {"resamples": done, "asked_resamples": sum(cut), "smallest_pvalue": 1.0 / (1.0 + done)}
    assert answer.notes[0].values == values
    assert f"| resamples={done} |" in answer.signature
    assert "| partial=true |" in answer.signature
    assert answer.headline.startswith("partial, ")
    assert f"{done:,} of {sum(cut):,} resamples" in answer.sentence
    monkeypatch.setattr(joint_pvalues, "count_exceedances", count_exceedances)
    few = boards.ranked("swapped", 1, resamples=done)
    assert (answer.pairs, answer.systems) == (few.pairs, few.systems)
    whole = _board(2)
    assert not whole.partial
    assert "partial" not in whole.signature


def test_too_few_resamples_are_no_answer(cut: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    assert cut[0] < FEWEST_COUNTED
    monkeypatch.setattr(joint_pvalues, "count_exceedances", _stopping(count_exceedances, 1))
    with pytest.raises(KeyboardInterrupt):
        _board()


def test_a_board_whose_work_is_lost_or_whose_time_is_up(cut: list[int]) -> None:
    """A piece that ends every worker is named; what comes before it is answered from."""
    start = sum(cut[:-1])
    lost = _board(Losing((0, start, start + cut[-1], len(cut) - 1)))
    assert (lost.stopped, lost.resamples) == ("lost", start)
    named = {note.code: note.values for note in lost.notes}["work_lost"]["work"]
    assert named == f"resamples {start + 1:,} to {start + cut[-1]:,}"
    late = _board(time_limit=1e-9)
    assert (late.stopped, late.notes[0].code) == ("time", "time_limit")
    assert FEWEST_COUNTED <= late.resamples < sum(cut)


def test_listed_patterns_are_all_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first of them are no sample of all."""
    rng = stream(4)
    scores = Scores.from_arrays({name: rng.normal(size=13) for name in "abc"})
    monkeypatch.setattr("tellapart.boards.joint_flips._flips_at_once", lambda *_: 500)
    assert rank(scores, executor=1).corrected.exhaustive
    monkeypatch.setattr(joint_pvalues, "count_exceedances", _stopping(count_exceedances, 5))
    with pytest.raises(KeyboardInterrupt):
        rank(scores, executor=1)


@pytest.fixture
def run(capsys: Capture) -> Callable[..., tuple[int, str, str]]:
    def ran(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(list(words))
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return ran


def test_the_command_keeps_whole_files(run: Callable[..., tuple[int, str, str]], tmp_path: Path) -> None:
    """A part of a calibration is printed, and written over no whole one."""
    (tmp_path / "calibration.md").write_text("whole")
    code, out, err = run(
        *("calibrate", "--scale", "0.001", "--time-limit", "0.000001s", "--workers", "1"),
        *("--folder", str(tmp_path), "--format", "json"),
    )
    assert (code, json.loads(out)["stopped"]) == (0, "time")
    assert err == f"the calibration is partial, so nothing was written to {tmp_path}\n"
    assert [file.name for file in tmp_path.iterdir()] == ["calibration.md"]
    assert (tmp_path / "calibration.md").read_text() == "whole"


def test_lost_work_has_an_exit_code_of_its_own(
    run: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever was answered without it: 4, as for all that is no answer to what was asked."""
    lost, tables = _calibrated(Losing(PIECES[1])), _reproduced(time_limit=1e-9)
    monkeypatch.setattr("tellapart.cli.calibrate.calibrate", lambda *_, **__: lost)
    code, out, _ = run("calibrate")
    assert code == 4
    assert [note.code for note in lost.notes] == ["interrupted", "work_lost"]
    assert all(note.text in " ".join(out.split()) for note in lost.notes)
    monkeypatch.setattr("tellapart.cli.reproduce.reproduce", lambda *_, **__: tables)
    assert run("reproduce")[0] == 0
    assert [note.code for note in tables.notes] == ["time_limit"]
