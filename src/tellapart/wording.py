"""How numbers stand in sentences and tables: enough digits to act on, and no more."""

import math
import re


def decimals_for(resolution: float) -> int:
    """Decimals that show two digits of an uncertainty (an interval's half width)."""
    if not (math.isfinite(resolution) and resolution > 0.0):
        return 4
    return max(0, 1 - math.floor(math.log10(resolution)))


def decimals_within(low: float, high: float) -> int:
    """Decimals that show two digits of an interval's half width.

    >>> decimals_within(0.453, 0.505), decimals_within(-40.0, 12.0), decimals_within(0.5, 0.5)
    (3, 0, 4)
    """
    return decimals_for((high - low) / 2.0)


def decimals_between(low: float, high: float, *marks: float) -> int:
    """Decimals that show two digits of an interval's half width, and on which side of zero, or of marks, its bounds are.

    >>> decimals_between(-0.004, 0.094), decimals_between(0.0003, 0.041), decimals_between(0.0, 0.04)
    (3, 4, 3)
    >>> decimals_between(-0.02, 0.0496, 0.05)
    4
    """
    decimals = decimals_within(low, high)
    apart = [(bound, mark) for bound in (low, high) for mark in (0.0, *marks) if bound != mark]
    kept = (d for d in range(decimals, decimals + 5) if all(round(bound, d) != mark for bound, mark in apart))
    return next(kept, decimals)


def number(value: float | None, decimals: int) -> str:
    """A number with so many decimals, in powers of ten where it would be too long to read, and a real minus.

    >>> number(0.25, 3), number(-0.04, 2), number(-0.001, 2), number(None, 2)
    ('0.250', '−0.04', '0.00', 'undefined')
    """
    if value is None or math.isnan(value):
        return "undefined"
    shown = _written(value, decimals)
    return shown if not shown.startswith("-") else shown[1:] if float(shown) == 0.0 else f"−{shown[1:]}"


def signed(value: float | None, decimals: int) -> str:
    """A difference with its sign and a real minus, and no sign on what rounds to zero.

    >>> signed(-0.0152, 3), signed(0.02, 3), signed(-0.0001, 3), signed(-2e-20, 21)
    ('−0.015', '+0.020', '0.000', '−2.0e-20')
    """
    if value is None or math.isnan(value):
        return "undefined"
    shown = _written(value, decimals)
    if float(shown) == 0.0:
        return shown.removeprefix("-")
    return f"−{shown[1:]}" if shown.startswith("-") else f"+{shown}"


def signed_short(difference: float, digits: int = 4) -> str:
    """A difference with its sign, a real minus and at most so many digits.

    >>> signed_short(0.008), signed_short(-0.0152034), signed_short(12.0)
    ('+0.008', '−0.0152', '+12')
    """
    shown = f"{difference:+.{digits}g}"
    return f"−{shown[1:]}" if shown.startswith("-") else shown


def interval(low: float, high: float, decimals: int) -> str:
    """Two bounds in brackets.

    >>> interval(-0.04, 0.25, 3)
    '[−0.040, 0.250]'
    """
    return f"[{number(low, decimals)}, {number(high, decimals)}]"


def signed_interval(low: float, high: float, decimals: int) -> str:
    """The bounds of a difference in brackets.

    >>> signed_interval(-0.04, 0.25, 3)
    '[−0.040, +0.250]'
    """
    return f"[{signed(low, decimals)}, {signed(high, decimals)}]"


def _written(value: float, decimals: int) -> str:
    if value == 0.0 or (decimals <= 10 and abs(value) < 1e15):
        return f"{value:.{min(decimals, 10)}f}"
    digits = 3 if decimals <= 10 else decimals + math.floor(math.log10(abs(value)))
    return f"{value:.{min(max(digits, 0), 15)}e}"


def confidence_interval(level: float, low: float, high: float, *marks: float) -> str:
    """Of a difference, rounded so that its bounds stay on their sides of zero and of the marks.

    >>> confidence_interval(0.95, 0.008, 0.022)
    '95 % CI [+0.0080, +0.0220]'
    """
    return f"{percent(level)} CI {signed_interval(low, high, decimals_between(low, high, *marks))}"


