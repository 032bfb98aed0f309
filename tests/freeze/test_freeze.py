"""The freeze sees what changed, and nothing where nothing did."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from tests.freeze import record as recording
from tests.freeze.__main__ import RENAMES
from tests.freeze.commands import commands
from tests.freeze.differences import Renames, differences
from tests.freeze.record import Record, crashed, record

FEW = (
    "compare ratings.csv",
    "compare answers.csv --a small --b large --require better",
    "plan 'gaussian(effect=0.05, sd=0.2, correlation=0.7)' --items 40 --test 'permutation' --replicates 200",
    "audit claims.csv",
    "convert example_lm_eval",
    "compare skewed.csv --alpha 2",
)
RATINGS = FEW[0]


@pytest.fixture(scope="module")
def kept() -> dict[str, Record]:
    loaded: dict[str, Record] = json.loads(json.dumps(record(FEW, progress=False)))
    return loaded


def seen(kept: dict[str, Record], found: dict[str, Record], **options: Any) -> list[str]:
    tolerance = options.pop("tolerance", 0.0)
    return list(differences(kept, found, Renames(**options), tolerance))


def test_two_runs_are_equal(kept: dict[str, Record], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert seen(kept, record(FEW, progress=False)) == []
    assert list(tmp_path.iterdir()) == []


def test_commands_are_among_all(kept: dict[str, Record]) -> None:
    every = commands()
    assert set(FEW) <= set(every)
    assert len(every) == len(set(every)) >= 300
    assert [kept[command]["exit"] for command in FEW] == [0, 0, 0, 3, 0, 2]
    assert kept[FEW[-1]] == {"exit": 2, "answer": None, "error": "UsageError"}


def test_no_texts_are_kept(kept: dict[str, Record]) -> None:
    answer = kept[RATINGS]["answer"]
    assert {answer[name] for name in ("headline", "sentence")} == {"…"}
    assert all(note["text"] == "…" for note in answer["notes"])
    assert answer["interval"]["method"] == "mixed_model(df=cochran)"


def _number(answer: dict[str, Any]) -> None:
    answer["interval"]["low"] *= 1 + 1e-4


def _field(answer: dict[str, Any]) -> None:
    answer["standard_deviation"] = answer.pop("standard_error")


def _note(answer: dict[str, Any]) -> None:
    del answer["notes"][0]


def _code(answer: dict[str, Any]) -> None:
    answer["notes"][0]["code"] = "not_many_raters"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_number, "answer.interval.low: -0.0438"),
        (_field, "answer.standard_deviation: "),
        (_note, "answer.notes: codes missing: ['few_raters']; new: []"),
        (_code, "answer.notes: codes missing: ['few_raters']; new: ['not_many_raters']"),
    ],
)
def test_a_change_is_named(kept: dict[str, Record], change: Callable[[dict[str, Any]], None], said: str) -> None:
    found = deepcopy(kept)
    change(found[RATINGS]["answer"])
    lines = seen(kept, found)
    assert lines
    assert lines[0].startswith(f"{RATINGS}\n  {said}")


def test_renames_make_equal(kept: dict[str, Record]) -> None:
    found = deepcopy(kept)
    answer = found[RATINGS]["answer"]
    for change in (_field, _code):
        change(answer)
    del answer["notes"][1], answer["margin"]
    fields = {"standard_error": "standard_deviation", "margin": None}
    codes = {"few_raters": "not_many_raters", "uncertainty_share": None}
    others = {name: part for name, part in found.items() if name != RATINGS}
    assert seen({RATINGS: kept[RATINGS]}, {RATINGS: found[RATINGS]}, fields=fields, codes=codes) == []
    assert seen(kept, {**others, RATINGS: kept[RATINGS]}) == []
    assert (
        seen({"plan 'a(old=1)'": kept[RATINGS]}, {"plan 'a(new=1)'": kept[RATINGS]}, spellings={"old=": "new="}) == []
    )


def test_a_tolerance_is_of_floats_alone(kept: dict[str, Record]) -> None:
    found = deepcopy(kept)
    _number(found[RATINGS]["answer"])
    assert seen(kept, found, tolerance=1e-3) == []
    found[RATINGS]["answer"]["items"] += 1
    assert len(seen(kept, found, tolerance=1.0)) == 1


def test_commands_that_came_or_went_are_named(kept: dict[str, Record]) -> None:
    fewer = {command: part for command, part in kept.items() if command != RATINGS}
    assert seen(kept, fewer) == [f"{RATINGS}\n  was not run"]
    assert seen(fewer, kept) == [f"{RATINGS}\n  is not in the record"]


def _raised(typed: list[str]) -> None:
    raise RuntimeError(typed)


def _internal_error(typed: list[str]) -> None:
    raise SystemExit(4)


@pytest.mark.parametrize("crash", [_raised, _internal_error])
def test_a_crash_is_always_a_difference(crash: Callable[[list[str]], None], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "main", crash)
    found = record([RATINGS], progress=False)
    assert crashed(found[RATINGS])
    (line,) = seen(found, found)
    assert line.startswith(f"{RATINGS}\n  crashed: exit ")


def test_the_table_of_renames_is_one() -> None:
    """Every field of the table is old name to new; a table with anything else would not load."""
    table = Renames.read(RENAMES)
    assert all(old != new for part in (table.fields, table.codes) for old, new in part.items())
