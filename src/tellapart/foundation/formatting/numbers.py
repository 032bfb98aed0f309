"""Formatting of measurements, intervals and names, with as many digits as the uncertainty justifies."""

import math
import re
from collections.abc import Callable

# How names and other texts of users stand in ours: nothing in them acts on what shows it, and none fills
# the page.


def printable(text: str) -> str:
    r"""Text in which nothing acts on what shows it: controls, line ends, overrides of direction and what has no width are spelled out.

    >>> printable("a\x1b[31mb\n"), printable("model [v2]"), printable("\u202eevil")
    ('a\\x1b[31mb\\n', 'model [v2]', '\\u202eevil')
    """
    if text.isprintable():
        return text
    return _ACTING.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


# Joiners (U+200C, U+200D) stay: scripts and emoji are written with them.
_ACTING = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U0001d173-\U0001d17a\U000e0000-\U000e007f]"
)

LONGEST_NAME = 200
"""Characters of a name in a sentence: longer ones are cut in the middle, where names that differ are most often alike."""


def shortened(text: str, most: int = LONGEST_NAME) -> str:
    """A text cut to a number of characters, the middle left out.

    >>> shortened("abcdefgh", 5), shortened("abcde", 5)
    ('ab…gh', 'abcde')
    """
    return text if len(text) <= most else f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"


def one_line(name: str) -> str:
    r"""A name as it stands in a sentence.

    >>> one_line("two\nlines"), one_line("model [v2]")
    ('two\\nlines', 'model [v2]')
    """
    return shortened(printable(name))


def shown(text: str) -> str:
    r"""Text that may hold names: printable, its longest words and quotations shortened.

    >>> shown("no file 'a\n'"), len(shown(f"no system is called '{'x y' * 5000}'; check it"))
    ("no file 'a\\n'", 230)
    """
    return printable(_LONG.sub(lambda found: shortened(found[0]), text) if len(text) > LONGEST_NAME else text)


# A quotation begins and ends beside what is no letter: apostrophes within words do neither.
_LONG = re.compile(
    rf"""(?<!\w)'[^']{{{LONGEST_NAME},}}'(?!\w)|(?<!\w)"[^"]{{{LONGEST_NAME},}}"(?!\w)|\S{{{LONGEST_NAME},}}"""
)


# As OWASP lists them, with their full-width forms, which spreadsheets read alike, and all control characters.
_RUN = "[=+\\-@\\x00-\\x1f\\x7f-\\x9f＝＋－＠]"
_FORMULA, _GUARDED = re.compile(f"'*{_RUN}"), re.compile(f"'+{_RUN}")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def guarded(text: str) -> str:
    """A text of a table with an apostrophe before what a spreadsheet would run as a formula; a number is none.

    >>> guarded("=1+1"), guarded("-0.5"), guarded("plain"), guarded("'=x")
    ("'=1+1", '-0.5', 'plain', "''=x")
    """
    return f"'{text}" if _FORMULA.match(text) and not _NUMBER.fullmatch(text) else text


def unguarded(text: str) -> str:
    """The text that `guarded` made this of.

    >>> unguarded("'=1+1"), unguarded("''=x"), unguarded("'quoted'")
    ('=1+1', "'=x", "'quoted'")
    """
    return text[1:] if _GUARDED.match(text) else text


def exponent_of_ten(value: float) -> int:
    """The power of ten of a number's first digit; a number that rounding has put just below a power of ten has that power.

    >>> exponent_of_ten(0.02), exponent_of_ten(0.1), exponent_of_ten(0.1 - 1e-17), exponent_of_ten(-99.9)
    (-2, -1, -1, 1)
    """
    return math.floor(math.log10(float(f"{abs(value):.12g}")))


def decimals_for(resolution: float) -> int:
    """Decimals that show two digits of an uncertainty (an interval's half width)."""
    if not (math.isfinite(resolution) and resolution > 0.0):
        return 4
    return max(0, 1 - exponent_of_ten(resolution))


def decimals_within(low: float, high: float) -> int:
    """Decimals that show two digits of an interval's half width.

    >>> decimals_within(0.453, 0.505), decimals_within(-40.0, 12.0), decimals_within(0.5, 0.5)
    (3, 0, 4)
    """
    if math.isinf(low) != math.isinf(high):
        return min(4, decimals_for(abs(high if math.isinf(low) else low)))
    return decimals_for((high - low) / 2.0)


def decimals_between(low: float, high: float, *marks: float) -> int:
    """Decimals that show two digits of an interval's half width, and on which side of zero, or of marks, its bounds are.

    >>> decimals_between(-0.004, 0.094), decimals_between(0.0003, 0.041), decimals_between(0.0, 0.04)
    (3, 4, 3)
    >>> decimals_between(-0.02, 0.0496, 0.05)
    4
    """
    return _telling(decimals_within(low, high), low, high, *marks)


