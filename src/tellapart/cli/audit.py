"""`tellapart audit`: check whether a published comparison is supported by its printed numbers."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import click

from tellapart.claims import Claim
from tellapart.cli import flags, output
from tellapart.cli.grouped_help import GroupedCommand
from tellapart.foundation.errors import UsageError
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option
from tellapart.verbs.audit import AuditQuestion, audit_claims

EXAMPLES = ("tellapart audit --a 0.706 --b 0.714 --items 1000", "tellapart audit claims.csv --alpha 0.01")
CLAIM = ("a", "b", "items")
"""Columns that every claim has."""
_NUMBER = re.compile(r"[+-]?[\d,]*\.?\d+%?", re.ASCII)


@dataclass(frozen=True)
class GivenClaims(Question):
    """How a table of claims is read."""

    column: tuple[str, ...] = setting(
        (),
        "The column for a role, if its name does not say so: items, a, b, … (the names of the flags above).",
        metavar="ROLE=NAME",
    )
    limit: tuple[str, ...] = flags.limit_setting()


ESSENTIAL = ("a", "b", "items", "discordance", "reported_p", "evidence", "output", "chart")
"""The flags that short help shows."""


@click.command("audit", cls=GroupedCommand, essential=ESSENTIAL, epilog=flags.format_examples(EXAMPLES))
@click.argument("words", nargs=-1, metavar="[FILE]")
@flags.question_flags(claim=Claim, table=GivenClaims, question=AuditQuestion, work=flags.WorkFlags)
@output.output_flags("audit", csv=True)
def command(
    words: tuple[str, ...],
    claim: Claim,
    table: GivenClaims,
    question: AuditQuestion,
    work: flags.WorkFlags,
    destination: output.Destination,
) -> int:
    """Could this claim have been supported?

    Give two accuracies and the number of items, or a FILE with one claim per row (columns name, items or n, a or baseline, b or ours
    and, if known, dataset, discordance, correlation, sd, se, ci, runs, systems, seeds, reported_p: the flags below are its columns,
    and what they say counts for rows that leave it blank). Numbers count as printed: 0.70 has two decimals.

    Verdicts: certain (significant whatever the overlap of the two systems, rounding included), likely (significant at the overlap
    of past pairs), unlikely (at that overlap p is above five times the level, and above the level in all of its band), not
    significant (at no overlap), impossible (no right answers on so many items print so), else undecidable.

    Exit codes: 0 answered, 2 usage, 3 some rows could not be used (they are named on stderr), 4 internal error.
    """
    file = _audit_file(words, claim)
    if (file is None) != claim.has_numbers:
        raise UsageError(
            f"give either a FILE with claims or {option('a')}, {option('b')} and {option('items')} of one claim"
        )
    columns = flags.key_values("column", table.column, "role=name", "items=N")
    asked = replace(question, columns=columns, limits=flags.limits_of(table.limit), **work.options)
    answer = audit_claims(claim, asked) if file is None else audit_claims(file, replace(asked, defaults=claim.printed))
    output.report_bad_rows(file, answer.bad_rows)
    output.show(answer, destination)
    return 3 if answer.bad_rows else 0


def _audit_file(words: tuple[str, ...], claim: Claim) -> str | None:
    """The file with claims, if one was given; numbers without their flags are answered with what to type."""
    numbers = [word for word in words if _NUMBER.fullmatch(word) and not Path(word).exists()]
    if not numbers and len(words) < 2:
        return next(iter(words), None)
    found = " ".join(words)
    if len(numbers) < len(words):
        raise UsageError(f"found {found}; audit takes one FILE with claims, and numbers only behind their flags")
    raise UsageError(f"found {found} without flags; say which number is which: {_audit_typed(numbers, claim)}")


def _audit_typed(numbers: list[str], claim: Claim) -> str:
    """The command that was most likely meant: the accuracies and then the items, unless the first alone is a whole number."""
    given = {name: getattr(claim, name) for name in CLAIM}
    lacking = [name for name in CLAIM if given[name] is None]
    whole = [number.isdigit() for number in numbers]
    if len(numbers) == len(CLAIM) and whole == [True, False, False]:
        numbers = [*numbers[1:], numbers[0]]
    known = dict(zip(lacking, numbers, strict=False)) if len(numbers) <= len(lacking) else {}
    flags = (f"--{name} {known.get(name, '…' if given[name] is None else given[name])}" for name in CLAIM)
    return f"tellapart audit {' '.join(flags)}"
