"""A gate on slices: what compare finds in them, and exits where one is worse or not shown not worse."""

from pathlib import Path
from typing import Any

import pytest

from tellapart import compare, gate
from tellapart.cli import main
from tellapart.foundation.errors import GateFailed, UsageError

TOPICS = Path(__file__).parents[1] / "reference" / "frontier" / "data" / "slices_topics.csv"


@pytest.fixture
def sides(tmp_path: Path) -> tuple[Path, Path]:
    """The two systems of the reference data in a file each, with the topic of each item."""
    rows = [line.split(",") for line in TOPICS.read_text(encoding="utf-8").splitlines()[1:]]
    paths = tmp_path / "a.csv", tmp_path / "b.csv"
    for place, path in enumerate(paths, 1):
        lines = ["item,score,topic", *(f"{row[0]},{row[place]},{row[3]}" for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return paths


def test_a_gate_finds_in_slices_what_compare_finds(sides: tuple[Path, Path]) -> None:
    found = gate(*sides, margin=0.05, slices=("topic",)).comparison
    whole = compare(TOPICS, margin=0.05, slices=("topic",))
    assert found.slices == whole.slices
    assert found.slice_family == whole.slice_family


def test_a_gate_wants_every_slice_where_it_is_told_to(sides: tuple[Path, Path]) -> None:
    answer = gate(*sides, margin=0.05, slices=("topic",))
    answer.require()
    with pytest.raises(GateFailed, match=r"not shown not worse in topic geometry"):
        answer.require(required="not-worse-in-slices")
    gate(*sides, margin=0.6, slices=("topic",)).require(required="not-worse-in-slices")
    turned = gate(*sides[::-1], margin=0.2, slices=("topic",))
    turned.require()
    with pytest.raises(GateFailed, match=r"worse in topic code"):
        turned.require(("worse", "worse-in-slice"))
    with pytest.raises(UsageError, match="needs slices"):
        gate(*sides, margin=0.05).require(required="not-worse-in-slices")


@pytest.mark.parametrize(
    ("flags", "code", "failures"),
    [
        (["--slice", "topic", "--margin", "0.05", "--require", "not-worse-in-slices"], 1, 1),
        (["--slice", "topic", "--margin", "0.6", "--require", "not-worse-in-slices"], 0, 0),
        (["--slice", "topic", "--margin", "0.05", "--fail-on", "worse-in-slice"], 0, 0),
        (["--margin", "0.05", "--fail-on", "worse-in-slice"], 2, None),
        (["--slice", "topc", "--margin", "0.05"], 3, None),
    ],
)
def test_the_command(
    flags: list[str], code: int, failures: int | None, sides: tuple[Path, Path], tmp_path: Path
) -> None:
    given: Any = ["gate", "--baseline", str(sides[0]), "--candidate", str(sides[1]), *flags]
    with pytest.raises(SystemExit) as stop:
        main([*given, "--junit", str(tmp_path / "gate.xml")])
    assert (stop.value.code or 0) == code
    if failures is not None:
        text = (tmp_path / "gate.xml").read_text(encoding="utf-8")
        assert (text.count("<testcase"), text.count("<failure")) == (2, failures)
