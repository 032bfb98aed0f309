"""Dataclasses of the `audit` answer: published comparisons, checked from their printed numbers alone."""

from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.parts import BadRow, Note

ClaimKind = Literal["accuracy", "mean"]
ClaimVerdict = Literal["certain", "likely", "undecidable", "unlikely", "not significant", "impossible"]
"""Significant whatever the overlap, or at the usual one; not told; far from it at the usual one; at no overlap; no result fits."""
ClaimSize = Literal["below", "borderline", "above"]
"""A claim beside what its items detect: less, up to half as much again, or more."""
SuppositionBasis = Literal["reported", "not needed", "evidence", "nothing known"]
"""Where a supposed overlap comes from: the claim itself, past results, or nowhere, as the claim can do without or nothing is known."""
ExpectationBasis = Literal["given", "evidence", "other claims"]
"""The source of a plausible effect: the claim itself, past results, or the other claims of a table."""

_OPTIONAL: dict[str, Any] = {"optional": True}


@dataclass(frozen=True)
class Supposed:
    """The assumed overlap: a discordance or correlation, its band, and its source.

    `source` is the spelling of the evidence where there is one, else the basis. `among` says among which systems that is usual,
    or only expected where it was not `measured`.
    """

    kind: str
    expected: float
    low: float
    high: float
    basis: SuppositionBasis
    source: str
    among: str
    measured: bool = True


@dataclass(frozen=True)
class AmongMany:
    """The claim at its share of the level among several comparisons (Bonferroni, which is Holm's first step).

    `smallest` is the smallest observed difference that is significant at that level and the supposed overlap.
    """

    systems: int
    comparisons: int
    alpha: float
    verdict: ClaimVerdict
    smallest: float | None
    detectable: float | None


@dataclass(frozen=True)
class BestSeed:
    """The expected gain from reporting the best of several runs, in standard deviations between seeds.

    `enough` is the standard deviation at which that alone explains the difference. Where the standard deviation is known,
    `inflation` is what it adds and `left` what remains of the size of the difference, in the unit of the effect.
    """

    seeds: int
    deviations: float
    enough: float | None
    inflation: float | None
    left: float | None


@dataclass(frozen=True)
class AuditedClaim:
    """One claim: `effect` is B − A; p-values are None where no table fits the reported numbers.

    `p_low` to `p_high` is the range over every overlap at the reported values, the rounded ones over what rounding allows
    besides, `p_expected` at the overlap that was supposed. `power`, `type_s` and `type_m` are for `plausible_effect`,
    never for the claimed one. `ratio` is the size of the claimed effect over `detectable`, null where that is null or 0, and
    `size` says on which side of it the claim lies, null where the reported interval is of something else. `impossible` says why no table fits; `runs` over how many runs of every
    item the accuracies are means.
    """

    name: str
    items: int
    a: float
    b: float
    printed_a: str
    printed_b: str
    effect: float
    p_low: float | None
    p_expected: float | None
    p_high: float | None
    p_low_rounded: float | None
    p_high_rounded: float | None
    detectable: float | None
    ratio: float | None
    size: ClaimSize | None
    power: float | None
    type_s: float | None
    type_m: float | None
    verdict: ClaimVerdict
    notes: tuple[Note, ...]
    kind: ClaimKind
    test: str
    test_label: str
    plausible_effect: float | None
    plausible_basis: ExpectationBasis | None
    plausible_source: str | None
    supposed: Supposed
    sentence: str = ""
    runs: int = 1
    impossible: Note | None = field(default=None, metadata=_OPTIONAL)
    line: int | None = field(default=None, metadata=_OPTIONAL)
    dataset: str | None = field(default=None, metadata=_OPTIONAL)
    among_many: AmongMany | None = field(default=None, metadata=_OPTIONAL)
    best_seed: BestSeed | None = field(default=None, metadata=_OPTIONAL)


@dataclass(frozen=True)
class LeaveOneOut:
    """Each claim's gain predicted from the other claims of the table; `prediction_error` is the root mean square.

    Where the others predict a gain no worse than their mean does, that is what is `taken` for a plausible effect.
    """

    claims: int
    taken: bool
    r_squared: float
    prediction_error: float


@dataclass(frozen=True)
class AuditSummary:
    """A table of claims in numbers: how many there are of each verdict and size.

    `powered` counts power at or above the target for the plausible effect, `significant` p ≤ alpha at the supposed overlap.
    """

    claims: int
    bad_rows: int
    certain: int
    likely: int
    undecidable: int
    unlikely: int
    not_significant: int
    impossible: int
    below: int
    borderline: int
    above: int
    powered: int
    significant: int
    powered_and_significant: int
    leave_one_out: LeaveOneOut | None


@dataclass(frozen=True)
class Audit(Answer):
    """Published comparisons, checked from their printed numbers alone."""

    schema: ClassVar[str] = "tellapart/audit/3"
    table: ClassVar[str] = "claims"

    alpha: float
    target_power: float
    claims: tuple[AuditedClaim, ...]
    summary: AuditSummary
    bad_rows: tuple[BadRow, ...]
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
