"""Rows of past results that evidence is fitted to: two accuracies, and how often both systems agreed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tellapart.claims.claim import column, columns_of
from tellapart.claims.reported import FEW_POINTS, Reported, Text
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.populations.evidence.evidence import possible_discordance

TOLERANCE = 0.005
"""Rounding that is forgiven when two numbers that say the same are checked against each other."""


@dataclass(frozen=True, kw_only=True)
class PrintedResult:
    """A row of past results as it was printed."""

    baseline: Text | None = column("Accuracy before.", "accuracy_a", "a", "previous_best")
    new: Text | None = column("Accuracy after.", "accuracy_b", "b", "model_accuracy")
    gap: Text | None = column("How much that is more.", "gain", "effect", "difference", "delta")
    agreement: Text | None = column("Share of items both got right or both wrong.", "overlap")
    discordance: Text | None = column("One minus that.", "disagreement")
    items: Text | None = column("On how many items; rows count alike.", "n", "size", "test_size")

    def number(self, name: str) -> Reported | None:
        printed = getattr(self, name)
        return None if printed is None else Reported.read(name, printed)


COLUMNS = columns_of(PrintedResult)


@dataclass(frozen=True)
class PastResult:
    """Two accuracies, and the share of items on which both were right or both wrong where it is known."""

    baseline: float
    new: float
    agreement: float | None


@dataclass(frozen=True)
class Scales:
    """The divisors of a table's numbers: 100 where they are percentages."""

    accuracy: int
    overlap: int

    @classmethod
    def of(cls, table: str, rows: Iterable[PrintedResult]) -> "Scales":
        """Told from all rows together: a single 0.9 can be a fraction or a percentage."""
        rows = tuple(rows)
        scales = cls(_percent_scale(rows, ("baseline", "new")), _percent_scale(rows, ("agreement", "discordance")))
        _check_gaps(table, rows, scales)
        return scales


def _percent_scale(rows: tuple[PrintedResult, ...], names: tuple[str, ...]) -> int:
    """100 where a column holds numbers above 1, which are then percentages all of them."""
    return 100 if any(x.value > 1 for x in _printed_numbers(rows, names)) else 1


def _printed_numbers(rows: tuple[PrintedResult, ...], names: tuple[str, ...]) -> Iterator[Reported]:
    """The cells of some columns that hold numbers."""
    for row in rows:
        for name in names:
            try:
                value = row.number(name)
            except UsageError:
                continue
            if value is not None:
                yield value


def _check_gaps(table: str, rows: tuple[PrintedResult, ...], scales: Scales) -> None:
    """Gaps of a few hundredths beside percentages are ambiguous: fractions more likely than points."""
    gaps = [gap for gap in _printed_numbers(rows, ("gap",)) if gap.value != 0]
    if scales.accuracy == 1 or not gaps or any(gap.percent or abs(gap.value) >= FEW_POINTS for gap in gaps):
        return
    raise ReadError(
        f"{table}: all gaps are below {float(FEW_POINTS):g} beside accuracies in percent; print both the same way, or gaps with a percent sign"
    )


def past_result(row: PrintedResult, scales: Scales) -> PastResult:
    """The values of a row, or an error that says why they are impossible."""
    baseline = _reported_share(row, "baseline", scales.accuracy)
    if baseline is None:
        raise ReadError("baseline (or accuracy_a) is missing")
    new, gap = _reported_share(row, "new", scales.accuracy), _printed_fraction(row, "gap", scales.accuracy)
    if new is None and gap is None:
        raise ReadError("give new (or accuracy_b), or gap")
    _check_same("new", new, "baseline + gap", None if gap is None else baseline + gap)
    new = baseline + gap if new is None and gap is not None else new
    if new is None or not 0.0 <= new <= 1.0:
        raise ReadError(f"baseline {baseline:g} and gap {gap:g} give an accuracy outside 0 to 1")
    return PastResult(baseline, new, _possible_agreement(baseline, new, _reported_agreement(row, scales)))


def _reported_agreement(row: PrintedResult, scales: Scales) -> float | None:
    agreement, discordance = (_reported_share(row, name, scales.overlap) for name in ("agreement", "discordance"))
    same = None if discordance is None else 1.0 - discordance
    _check_same("agreement", agreement, "1 − discordance", same)
    return same if agreement is None else agreement


def _check_same(name: str, value: float | None, other: str, again: float | None) -> None:
    if value is not None and again is not None and abs(value - again) > TOLERANCE:
        raise ReadError(f"{name} is {value:.4g}, but {other} is {again:.4g}; give one of them")


def _possible_agreement(a: float, b: float, agreement: float | None) -> float | None:
    least, most = possible_discordance(a, b)
    if agreement is not None and not least - TOLERANCE <= 1.0 - agreement <= most + TOLERANCE:
        raise ReadError(
            f"agreement {agreement:g} cannot be: accuracies {a:g} and {b:g} leave it between {1 - most:.4g} and {1 - least:.4g}"
        )
    return agreement


def _reported_share(row: PrintedResult, name: str, scale: int) -> float | None:
    printed, value = row.number(name), _printed_fraction(row, name, scale)
    if printed is None or value is None:
        return None
    # 0.9 in a column of percentages is a fraction that strayed there more likely than 0.9 %.
    strayed = scale == 100 and 0.0 < value <= 0.01 and not printed.percent
    if strayed or not 0.0 <= value <= 1.0:
        unit = "a percentage" if scale == 100 else "a fraction"
        raise ReadError(f"{name} is {printed.text!r}; it should be {unit} like the rest of the table")
    return value


def _printed_fraction(row: PrintedResult, name: str, scale: int) -> float | None:
    value = row.number(name)
    return None if value is None else float(value.value) / (100 if value.percent else scale)
