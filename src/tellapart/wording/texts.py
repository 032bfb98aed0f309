"""How names and other texts of users stand in ours: nothing in them acts on what shows it, and none fills the page."""

import re


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
