"""Text files: one segment per line, as sacrebleu reads them."""

from dataclasses import dataclass

from tellapart.errors import ReadError
from tellapart.readers.detect import UNREADABLE
from tellapart.readers.origin import Origin

BOM = "\ufeff"


@dataclass(frozen=True)
class Segments:
    """The lines of a text file, without the blanks at their ends."""

    name: str
    label: str
    lines: tuple[str, ...]

    @classmethod
    def of(cls, origin: Origin) -> "Segments":
        """Split at line feeds alone, a byte-order mark kept: other breaks inside a segment are part of it."""
        with origin.binary() as file:
            content = file.read()
        _refuse_binary(origin, content)
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start) + 1
            raise ReadError(
                f"{origin.name}, line {line}: found byte 0x{content[error.start]:02x}, which is not UTF-8 text. Save it as UTF-8"
            ) from None
        if not text:
            raise ReadError(f"{origin.name}: the file is empty; wanted one segment per line")
        lines = text.removesuffix("\n").split("\n")
        return cls(origin.name, origin.label, tuple(line.rstrip() for line in lines))

    @property
    def marked(self) -> bool:
        """Whether it begins with a byte-order mark, which is then part of its first segment."""
        return self.lines[0].startswith(BOM)

    @property
    def empty(self) -> int:
        """How many lines hold nothing."""
        return sum(not line for line in self.lines)

    @property
    def tokenised(self) -> int:
        """How many lines end as those of tokenised text do: with a blank before the full stop."""
        return sum(line.endswith(" .") for line in self.lines)


def refuse_other_length(one: Segments, other: Segments) -> None:
    if len(one.lines) != len(other.lines):
        raise ReadError(
            f"{one.name} has {len(one.lines)} lines and {other.name} has {len(other.lines)}; wanted as many in both, one per "
            "segment. Check that no line is missing"
        )


def _refuse_binary(origin: Origin, content: bytes) -> None:
    kind = next((kind for mark, kind in UNREADABLE.items() if content.startswith(mark)), None)
    if kind is None and b"\0" in content:
        kind = "binary content (NUL bytes)"
    if kind is not None:
        raise ReadError(f"{origin.name}: found {kind}; wanted UTF-8 text with one segment per line")
