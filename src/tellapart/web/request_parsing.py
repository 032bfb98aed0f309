"""Parsing of forms, query strings and JSON into command-line arguments.

A value never becomes a flag: it stands behind the `=` of its own. A file is named by its label alone, and only where it was given.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import NoneType
from typing import Any, get_args, get_origin

from tellapart.foundation.errors import UsageError, nearest
from tellapart.foundation.spelling import Option, alternatives, name_of, right_option, spell, split
from tellapart.populations import POPULATIONS
from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Refused
from tellapart.web.request_body import Uploaded
from tellapart.web.served_verbs import FILES, KIND, PILOT, Offer, plan_options

Fields = Mapping[str, tuple[str, ...]]
"""What was said of each option, as text; of one that may be repeated several."""


@dataclass(frozen=True)
class WebQuestion:
    """A question that may be asked here, and the files it is asked of."""

    offer: Offer
    fields: Fields
    files: tuple[Uploaded, ...] = ()
    population: str = ""

    def arguments(self) -> list[str]:
        """What is typed behind the name of the program."""
        known = self.offer.by_name | {one.name: one for one in _population_options(self.population)}
        words = [*self.offer.typed, *([self.population] if self.population else [])]
        for name, texts in self.fields.items():
            words += [flag(name)] if is_flag(known[name]) else [f"{flag(name)}={text}" for text in texts]
        words += [f"{flag(one.field)}={one.label}" for one in self.files if one.field != FILES]
        named = [one.label for one in self.files if one.field == FILES]
        return [*words, *(["--", *named] if named else [])]


def asked(
    offer: Offer, said: Mapping[str, Any] | Iterable[tuple[str, str]], files: tuple[Uploaded, ...], limits: ServeLimits
) -> WebQuestion:
    """The question, if it is one that may be asked here."""
    texts = _of_json(offer, said) if isinstance(said, Mapping) else _of_form(offer, said)
    for name, values in texts.items():
        for text in values:
            _refuse_unfit(name, text, limits)
    population = ""
    if offer.verb == "plan":
        (population,) = texts.pop(KIND, ("",))
        _refuse_unknown_population(population, files)
    _refuse_unknown_files(offer, files)
    _refuse_files(texts, files)
    made = WebQuestion(offer, texts, files, population)
    _refuse_too_large(made, limits)
    return made


def flag(name: str) -> str:
    return f"--{name.rstrip('_').replace('_', '-')}"


def is_flag(option: Option) -> bool:
    return [kind for kind in alternatives(option.type) if kind is not NoneType] == [bool] and not option.many


def repeats(option: Option) -> bool:
    """Whether it is given once for each of its values."""
    return not option.many and _members(option) == (str, Ellipsis)


def is_series(option: Option) -> bool:
    """Whether one value of it is several numbers, such as thresholds, spelled with colons between them."""
    return bool(_members(option)) and set(_members(option)) <= {int, float, Ellipsis}


def _members(option: Option) -> tuple[Any, ...]:
    kinds = [kind for kind in alternatives(option.type) if kind is not NoneType]
    return get_args(kinds[0]) if len(kinds) == 1 and get_origin(kinds[0]) is tuple else ()


def _population_options(population: str) -> tuple[Option, ...]:
    return plan_options(name_of(population)) if population else ()


def _known(offer: Offer, name: str) -> Option | None:
    """The option of this name; None for the population, which is none."""
    known = offer.by_name
    if offer.verb == "plan" and name == KIND:
        return None
    if name not in known:
        if name in offer.files:
            raise UsageError(f"{name} is a file here: send its content as a part of the form, not its name")
        right = right_option(name, known) or nearest(name, known)
        raise UsageError(f"{offer.verb} takes no {name!r}; {right}")
    return known[name]


def _of_form(offer: Offer, said: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, text in said:
        one, value = _known(offer, name), text.strip()
        if not value or (one is not None and is_flag(one) and value.lower() in {"false", "0", "off"}):
            continue
        several = one is not None and (repeats(one) or one.many)
        if name in found and not several and found[name] != (value,):
            raise UsageError(f"{name} is given twice, as {found[name][0]!r} and {value!r}; give it once")
        found[name] = (*found.get(name, ()), value) if several else (value,)
    return {
        name: (",".join(v),) if (o := _known(offer, name)) is not None and o.many else v for name, v in found.items()
    }


def _of_json(offer: Offer, said: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    found = {
        name: _texts_of_value(_known(offer, name), name, value, grids=offer.verb == "plan")
        for name, value in said.items()
    }
    return {name: texts for name, texts in found.items() if texts}


def _texts_of_value(option: Option | None, name: str, value: Any, *, grids: bool) -> tuple[str, ...]:
    """A value of JSON as what is typed for it; nothing where it is null, or false of a flag."""
    if value is None:
        return ()
    if option is not None and is_flag(option):
        if not isinstance(value, bool):
            raise UsageError(f"{name} is {value!r}; it should be true or false")
        return ("",) if value else ()
    if option is not None and repeats(option):
        return _repeated(name, value)
    if option is not None and is_series(option) and isinstance(value, list):
        # Numbers are one value of it; texts and lists are values each.
        apart = any(isinstance(one, str | list) for one in value) or not value
        value = [_series(name, one) for one in value] if apart else _series(name, value)
    if isinstance(value, list) and (grids and option is not None):
        if not value:
            raise UsageError(f"{name} is an empty list; leave it out, or give at least one value")
        return (",".join(_text(name, one) for one in value),)
    return (_text(name, value),)


def _series(name: str, value: Any) -> str:
    return ":".join(_text(name, one) for one in value) if isinstance(value, list) else _text(name, value)


def _repeated(name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, Mapping):
        return tuple(f"{key}={_text(name, one)}" for key, one in value.items())
    return tuple(_text(name, one) for one in (value if isinstance(value, list) else [value]))


def _text(name: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    whole = isinstance(value, int) and not isinstance(value, bool)
    if whole or (isinstance(value, float) and math.isfinite(value)):
        return spell(value)
    raise UsageError(f"{name} holds {type(value).__name__} {str(value)[:40]!r}; it should be a number or a text")


def _refuse_unfit(name: str, text: str, limits: ServeLimits) -> None:
    if "\0" in text or text.encode(errors="ignore").decode() != text:
        raise UsageError(f"{name} holds a NUL or half a character; wanted text")
    if len(text) > limits.most_spelling:
        raise UsageError(f"{name} has {len(text):,} characters; wanted at most {limits.most_spelling:,}")
    depth = most = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        most = max(most, depth)
    if most > limits.most_depth:
        raise UsageError(f"{name} has parentheses {most} deep; wanted at most {limits.most_depth}")


def _refuse_unknown_files(offer: Offer, files: tuple[Uploaded, ...]) -> None:
    met: set[str] = set()
    for one in files:
        if one.field not in offer.files:
            wanted = f"it takes {', '.join(offer.files)}" if offer.files else "it takes none"
            raise UsageError(f"{offer.verb} takes no file called {one.field!r}; {wanted}")
        if one.field in met and one.field not in {FILES, "reference"}:
            raise UsageError(f"{one.field} is given twice; it is one file")
        met.add(one.field)


def _refuse_unknown_population(kind: str, files: tuple[Uploaded, ...]) -> None:
    """Checked here, before a command could take what is no population for a path."""
    name, given = name_of(kind), any(one.field == FILES for one in files)
    if kind:
        POPULATIONS[name]  # says which there are
    if name == PILOT and not given:
        raise UsageError(f"a {PILOT} is planned from its file; send that as {FILES}")
    if given and name != PILOT:
        raise UsageError(f"{FILES} are for a pilot: say that the {KIND} is {PILOT}, or leave them out")


def _refuse_files(texts: Fields, files: tuple[Uploaded, ...]) -> None:
    """Evidence is a spelling or an upload, and what ends like a file is one."""
    for text in texts.get("evidence", ()):
        if any(part.strip().endswith(".json") for part in [text, *split(text)]):
            raise UsageError("evidence is named by its spelling here; send a file of evidence as the file evidence")
    for one in files:
        if one.field == "evidence" and not one.label.endswith(".json"):
            raise UsageError(f"{one.label}: wanted a file of evidence that ends in .json")


def _refuse_too_large(question: WebQuestion, limits: ServeLimits) -> None:
    if question.offer.verb == "plan":
        rows = math.prod(max(1, len(split(text))) for texts in question.fields.values() for text in texts)
        if rows > limits.most_grid:
            raise Refused(422, f"these lists make a grid of {rows:,} plans; wanted at most {limits.most_grid:,}")
    for name in ("replicates", "resamples"):
        for text in question.fields.get(name, ()):
            if text.strip().isdecimal() and int(text[:20]) > limits.most_replicates:
                raise Refused(422, f"{name} is {text[:20]}; here it is at most {limits.most_replicates:,}")
