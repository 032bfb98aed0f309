"""Plans with looks: what is solved, said, saved and refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from tellapart import plan
from tellapart.answers.plan.file import PlanFile
from tellapart.foundation.errors import ReadError, TellapartError, UsageError
from tellapart.verbs.anytime import listed_items

BINARY = "paired_binary(accuracy=0.7, discordance=0.1, effect=0.02)"


def test_the_most_items_and_those_on_average() -> None:
    answer = plan(BINARY, looks=3)
    row = answer.rows[0]
    assert (row.items, row.looks, row.items_at_looks, row.fixed_items) == (1974, 3, (658, 1316, 1974), 1949)
    assert row.expected_items == pytest.approx(1688.6, rel=0.002, abs=0.0)
    assert row.expected_items_none == pytest.approx(1966.1, rel=0.002, abs=0.0)


def test_looks_that_are_not_equally_spaced() -> None:
    row = plan(BINARY, timing="0.25/0.6/1", spending="pocock").rows[0]
    assert row.items_at_looks is not None
    assert [round(items / row.items, 2) for items in row.items_at_looks] == [0.25, 0.6, 1.0]


def test_a_grid_of_looks() -> None:
    rows = plan(BINARY, looks=[2, 3, 5]).rows
    assert [row.looks for row in rows] == [2, 3, 5]
    assert rows[0].items < rows[1].items < rows[2].items


def test_power_of_a_number_of_items() -> None:
    answer = plan(BINARY, items=1974, looks=3)
    assert answer.rows[0].power == pytest.approx(0.8007, abs=5e-5)


def test_looks_are_offered_where_they_save_much() -> None:
    offer = next(note for note in plan(BINARY).notes if note.code == "looks_save")
    assert offer.values["share"] > 0.15
    assert not [note for note in plan(BINARY, looks=3).notes if note.code == "looks_save"]
    assert not [note for note in plan(BINARY, items=500).notes if note.code == "looks_save"]


def test_what_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    plan(BINARY, looks=3, save=str(file))
    found = PlanFile.from_json(file.read_text(), "plan.json")
    assert (found.items_at_looks, found.spending, found.intact) == ((658, 1316, 1974), "obf", True)
    plan(BINARY, save=str(file))
    assert "spending" not in json.loads(file.read_text())
    assert PlanFile.from_json(file.read_text(), "plan.json").intact


def test_a_random_order_to_run_items_in(tmp_path: Path) -> None:
    """Of the set of items and the seed alone, and what compare reads."""
    items, order = tmp_path / "items.txt", tmp_path / "order.txt"
    names = [f"q{number}" for number in range(2000)]
    found = []
    for listed, seed in ((names, 7), (names[::-1], 7), (names, 8)):
        items.write_text("\n".join(listed))
        answer = plan(BINARY, looks=3, item_order=str(order), universe=str(items), seed=seed)
        assert next(note.values for note in answer.notes if note.code == "order_written")["items"] == 2000
        found.append(order.read_text().split())
    assert found[0] == found[1] != found[2]
    assert sorted(found[0]) == sorted(names)
    assert listed_items(str(order)) == found[2]
    items.write_text("\n".join(names[:1900]))
    with pytest.raises(UsageError, match="1,900 items, and 1,974 are planned"):
        plan(BINARY, looks=3, item_order=str(order), universe=str(items))
    assert order.read_text().split() == found[2]


@pytest.mark.parametrize("looks", [[], [5], [5, 4], [0, 5], ["5", 6], 7, [1.5, 2]])
def test_a_file_with_looks_that_cannot_be(tmp_path: Path, looks: Any) -> None:
    file = tmp_path / "plan.json"
    plan(BINARY, looks=3, save=str(file))
    found = json.loads(file.read_text()) | {"items_at_looks": looks}
    with pytest.raises(ReadError, match="items_at_looks"):
        PlanFile.from_json(json.dumps(found), "plan.json")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"looks": 1}, "looks"),
        ({"looks": 21}, "looks"),
        ({"looks": 3, "timing": "0.5/1"}, "leave one"),
        ({"looks": [2, 3], "timing": "0.5/1"}, "several"),
        ({"timing": "0.5/0.4/1"}, "rising"),
        ({"timing": "0.5/0.9"}, "last of which is 1"),
        ({"timing": "half/1"}, "rising"),
        ({"looks": 3, "systems": 4}, "systems"),
        ({"looks": 3, "test": "equivalence(margin=0.05)"}, "needs both"),
        ({"looks": 20, "items": 100}, "new ones"),
        ({"looks": 3, "until": 0.01, "items": 100}, "until"),
        ({"looks": [2, 3], "save": "plan.json"}, "one design"),
        ({"looks": 3, "item_order": "order.txt"}, "give universe=.* too"),
        ({"looks": 3, "universe": "items.txt"}, "give item_order=.* too"),
    ],
)
def test_refusals(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(BINARY, **options)


@pytest.mark.parametrize(
    "population",
    [
        "votes(share=0.6)",
        "accuracies(accuracy=0.7, effect=0.05)",
        "runs(accuracy=0.7, discordance=0.2, disagreement=0.1, runs=3, effect=0.02)",
    ],
)
def test_other_designs_are_refused(population: str) -> None:
    with pytest.raises(TellapartError, match=r"looks|known"):
        plan(population, looks=3)
