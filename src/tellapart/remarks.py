"""What reading scores left to say: an answer made of them repeats it as a note."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Remark:
    """A code with plain values, as a note has them, and the system that it is about; None where it is about all of them."""

    code: str
    values: Mapping[str, Any] = field(default_factory=dict)
    system: str | None = None


def concerning(remarks: Iterable[Remark], systems: Iterable[str]) -> tuple[Remark, ...]:
    """The remarks that are about one of these systems, or about all."""
    asked = {None, *systems}
    return tuple(remark for remark in remarks if remark.system in asked)
