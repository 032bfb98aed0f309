"""Laws that every registered table obeys, tried on its example and on files that `write` of its own test makes.

Logs of evaluation programs have laws of their own in `test_logs.py`.

A new format is under them without being listed; `tests/readers/test_NAME.py` has to offer `write(rows) -> bytes`.
"""

import gzip
import importlib.util
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart.data.records import identify, place_runs
from tellapart.data.roles import LABELS, ROLES
from tellapart.data.rows import Records
from tellapart.foundation.errors import DataError, ReadError, TellapartError
from tellapart.readers import FORMATS, Certainty, Format
from tellapart.readers.detect import best_format
from tellapart.readers.storage.files import Folder
from tellapart.readers.storage.origin import GZIP, Memory, Origin
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.json_rows import JsonLines
from tellapart.readers.tables.rows import Rows
from tellapart.readers.tables.table import Block, Facts

READERS = Path(__file__).parents[1] / "readers"
KEY = tuple(role.name for role in LABELS if role.identifies)

ODD_NAMES = ('say "hi"', "a, b; c", "two  blanks", "three   more", "tab\there", "Größe 中", "null", "{", "-")

Key = tuple[str | None, ...]
Table = list[dict[str, Any]]


@dataclass(frozen=True)
class Case:
    """A format, and how to write a table in it."""

    format_: Format
    write: Callable[[Sequence[Mapping[str, Any]]], bytes]

    def records(self, content: bytes, name: str = "x", label: str = "from the name") -> Records:
        rows = Rows(TableRequest(None, ("score",), {}))
        rows.take(self.format_.table(Memory(name, label, content)), alone=True)
        records = rows.records()
        place_runs(records, identify(records)[0])
        return records

    def scores(self, content: bytes, name: str = "x", label: str = "from the name") -> dict[Key, float | None]:
        """Every score by what identifies it, None where it is missing; the order of rows is not looked at."""
        records = self.records(content, name, label)
        keys = [tuple(records.label(role, row) for role in KEY) for row in range(len(records))]
        values = [None if np.isnan(value) else float(value) for value in records.values[:, 0]]
        found = dict(zip(keys, values, strict=True))
        assert len(found) == len(keys)
        return found

    def table(self) -> Table:
        """Scores of as many systems as the example has, on items whose names are not easy to write."""
        rng = np.random.default_rng(5)
        names = self.records(self.format_.example()).system.names
        items = ["q1", "2", *ODD_NAMES, *map(str, range(100, 700))]
        return [{"system": system, "item": item, "score": round(rng.random(), 6)} for system in names for item in items]


def case_of(name: str) -> Case:
    path = READERS / f"test_{name}.py"
    assert path.exists(), f"format {name!r} needs a test of its own, {path.name}, with write(rows) -> bytes"
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return Case(FORMATS[name](), module.write)


@pytest.fixture(params=[name for name in FORMATS if FORMATS[name].plain_table])
def case(request: pytest.FixtureRequest) -> Case:
    return case_of(request.param)


def written(table: Table) -> dict[Key, float | None]:
    return {tuple(row.get(role) for role in KEY): row["score"] for row in table}


def law_of_one_claim(case: Case) -> None:
    """Its own example is claimed by this format more surely than by any other, by content alone, gzipped or not."""
    for content in (case.format_.example(), gzip.compress(case.format_.example(), mtime=0)):
        found, _ = best_format(Memory("x", "x", content))
        assert found == case.format_


def law_of_quiet_claims(case: Case) -> None:
    """No bytes and no folder make a claim or the facts raise; a folder without files is nobody's."""
    example, rng = case.format_.example(), np.random.default_rng(7)
    cuts = rng.integers(len(example), size=100).tolist()
    for content in (piece for cut in cuts for piece in (example[:cut], example[cut:], rng.bytes(cut), b"")):
        assert case.format_.claim(Memory("x", "x", content)) in Certainty
        with suppress(ReadError):
            case.format_.facts(Memory("x", "x", content))
    assert case.format_.claim(Folder(str(READERS / "none"), "none")) == Certainty.NONE


def law_of_own_errors(case: Case) -> None:
    """An example that is cut or damaged is read or refused, never met with an error of Python's."""
    example, rng = case.format_.example(), np.random.default_rng(8)
    for start, lost, added in rng.integers(0, [len(example), 9, 3], size=(300, 3)).tolist():
        damaged = example[:start] + rng.bytes(added) + example[start + lost :]
        for content in (damaged, example[:start]):
            with suppress(TellapartError):
                case.records(content)


