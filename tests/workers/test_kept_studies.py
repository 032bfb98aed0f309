"""Everything that takes long can be kept in a store: asked again, nothing is computed, and the answer is the same to the bit."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.workers import boards
from tests.workers.test_same_bits import FEW, SCALE

from tellapart.answers.parts import codes
from tellapart.boards import joint_pvalues
from tellapart.boards.joint_pvalues import count_exceedances
from tellapart.compute.store import Store
from tellapart.foundation.errors import UsageError
from tellapart.foundation.parallel_map import FEWEST_COUNTED
from tellapart.studies.calibration import run as calibration_run
from tellapart.studies.reproduction import reproduce
from tellapart.verbs.store import contents

Asked = Callable[..., Any]


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The studies of which blocks are kept."""
    found: list[str] = []
    keep = Store.keep

    def keeping(self: Store, name: str, place: tuple[int, int], value: Any) -> None:
        found.append(name)
        keep(self, name, place, value)

    monkeypatch.setattr(Store, "keep", keeping)
    return found


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration_run, "lines", lambda _: FEW)
    monkeypatch.setattr(calibration_run, "unlisted", lambda *_: [])
    boards.cut_small(monkeypatch)


def _calibrated(seed: int = 3, **more: Any) -> Any:
    return calibration_run.calibrate(SCALE, seed=seed, **more)


def _reproduced(seed: int = 3, **more: Any) -> Any:
    """Tables that are simulated, and one that is not."""
    return reproduce("embeddings-wilcoxon", seed=seed, replicates=500, **more)


def _ranked(seed: int = 3, executor: Any = 1, **more: Any) -> Any:
    return boards.ranked("skewed", executor, seed=seed, **more)


def _compared(kind: str) -> Asked:
    def asked(seed: int = 3, executor: Any = 1, **more: Any) -> Any:
        return boards.compared(kind, executor, seed=seed, **more)

    return asked


STUDIES: dict[str, tuple[Asked, str]] = {
    "calibrate": (_calibrated, "calibrate"),
    "reproduce": (_reproduced, "plan"),
    "rank": (_ranked, "resamples"),
    "compare, drawn again": (_compared("drawn"), "resamples"),
    "compare, swapped": (_compared("swapped counts"), "resamples"),
}


@pytest.mark.parametrize("study", STUDIES)
def test_asked_again_nothing_is_computed(study: str, kept: list[str], tmp_path: Path) -> None:
    asked, kind = STUDIES[study]
    whole, store = asked(), tmp_path / "s.db"
    for executor in (2, 1):
        assert asked(executor=executor, store=store) == whole
    found = contents(store)
    blocks = sum(row.blocks for row in found.rows)
    assert len(kept) == blocks >= 2
    assert {row.kind for row in found.rows} == {kind}
    assert all(row.usable and row.replicates == row.wanted for row in found.rows)
    other = asked(seed=4)
    assert other != whole
    assert asked(seed=4, store=store) == other
    assert len(kept) > blocks, "another seed, other blocks"


def test_tables_that_are_not_simulated_are_kept_whole(kept: list[str], tmp_path: Path) -> None:
    whole = reproduce("retrieval", replicates=200, executor=1)
    for _ in range(2):
        assert reproduce("retrieval", replicates=200, executor=1, store=tmp_path / "s.db") == whole
    assert len(kept) == len(whole.tables)
    assert [row.study for row in contents(tmp_path / "s.db").rows] == [table.name for table in whole.tables]
    for seed, replicates in ((1, 200), (0, 300)):
        kept.clear()
        reproduce("retrieval", seed=seed, replicates=replicates, executor=1, store=tmp_path / "s.db")
        assert len(kept) == len(whole.tables), "what another seed or number gives may be another table"


def test_other_data_are_another_table(tmp_path: Path) -> None:
    """Their hash is part of the name."""
    from tellapart.studies.reproduction.table import FILES, Setting  # noqa: PLC0415

    name = FILES["pplm"][0]
    (tmp_path / name).write_bytes(b"one")
    setting = Setting(0, 500, tmp_path)
    before = setting.digest(["pplm"])
    assert setting.digest(["pplm"]) == before
    (tmp_path / name).write_bytes(b"two")
    assert setting.digest(["pplm"]) != before


def test_more_replicates_use_those_that_are_there(kept: list[str], tmp_path: Path) -> None:
    """Of a table that is simulated, and of a calibration: whole blocks are not computed again."""
    store = tmp_path / "s.db"
    reproduce("embeddings-wilcoxon", replicates=2_000, store=store)
    first = len(kept)
    kept.clear()
    more = reproduce("embeddings-wilcoxon", replicates=4_000, store=store)
    again = len(kept)
    kept.clear()
    assert reproduce("embeddings-wilcoxon", replicates=4_000, store=tmp_path / "other.db") == more
    assert again < len(kept) < first + again + 1


def test_what_was_stopped_goes_on(kept: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A partial board, and then the whole one, of which only the rest is computed."""
    whole, store = boards.ranked("swapped", 1), tmp_path / "s.db"
    made: list[int] = []

    def stopping(draws: Any, steps: int) -> Any:
        made.append(draws.resamples)
        if sum(made[:-1]) >= FEWEST_COUNTED:
            raise KeyboardInterrupt
        return count_exceedances(draws, steps)

    monkeypatch.setattr(joint_pvalues, "count_exceedances", stopping)
    part = boards.ranked("swapped", 1, store=store)
    assert part.partial
    there = len(kept)
    assert there == len(made) - 1
    monkeypatch.setattr(joint_pvalues, "count_exceedances", count_exceedances)
    assert boards.ranked("swapped", 1, store=store) == whole
    (row,) = contents(store).rows
    assert len(kept) == row.blocks > there
    assert (row.replicates, row.wanted) == (whole.resamples, whole.resamples)


@pytest.mark.parametrize("study", STUDIES)
def test_a_store_that_takes_no_more_is_noted(study: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked, _ = STUDIES[study]
    touched = Store._touch

    def closed(self: Store, name: str, wanted: int) -> None:
        touched(self, name, wanted)
        self._file.execute("PRAGMA query_only=1")

    monkeypatch.setattr(Store, "_touch", closed)
    answer = asked(store=tmp_path / "s.db")
    assert "not_stored" in codes(answer.notes)
    assert next(note.text for note in answer.notes if note.code == "not_stored")


@pytest.mark.parametrize("study", STUDIES)
def test_mixed_workers_are_kept_nowhere(study: str, tmp_path: Path) -> None:
    asked, _ = STUDIES[study]
    with pytest.raises(UsageError, match="leave one of them out"):
        asked(store=tmp_path / "s.db", mixed=True)
