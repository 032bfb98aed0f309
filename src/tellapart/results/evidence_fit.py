"""The answer of `evidence fit`: evidence of one's own, to be given back to `plan` and `audit`."""

from dataclasses import dataclass
from typing import ClassVar

from tellapart.results.answer import Answer
from tellapart.results.bad_row import BadRow
from tellapart.results.note import Note


@dataclass(frozen=True)
class Fit:
    """A line through past results: `evidence` is its spelling, `prediction_error` that of each result left out.

    `option` is what takes the spelling, in the words of the door where it is read.
    """

    evidence: str
    response: str
    coefficients: dict[str, float]
    r_squared: float
    residual_sd: float
    prediction_error: float
    observations: int
    accuracy_low: float
    accuracy_high: float
    option: str = ""


@dataclass(frozen=True)
class EvidenceFit(Answer):
    """Overlap from accuracy and gap, and gain from baseline, as far as the table tells."""

    schema: ClassVar[str] = "tellapart/evidence_fit/2"

    overlap: Fit | None
    gain: Fit | None
    bad_rows: tuple[BadRow, ...]
    notes: tuple[Note, ...]
    signature: str
    headline: str = ""
    sentence: str = ""
