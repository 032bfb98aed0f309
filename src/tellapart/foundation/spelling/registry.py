"""Registries of plug-ins, spelled `name(option=value, …)` at the command line, in JSON and in labels.

A kind of plug-in (test, interval, metric, population) is a `Registry`; a plug-in is a frozen dataclass that
registers itself under its name. `str(x)` prints the spelling and `registry.parse` reads it back.
"""

import dataclasses
import importlib
import inspect
import pkgutil
import re
import types
import typing
from abc import ABC
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar

from tellapart.foundation.errors import SpellingError, nearest
from tellapart.foundation.spelling.options import Option, alternatives, options, wanted
from tellapart.foundation.spelling.other_names import right_name
from tellapart.foundation.spelling.values import name_of, read_value, spell, split

# Plug-ins are found by where they lie: a new file in the folder of its kind is all that a new one takes.


class PackageFolder:
    """The files of a package, imported one by one or all at once."""

    def __init__(
        self,
        package: str,
        path: Iterable[str],
        later: Collection[str] = (),
        first: Sequence[str] = (),
        files: Mapping[str, str] | None = None,
    ) -> None:
        self._package, self._files = package, files or {}
        names = [file.name for file in pkgutil.iter_modules(path) if file.name not in later]
        self._names = [*first, *(name for name in names if name not in first)]

    def import_one(self, name: str) -> None:
        """The file of this plug-in, if it is known."""
        name = self._files.get(name, name)
        if name in self._names:
            importlib.import_module(f"{self._package}.{name}")

    def import_all(self) -> dict[str, int]:
        """All files, the first ones and then in the order of their names, and the place of each module in it."""
        for name in self._names:
            importlib.import_module(f"{self._package}.{name}")
        return {f"{self._package}.{name}": place for place, name in enumerate(self._names)}


ALWAYS = {"spell": "always"}
"""Field metadata: print this option even at its default, because a reader needs it to know what was done."""

# Of a text without blanks around it: two runs of blanks that may share theirs would take the square of their number.
_NAME = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*(?:\((.*)\))?", re.DOTALL)


class Spelled(ABC):
    """Base of every plug-in: a frozen dataclass whose fields are its options.

    What the base of a kind leaves open, an abstract method or property or a `ClassVar` without a value, every plug-in of
    that kind says; one that does not is refused where it is registered.
    """

    registry: ClassVar["Registry[Any]"]
    name: ClassVar[str]
    __dataclass_fields__: ClassVar[dict[str, "dataclasses.Field[Any]"]]

    def __post_init__(self) -> None:
        for option in options(type(self)):
            _check_option(type(self).name, option, getattr(self, option.name))

    def __str__(self) -> str:
        shown = [
            f"{o.name}={spell(getattr(self, o.name))}"
            for o in options(type(self))
            if o.always or getattr(self, o.name) != o.default
        ]
        return f"{type(self).name}({', '.join(shown)})" if shown else type(self).name

    @classmethod
    def parse(cls, text: "str | Self") -> Self:
        """The object a spelling names; an object passes through."""
        return text if isinstance(text, cls) else typing.cast(Self, cls.registry.parse(str(text)))

    @classmethod
    def options_beside(cls, given: Collection[str]) -> list[Option]:  # noqa: ARG003  (most have one form)
        """The options that a spelling with these may have; some plug-ins have a second form with options of its own."""
        return options(cls)

    @classmethod
    def build(cls, values: Mapping[str, Any]) -> "Spelled":
        """The object that a spelling with these options stands for."""
        missing = [o.name for o in options(cls) if o.required and o.name not in values]
        if missing:
            raise SpellingError(
                f"{cls.registry.kind} {cls.name!r} needs {', '.join(missing)}; write {cls.name}({missing[0]}=…)"
            )
        return cls(**values)

    def replace(self, **changes: Any) -> Self:
        return dataclasses.replace(self, **changes)


def undeclared(plug_in: type[Spelled]) -> list[str]:
    """Abstract members that a class leaves open: abstract methods, and class fields without a value."""
    declared = {
        field
        for owner in plug_in.__mro__
        for field, hint in inspect.get_annotations(owner).items()
        if _is_class_field(hint)
    }
    return sorted(plug_in.__abstractmethods__ | {field for field in declared if not hasattr(plug_in, field)})


def _is_class_field(hint: object) -> bool:
    origin: object = typing.get_origin(hint)
    return origin is ClassVar


T = TypeVar("T", bound=Spelled)


