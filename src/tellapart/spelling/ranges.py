"""The numbers that an option may have, and how that is said."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Range:
    """The numbers an option may have: `least` and `most` are allowed, `above` and `below` are not.

    Where `above` and `least` are both given, the first says what is meant and the second what can be computed.
    """

    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None
    usual: str = ""
    either_sign: bool = False
    """Whether it is the size that counts, whatever the sign."""

    def __contains__(self, number: float) -> bool:
        value = abs(number) if self.either_sign else number
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def __str__(self) -> str:
        """What is wanted, after "it should".

        >>> str(Range(least=0)), str(Range(above=0, below=1)), str(Range(above=0, least=1e-12, below=0.5, usual="usually 0.05"))
        ('be 0 or more', 'lie between 0 and 1', 'lie between 0 and 0.5 (1e-12 at least), usually 0.05')
        >>> str(Range(above=0, least=1e-100, most=1e100))
        'be above 0 (1e-100 to 1e+100)'
        >>> str(Range(least=99, most=10_000_000))
        'lie between 99 and 10000000'
        """
        return f"{self._bounds}, {self.usual}" if self.usual else self._bounds

    @property
    def _bounds(self) -> str:
        low, high = _first(self.above, self.least), _first(self.below, self.most)
        if self.above is not None and self.least is not None and self.most is not None:
            return f"be above {_shown(self.above)} ({_shown(self.least)} to {_shown(self.most)})"
        if low is not None and high is not None:
            least = "" if self.above is None or self.least is None else f" ({_shown(self.least)} at least)"
            return f"lie between {_shown(low)} and {_shown(high)}{least}"
        if low is not None:
            return f"be above {_shown(low)}" if self.above is not None else f"be {_shown(low)} or more"
        assert high is not None, "a range has a bound"
        return f"be below {_shown(high)}" if self.below is not None else f"be {_shown(high)} or less"


def _first(*bounds: float | None) -> float | None:
    return next((bound for bound in bounds if bound is not None), None)


def _shown(bound: float) -> str:
    """Whole numbers in full: 10000000 is read sooner than 1e+07."""
    return str(int(bound)) if abs(bound) < 1e15 and float(bound).is_integer() else f"{bound:g}"
