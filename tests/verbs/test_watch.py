"""Watches: alarms and when they came, states that are gone on from, and what is refused."""

import json
import os
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from tests.verbs.test_looks import killed_while_it_works

from tellapart import watch
from tellapart.cli import main
from tellapart.foundation.errors import ComesTwice, DataError, GateFailed, ReadError, TellapartError, UsageError

HEADER = "day,item,base,new\n"


def rows(items: int = 3000, worse_from: int = 1000) -> list[str]:
    """B wins 5 % of the items, and loses as many, later 15 %."""
    chance, coin = np.random.default_rng(3).random((2, items))
    loses = chance < np.where(np.arange(items) < worse_from, 0.05, 0.15)
    wins = chance > 0.95
    base = np.where(loses, 1, np.where(wins, 0, coin < 0.5)).astype(int)
    new = base + wins.astype(int) - loses.astype(int)
    return [f"2026-10-{1 + i // 250:02d},q{i},{base[i]},{new[i]}\n" for i in range(items)]


def log(folder: Path, lines: list[str], name: str = "log.csv") -> str:
    path = folder / name
    path.write_text(HEADER + "".join(lines))
    return str(path)


def test_an_alarm_and_since_when(tmp_path: Path) -> None:
    answer = watch(log(tmp_path, rows()), margin=0.01, by="day")
    assert answer.verdict == "alarm"
    assert answer.since.group in {"2026-10-04", "2026-10-05", "2026-10-06"}
    assert answer.since.effect < -0.05
    assert answer.alarm_item is not None
    assert 1000 < answer.alarm_item < 3000
    assert answer.pvalue <= 0.05
    assert {note.code for note in answer.notes} == {"since_chosen", "unwatched_state"}
    with pytest.raises(GateFailed, match="alarm"):
        answer.require()


def test_quiet(tmp_path: Path) -> None:
    answer = watch(log(tmp_path, rows(worse_from=9999)), margin=0.01)
    assert (answer.verdict, answer.items, len(answer.groups), answer.every) == ("quiet", 3000, 30, 100)
    assert answer.most_evidence < answer.line


@pytest.mark.parametrize("options", [{"by": "day"}, {"every": 70}], ids=str)
def test_ten_pieces_are_one_to_the_bit(tmp_path: Path, options: dict[str, Any]) -> None:
    lines = rows(2000)
    whole = watch(log(tmp_path, lines), state=str(tmp_path / "whole.json"), margin=0.01, **options)
    kinds: dict[str, dict[str, Any]] = {"all": {}, "new": {"new": True}}
    for kind, more in kinds.items():
        state = str(tmp_path / f"{kind}.json")
        for piece in range(10):
            upto = 200 * (piece + 1)
            part = lines[200 * piece : upto] if more else lines[:upto]
            pieces = watch(log(tmp_path, part), state=state, margin=0.01, **options, **more)
        assert (tmp_path / f"{kind}.json").read_bytes() == (tmp_path / "whole.json").read_bytes()
        assert (pieces.groups, pieces.since, pieces.pvalue) == (whole.groups, whole.since, whole.pvalue)


def test_the_same_file_twice_changes_nothing(tmp_path: Path) -> None:
    file, state = log(tmp_path, rows(500)), tmp_path / "lift.json"
    first = watch(file, state=str(state))
    kept = state.read_bytes()
    again = watch(file, state=str(state))
    assert state.read_bytes() == kept
    assert (again.groups, again.new_items) == (first.groups, 0)


def test_the_same_new_rows_twice_change_nothing(tmp_path: Path) -> None:
    """A nightly run that was started again: its rows are those that the state ends with."""
    lines, state = rows(750), tmp_path / "lift.json"
    for part in (lines[:250], lines[:250], lines[250:500]):
        watch(log(tmp_path, part), state=str(state), new=True, by="day")
    kept = state.read_bytes()
    again = watch(log(tmp_path, lines[250:500]), state=str(state), new=True, by="day")
    assert (again.items, again.new_items, state.read_bytes()) == (500, 0, kept)
    assert watch(log(tmp_path, lines[500:]), state=str(state), new=True, by="day").items == 750
    for part in (lines[:250], lines[:500]):
        with pytest.raises(ReadError, match="watched already"):
            watch(log(tmp_path, part), state=str(state), new=True, by="day")
    with pytest.raises(ReadError, match=r"300 are there: pass all rows \("):
        watch(log(tmp_path, lines[:300]), state=str(state), by="day")


