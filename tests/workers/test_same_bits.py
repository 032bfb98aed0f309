"""Whoever computes: a calibration, published tables and counts are the same to the bit."""

import os
import signal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.workers import boards

from tellapart import Claim, Ratings, Scores, agreement, audit, compare
from tellapart.answers.agreement import Agreement
from tellapart.answers.audit import Audit
from tellapart.answers.calibration import Calibration
from tellapart.cli.input import over_processes
from tellapart.compute import Runner, Work
from tellapart.foundation.errors import UsageError, WorkLost
from tellapart.foundation.seeds import stream
from tellapart.studies.calibration import run as calibration_run
from tellapart.studies.calibration.pieces import ReportLine, computed, lines, pieces
from tellapart.studies.reproduction import reproduce

KINDS = ("right or wrong", "named", "scenario", "changes", "corrections", "boards", "skewed", "arenas", "many")
FEW = [
    ReportLine("named", 17),
    ReportLine("scenario", 0, 90, 40),
    ReportLine("changes", 0, 30, 20),
    ReportLine("scenario", 7, 100, 100),
    ReportLine("corrections", 1, 30, 20),
    ReportLine("boards", 2, 10, 4),
    ReportLine("skewed", 4, 3, 2),
]
SCALE = 0.001
WORKERS: list[int | str] = [2, 4, "processes:2"]


def test_every_piece_is_there_once() -> None:
    found = [piece for line in lines(1.0) for piece in pieces(line, 0)]
    assert len(set(found)) == len(found)
    assert tuple(dict.fromkeys(kind for kind, *_ in found)) == KINDS
    assert not [line for line in lines(0.1) if line.kind == "many"]


def test_lines_are_cut_where_they_are_long() -> None:
    """What draws from one stream is one block up to scale 1, and as many as the scale says beyond."""
    drawn = KINDS[3:]
    assert all(len(pieces(line, 0)) == 1 for line in lines(1.0) if line.kind in drawn)
    assert all(len(pieces(line, 0)) == 7 for line in lines(7.0) if line.kind in drawn)
    assert all(sum(block.size for *_, block in pieces(line, 0)) == line.replicates for line in lines(7.0))


def simulated(workers: Any) -> list[Any]:
    with Runner(workers) as runner:
        return list(runner.in_order(Work(computed, [piece for line in FEW for piece in pieces(line, 3)])))


@pytest.mark.parametrize("workers", WORKERS)
def test_pieces_of_a_calibration(workers: Any) -> None:
    assert simulated(workers) == simulated(1)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A calibration of a few pieces, as a whole one takes a minute."""
    monkeypatch.setattr(calibration_run, "lines", lambda _: FEW)
    monkeypatch.setattr(calibration_run, "unlisted", lambda *_: [])


@pytest.mark.usefixtures("small")
def test_a_calibration() -> None:
    """Rows in the order of their groups, then boards, from any workers."""
    alone: Calibration = calibration_run.calibrate(SCALE, seed=3, executor=1)
    assert [len(alone.rows), len(alone.leaderboards)] == [4, 2]
    for workers in WORKERS:
        assert calibration_run.calibrate(SCALE, seed=3, executor=workers) == alone


@pytest.mark.parametrize("workers", WORKERS)
def test_published_tables(workers: Any) -> None:
    """One that is simulated and one that is computed."""
    for name in ("reasoning-items", "retrieval-pairing"):
        assert reproduce(name, replicates=200, executor=workers) == reproduce(name, replicates=200, executor=1)


@pytest.mark.parametrize("kind", boards.KINDS)
def test_boards(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In blocks of which each is computed by whoever is free."""
    boards.cut_small(monkeypatch)
    blocks: list[int] = []
    alone = boards.ranked(kind, 1)
    for workers in WORKERS:
        assert boards.ranked(kind, workers) == alone
    monkeypatch.setattr(Runner, "in_order", _counting(Runner.in_order, blocks))
    assert boards.ranked(kind, 2) == alone
    assert sum(blocks) >= 6


