"""Dataclasses of the `agreement` answer: inter-rater agreement, and agreement of a judge with people."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from tellapart.answers.answer import Answer
from tellapart.answers.parts import Note


@dataclass(frozen=True)
class AgreementValue:
    """One coefficient, by its spelling and its name, with the bounds of its interval by resampled units.

    `value` is None where it is undefined, the bounds where too many resamples leave it so.
    """

    coefficient: str
    label: str
    value: float | None
    low: float | None
    high: float | None
    resamples: int


@dataclass(frozen=True)
class JudgeBias:
    """How much higher a judge rates a system than the people on the same items do on average, with its interval over these items."""

    system: str
    bias: float
    low: float | None
    high: float | None
    items: int


@dataclass(frozen=True)
class JudgeAgreement:
    """A rater held against the reference raters on the units that both rated.

    `agreement` is that of the judge with one of these people at a time, `people` theirs with one another on the same units, both by
    the same coefficient.
    """

    rater: str
    units: int
    agreement: AgreementValue
    people: AgreementValue | None
    bias: tuple[JudgeBias, ...]
    correctable: tuple[str, str] | None = None
    """Two systems whose difference by this judge `compare` can correct by the reference raters."""


@dataclass(frozen=True)
class Agreement(Answer):
    """How far raters agree on units: on a system's output for an item, or on a vote between two systems on an item.

    `coefficients` are all that fit the ratings, the default first. With reference raters they are about those alone, and `judges` holds
    everybody else against them.
    """

    schema: ClassVar[str] = "tellapart/agreement/1"
    table: ClassVar[str] = "coefficients"

    subject: Literal["ratings", "votes"]
    units: int
    raters: int
    ratings: int
    missing_share: float
    """Of all pairs of a unit and a rater, those without a rating."""
    ratings_per_unit: float
    """The harmonic mean."""
    single_units: int
    """Units with one rating only, on which nobody can agree."""
    equal_share: float | None
    """Of all pairs of ratings of a unit, those that are equal."""
    level: float
    """Of the intervals."""
    coefficients: tuple[AgreementValue, ...]
    reference_raters: tuple[str, ...]
    judges: tuple[JudgeAgreement, ...]
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
