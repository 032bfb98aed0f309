"""Options: dataclass fields with a type, default, range and help, declared once for CLI, Python and web.

Plug-ins and questions are made of options. Command-line flags, help, forms and checks are made from what is said here.
"""

import dataclasses
import functools
import types
import typing
from collections.abc import Callable
from typing import Any

# The numbers that an option may have, and how that is said.


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
        """The wanted value, phrased to follow "it should".

        >>> str(Range(least=0)), str(Range(above=0, below=1)), str(Range(above=0, least=1e-12, below=0.5, usual="usually 0.05"))
        ('be 0 or more', 'lie between 0 and 1', 'lie between 0 and 0.5 (1e-12 at least), usually 0.05')
        >>> str(Range(above=0, least=1e-100, most=1e100))
        'be above 0 (1e-100 to 1e+100)'
        >>> str(Range(least=99, most=10_000_000))
        'lie between 99 and 10000000'
        """
        return f"{self._bounds_text}, {self.usual}" if self.usual else self._bounds_text

    @property
    def _bounds_text(self) -> str:
        low, high = _first_bound(self.above, self.least), _first_bound(self.below, self.most)
        if self.above is not None and self.least is not None and self.most is not None:
            return f"be above {_bound_text(self.above)} ({_bound_text(self.least)} to {_bound_text(self.most)})"
        if low is not None and high is not None:
            least = "" if self.above is None or self.least is None else f" ({_bound_text(self.least)} at least)"
            return f"lie between {_bound_text(low)} and {_bound_text(high)}{least}"
        if low is not None:
            return f"be above {_bound_text(low)}" if self.above is not None else f"be {_bound_text(low)} or more"
        assert high is not None, "a range has a bound"
        return f"be below {_bound_text(high)}" if self.below is not None else f"be {_bound_text(high)} or less"


def _first_bound(*bounds: float | None) -> float | None:
    return next((bound for bound in bounds if bound is not None), None)


def _bound_text(bound: float) -> str:
    """Whole numbers in full: 10000000 is read sooner than 1e+07."""
    return str(int(bound)) if abs(bound) < 1e15 and float(bound).is_integer() else f"{bound:g}"


HelpText: typing.TypeAlias = str | Callable[[], str]
"""The help of an option, or how to make it: one that lists all plug-ins would have them imported by who only wants to run."""


@dataclasses.dataclass(frozen=True)
class Option:
    """One field of a plug-in or a question, as the command line and the documentation see it."""

    name: str
    type: Any
    default: Any
    always: bool
    told: HelpText
    range: Range | None = None
    metavar: str | None = None
    kind: typing.Literal["option", "argument"] = "option"
    flag: bool = True
    """Whether a command line can give it as it is."""
    many: bool = False
    """Whether several values may be given, which make a grid; `type` is then that of one of them."""
    group: str = ""
    """The options that it is listed with in help, if not all of its question."""

    @functools.cached_property
    def choices(self) -> tuple[str, ...]:
        """The words it may be, where it is one of a few."""
        return next((typing.get_args(k) for k in alternatives(self.type) if _is_choice(k)), ())

    @property
    def help(self) -> str:
        return self.told if isinstance(self.told, str) else self.told()

    @property
    def required(self) -> bool:
        return self.default is dataclasses.MISSING


def setting(  # noqa: PLR0913  (what there is to say of an option)
    default: Any = dataclasses.MISSING,
    help: HelpText = "",  # noqa: A002  (the word every door uses for it)
    *,
    range: Range | None = None,  # noqa: A002  (the word for it)
    metavar: str | None = None,
    always: bool = False,
    kw_only: bool = True,
    flag: bool = True,
    many: type | None = None,
    group: str = "",
) -> Any:
    """A dataclass field that is an option; `always` prints it in a spelling even at its default.

    Without a `flag` it is left to the command itself to fill it, from what its users type. `many` is the type of one of several
    values that may be given.
    """
    spell = "always" if always else None
    metadata = {
        "help": help,
        "range": range,
        "metavar": metavar,
        "spell": spell,
        "flag": flag,
        "many": many,
        "group": group,
    }
    return dataclasses.field(default=default, metadata=metadata, kw_only=kw_only)


def argument(metavar: str) -> Any:
    """A field that is given without its name: on the command line what stands there without a flag."""
    return dataclasses.field(metadata={"metavar": metavar, "argument": True})


def options(kind: type) -> list[Option]:
    """The options of a plug-in or a question, read from its dataclass fields."""
    return list(_class_options(kind))


@functools.cache
def _class_options(kind: type) -> tuple[Option, ...]:
    hints = typing.get_type_hints(kind)
    return tuple(_field_option(f, hints[f.name]) for f in dataclasses.fields(kind) if f.init)


def _field_option(field: "dataclasses.Field[Any]", hint: Any) -> Option:
    said = field.metadata
    many = said.get("many")
    return Option(
        field.name,
        hint if many is None else many,
        field.default,
        said.get("spell") == "always",
        said.get("help", ""),
        said.get("range"),
        said.get("metavar"),
        "argument" if said.get("argument") else "option",
        said.get("flag", True),
        many is not None,
        said.get("group", ""),
    )


@functools.cache
def alternatives(kind: Any) -> tuple[Any, ...]:
    """The types of a union, or the only one."""
    union = typing.get_origin(kind) in {typing.Union, types.UnionType}
    return typing.get_args(kind) if union else (kind,)


def _is_choice(kind: Any) -> bool:
    return typing.get_origin(kind) is typing.Literal


_WORDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a word",
    types.NoneType: "none",
}


def wanted(option: Option) -> str:
    """The values that an option accepts, in words."""
    return " or ".join(_wanted(kind) for kind in alternatives(option.type))


def _wanted(kind: Any) -> str:
    if _is_choice(kind):
        return " or ".join(typing.get_args(kind))
    if kind in _WORDS:
        return _WORDS[kind]
    if typing.get_origin(kind) is tuple:
        return "numbers as first:second:…" if Ellipsis in typing.get_args(kind) else "low:high"
    return _with_article(kind.registry.kind)


def _with_article(noun: str) -> str:
    """A noun with its article, by its first letter.

    >>> _with_article("evidence"), _with_article("test")
    ('an evidence', 'a test')
    """
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
