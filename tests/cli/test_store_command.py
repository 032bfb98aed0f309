"""`tellapart store`: what a file of finished work holds, and how it is emptied."""

import json
from pathlib import Path

import pytest

from tellapart import plan
from tellapart.answers.store import StoreContents
from tellapart.cli import main
from tellapart.compute import cache_key
from tellapart.verbs.store import contents

Capture = pytest.CaptureFixture[str]
POPULATION = "beta(mean=0.65, sd=0.12, correlation=0.8, effect=0.03)"


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["store", *words])
    return int(stop.value.code or 0)


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    for items in (20, 30):
        plan(POPULATION, items=items, test="paired_t", replicates=2_000, seed=5, store=tmp_path / "a.db")
    return tmp_path / "a.db"


def test_what_it_holds(kept: Path, capsys: Capture) -> None:
    assert run(str(kept), "--format", "json") == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["design"], row["replicates"], row["wanted"], row["usable"]) for row in told["rows"]] == [
        ("20 items", 2000, 2000, True),
        ("30 items", 2000, 2000, True),
    ]
    assert told["size"] == kept.stat().st_size
    assert {row["seed"] for row in told["rows"]} == {5}
    assert run(str(kept)) == 0
    assert capsys.readouterr().out.startswith(f"{told['headline']}\n")


def test_how_far_it_is(kept: Path) -> None:
    """A study that was stopped: what is there, of what was asked for."""

    def interrupt(done: int, total: int) -> None:
        if done > total / 3:
            raise KeyboardInterrupt

    answer = plan(POPULATION, items=40, test="paired_t", replicates=20_000, executor=1, progress=interrupt, store=kept)
    row = contents(kept).rows[-1]
    assert answer.partial
    assert (row.wanted, row.replicates) == (20_000, answer.rows[0].replicates)


def test_a_study_that_is_known_well_enough_is_as_far_as_was_asked_for(kept: Path) -> None:
    """However few replicates that took of those that it might have taken; and however often it is asked for again."""
    for _ in range(2):
        answer = plan(POPULATION, items=40, test="paired_t", until=0.03, executor=1, store=kept)
        row = contents(kept).rows[-1]
        assert row.wanted == answer.rows[0].replicates
        assert row.replicates >= row.wanted
    assert [row.replicates >= row.wanted for row in contents(kept).rows] == [True] * 3
    plan(POPULATION, items=40, test="paired_t", replicates=50_000, executor=1, store=kept)
    plan(POPULATION, items=40, test="paired_t", until=0.03, executor=1, store=kept)
    assert contents(kept).rows[-1].wanted == 50_000, "more were wanted before"


def test_what_others_computed_is_not_used_here(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_key, "source_hash", lambda: "another")
    found = contents(kept)
    assert [row.usable for row in found.rows] == [False, False]
    assert isinstance(found, StoreContents)


def test_forgetting(kept: Path, capsys: Capture) -> None:
    assert run(str(kept), "--forget", "--format", "json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (len(told["rows"]), told["forgotten"]) == (2, True)
    assert contents(kept).rows == ()
    assert run(str(kept)) == 0


@pytest.mark.parametrize("content", [None, "", "item,score\n"])
def test_no_store(tmp_path: Path, capsys: Capture, content: str | None) -> None:
    """Nothing is made where there is none."""
    path = tmp_path / "a.db"
    if content is not None:
        path.write_text(content)
    assert run(str(path)) == 3
    assert "ReadError: " in capsys.readouterr().err
    assert path.exists() is (content is not None)
    assert not path.exists() or path.read_text() == content
