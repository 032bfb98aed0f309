"""JSON Schemas of answers, generated from their dataclasses and the texts below the fields."""

import ast
import dataclasses
import inspect
import itertools
import pkgutil
import re
import textwrap
import types
import typing
from importlib import import_module
from typing import Any, Literal

from tellapart.answers import __name__ as package
from tellapart.answers import __path__ as path
from tellapart.answers.answer import Answer
from tellapart.answers.glossary import WORDS

# What the fields of an answer mean, read from where they are defined: a schema repeats it, and nobody
# writes it twice.

_SENTENCE_END = re.compile(r"(?<=[.;])\s+(?=[A-Z`])")


def words_of(kind: type) -> dict[str, str]:
    """Of every field what stands below it, else what the docstring of its class or of a base says of it, else what the glossary says."""
    below, owners = _below(kind), [owner for owner in kind.__mro__ if dataclasses.is_dataclass(owner)]
    docs = [_SENTENCE_END.split(" ".join((owner.__doc__ or "").split())) for owner in owners]
    found = {
        f.name: below.get(f.name) or next(filter(None, (_about(f.name, sentences) for sentences in docs)), "")
        for f in dataclasses.fields(kind)
    }
    return {name: words or WORDS.get(f"{kind.__name__}.{name}") or WORDS.get(name, "") for name, words in found.items()}


def _about(name: str, sentences: list[str]) -> str:
    return " ".join(sentence for sentence in sentences if f"`{name}`" in sentence)


def _below(kind: type) -> dict[str, str]:
    """Texts that stand right below a field, in the class or in those it inherits from."""
    found: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if dataclasses.is_dataclass(owner):
            for field, text in itertools.pairwise(_schema_body(owner)):
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    found[field.target.id] = _schema_text(text)
    return found


def _schema_body(owner: type) -> list[ast.stmt]:
    (made,) = ast.parse(textwrap.dedent(inspect.getsource(owner))).body
    return made.body if isinstance(made, ast.ClassDef) else []


def _schema_text(node: ast.stmt) -> str:
    """The text of a statement that is only a string, as one line; empty for others."""
    said = node.value if isinstance(node, ast.Expr) else None
    return " ".join(said.value.split()) if isinstance(said, ast.Constant) and isinstance(said.value, str) else ""


DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    # What is undefined or infinite is null in JSON, whatever it is a number of.
    float: {"type": ["number", "null"]},
    type(None): {"type": "null"},
    Any: {},
}


def kinds() -> dict[str, type[Answer]]:
    """Every kind of answer that this room defines, by its name."""
    for folder in pkgutil.iter_modules(path):
        if folder.ispkg:
            import_module(f"{package}.{folder.name}")
    ours = [kind for kind in Answer.__subclasses__() if kind.__module__.startswith(f"{package}.")]
    return {kind.kind: kind for kind in sorted(ours, key=lambda kind: kind.kind)}


def schema_of(kind: type[Answer]) -> dict[str, Any]:
    """The schema of one kind of answer; its version is the last part of what `schema` must say."""
    parts: dict[str, Any] = {}
    body = _schema_object(kind, parts)
    body["properties"] = {"schema": _schema_named(kind), **body["properties"]}
    body["required"] = ["schema", *body["required"]]
    return {"$schema": DIALECT, "$id": _schema_address(kind), "title": kind.__name__, **body, "$defs": parts}


def schema_of_all() -> dict[str, Any]:
    """One schema for any answer: which it is of, the answer's own `schema` says."""
    every = {name: schema_of(kind) for name, kind in kinds().items()}
    parts: dict[str, Any] = {}
    for name, one in every.items():
        parts |= one.pop("$defs")
        parts[name] = {key: value for key, value in one.items() if key not in {"$schema", "$id"}}
    any_of = [{"$ref": f"#/$defs/{name}"} for name in every]
    return {"$schema": DIALECT, "$id": "urn:tellapart:answer", "title": "Answer", "oneOf": any_of, "$defs": parts}  # fmt: skip


def _schema_address(kind: type[Answer]) -> str:
    return f"urn:{kind.schema.replace('/', ':')}"


def _schema_named(kind: type[Answer]) -> dict[str, Any]:
    return {
        "const": kind.schema,
        "description": "What the answer is, and the version of its schema: another meaning of a field gives it another version.",
    }


def _schema_object(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a dataclass; what it holds of others is added to the parts."""
    hints, words = typing.get_type_hints(kind), words_of(kind)
    fields = [f for f in dataclasses.fields(kind) if not f.metadata.get("spread")]
    properties = {f.name: _schema_shape(hints[f.name], parts) | _schema_said(words.get(f.name)) for f in fields}
    required = [f.name for f in fields if not f.metadata.get("optional")]
    own = kind.__doc__ or ""
    said = {} if own.startswith(f"{kind.__name__}(") else _schema_said(" ".join(own.split()))
    return {**said, "type": "object", "properties": properties, "required": required}


def _schema_said(words: str | None) -> dict[str, str]:
    return {"description": words} if words else {}


def _schema_shape(hint: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type as dataclasses have it."""
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if dataclasses.is_dataclass(hint):
        return _referred(typing.cast("type", hint), parts)
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin is tuple:
        return {"type": "array", "items": _schema_shape(inner[0], parts)}
    if origin is dict:
        names = {} if inner[0] is str else {"propertyNames": _schema_shape(inner[0], parts)}
        return {"type": "object", **names, "additionalProperties": _schema_shape(inner[1], parts)}
    if origin in {typing.Union, types.UnionType}:
        return _any_of([_schema_shape(one, parts) for one in inner])
    raise TypeError(f"{hint} is nothing that JSON holds")


def _any_of(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    """Types in one list where they are nothing else."""
    if all(set(shape) == {"type"} for shape in shapes):
        names = [n for s in shapes for n in (s["type"] if isinstance(s["type"], list) else [s["type"]])]
        return {"type": list(dict.fromkeys(names))}
    return {"anyOf": shapes}


def _referred(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    """Where a dataclass is described; each is described once, and its name is its address."""
    name = kind.kind if issubclass(kind, Answer) else kind.__name__
    if name not in parts:
        parts[name] = {}  # its place is taken before what it holds is described
        parts[name] = _schema_object(kind, parts)
    return {"$ref": f"#/$defs/{name}"}
