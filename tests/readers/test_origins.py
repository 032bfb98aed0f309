"""A file, several, a folder, a member of an archive: what a format may be asked about, and what lies beside."""

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import ReadError
from tellapart.readers import FORMATS, Certainty, Format, read
from tellapart.readers.storage.files import File, FileList, Folder, locate
from tellapart.readers.storage.origin import Memory, Origin
from tellapart.readers.tables.json_rows import JsonArray
from tellapart.readers.tables.table import Block, Facts

File_ = Callable[..., str]
Same = Callable[[Scores, Scores], bool]
Refusal = Callable[..., str]

RUN = {
    "run/log.json": '{"task": "sums"}',
    "run/new.txt": "q1 0.3\nq2 0.5\n",
    "run/old.txt": "q1 0.1\nq2 0.4\n",
}


@pytest.fixture
def suite(monkeypatch: pytest.MonkeyPatch) -> None:
    """A format of many files: the systems are children with a log among them, or beside them."""
    monkeypatch.setattr(FORMATS, "_known", dict(FORMATS._known))

    @FORMATS.add("suite")
    @dataclass(frozen=True)
    class Suite(Format):
        label = "suites"

        def example(self) -> bytes:
            return b""

        def claim(self, origin: Origin) -> Certainty:
            return Certainty.CERTAIN if self._texts(origin) else Certainty.NONE

        def facts(self, origin: Origin) -> Facts:
            first = origin.children()[0]
            near = [*origin.children(), *first.neighbours()]
            with next(log for log in near if log.name.endswith("log.json")).text() as text:
                return Facts(dataset=json.load(text)["task"])

        def blocks(self, origin: Origin) -> Iterator[Block]:
            for child in self._texts(origin):
                with child.text() as text:
                    names, scores = zip(*(line.split() for line in text), strict=True)
                columns = {"who": [child.label] * len(names), "what": names, "points": scores}
                roles = {"system": "who", "item": "what", "score": "points"}
                yield Block(tuple(columns), range(1, 1 + len(names)), columns.__getitem__, roles)

        def _texts(self, origin: Origin) -> list[Origin]:
            # From the last to the first: old before new.
            return [child for child in reversed(origin.children()) if child.name.endswith(".txt")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in RUN.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / "run"


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as file:
        for name, text in RUN.items():
            file.writestr(name, text)
    return tmp_path / "run.zip"


@pytest.fixture
def sums(long: Scores) -> Scores:
    return Scores(long.systems, tuple(("sums", name) for _, name in long.items), long.values)


@pytest.mark.usefixtures("suite")
def test_folder(folder: Path, sums: Scores, same: Same) -> None:
    """A folder is read as a whole by a format that knows it, facts and all."""
    assert same(read(folder), sums)


@pytest.mark.usefixtures("suite")
def test_archive(archive: Path, sums: Scores, same: Same) -> None:
    """Members of a zip archive are read where they are."""
    assert same(read(archive), sums)


@pytest.mark.usefixtures("suite")
def test_several_files_as_one(folder: Path, sums: Scores, same: Same) -> None:
    """Files that were named together may be one source, with neighbours that were not named."""
    assert same(read([folder / "new.txt", folder / "old.txt"]), sums)


def test_neighbours(folder: Path, archive: Path) -> None:
    """What lies beside a file or a member, by name and without itself; bytes in memory lie nowhere."""
    (folder / "deeper").mkdir()
    os.mkfifo(folder / "pipe")
    beside = locate(str(folder / "old.txt"), "old").neighbours()
    assert [Path(origin.name).name for origin in beside] == ["deeper", "log.json", "new.txt"]
    assert [type(origin) for origin in beside] == [Folder, File, File]
    log, *others = locate(str(archive), "run").children()
    assert log.neighbours() == others
    assert [origin.label for origin in others] == ["new", "old"]
    assert Memory("x", "x", b"").neighbours() == Memory("x", "x", b"").children() == ()


def test_neighbours_of_a_bare_name(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path without a folder lies in the current one."""
    monkeypatch.chdir(folder)
    assert [origin.label for origin in locate("old.txt", "old").neighbours()] == ["log", "new"]


def test_plain_files_have_no_children(folder: Path) -> None:
    """A file that is no archive holds nothing but itself."""
    assert locate(str(folder / "old.txt"), "old").children() == ()


def test_what_has_no_bytes(folder: Path, refusal: Refusal) -> None:
    """A folder, or several files at once, cannot be opened, and no format takes them for an empty file."""
    assert "found no items: 3 files, not logs of a known program; name a table of scores itself" in refusal(folder)
    with pytest.raises(ReadError, match="several files, not one"):
        FileList("a, b", "files", ()).binary()


def test_damaged_archive(archive: Path) -> None:
    """An archive that is cut is refused by name."""
    archive.write_bytes(archive.read_bytes()[:60])
    with pytest.raises(ReadError, match=r"run\.zip: a zip archive that cannot be read"):
        locate(str(archive), "run").children()


def test_member_of_an_archive_that_went_bad(archive: Path) -> None:
    """A member whose bytes do not fit their checksum is refused by its name."""
    member = locate(str(archive), "run").children()[1]
    archive.write_bytes(archive.read_bytes().replace(b"q1 0.3", b"q1 0.9"))
    with pytest.raises(ReadError, match=r"run\.zip:run/new\.txt: a zip archive that cannot be read \(Bad CRC"):
        _ = member.head


def test_two_formats_that_are_equally_sure(file: File_, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two equally sure formats none is taken by chance."""
    monkeypatch.setattr(FORMATS, "_known", dict(FORMATS._known))

    @FORMATS.add("again")
    @dataclass(frozen=True)
    class Again(JsonArray):
        pass

    message = refusal(file('[{"system": "a", "item": 1, "score": 1}]', "s.json"))
    assert "s.json: fits the formats 'json_array' and 'again' equally well" in message
