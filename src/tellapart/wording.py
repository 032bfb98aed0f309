"""How numbers stand in sentences and tables: enough digits to act on, and no more."""

import math


def decimals_for(resolution: float) -> int:
    """Decimals that show two digits of an uncertainty (an interval's half width), at most ten."""
    if not (math.isfinite(resolution) and resolution > 0.0):
        return 4
    return min(10, max(0, 1 - math.floor(math.log10(resolution))))


def number(value: float | None, decimals: int) -> str:
    return "undefined" if value is None or math.isnan(value) else f"{value:.{decimals}f}"


def signed(value: float | None, decimals: int) -> str:
    """A difference with its sign and a real minus, and no sign on what rounds to zero.

    >>> signed(-0.0152, 3), signed(0.02, 3), signed(-0.0001, 3)
    ('−0.015', '+0.020', '0.000')
    """
    if value is None or math.isnan(value):
        return "undefined"
    shown = f"{value:+.{decimals}f}"
    return f"{0.0:.{decimals}f}" if float(shown) == 0.0 else shown.replace("-", "−")


def significant(value: float | None, digits: int = 2) -> str:
    """A magnitude to so many significant digits, in plain notation while that stays short.

    >>> significant(0.009512), significant(1.8e-7), significant(12345.0), significant(0.5)
    ('0.0095', '1.8e-07', '12345', '0.50')
    """
    if value is None or math.isnan(value):
        return "undefined"
    if value == 0.0:
        return "0"
    if abs(value) < 1e-5:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


def pvalue(value: float) -> str:
    """A p-value with its relation.

    >>> pvalue(0.01342), pvalue(0.00002), pvalue(1.0), pvalue(0.05004)
    ('p = 0.0134', 'p < 0.0001', 'p = 1', 'p = 0.05004')
    """
    if math.isnan(value):
        return "p undefined"
    if value < 1e-4:
        return "p < 0.0001"
    # Near the usual levels rounding must not move a p-value across them.
    for digits in (3, 4, 6):
        shown = f"{value:.{digits}g}"
        if all((float(shown) <= level) == (value <= level) for level in (0.001, 0.01, 0.05, 0.1)):
            return f"p = {shown}"
    return f"p = {value!r}"


def percent(share: float) -> str:
    """A share as a percentage: 95 %, 99.5 %.

    >>> percent(0.95), percent(0.995)
    ('95 %', '99.5 %')
    """
    return f"{100.0 * share:.10g} %"


def thousands(count: int) -> str:
    """A count as people write it: 500, 1,319."""
    return f"{count:,}"
