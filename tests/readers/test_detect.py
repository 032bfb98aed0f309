"""A new format is one class that registers itself."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from tellapart.data.scores import Scores
from tellapart.readers import FORMATS, Certainty, Format, read
from tellapart.readers.detect import _first_lines, detect
from tellapart.readers.storage.origin import Memory, Origin
from tellapart.readers.tables.table import Block

File = Callable[..., str]
Same = Callable[[Scores, Scores], bool]


@pytest.mark.parametrize(
    ("content", "name", "format_"),
    [
        (b"a,b\n1,2\n", "s.csv", "delimited"),
        (b'{"a": 1}\n', "s.csv", "json_lines"),
        (b'\xef\xbb\xbf {"a": 1}\n', "s", "json_lines"),
        (b"oops\n", "s.jsonl", "json_lines"),
        (b'\xef\xbb\xbf[ {"a": 1}]', "s.csv", "json_array"),
        (b" [\n]\n", "s.json", "json_array"),
        (b"[id],[score]\n1,2\n", "s.csv", "json_lines"),
        (b"PAR1...", "s.csv", "parquet"),
    ],
)
def test_content_before_name(content: bytes, name: str, format_: str) -> None:
    """The format is judged by what the file holds, and by its name only where that is not enough."""
    assert str(detect(Memory(name, "s", content))) == format_


def test_new_format(file: File, monkeypatch: pytest.MonkeyPatch, long: Scores, same: Same) -> None:
    """A registered format that is sure of a file reads it, and its roles, places and errors come for free."""
    monkeypatch.setattr(FORMATS, "_known", dict(FORMATS._known))

    @FORMATS.add("arrows")
    @dataclass(frozen=True)
    class Arrows(Format):
        label = "arrows"

        def example(self) -> bytes:
            return b"# arrows\nold->q1->0.1\nnew->q1->0.3\n"

        def claim(self, origin: Origin) -> Certainty:
            return Certainty.CERTAIN if origin.opening.startswith("# arrows") else Certainty.NONE

        def blocks(self, origin: Origin) -> Iterator[Block]:
            with origin.text() as text:
                rows = [line.strip().split("->") for line in text if not line.startswith("#")]
            columns = dict(zip(("system", "item", "score"), zip(*rows, strict=True), strict=True))
            yield Block(tuple(columns), range(2, 2 + len(rows)), columns.__getitem__)

    text = "# arrows\nold->q1->0.1\nold->q2->0.4\nnew->q1->0.3\nnew->q2->0.5\n"
    assert same(read(file(text)), long)


def test_every_declared_first_line_is_looked_for() -> None:
    """They are read from the source of the formats, however a line is wrapped there, so that not all of them are imported."""
    declared = {name for name in FORMATS if FORMATS[name].first_line}
    assert declared == set(_first_lines()) & set(FORMATS)
    assert declared
