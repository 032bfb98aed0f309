"""Other people's numbers: what a published comparison can support, from what was printed."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tellapart.errors import DataError, TellapartError, UsageError
from tellapart.readers.reported import read_reported
from tellapart.results.audit import Audit, AuditedClaim, BadRow
from tellapart.significance.mcnemar import McNemar
from tellapart.significance.procedure import Procedure
from tellapart.verbs import audit_phrases
from tellapart.verbs.audit_accuracy import audit_accuracies
from tellapart.verbs.audit_claim import ROLES, Claim, claim_from, unit_readings
from tellapart.verbs.audit_findings import Findings, Question
from tellapart.verbs.audit_means import audit_means
from tellapart.verbs.audit_numbers import Text, Unit
from tellapart.verbs.audit_selection import among_many, best_seed
from tellapart.verbs.audit_summary import summary
from tellapart.verbs.beliefs import Beliefs, Named
from tellapart.verbs.signature import sign


def audit(  # noqa: PLR0913  (a verb has as many words as its question)
    claims: Claim | Sequence[Claim] | str | os.PathLike[str],
    *,
    evidence: Named = None,
    test: McNemar | str = "mcnemar(variant=mid_p)",
    alpha: float = 0.05,
    power: float = 0.8,
    defaults: Mapping[str, Text] | None = None,
) -> Audit:
    """Could this claim have been supported? Give claims, or the path of a table with one claim a row.

    Two accuracies and a number of items leave every table with these margins possible: the p-values of all of them are
    looked at, at the reported values and over what their rounding allows. Rows of a table that cannot be read are in
    `bad_rows` of the answer; a claim given as an object raises instead. `defaults` are for cells that rows leave blank.

    >>> from tellapart import Claim, audit
    >>> audit(Claim(a="0.70", b="0.72", items=1000)).claims[0].verdict
    'undecidable'
    """
    question = Question(
        _checked_test(test), _checked_alpha(alpha), _checked_power(power, alpha), Beliefs.of(evidence)
    )
    if isinstance(claims, str | os.PathLike):
        return _answer(_read(os.fspath(claims), defaults or {}), question)
    given: tuple[Any, ...] = (claims,) if isinstance(claims, Claim) else tuple(claims)
    if strange := [claim for claim in given if not isinstance(claim, Claim)]:
        raise UsageError(
            f"found {strange[0]!r}; claims are Claim objects, such as Claim(a='0.70', b='0.72', items=1000)"
        )
    return _answer(_Given(given), question)


@dataclass(frozen=True)
class _Given:
    """Claims to audit, rows that are none, and the file they came from."""

    claims: tuple[Claim, ...]
    bad: tuple[BadRow, ...] = ()
    notes: tuple[str, ...] = ()
    name: str | None = None


def _read(path: str, defaults: Mapping[str, Text]) -> _Given:
    table = read_reported(path, ROLES)
    claims: list[Claim] = []
    bad = [BadRow(line, problem) for line, problem in table.ragged]
    for row in table.rows:
        try:
            claims.append(claim_from({**defaults, **row.cells}, row.line))
        except TellapartError as error:
            bad.append(BadRow(row.line, str(error)))
    ignored = (f"columns not used: {', '.join(table.unused)}",) if table.unused else ()
    return _Given(tuple(claims), tuple(bad), ignored, table.name)


def _answer(given: _Given, question: Question) -> Audit:
    company = _company(given.claims)
    found: list[Findings] = []
    bad = list(given.bad)
    for claim in given.claims:
        try:
            found.append(_examined(claim, question, company))
        except TellapartError as error:
            if claim.line is None:
                raise
            bad.append(BadRow(claim.line, str(error)))
    bad.sort(key=lambda row: row.line)
    if not found:
        raise _nothing(given.name, bad)
    told, claims = summary(found, len(bad)), tuple(map(_audited, found))
    return Audit(
        question.alpha, question.power, claims, told, tuple(bad), audit_phrases.summary_sentence(claims, told),
        (*given.notes, *_citations(found)), _signature(given, question, claims),
    )  # fmt: skip


def _citations(found: list[Findings]) -> tuple[str, ...]:
    said = (audit_phrases.citation(evidence) for f in found for evidence in audit_phrases.evidence_used(f))
    return tuple(dict.fromkeys(said))


def _nothing(name: str | None, bad: list[BadRow]) -> TellapartError:
    if not bad:
        return UsageError("no claims were given")
    rows = "\n".join(f"{name}, line {row.line}: {row.problem}" for row in bad)
    return DataError(f"none of the {len(bad)} rows of {name} can be audited\n{rows}")


def _company(claims: tuple[Claim, ...]) -> Unit | None:
    """The unit of the claims whose unit is certain, if they agree on it."""
    units: set[Unit] = set()
    for claim in claims:
        try:
            possible = () if claim.of_means else unit_readings(claim)
        except TellapartError:
            continue
        if len(possible) == 1:
            units.add(possible[0])
    return units.pop() if len(units) == 1 else None


def _examined(claim: Claim, question: Question, company: Unit | None) -> Findings:
    found = audit_means(claim, question) if claim.of_means else audit_accuracies(claim, question, company)
    return replace(found, among_many=among_many(found), best_seed=best_seed(found))


def _audited(found: Findings) -> AuditedClaim:
    p, expected = found.pvalues, found.expectation
    low, middle, high = (None, None, None) if p is None else (p.low, p.expected, p.high)
    lowest, highest = (None, None) if p is None else (p.low_rounded, p.high_rounded)
    return AuditedClaim(
        name=found.claim.name, items=found.items, a=found.a, b=found.b, effect=found.effect,
        p_low=low, p_expected=middle, p_high=high, p_low_rounded=lowest, p_high_rounded=highest,
        detectable=found.detectable, power=expected.power, type_s=expected.type_s, type_m=expected.type_m,
        verdict=found.verdict, sentence=audit_phrases.sentence(found), notes=audit_phrases.notes(found),
        kind="mean" if found.of_means else "accuracy",
        test="paired_t" if found.of_means else str(found.question.test),
        plausible_effect=expected.effect, plausible_source=expected.source, supposed=found.supposed,
        line=found.claim.line, dataset=found.claim.dataset, among_many=found.among_many, best_seed=found.best_seed,
    )  # fmt: skip


def _checked_test(test: McNemar | str) -> McNemar:
    parsed = Procedure.parse(test)
    if (
        not isinstance(parsed, McNemar)
        or parsed.variant == "unconditional"
        or parsed.alternative != "two-sided"
    ):
        raise UsageError(
            f"an audit cannot use {parsed}; it looks at every table with the reported margins by mcnemar, two-sided, with variant "
            "mid_p, exact, asymptotic or corrected"
        )
    return parsed


def _checked_alpha(alpha: float) -> float:
    if not 0.0 < alpha < 0.5:
        raise UsageError(f"alpha is {alpha:g}; it should lie between 0 and 0.5, usually 0.05")
    return alpha


def _checked_power(power: float, alpha: float) -> float:
    if not alpha < power < 1.0:
        raise UsageError(f"power is {power:g}; it should lie between alpha ({alpha:g}) and 1, usually 0.8")
    return power


def _signature(given: _Given, question: Question, claims: tuple[AuditedClaim, ...]) -> str:
    data = given.name or ", ".join(f"{name}={value}" for name, value in given.claims[0].printed.items())
    tests = dict.fromkeys(claim.test for claim in claims)
    return sign(
        "audit",
        data + (f" ({len(claims)} claims)" if len(claims) > 1 else ""),
        test=" and ".join(tests),
        alpha=question.alpha,
        power=question.power,
        evidence=question.beliefs.named,
    )
