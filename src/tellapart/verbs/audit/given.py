"""The claims that are audited: given as objects, or read from a table with one claim per row."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tellapart.claims.claim import COLUMNS, Claim
from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.results.bad_row import BadRow
from tellapart.verbs.audit.question import AuditQuestion
from tellapart.verbs.reported_rows import usable_rows

if TYPE_CHECKING:
    from tellapart.readers.reported import ReportedRow

Claims = Claim | Sequence[Claim] | str | os.PathLike[str]


@dataclass(frozen=True)
class GivenClaim:
    """A claim, and the line of its table; None where it was given as an object."""

    claim: Claim
    line: int | None = None


@dataclass(frozen=True)
class Given:
    """Claims to audit, rows that are none, columns that say nothing of a claim, and the file they came from."""

    claims: tuple[GivenClaim, ...]
    bad: tuple[BadRow, ...] = ()
    unused: tuple[str, ...] = ()
    file: str | None = None

    @property
    def source(self) -> str:
        """What a signature names as the data."""
        if self.file is not None:
            return self.file
        return ", ".join(f"{name}={value}" for name, value in self.claims[0].claim.printed.items())


def given(claims: Claims, question: AuditQuestion) -> Given:
    """The claims in order; the question's defaults are for cells that rows of a table leave blank."""
    if isinstance(claims, str | os.PathLike):
        return _read(os.fspath(claims), question)
    for name, said in {"column": question.columns, "limit": question.limits}.items():
        if said:
            raise UsageError(
                f"{option(name, '…')} is for a table of claims, and here claims are given without one"
            )
    # Anything alone is refused below, by what it is: not by Python, for being no list.
    objects: tuple[Any, ...] = tuple(claims) if isinstance(claims, Iterable) else (claims,)
    if strange := [claim for claim in objects if not isinstance(claim, Claim)]:
        raise UsageError(
            f"found {strange[0]!r}; claims are Claim objects, such as Claim(a='0.70', b='0.72', items=1000)"
        )
    return Given(tuple(map(GivenClaim, objects)))


def _read(path: str, question: AuditQuestion) -> Given:
    from tellapart.readers.reported import read_reported  # noqa: PLC0415  (claims given as objects need no reader)

    def claim(row: "ReportedRow") -> GivenClaim:
        cells: dict[str, Any] = {**(question.defaults or {}), **row.cells}
        return GivenClaim(Claim(**cells), row.line)

    table = read_reported(path, COLUMNS, question.columns or {}, question.limits or {})
    claims, bad = usable_rows(table, claim)
    return Given(claims, bad, table.unused, table.name)