def test_an_alarm_stands_until_the_restart(tmp_path: Path) -> None:
    state, lines = str(tmp_path / "lift.json"), rows()
    assert watch(log(tmp_path, lines[:2800]), state=state).verdict == "alarm"
    assert watch(log(tmp_path, lines[:2801]), state=state).verdict == "alarm"
    anew = watch(log(tmp_path, lines[:2840]), state=state, restart=True)
    assert (anew.verdict, anew.items, anew.restarts) == ("quiet", 39, 1)
    assert "watched_before" in {note.code for note in anew.notes}
    assert json.loads(Path(state).read_text())["restarts"] == 1


@pytest.mark.parametrize("place", [0, 99, 100, 1234, 2499])
def test_a_changed_row_is_always_found(tmp_path: Path, place: int) -> None:
    """Also while an alarm stands, and the state stays as it was."""
    state, lines = tmp_path / "lift.json", rows()
    watch(log(tmp_path, lines[:2500]), state=str(state))
    kept = state.read_bytes()
    day, item, base, new = lines[place].strip().split(",")
    lines[place] = f"{day},{item},{1 - int(base)},{new}\n"
    between = f"between rows {place // 100 * 100 + 1} and {place // 100 * 100 + 100}"
    with pytest.raises(ReadError, match=between):
        watch(log(tmp_path, lines), state=str(state))
    assert state.read_bytes() == kept


def test_fewer_rows_than_were_watched(tmp_path: Path) -> None:
    state = str(tmp_path / "lift.json")
    watch(log(tmp_path, rows(300)), state=state)
    with pytest.raises(ReadError, match="300 rows were watched"):
        watch(log(tmp_path, rows(200)), state=state)


@pytest.mark.parametrize(
    "changed",
    [{"margin": 0.02}, {"alpha": 0.01}, {"every": 50}, {"by": "day"}, {"lower_is_better": True}, {"range": "0:2"}],
)
def test_another_question_is_refused(tmp_path: Path, changed: dict[str, Any]) -> None:
    file, state = log(tmp_path, rows(300)), str(tmp_path / "lift.json")
    watch(file, state=state, margin=0.01)
    with pytest.raises(UsageError, match="was begun with"):
        watch(file, state=state, **({"margin": 0.01} | changed))


def test_items_wait_for_both_systems(tmp_path: Path) -> None:
    lines = rows(300)
    day, item, base, _ = lines[200].split(",")
    behind = [*lines[:200], f"{day},{item},{base},\n", *lines[201:]]
    state = str(tmp_path / "lift.json")
    answer = watch(log(tmp_path, behind), state=state)
    assert (answer.items, answer.notes[0].code, answer.notes[0].values["items"]) == (200, "items_waiting", 99)
    assert watch(log(tmp_path, lines), state=state).items == 300
    assert watch(log(tmp_path, behind), missing="drop").items == 299


def test_lower_is_better_mirrors(tmp_path: Path) -> None:
    lines = [line.strip().split(",") for line in rows(800)]
    turned = [f"{day},{item},{1 - int(base)},{1 - int(new)}\n" for day, item, base, new in lines]
    usual = watch(log(tmp_path, rows(800)), margin=0.01)
    lower = watch(log(tmp_path, turned), margin=0.01, lower_is_better=True)
    assert (usual.groups, usual.effect) == (lower.groups, lower.effect)


