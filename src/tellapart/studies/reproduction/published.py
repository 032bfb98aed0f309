"""Published numbers as printed: one small CSV per table, with their sources in tables.json."""

import json
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from pathlib import Path
from typing import Any

from tellapart.foundation.errors import SpellingError, nearest
from tellapart.readers.storage.csv_rows import csv_rows
from tellapart.readers.storage.files import origins_at
from tellapart.readers.storage.origin import USUAL

FOLDER = Path(__file__).parent / "published"
OUTCOME = ("published", "means", "why")
"""Columns about the printed number; the others say what it is about."""
MARKS = "~≈+"
"""Marks before a number that do not change it."""


@dataclass(frozen=True)
class PublishedRow:
    """One printed number, or words in its place.

    Where words or a range are printed, `means` is the range of numbers that makes them true. `why` is the known reason
    for a number to be wrong, or to be shown only.
    """

    settings: dict[str, str]
    printed: str
    means: tuple[float, float] | None
    why: str

    @property
    def label(self) -> str:
        """The name of the number, as `quantity: name=value, …`."""
        told = ", ".join(f"{k}={v}" for k, v in self.settings.items() if k != "quantity" and v)
        return ": ".join(part for part in (self.settings.get("quantity", ""), told) if part)

    def number(self, name: str) -> float:
        return float(self.settings[name])

    @property
    def digits(self) -> Decimal | None:
        """The printed number with the digits it was printed with; None for words and ranges."""
        try:
            return Decimal(self.printed.lstrip(MARKS))
        except InvalidOperation:
            return None

    @property
    def published(self) -> float | str:
        return self.printed if self.digits is None else float(self.digits)

    @property
    def unit(self) -> float:
        """One in the last printed digit."""
        assert self.digits is not None
        return float(Decimal(1).scaleb(int(self.digits.as_tuple().exponent)))


@dataclass(frozen=True)
class PublishedTable:
    """Where a table stands, how often its numbers were simulated, and which real data are needed to recompute it."""

    name: str
    document: str
    number: str
    citation: str
    without: str
    where: str
    title: str
    replicates: int | None
    needs: tuple[str, ...]

    @property
    def words(self) -> str:
        return f"{self.citation}, {self.where}"


@lru_cache(maxsize=1)
def sources() -> dict[str, PublishedTable]:
    """Every published table by its name, in the order of the documents."""
    told: dict[str, Any] = json.loads((FOLDER / "tables.json").read_text(encoding="utf-8"))
    return {name: _published_table(name, entry, told["documents"]) for name, entry in told["tables"].items()}


def _published_table(name: str, entry: dict[str, Any], documents: dict[str, dict[str, str]]) -> PublishedTable:
    document = name.partition("-")[0]
    about = documents[document]
    return PublishedTable(
        name,
        document,
        about["number"],
        about["citation"],
        about.get("without", ""),
        entry["where"],
        entry["title"],
        entry.get("replicates"),
        tuple(entry.get("needs", ())),
    )


def selected(name: str | None) -> list[PublishedTable]:
    """The tables that a name means: one table, or all of a document by its name or number; all for None."""
    known = sources().values()
    found = [s for s in known if name in {None, s.name, s.document, s.number}]
    if not found:
        words = list(dict.fromkeys(word for s in known for word in (s.name, s.document)))
        raise SpellingError(f"no published table is called {name!r}; {nearest(str(name), words)}")
    return found


def rows(name: str) -> list[PublishedRow]:
    """The printed numbers of a table."""
    header, *lines = lines_of(FOLDER / f"{name}.csv")
    return [_published_row(dict(zip(header, line, strict=True))) for line in lines]


def lines_of(path: Path) -> list[list[str]]:
    """The rows of a table of commas, its header first, by the reader that reads all others."""
    (origin,) = origins_at([str(path)], USUAL)
    return [line for _, block in csv_rows(origin, ",", exact=True) for line in block]


def _published_row(cells: dict[str, str]) -> PublishedRow:
    low, colon, high = cells["means"].partition(":")
    settings = {key: value for key, value in cells.items() if key not in OUTCOME}
    return PublishedRow(settings, cells["published"], (float(low), float(high)) if colon else None, cells["why"])
