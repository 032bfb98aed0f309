"""Audit of the claims of published comparisons, from their reported numbers."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tellapart.answers.audit import Audit
from tellapart.answers.parts import BadRow, Note
from tellapart.claims.accuracies import shared_unit
from tellapart.claims.claim import COLUMNS, Claim
from tellapart.claims.reported import Unit
from tellapart.foundation.errors import DataError, TellapartError, UsageError
from tellapart.foundation.parallel_map import even_ranges, numbered_calls, parallel_map
from tellapart.foundation.progress import with_progress
from tellapart.foundation.surfaces import LINE_END, option
from tellapart.verbs import audit as audit_package
from tellapart.verbs.audit.accuracies import audit_accuracies
from tellapart.verbs.audit.audited_claim import audited_claim, summary, with_predictions
from tellapart.verbs.audit.findings import Findings, citation
from tellapart.verbs.audit.means import audit_means
from tellapart.verbs.audit.question import AuditQuestion
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import in_order, unused_columns, usable_rows

# The claims that are audited: given as objects, or read from a table with one claim per row.

if TYPE_CHECKING:
    from tellapart.readers.tables.reported import ReportedRow

Claims = Claim | Sequence[Claim] | str | os.PathLike[str]


@dataclass(frozen=True)
class ClaimRow:
    """A claim, and the line of its table; None where it was given as an object."""

    claim: Claim
    line: int | None = None


@dataclass(frozen=True)
class Given:
    """Claims to audit, rows that are none, columns that say nothing of a claim, and the file they came from."""

    claims: tuple[ClaimRow, ...]
    bad: tuple[BadRow, ...] = ()
    unused: tuple[str, ...] = ()
    file: str | None = None

    @property
    def source(self) -> str:
        """The data that a signature names."""
        if self.file is not None:
            return self.file
        return ", ".join(f"{name}={value}" for name, value in self.claims[0].claim.printed.items())


def given(claims: Claims, question: AuditQuestion) -> Given:
    """The claims in order; the question's defaults are for cells that rows of a table leave blank."""
    if isinstance(claims, str | os.PathLike):
        return _read(os.fspath(claims), question)
    for name, said in {"column": question.columns, "limit": question.limits}.items():
        if said:
            raise UsageError(f"{option(name, '…')} is for a table of claims, and none was given; leave it out")
    # Anything alone is refused below, by what it is: not by Python, for being no list.
    objects: tuple[Any, ...] = tuple(claims) if isinstance(claims, Iterable) else (claims,)
    if strange := [claim for claim in objects if not isinstance(claim, Claim)]:
        raise UsageError(
            f"found {strange[0]!r}; claims are Claim objects, such as Claim(a='0.70', b='0.72', items=1000)"
        )
    return Given(tuple(map(ClaimRow, objects)))


def _read(path: str, question: AuditQuestion) -> Given:
    def claim(row: "ReportedRow") -> ClaimRow:
        cells: dict[str, Any] = {**(question.defaults or {}), **row.cells}
        return ClaimRow(Claim(**cells), row.line)

    table = audit_package.read_reported(path, COLUMNS, question.columns or {}, question.limits or {})
    claims, bad = usable_rows(table, claim)
    return Given(claims, bad, table.unused, table.name)


AT_ONCE = 4
"""Claims of a table that one worker is given together."""
LISTED = 20
"""Rows named in the refusal of a table without a single claim."""


def audit_claims(claims: Claims, question: AuditQuestion) -> Audit:
    """Could this claim have been supported? Give claims, or the path of a table with one claim per row.

    Two accuracies and a number of items leave every table with these margins possible: the p-values of all of them are
    looked at, at the reported values and over what their rounding allows. Rows of a table that cannot be read are in
    `bad_rows` of the answer; a claim given as an object raises instead. `defaults` are for cells that rows leave blank,
    `columns` says which column plays a role where its name does not.

    >>> from tellapart import Claim, audit
    >>> audit(Claim(a="0.70", b="0.72", items=1000)).claims[0].verdict
    'undecidable'
    """
    if question.executor is None and not question.mixed:
        return _audited(claims, question)
    with audit_package.use_workers(question) as runner:
        return audit_package.add_worker_notes(_audited(claims, question), runner)