def _telling(decimals: int, low: float, high: float, *marks: float) -> int:
    """At least this many decimals, and up to four more where only these show on which side of zero, or of a mark, a bound is."""
    apart = [(bound, mark) for bound in (low, high) for mark in (0.0, *marks) if bound != mark]
    kept = (d for d in range(decimals, decimals + 5) if all(round(bound, d) != mark for bound, mark in apart))
    return next(kept, decimals)


def decimals_of(value: float) -> int:
    """Decimals of a number as it was given; six of one that is too small to be written out.

    >>> decimals_of(0.02), decimals_of(3.0), decimals_of(2e-7)
    (2, 0, 6)
    """
    text = f"{value:g}"
    return len(text.partition(".")[2]) if "e" not in text else 6


def number(value: float | None, decimals: int) -> str:
    """A number with this many decimals, in powers of ten where it would be too long to read, and a real minus.

    >>> number(0.25, 3), number(-0.04, 2), number(-0.001, 2), number(None, 2)
    ('0.250', '−0.04', '0.00', 'undefined')
    """
    if value is None or math.isnan(value):
        return "undefined"
    shown = _fixed_or_scientific(value, decimals)
    return shown if not shown.startswith("-") else shown[1:] if float(shown) == 0.0 else f"−{shown[1:]}"


def signed(value: float | None, decimals: int) -> str:
    """A difference with its sign and a real minus, and no sign on what rounds to zero.

    >>> signed(-0.0152, 3), signed(0.02, 3), signed(-0.0001, 3), signed(-2e-20, 21)
    ('−0.015', '+0.020', '0.000', '−2.0e-20')
    """
    if value is None or math.isnan(value):
        return "undefined"
    shown = _fixed_or_scientific(value, decimals)
    if float(shown) == 0.0:
        return shown.removeprefix("-")
    return f"−{shown[1:]}" if shown.startswith("-") else f"+{shown}"


def signed_short(difference: float) -> str:
    """A difference with its sign, a real minus and at most four digits.

    >>> signed_short(0.008), signed_short(-0.0152034), signed_short(12.0)
    ('+0.008', '−0.0152', '+12')
    """
    return minus(f"{difference:+.4g}")


def interval(low: float, high: float, decimals: int) -> str:
    """Two bounds in brackets.

    >>> interval(-0.04, 0.25, 3)
    '[−0.040, 0.250]'
    """
    return bracketed(low, high, lambda bound: number(bound, decimals))


def signed_interval(low: float, high: float, decimals: int) -> str:
    """The bounds of a difference in brackets, with more decimals where only these show on which side of zero one is.

    >>> signed_interval(-0.04, 0.25, 3), signed_interval(0.00041, 0.0598, 3), signed_interval(0.01, math.inf, 2)
    ('[−0.040, +0.250]', '[+0.0004, +0.0598]', '[+0.01, ∞)')
    """
    telling = _telling(decimals, low, high)
    return bracketed(low, high, lambda bound: signed(bound, telling))


def bracketed(low: float, high: float, written: Callable[[float], str]) -> str:
    """Two bounds in brackets, round ones where there is none; "none" where both are missing.

    >>> bracketed(-math.inf, 0.5, str), bracketed(-math.inf, math.inf, str)
    ('(−∞, 0.5]', 'none')
    """
    if math.isinf(low) and math.isinf(high):
        return "none"
    left = "(−∞" if math.isinf(low) else f"[{written(low)}"
    right = "∞)" if math.isinf(high) else f"{written(high)}]"
    return f"{left}, {right}"


def minus(written: str) -> str:
    """A number as a program writes it, with a real minus before it; the one of an exponent stays.

    >>> minus("-0.5"), minus("2e-07")
    ('−0.5', '2e-07')
    """
    return f"−{written[1:]}" if written.startswith("-") else written


def _fixed_or_scientific(value: float, decimals: int) -> str:
    if value == 0.0 or (decimals <= 10 and abs(value) < 1e15):
        return f"{value:.{min(decimals, 10)}f}"
    digits = 3 if decimals <= 10 else decimals + exponent_of_ten(value)
    return f"{value:.{min(max(digits, 0), 15)}e}"


def exact(value: float) -> str:
    """A number as it was given, with all of its digits: one that is typed again is the same.

    >>> exact(0.2), exact(0.1999999), exact(-3.0), exact(2e-7)
    ('0.2', '0.1999999', '-3', '2e-07')
    """
    return repr(float(value)).removesuffix(".0")


def significant(value: float | None, digits: int = 2) -> str:
    """A magnitude to this many significant digits, in plain notation while that stays short.

    >>> significant(0.009512), significant(1.8e-7), significant(12345.0), significant(0.5), significant(0.3 - 0.2)
    ('0.0095', '1.8e-07', '12345', '0.50', '0.10')
    """
    if value is None or math.isnan(value):
        return "undefined"
    if value == 0.0:
        return "0"
    if math.isinf(value) or not -5 <= exponent_of_ten(value) < 15:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, digits - 1 - exponent_of_ten(value))}f}"