def significant(value: float | None, digits: int = 2) -> str:
    """A magnitude to so many significant digits, in plain notation while that stays short.

    >>> significant(0.009512), significant(1.8e-7), significant(12345.0), significant(0.5)
    ('0.0095', '1.8e-07', '12345', '0.50')
    """
    if value is None or math.isnan(value):
        return "undefined"
    if value == 0.0:
        return "0"
    if not 1e-5 <= abs(value) < 1e15:
        return f"{value:.{digits - 1}e}"
    return f"{value:.{max(0, digits - 1 - math.floor(math.log10(abs(value))))}f}"


STRAY = 1e-9
"""How far beside itself a p-value is moved by another version of a numerical library."""


def pvalue(value: float, alpha: float = 0.05) -> str:
    """A p-value with its relation, on the same side of alpha and of the usual levels as it is.

    >>> pvalue(0.01342), pvalue(0.00002), pvalue(1.0), pvalue(0.05004), pvalue(0.02004, alpha=0.02)
    ('p = 0.0134', 'p < 0.0001', 'p = 1', 'p = 0.05004', 'p = 0.02004')
    >>> pvalue(0.05 + 1e-14, alpha=0.04), pvalue(0.05 + 1e-14, alpha=0.05)
    ('p = 0.05', 'p = 0.0500001')
    """
    if math.isnan(value):
        return "p undefined"
    if value < 1e-4:
        return "p < 0.0001" if alpha >= 1e-4 else f"p = {value:.2g}"
    # Rounding must not move a p-value across a level; what is at a usual one but for float noise is at it on every machine.
    usual = (level * (1.0 + STRAY) for level in (0.001, 0.01, 0.05, 0.1) if level != alpha)
    levels = (alpha, *usual)
    for digits in (3, 4, 6):
        shown = f"{value:.{digits}g}"
        if all((float(shown) <= level) == (value <= level) for level in levels):
            return f"p = {shown}"
    return f"p = {_just_above(value)}"


def _just_above(value: float) -> str:
    """Rounded up to six digits: above the level that it is above, and not with digits that differ between machines."""
    step = 10.0 ** (math.floor(math.log10(value)) - 5)
    return f"{(math.floor(value / step) + 1) * step:.6g}"


def bare_pvalue(value: float | None, alpha: float | None = None) -> str:
    """A p-value in a table or a range, where its relation is clear; blank if there is none.

    Where alpha is given, with so many digits that it stays on its side of it.

    >>> bare_pvalue(0.0134), bare_pvalue(3e-120), bare_pvalue(None), bare_pvalue(0.0504, alpha=0.05)
    ('0.013', '<1e-99', '', '0.0504')
    """
    if value is None:
        return ""
    if value < 1e-99:
        return "<1e-99"
    told = (significant(value, digits) for digits in (2, 3, 4, 6))
    kept = (text for text in told if alpha is None or (float(text) <= alpha) == (value <= alpha))
    return next(kept, _just_above(value))


def percent(share: float, digits: int = 10) -> str:
    """A share as a percentage, to so many digits; all of it has three whatever is asked.

    >>> percent(0.95), percent(0.995), percent(58 / 400 + 0.1, digits=3), percent(0.998, digits=2)
    ('95 %', '99.5 %', '24.5 %', '100 %')
    """
    # Two digits of 99.8 are 1e+02 otherwise.
    return f"{float(f'{100.0 * share:.{digits}g}'):.{max(digits, 3)}g} %"


def thousands(count: int) -> str:
    """A count as people write it: 500, 1,319."""
    return f"{count:,}"


def amount(count: int, noun: str) -> str:
    """So many of something.

    >>> amount(1, "item"), amount(1319, "item"), amount(0, "shared item")
    ('1 item', '1,319 items', '0 shared items')
    """
    return f"{thousands(count)} {noun}{'' if count == 1 else 's'}"


def counted(count: int, things: str) -> str:
    """So many of what is called by its plural.

    >>> counted(1, "files without items"), counted(2, "files"), counted(1, "pipes and devices")
    ('1 file without items', '2 files', '1 pipe or device')
    """
    if count != 1:
        return f"{thousands(count)} {things}"
    kinds = (kind.partition(" ") for kind in things.split(" and "))
    return f"1 {' or '.join(noun.removesuffix('s') + space + rest for noun, space, rest in kinds)}"


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
    """At most so many characters, the middle left out.

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


# As OWASP lists them, with their full-width forms, which spreadsheets read alike.
_RUN = "[=+\\-@\\t\\r\\n＝＋－＠]"
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
