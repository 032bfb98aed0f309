"""A question as something to take along: a command for a shell, a few lines of Python, an address."""

import re
import shlex
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from tellapart.cli.flags import listed
from tellapart.cli.limits import limits_of
from tellapart.cli.mapping import mapping
from tellapart.populations import POPULATIONS
from tellapart.spelling import Option, Spelled, name_of, options, read_value
from tellapart.web.asked import Asked, is_flag, repeats
from tellapart.web.offers import FILES, KIND

_READ = {"column": "columns", "name": "names", "where": "where", "as_": "format"}
"""Options of reading that Python has as one mapping, or under another name."""
_READING = frozenset(
    ("measure", "dataset", "unretrieved", "errors", "partial", "runs", "documents", "qrels", "universe")
)


def shell_word(word: str) -> str:
    r"""A word as a shell reads it back; what cannot be seen is spelled out.

    >>> shell_word("my file"), shell_word("it's"), shell_word("a\nb\x1b")
    ("'my file'", '\'it\'"\'"\'s\'', "$'a\\nb\\x1b'")
    """
    if word.isprintable():
        return shlex.quote(word)
    return f"$'{''.join(map(_spelled_out, word))}'"


def _spelled_out(char: str) -> str:
    if char in "\\'":
        return f"\\{char}"
    if char == "\n":
        return "\\n"
    if char.isprintable():
        return char
    # Byte by byte: what follows an escape of several digits could be taken for another of them.
    return "".join(f"\\x{byte:02x}" for byte in char.encode())


def command(question: Asked) -> str:
    """What to type for the same answer."""
    words = [_shown(word) for word in question.arguments()]
    return " ".join(["tellapart", *(shell_word(part) for word in words for part in word)])


def elsewhere(refusal: str, question: Asked) -> str:
    """A refusal that ends in what can be done at a command line, with what to type there."""
    return f"{refusal}: {command(question)}"


def _shown(word: str) -> tuple[str, ...]:
    """A flag and its value as people write them, unless the value looks like a flag itself."""
    found = re.fullmatch(r"(--[a-z-]+)=([^-].*)", word, re.DOTALL)
    return (word,) if found is None else (found[1], found[2])


def address(question: Asked) -> str:
    """All but the files, to be sent to somebody."""
    kind = [(KIND, question.population)] if question.population else []
    said = [(name, text or "true") for name, texts in question.fields.items() for text in texts]
    return f"/{question.offer.path}?{urlencode([*kind, *said])}"


def python(question: Asked) -> str:
    """What to run in Python for the same answer."""
    verb = question.offer.verb
    if verb == "plan" and not question.files:
        given = [repr(question.population)] if question.population else []
        return f"import tellapart\n\nprint(tellapart.plan({', '.join([*given, *_named(_plan_values(question))])}))\n"
    if verb == "audit" and not question.files:
        return _audit(question)
    if verb == "fit" and not question.fields and len(question.files) == 1:
        return f"from tellapart.verbs.evidence.fit import fit_evidence\n\nprint(fit_evidence({question.files[0].label!r}))\n"
    return "" if verb in {"plan", "audit", "evidence", "fit"} else _on_files(question)


def _audit(question: Asked) -> str:
    from dataclasses import fields  # noqa: PLC0415  (of a claim alone)

    from tellapart.claims import Claim  # noqa: PLC0415

    own = {field.name for field in fields(Claim)}
    known = question.offer.by_name
    claim = {name: texts[0] for name, texts in question.fields.items() if name in own}
    asked = {name: _value(known[name], texts) for name, texts in question.fields.items() if name not in own}
    words = ", ".join([f"tellapart.Claim({', '.join(_named(claim))})", *_named(asked)])
    return f"import tellapart\n\nprint(tellapart.audit({words}))\n"


def _on_files(question: Asked) -> str:
    files = [one.label for one in question.files if one.field == FILES]
    source = repr(files[0]) if len(files) == 1 else repr(files)
    if question.offer.verb == "describe":
        return f"from tellapart.verbs.describe import describe\n\nprint(describe({', '.join([source, *_named(_reading(question))])}))\n"
    known = question.offer.by_name
    own = {
        name: _value(known[name], texts)
        for name, texts in question.fields.items()
        if name not in _READ and name not in _READING and name != "cluster"
    }
    read = f"tellapart.read({', '.join([source, *_named(_reading(question))])})"
    return f"import tellapart\n\nscores = {read}\nprint(tellapart.{question.offer.verb}({', '.join(['scores', *_named(own)])}))\n"


def _reading(question: Asked) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, texts in question.fields.items():
        if name == "cluster":
            found["columns"] = {**found.get("columns", {}), "cluster": texts[0]}
        elif name == "as_":
            found["format"] = texts[0]
        elif name in _READ:
            found[_READ[name]] = {**found.get(_READ[name], {}), **mapping(name, texts, "key=value", "a=b")}
        elif name in _READING:
            found[name] = _value(question.offer.by_name[name], texts)
    for one in question.files:
        if one.field == "reference":
            found["references"] = [*found.get("references", []), one.label]
        elif one.field != FILES:
            found[one.field] = one.label
    return found


def _plan_values(question: Asked) -> dict[str, Any]:
    kind = POPULATIONS[name_of(question.population)] if question.population else None
    own = {} if kind is None else {one.name: one for one in options(kind)}
    known = question.offer.by_name | own
    return {
        name: _plan_value(known[name], texts[0]) if not is_flag(known[name]) else True
        for name, texts in question.fields.items()
    }


def _plan_value(option: Option, text: str) -> Any:
    values = [_plain(read_value("plan", option, part)) for part in listed(option.name, text)]
    return values[0] if len(values) == 1 else values


def _value(option: Option, texts: tuple[str, ...]) -> Any:
    if is_flag(option):
        return True
    if repeats(option):
        return list(texts) if option.name != "limit" else limits_of(texts)
    return _plain(read_value("", option, texts[0])) if _is_number(option) else texts[0]


def _is_number(option: Option) -> bool:
    return option.type in {int, float, int | None, float | None}


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Spelled) else value


def _named(values: dict[str, Any]) -> Iterable[str]:
    return [f"{name}={value!r}" for name, value in values.items()]