class Registry(Generic[T]):
    """The plug-ins of one kind, by name; the only list of them anywhere."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._known: dict[str, type[T]] = {}
        self._folders: list[PackageFolder] = []

    def lies_in(
        self, package: str, path: Iterable[str], later: Collection[str] = (), first: Sequence[str] = ()
    ) -> None:
        """Its plug-ins are the files of a folder: one that is named is imported alone where its file has that name, else all are.

        They are listed by the names of their files, with those that are named as `first` before all others. Files that register
        nothing and need much may be left for `later`, when they are asked for.
        """
        self._folders = [PackageFolder(package, path, later, first)]

    def lies_also_in(self, package: str, path: Iterable[str], files: Mapping[str, str]) -> None:
        """Some of its plug-ins are in files of another folder; all are then listed by name. `files` maps names to files called otherwise."""
        self._folders.append(PackageFolder(package, path, files=files))

    def add(self, name: str) -> Callable[[type[T]], type[T]]:
        def register(plug_in: type[T]) -> type[T]:
            if name in self._known:
                raise AssertionError(f"{self.kind} {name!r} is registered twice")
            plug_in.name = name
            lacking = undeclared(plug_in)
            if lacking:
                raise AssertionError(
                    f"{self.kind} {name!r} does not say its {', '.join(lacking)}; every {self.kind} does"
                )
            self._known[name] = plug_in
            return plug_in

        return register

    def __iter__(self) -> Iterator[str]:
        return iter(self._every_plug_in())

    def every(self) -> tuple[type[T], ...]:
        """All plug-ins, in the order of their names' files."""
        return tuple(self._every_plug_in().values())

    def __contains__(self, name: object) -> bool:
        return self._is_found(str(name)) or name in self._every_plug_in()

    @property
    def at_hand(self) -> list[type[T]]:
        """The plug-ins that are imported already."""
        return list(self._known.values())

    def __getitem__(self, name: str) -> type[T]:
        if name not in self:
            raise SpellingError(f"no {self.kind} is called {name!r}; {right_name(self.kind, name, self._known)}")
        return self._known[name]

    def _is_found(self, name: str) -> bool:
        """Whether it is imported, or in the file of its name, which is imported then and no other."""
        for folder in self._folders:
            if name not in self._known:
                folder.import_one(name)
        return name in self._known

    def _every_plug_in(self) -> dict[str, type[T]]:
        """Every plug-in, in the order of the files, whichever was asked for first."""
        if self._folders:
            places = [folder.import_all() for folder in self._folders]
            known = sorted(self._known.items(), key=lambda item: item[0])
            if len(places) == 1:
                place = places[0]
                known = sorted(self._known.items(), key=lambda item: place.get(item[1].__module__, len(place)))
            self._folders = []
            self._known.clear()
            self._known.update(known)
        return self._known

    def parse(self, text: str) -> T:
        """The plug-in that `text` spells, for example `mcnemar(variant=exact)`."""
        if text.count("(") > MOST_NESTED:
            raise SpellingError(
                f"{text!r} has more than {MOST_NESTED} parentheses; wanted a {self.kind} such as {next(iter(self._known), 'name')}"
            )
        match = _NAME.fullmatch(text.strip())
        if match is None:
            raise SpellingError(
                f"{text!r} names no {self.kind}; write name or name(option=value, …); {right_name(self.kind, _name_without_options(text), self._every_plug_in())}"
            )
        parts = split(match[2] or "")
        kind = self[match[1]]
        given = {part.partition("=")[0].strip() for part in parts}
        known = {o.name: o for o in kind.options_beside(given)}
        values: dict[str, Any] = {}
        for part in parts:
            key, equals, value = (s.strip() for s in part.partition("="))
            if not equals:
                raise SpellingError(f"{part!r} in {text!r} is not option=value; options: {', '.join(known) or 'none'}")
            if key not in known:
                raise SpellingError(f"{self.kind} {match[1]!r} has no option {key!r}; {nearest(key, known)}")
            if key in values:
                raise SpellingError(f"option {key!r} is given twice in {text!r}")
            values[key] = read_value(match[1], known[key], value)
        return typing.cast(T, kind.build(values))


def _name_without_options(text: str) -> str:
    """The part of a spelling before its options, with _ where names have it."""
    return re.sub(r"[\s-]+", "_", name_of(text))


MOST_NESTED = 50
"""Parentheses in a spelling: far more than plug-ins can be wrapped in each other, far fewer than Python can follow."""


def _check_option(owner: str, option: Option, value: Any) -> None:
    """Constructors are doors too: a choice that does not exist is refused here, whatever built the object."""
    none = value is None and types.NoneType in alternatives(option.type)
    if option.choices and value not in option.choices and not none:
        raise SpellingError(f"{owner}: {option.name}={value} should be {wanted(option)}")
