"""The examples that end the help of every command; each command says its own, beside its flags."""

import re
import textwrap

_WIDEST = 74
"""Characters: with the indent of help, eighty columns hold them."""
_NEXT_LINE = " \\\n      "


def examples(lines: tuple[str, str]) -> str:
    """What click shows below the options; a long command goes on in the next line, as a shell reads it."""
    return "\n".join(["\b", "Examples:", *(f"  {_NEXT_LINE.join(_broken(line))}" for line in lines)])


def _broken(line: str) -> list[str]:
    """A command in lines that end before a flag.

    >>> _broken("tellapart " + "--effect 0.02 " * 6)
    ['tellapart --effect 0.02 --effect 0.02 --effect 0.02 --effect 0.02', '--effect 0.02 --effect 0.02']
    """
    # What belongs to a flag is one word while lines are broken.
    joined = re.sub(r"(--\S+) (?!-)", "\\1\0", line.strip())
    return [part.replace("\0", " ") for part in textwrap.wrap(joined, _WIDEST, break_on_hyphens=False)]