def law_of_blocks(case: Case) -> None:
    """Blocks are as long as their columns, count their lines upwards and give declared roles to columns that are there."""
    line = 0
    for block in case.format_.blocks(Memory("x", "x", case.write(case.table()))):
        assert len(block) > 0
        assert all(len(block.column(name)) == len(block) for name in block.names)
        assert {*block.roles} <= {*ROLES}
        assert {*block.roles.values()} <= {*block.names}
        assert list(block.lines) == sorted(set(block.lines))
        assert block.lines[0] > line
        line = block.lines[-1]


def law_of_places(case: Case) -> None:
    """A row has the number of the line on which it starts, or where a format counts records, the number of its record."""
    table = [row for row in case.table() if row["item"] not in ODD_NAMES]
    content = case.write(table)
    blocks = [*case.format_.blocks(Memory("x", "x", content))]
    places = [place for block in blocks for place in block.lines]
    if case.format_.unit != "line":
        assert places == [*range(1, len(places) + 1)]
        return
    text = content.decode().splitlines()
    items = [str(item) for block in blocks for item in block.column(block.roles.get("item", "item"))]
    for item, start, end in zip(items, places, [*places[1:], len(text) + 1], strict=True):
        assert re.search(rf"\b{item}\b", "\n".join(text[start - 1 : end - 1]))


def law_of_the_round_trip(case: Case) -> None:
    """What was written is what is read: every score, to the last bit."""
    table = case.table()
    assert case.scores(case.write(table)) == written(table)


def law_of_names_as_written(case: Case) -> None:
    """Names keep their quotes, blanks and letters, and two that differ in them are two items."""
    table = [row for row in case.table() if row["item"] in ODD_NAMES]
    table += [row | {"item": " ".join(row["item"].split())} for row in table if "  " in row["item"]]
    assert case.scores(case.write(table)) == written(table)


def law_of_any_order(case: Case) -> None:
    """The order of rows changes nothing."""
    table = case.table()
    shuffled = [table[i] for i in np.random.default_rng(6).permutation(len(table))]
    assert case.scores(case.write(shuffled)) == case.scores(case.write(table))


def law_of_gzip(case: Case) -> None:
    """Gzip changes nothing."""
    example = case.format_.example()
    assert case.scores(gzip.compress(example, mtime=0)) == case.scores(example)


def law_of_names(case: Case) -> None:
    """Another file name changes only names taken from it."""
    example = case.format_.example()
    one, two = case.scores(example, "one", "one"), case.scores(example, "two", "two")
    assert {tuple("two" if part == "one" else part for part in key): score for key, score in one.items()} == two


def law_of_missing(case: Case) -> None:
    """A score made blank is one more missing score, never 0, and changes no other."""
    table = case.table()
    table[3]["score"] = 0.0
    blank = [row | {"score": None} if i == 4 else row for i, row in enumerate(table)]
    before, after = case.scores(case.write(table)), case.scores(case.write(blank))
    assert {key for key in before if before[key] != after[key]} == {*written(table[4:5])}
    assert [score for score in after.values() if score is None] == [None]


def law_of_doubled_rows(case: Case) -> None:
    """A row that comes twice is refused, naming the system and the item."""
    table = case.table()
    with pytest.raises(DataError, match="already has a score for item '2'"):
        case.records(case.write([*table, table[1]]))


LAWS = [law for name, law in list(globals().items()) if name.startswith("law_")]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_every_format_obeys(law: Callable[[Case], None], case: Case) -> None:
    """Each law holds for each registered format."""
    law(case)


def test_every_format_is_named_and_shown(case: Case) -> None:
    """What help and documents need: a name for it and an example of at least two items that they can print."""
    assert case.format_.label.strip()
    assert len(case.records(case.format_.example()).item.names) >= 2


def test_the_reader_of_contributing_obeys(monkeypatch: pytest.MonkeyPatch) -> None:
    """The worked example of CONTRIBUTING.md registers itself and is under every law."""
    monkeypatch.setattr(FORMATS, "_known", dict(FORMATS._known))
    text = (READERS.parents[1] / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Add a reader")[2]
    space: dict[str, Any] = {"__name__": "contributed"}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)[:2]:
        exec(compile(block, "CONTRIBUTING.md", "exec"), space)  # noqa: S102  (our own text)
    for law in LAWS:
        law(Case(FORMATS["scored_lines"](), space["write"]))