@pytest.mark.parametrize(
    ("content", "options", "error", "message"),
    [
        (["1,a,0,1\n", "2,a,1,1\n"], {"by": "day"}, ComesTwice, "no stream"),
        (["1,a,0,5\n", "2,b,1,1\n"], {}, DataError, "range"),
        (["1,a,0,1\n", "2,b,1,1\n"], {"by": "day", "every": 10}, UsageError, "leave one"),
        (["1,a,0,1\n", "2,b,1,1\n"], {"new": True}, UsageError, "state"),
        (["1,a,0,1\n", "2,b,1,1\n"], {"margin": -0.1}, UsageError, "margin"),
        (["1,a,0,1\n", "2,b,1,1\n"], {"range": "5:1"}, UsageError, "range"),
    ],
)
def test_refusals(
    tmp_path: Path, content: list[str], options: dict[str, Any], error: type[TellapartError], message: str
) -> None:
    with pytest.raises(error, match=message):
        watch(log(tmp_path, content), **options)


@pytest.mark.parametrize("field", ["rows", "first", "logs", "weights", "starts", "most", "alarm", "total", "question"])
@pytest.mark.parametrize("value", [None, "x", -1, [], 1e400], ids=str)
def test_a_changed_state_is_refused(tmp_path: Path, field: str, value: Any) -> None:
    """Whatever was changed, and whether or not it makes sense."""
    state = tmp_path / "lift.json"
    watch(log(tmp_path, rows(100)), state=str(state))
    found = json.loads(state.read_text())
    if found[field] == value:
        return
    state.write_text(json.dumps(found | {field: value}))
    with pytest.raises(ReadError, match=r"changed after it was written|no state"):
        watch(log(tmp_path, rows(200)), state=str(state))


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"schema": "tellapart/watch-state/1"}', '{"schema": "other"}'])
def test_a_file_that_is_no_state(tmp_path: Path, text: str) -> None:
    state = tmp_path / "lift.json"
    state.write_text(text)
    with pytest.raises(ReadError, match="no state"):
        watch(log(tmp_path, rows(100)), state=str(state))
    assert state.read_text() == text


def test_exit_codes_and_github(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    summary, output = tmp_path / "summary.md", tmp_path / "output.txt"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    monkeypatch.setenv("GITHUB_OUTPUT", str(output))
    codes = []
    for worse_from in (9999, 500):
        file = log(tmp_path, rows(2000, worse_from))
        with pytest.raises(SystemExit) as stop:
            main(["watch", file, "--by", "day", "--github", "--junit", str(tmp_path / "watch.xml")])
        codes.append(stop.value.code)
        suite = ET.parse(tmp_path / "watch.xml").getroot()[0]  # noqa: S314  (our own)
        failures = [(one.get("type"), one.text) for one in suite.iter("failure")]
        assert (suite.get("tests"), suite.get("failures")) == ("1", str(codes[-1]))
        assert [kind for kind, _ in failures] == (["alarm"] if codes[-1] else [])
    assert codes == [0, 1]
    assert "verdict=alarm" in output.read_text()
    assert "quiet" in summary.read_text()
    assert "::error title=tellapart watch::alarm" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("kills", [10, pytest.param(200, marks=pytest.mark.exhaustive)])
def test_a_state_survives_being_killed(tmp_path: Path, kills: int) -> None:
    """The state is that after some number of rows, and the watch goes on to what it would have come to undisturbed."""
    lines, state, chance = rows(500), tmp_path / "lift.json", np.random.default_rng(0)
    parts = [log(tmp_path, lines[:upto], f"{upto}.csv") for upto in range(50, 501, 50)]

    def work() -> None:
        for part in parts:
            watch(part, state=str(state))
        state.unlink()

    counts = set()
    for _ in range(kills):
        killed_while_it_works(work, state, float(chance.uniform(0.0, 0.3)))
        if state.exists():
            counts.add(json.loads(state.read_text())["rows"])
            watch(parts[-1], state=str(state))
            watch(parts[-1], state=str(tmp_path / "whole.json"))
            assert state.read_bytes() == (tmp_path / "whole.json").read_bytes()
            state.unlink()
    assert counts <= set(range(50, 501, 50))
    assert len(counts) > 1