@pytest.mark.parametrize("kind", boards.RESAMPLED)
def test_resampled_comparisons(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    boards.cut_small(monkeypatch)
    blocks: list[int] = []
    alone = boards.compared(kind, None)
    monkeypatch.setattr(Runner, "in_order", _counting(Runner.in_order, blocks))
    for workers in (1, *WORKERS):
        assert boards.compared(kind, workers) == alone
    assert max(blocks) >= 2


@pytest.mark.parametrize(("items", "test"), [(2_000, "bootstrap"), (300, "bootstrap(resamples=70000)")])
def test_long_comparisons_are_shared_unasked(items: int, test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By one thread per core, and come to the same as alone; short ones are nobody else's."""
    boards.cut_small(monkeypatch)
    a = stream(9).normal(size=items)
    scores = Scores.from_arrays({"a": a, "b": a + stream(10).normal(0.05, 0.5, items)})
    blocks: list[int] = []
    alone = compare(scores, test=test, executor=1)
    monkeypatch.setattr(Runner, "in_order", _counting(Runner.in_order, blocks))
    assert compare(scores, test=test) == alone
    assert max(blocks) >= 2
    blocks.clear()
    compare(Scores.from_arrays({"a": a[:300], "b": a[299::-1]}), test="bootstrap")
    assert not blocks


def _counting(in_order: Any, found: list[int]) -> Any:
    def counted(self: Runner, work: Work[Any]) -> Any:
        found.append(work.count or 0)
        return in_order(self, work)

    return counted


def test_workers_that_nobody_knows() -> None:
    with pytest.raises(UsageError, match="number of threads"):
        reproduce("reasoning-items", executor="many")
    with pytest.raises(UsageError, match="number of threads"):
        calibration_run.calibrate(executor=0)
    with pytest.raises(UsageError, match="number of threads"):
        boards.ranked("gaps", "many")
    with pytest.raises(UsageError, match="number of threads"):
        boards.compared("drawn", "many")


def _lengths(piece: list[str]) -> list[int]:
    """Ends its process where nobody did before."""
    mark = Path(piece[0])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return [len(one) for one in piece]


def test_counting_goes_on_where_a_process_was_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tellapart.cli.input.available_cores", lambda: 2)
    texts = [[str(tmp_path / "mark"), "b" * n] for n in range(6)]
    assert list(over_processes(_lengths, texts)) == [[len(texts[0][0]), n] for n in range(6)]
    assert (tmp_path / "mark").exists()


def _ending(piece: list[str]) -> None:
    assert piece
    os.kill(os.getpid(), signal.SIGKILL)


def test_counting_that_ends_every_process_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tellapart.cli.input.available_cores", lambda: 2)
    with pytest.raises(WorkLost, match="counting 3 texts: every worker"):
        list(over_processes(_ending, [["a", "b", "c"]] * 2))


def _claims(executor: Any) -> Audit:
    rng = stream(3)
    rows = [
        (f"{a:.3f}", f"{a + b:.3f}") for a, b in zip(rng.uniform(0.5, 0.8, 9), rng.uniform(0.0, 0.05, 9), strict=True)
    ]
    return audit([Claim(a=a, b=b, items=300) for a, b in rows], executor=executor)


def _rated(executor: Any) -> Agreement:
    rng = stream(4)
    quality = rng.normal(size=60)
    ratings = {name: np.rint(3.0 + quality + rng.normal(size=(3, 60))) for name in "ab"}
    return agreement(Ratings.from_arrays(ratings), executor=executor)


@pytest.mark.parametrize("workers", WORKERS)
def test_claims_and_raters(workers: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut into pieces of which each is done by whoever is free."""
    monkeypatch.setattr("tellapart.methods.reliability.coefficient.AT_ONCE", 20_000)
    blocks: list[int] = []
    alone = _claims(None), _rated(1)
    monkeypatch.setattr(Runner, "in_order", _counting(Runner.in_order, blocks))
    assert _claims(workers) == alone[0]
    assert len(alone[0].claims) == 9
    assert _rated(workers) == alone[1]
    assert blocks[0] == 3
    assert min(blocks) >= 2


def test_a_claim_that_cannot_be_examined_stops_no_other(tmp_path: Path) -> None:
    file = tmp_path / "claims.csv"
    file.write_text("a,b,items\n" + "0.7,0.72,1000\n" * 5 + "0.7,0.72,-3\n" + "0.6,0.65,500\n" * 3)
    alone = audit(file)
    assert [row.line for row in alone.bad_rows] == [7]
    assert len(alone.claims) == 8
    for workers in WORKERS:
        assert audit(file, executor=workers) == alone
