"""Option names in messages, spelled for the interface in use: command line, Python or web page.

The command line says `--missing drop`, Python says `missing='drop'`, a page names its field. A message is written once, with
marks where it speaks of an option or of another verb; the surface that shows it puts its own spelling there.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Surface = Literal["command line", "python", "page"]

# NUL frames a mark: no shell argument, file name or CSV cell can hold one, and the pattern asks for a whole mark.
_MARK = re.compile("\0(option|verb):([a-z_]+)(?:=([^\0]*))?\0")

_TWICE = re.compile(r"\b(\w+)=\{([^{}]*)\} \1=\{")
"""A flag may be repeated, an argument may not: its mappings are written as one."""

LINE_END = "\0line end\0"
"""A line break within a message: a plain line end may come from a name, and is shown escaped."""

_PYTHON_NAMES = {
    "column": "columns",
    "limit": "limits",
    "name": "names",
    "where": "where",
    "rescale": "rescale",
    "as_": "format",
    "reference": "references",
}
"""Options with another name in Python, where the values of a repeated flag are one mapping."""


_ROLE_FLAGS = frozenset(("cluster",))
"""Roles of columns with a flag of their own; in Python they are said with the other roles."""


def option(name: str, value: str | None = None) -> str:
    """An option, or an option at a value, in a message; `…` stands for a value that the reader knows.

    >>> spell_marks(f"Pass {option('missing', 'drop')}", "command line"), spell_marks(f"Pass {option('missing', 'drop')}", "python")
    ('Pass --missing drop', "Pass missing='drop'")
    """
    return f"\0option:{name}\0" if value is None else f"\0option:{name}={value}\0"


def verb(name: str) -> str:
    """Another verb of the same surface.

    >>> spell_marks(verb("rank"), "command line"), spell_marks(verb("rank"), "python")
    ('`tellapart rank`', '`tellapart.rank`')
    """
    return f"\0verb:{name}\0"


def spell_marks(text: str, surface: Surface) -> str:
    """The text with every mark in the spelling of a surface.

    >>> spell_marks(option("column", "item=…"), "command line"), spell_marks(option("column", "item=…"), "python")
    ('--column item=…', "columns={'item': …}")
    >>> spell_marks(f"{option('column', 'item=doc')} {option('column', 'run=…')}", "python")
    "columns={'item': 'doc', 'run': …}"
    >>> spell_marks(option("cluster", "none"), "command line"), spell_marks(option("cluster", "none"), "python")
    ('--cluster none', "columns={'cluster': 'none'}")
    >>> spell_marks(option("lower_is_better"), "command line"), spell_marks(option("alpha"), "python")
    ('--lower-is-better', 'alpha=…')
    """
    said = _MARK.sub(lambda mark: _SPELLINGS[str(mark[1]), surface](mark[2], mark[3]), text)
    return _TWICE.sub(r"\1={\2, ", said) if surface == "python" else said


def fixes_named(text: str) -> list[tuple[str, str]]:
    """What a refusal offers to do: options with a whole value, and other verbs under the name "verb".

    >>> fixes_named(f"Pass {option('missing', 'drop')} or {option('column', 'run=…')}, or use {verb('rank')}")
    [('missing', 'drop'), ('verb', 'rank')]
    """
    marks = [(mark[1], str(mark[2]), mark[3] or "") for mark in _MARK.finditer(text)]
    found = [
        ("verb", name) if kind == "verb" else (name, value) for kind, name, value in marks if kind == "verb" or value
    ]
    return [fix for fix in dict.fromkeys(found) if "…" not in fix[1]]


@dataclass(frozen=True)
class NamedOption:
    """An option that a message names, perhaps at a value: as an `example`, or to be `left_out`."""

    name: str
    value: str | None
    example: bool = False
    left_out: bool = False


def named_options(text: str) -> list[tuple[NamedOption, ...]]:
    """The options of a message with marks; those that belong together, as side by side or joined by "with", come together.

    >>> named_options(f"leave {option('by')} out, or {option('missing', 'drop')} with {option('seed', '1')}")
    [(NamedOption(name='by', value=None, example=False, left_out=True),), (NamedOption(name='missing', value='drop', \
example=False, left_out=False), NamedOption(name='seed', value='1', example=False, left_out=False))]
    """
    found: list[tuple[NamedOption, ...]] = []
    end = -1
    for mark in _MARK.finditer(text):
        if mark[1] == "option":
            before, after = text[: mark.start()], text[mark.end() :]
            one = NamedOption(
                str(mark[2]),
                mark[3],
                before.endswith(("such as ", "for example ")),
                bool(re.search(r"\b[Ll]eave $", before)) and after.startswith(" out"),
            )
            together = found and text[end : mark.start()] in {" ", " with ", " out for "}
            found[-1:] = [(*found[-1], one)] if together else [*found[-1:], (one,)]
            end = mark.end()
    return found


def named_verbs(text: str) -> list[str]:
    """The verbs of a message with marks."""
    return [str(mark[2]) for mark in _MARK.finditer(text) if mark[1] == "verb"]


def arguments_named(text: str) -> list[str]:
    """The arguments that a message speaks of, as Python calls them, each once.

    >>> arguments_named(f"{option('column', 'run=…')}, {option('cluster')} or {option('measure')}")
    ['columns', 'measure']
    """
    names = [str(mark[2]) for mark in _MARK.finditer(text) if mark[1] == "option"]
    columns = ("column" if name in _ROLE_FLAGS else name for name in names)
    return list(dict.fromkeys(_PYTHON_NAMES.get(name, name) for name in columns))


def _command_line_flag(name: str, value: str | None) -> str:
    said = f"--{name.rstrip('_').replace('_', '-')}"
    return said if value is None else f"{said} {_shell_word(value)}"


def _shell_word(value: str) -> str:
    return f'"{value}"' if re.search(r"[\s()]", value) else value


def _argument(name: str, value: str | None) -> str:
    if name in _ROLE_FLAGS:
        return _argument("column", f"{name}={value or '…'}")
    key = _PYTHON_NAMES.get(name, name)
    if value is None:
        return f"{key}=…"
    role, equals, column = value.partition("=")
    if name in _PYTHON_NAMES and equals:
        return f"{key}={{{role!r}: {_literal(column)}}}"
    return f"{key}={_literal(value)}"


def _literal(value: str) -> str:
    """A value as Python writes it: numbers and what is left open stand bare, words in quotes."""
    return value if re.fullmatch(r"…|-?\d+(\.\d+)?(e-?\d+)?|True|False|None", value) else repr(value)


def _page_field(name: str, value: str | None) -> str:
    words = name.replace("_", " ")
    return f"“{words}”" if value is None else f"“{words}”: {value}"


_SPELLINGS: dict[tuple[str, Surface], Callable[[str, str | None], str]] = {
    ("option", "command line"): _command_line_flag,
    ("option", "python"): _argument,
    ("option", "page"): _page_field,
    ("verb", "command line"): lambda name, _: f"`tellapart {name.replace('_', ' ')}`",
    ("verb", "python"): lambda name, _: f"`tellapart.{name}`",
    ("verb", "page"): lambda name, _: f"“{name.replace('_', ' ')}”",
}