class Changed(JsonLines):
    """JSON lines whose cells are changed on the way: base of formats that break a law."""

    def cells(self, block: Block, name: str) -> Sequence[Any]:
        return block.column(name)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            yield replace(block, column=partial(self.cells, block))


class OneLineDown(JsonLines):
    """Counts lines from 2, as if there were a header."""

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            yield replace(block, lines=[line + 1 for line in block.lines])


class CollapsesBlanks(Changed):
    """Takes several blanks inside a name for one."""

    def cells(self, block: Block, name: str) -> Sequence[Any]:
        return [" ".join(cell.split()) if isinstance(cell, str) else cell for cell in block.column(name)]


class BlankIsZero(Changed):
    """Takes a missing score for a failure."""

    def cells(self, block: Block, name: str) -> Sequence[Any]:
        return [0 if cell is None else cell for cell in block.column(name)]


class ByPosition(Changed):
    """Names items by where they stand."""

    def cells(self, block: Block, name: str) -> Sequence[Any]:
        return [*block.lines] if name == "item" else block.column(name)


class Rounding(Changed):
    """Keeps two digits of a score."""

    def cells(self, block: Block, name: str) -> Sequence[Any]:
        return [round(cell, 2) if isinstance(cell, float) else cell for cell in block.column(name)]


class Careless(JsonLines):
    """Takes a whole first line for granted."""

    def blocks(self, origin: Origin) -> Iterator[Block]:
        json.loads(origin.opening.split("\n")[0])
        yield from super().blocks(origin)


class LastWins(JsonLines):
    """Keeps one of two rows for the same score."""

    def blocks(self, origin: Origin) -> Iterator[Block]:
        seen: set[Any] = set()
        for block in super().blocks(origin):
            keys = list(zip(block.column("system"), block.column("item"), strict=True))
            yield block.only([row for row, key in enumerate(keys) if key not in seen])
            seen.update(keys)


class Greedy(JsonLines):
    """Is as sure as the format whose file it is."""


class Touchy(JsonLines):
    """Judges by what may not be there."""

    def claim(self, origin: Origin) -> Certainty:
        return Certainty.LIKELY if origin.opening[0] == "{" else Certainty.NONE


class NamedAfterTheFile(JsonLines):
    """Makes more of a file's name than a name."""

    def facts(self, origin: Origin) -> Facts:
        return Facts(dataset=f"{origin.name}!")


class AsStored(JsonLines):
    """Reads what is stored and not what is meant."""

    def blocks(self, origin: Origin) -> Iterator[Block]:
        assert isinstance(origin, Memory)
        yield from super().blocks(replace(origin, content=origin.content.removeprefix(GZIP)))


class FromTheFirstLine(JsonLines):
    """Counts the lines of every block from 1."""

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            yield replace(block, lines=range(1, 1 + len(block)))


WRONG: dict[Callable[[Case], None], tuple[type[Format], type[BaseException]]] = {
    law_of_one_claim: (Greedy, ReadError),
    law_of_quiet_claims: (Touchy, IndexError),
    law_of_own_errors: (Careless, ValueError),
    law_of_blocks: (FromTheFirstLine, AssertionError),
    law_of_places: (OneLineDown, AssertionError),
    law_of_the_round_trip: (Rounding, AssertionError),
    law_of_names_as_written: (CollapsesBlanks, DataError),
    law_of_any_order: (ByPosition, AssertionError),
    law_of_gzip: (AsStored, ReadError),
    law_of_names: (NamedAfterTheFile, AssertionError),
    law_of_missing: (BlankIsZero, AssertionError),
    law_of_doubled_rows: (LastWins, pytest.fail.Exception),
}


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_wrong_format_is_caught(law: Callable[[Case], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Negative control: for every law there is a format that breaks it, and fails."""
    wrong, complaint = WRONG[law]
    monkeypatch.setattr(FORMATS, "_known", dict(FORMATS._known))
    FORMATS.add("wrong")(dataclass(frozen=True)(wrong))
    planted = replace(case_of("json_lines"), format_=wrong())
    with pytest.raises(complaint):
        law(planted)
