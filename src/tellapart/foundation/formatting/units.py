"""Units of scores: as they were given, or right-or-wrong scores in percent with differences in points."""

from dataclasses import dataclass

from tellapart.foundation.formatting import numbers
from tellapart.foundation.formatting.probabilities import percent


@dataclass(frozen=True)
class Unit:
    """How many units of print one unit of a score is, and what stands behind a score and behind a difference."""

    factor: float
    of_scores: str
    of_differences: str

    @property
    def heading(self) -> str:
        """Behind the title of a column of differences."""
        return f",{self.of_differences}" if self.of_differences else ""

    @property
    def score_heading(self) -> str:
        """Behind the title of a column of scores."""
        return f" ({self.of_scores.strip()})" if self.of_scores else ""

    def places(self, low: float, high: float, *marks: float) -> int:
        """Decimals for an interval and the numbers beside it, as printed; its bounds stay on their sides of the marks."""
        return numbers.decimals_between(self.factor * low, self.factor * high, *(self.factor * mark for mark in marks))

    def printed(self, *values: float) -> tuple[float, ...]:
        """Numbers as they are printed, before rounding."""
        return tuple(self.factor * value for value in values)

    def bare_score(self, value: float, places: int) -> str:
        return numbers.number(self.factor * value, places)

    def level(self, value: float) -> str:
        """A score to four digits."""
        return f"{self.factor * value:.4g}{self.of_scores}"

    def score_interval(self, low: float, high: float, places: int) -> str:
        return numbers.interval(self.factor * low, self.factor * high, places)

    def score(self, value: float, places: int) -> str:
        return self.bare_score(value, places) + self.of_scores

    def bare_difference(self, value: float | None, places: int) -> str:
        return numbers.signed(None if value is None else self.factor * value, places)

    def difference(self, value: float, places: int) -> str:
        """A difference with its sign and unit.

        >>> POINTS.difference(0.016, 1), RAW.difference(0.016, 3)
        ('+1.6 points', '+0.016')
        """
        return self.bare_difference(value, places) + self.of_differences

    def bare_interval(self, low: float, high: float, places: int) -> str:
        return numbers.signed_interval(self.factor * low, self.factor * high, places)

    def confidence_interval(self, level: float, low: float, high: float, *marks: float) -> str:
        """The interval of a difference, rounded so that its bounds stay on their sides of zero and of the marks."""
        if not (low > -float("inf") or high < float("inf")):
            return f"no {percent(level)} CI"
        return f"{percent(level)} CI {self.bare_interval(low, high, self.places(low, high, *marks))}"

    def bare_size(self, value: float, digits: int = 2) -> str:
        return numbers.significant(self.factor * value, digits)

    def size(self, value: float, digits: int = 2) -> str:
        """A size of a difference.

        >>> POINTS.size(0.0689), RAW.size(0.0689)
        ('6.9 points', '0.069')
        """
        return self.bare_size(value, digits) + self.of_differences

    def as_given(self, value: float) -> str:
        """A size that the user named.

        >>> POINTS.as_given(0.05), RAW.as_given(0.05)
        ('5 points', '0.05')
        """
        return f"{self.factor * value:.12g}{self.of_differences}"


RAW = Unit(1.0, "", "")
POINTS = Unit(100.0, " %", " points")
PERCENT = Unit(1.0, " %", " points")


def unit_of_right(share: float, mean: float) -> Unit:
    """The unit of right-or-wrong scores by the share of right ones and their mean: a right one counts 1, or 100.

    >>> unit_of_right(0.5, 0.5) == POINTS, unit_of_right(0.5, 50.0) == PERCENT
    (True, True)
    """
    return PERCENT if mean > 50.0 * share > 0.0 else POINTS