def _audited(claims: Claims, question: AuditQuestion) -> Audit:
    asked = given(claims, question)
    examined, bad = _examined(asked, question)
    if not examined:
        raise _nothing(asked, bad)
    named = question.priors.named_gain is not None
    found, left_out = (examined, None) if named else with_predictions(examined)
    return Audit(
        alpha=question.alpha,
        target_power=question.power,
        claims=tuple(map(audited_claim, found)),
        summary=summary(found, len(bad), left_out),
        bad_rows=bad,
        notes=(*unused_columns(asked.unused), *_citations(found)),
        signature=_signature(asked, found, question),
    )


audit = python_verb("audit", AuditQuestion, audit_claims)


def _examined(asked: Given, question: AuditQuestion) -> tuple[tuple[Findings, ...], tuple[BadRow, ...]]:
    """Every claim by itself; a row of a table that cannot be examined stops none of the others."""
    unit = shared_unit(one.claim for one in asked.claims)
    claims = asked.claims
    calls = numbered_calls(even_ranges(len(claims), -(-len(claims) // AT_ONCE))) if claims else []
    alone = question if question.executor is None else replace(question, executor=None)
    subject = tuple(claims), alone, unit
    pieces = parallel_map(_some, subject, calls, what="claims")
    results = pieces if len(claims) == 1 else with_progress("auditing claims", pieces, len(calls))
    found = [one for piece in results for one in piece]
    bad = [*asked.bad, *(one for one in found if isinstance(one, BadRow))]
    return tuple(one for one in found if isinstance(one, Findings)), in_order(bad)


def _some(
    subject: tuple[tuple[ClaimRow, ...], AuditQuestion, Unit | None], start: int, stop: int, _: int
) -> list[Findings | BadRow]:
    claims, question, unit = subject
    return [_one(claim, question, unit) for claim in claims[start:stop]]


def _one(given: ClaimRow, question: AuditQuestion, unit: Unit | None) -> Findings | BadRow:
    try:
        return replace(_findings(given.claim, question, unit), line=given.line)
    except TellapartError as error:
        # Whoever gave one object wants its error; whoever gave a table wants the other rows.
        if given.line is None:
            raise
        return BadRow(given.line, error.message)


def _findings(claim: Claim, question: AuditQuestion, unit: Unit | None) -> Findings:
    return audit_means(claim, question) if claim.of_means else audit_accuracies(claim, question, unit)


def _nothing(asked: Given, bad: tuple[BadRow, ...]) -> TellapartError:
    if not bad:
        return UsageError("there are no claims; give at least one")
    rows = [f"{asked.file}, line {row.line}: {row.problem}" for row in bad[:LISTED]]
    if len(bad) > LISTED:
        rows.append(f"and {len(bad) - LISTED} more")
    told = f"none of the {len(bad)} rows of {asked.file} can be audited{_roleless(asked.unused)}"
    return DataError(LINE_END.join([told, *rows]))


def _roleless(columns: tuple[str, ...]) -> str:
    """Where nothing could be used, columns under other names are why."""
    if not columns:
        return ""
    names = ", ".join(map(repr, columns[:LISTED]))
    roles = " ".join(option("column", f"{role}=…") for role in ("a", "b"))
    return f"; the meaning of {names} is unknown: name the columns with {roles}"


def _citations(found: tuple[Findings, ...]) -> tuple[Note, ...]:
    """Every piece of evidence that spoke, once."""
    spoke = {evidence.name: evidence for one in found for evidence in one.evidence}
    return tuple(map(citation, spoke.values()))


def _signature(asked: Given, found: tuple[Findings, ...], question: AuditQuestion) -> str:
    tests = dict.fromkeys(one.test for one in found)
    return sign(
        "audit",
        asked.source + (f" ({len(found)} claims)" if len(found) > 1 else ""),
        test=" and ".join(tests),
        alpha=question.alpha,
        power=question.power,
        evidence=question.priors.named,
    )
