"""OpenAPI document of the server, generated from the dataclasses of questions and answers."""

import types
import typing
from dataclasses import replace
from functools import cache
from typing import Any, Literal, Union

from tellapart import __version__
from tellapart.answers.schema import schema_of
from tellapart.foundation.spelling import Option, Range, alternatives
from tellapart.foundation.surfaces import spell_marks
from tellapart.verbs.plan.population_options import every_option
from tellapart.web.messages import MEDIA
from tellapart.web.request_parsing import is_flag, is_series, repeats
from tellapart.web.served_verbs import FILES, KIND, Offer, offers

API = "/api/v2"
"""Where programs ask."""
PROBLEM = {"$ref": "#/components/schemas/Problem"}
_PROBLEM_SCHEMA = {
    "type": "object",
    "description": "RFC 9457. `detail` is the message that the command line gives, `error` its name there.",
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "error": {"type": "string"},
    },
    "required": ["type", "title", "status", "detail"],
}
_REFUSALS = {
    400: "The question cannot be asked this way.",
    401: "The token is missing or wrong.",
    403: "The request comes from a page of another origin.",
    413: "The request is too large.",
    415: "The body is of a type that is not read here.",
    421: "The server does not go by this name.",
    422: "The files cannot be used as they are, or the question asks for more than one may.",
    503: "Everybody is busy, or the process that answered was ended; Retry-After says when to ask again.",
}


@cache
def openapi_document() -> dict[str, Any]:
    """The whole document."""
    parts: dict[str, Any] = {"Problem": _PROBLEM_SCHEMA}
    paths: dict[str, Any] = {}
    for offer in offers().values():
        paths[f"{API}/{offer.path}"] = _path(offer, parts)
    paths["/healthz"] = {"get": _health()}
    return {
        "openapi": "3.1.0",
        "info": {"title": "tellapart", "version": __version__, "description": "Can this evaluation tell these systems apart?"},
        "paths": paths,
        "components": {
            "schemas": parts,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }  # fmt: skip


def _path(offer: Offer, parts: dict[str, Any]) -> dict[str, Any]:
    asked = {
        "operationId": offer.verb,
        "summary": offer.doc,
        "responses": {
            "200": {
                "description": "What `--format json` prints.",
                "content": {"application/json": {"schema": _answer_schema(offer, parts)}},
            },
            **{str(code): _problem(words) for code, words in _REFUSALS.items()},
        },
    }
    if not offer.options:
        return {"get": asked}
    return {"post": asked | {"requestBody": _body(offer, parts)}}


def _problem(words: str) -> dict[str, Any]:
    return {"description": words, "content": {MEDIA: {"schema": PROBLEM}}}


def _health() -> dict[str, Any]:
    schema = {
        "type": "object",
        "properties": {"status": {"const": "ok"}, "version": {"type": "string"}},
        "required": ["status"],
    }
    said = {"description": "Up.", "content": {"application/json": {"schema": schema}}}
    return {"operationId": "healthz", "summary": "Is it up?", "responses": {"200": said}}


def _answer_schema(offer: Offer, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of the answer, its parts among those of the document, each under the kind of its answer."""
    kind = offer.answer.kind
    schema = _moved_refs(schema_of(offer.answer), kind)
    for name, part in schema.pop("$defs").items():
        parts[f"{kind}.{name}"] = part
    schema.pop("$schema")
    schema.pop("$id")
    parts[kind] = schema
    return {"$ref": f"#/components/schemas/{kind}"}


def _moved_refs(schema: Any, kind: str) -> Any:
    if isinstance(schema, dict):
        return {
            key: f"#/components/schemas/{kind}.{value.rpartition('/')[2]}"
            if key == "$ref"
            else _moved_refs(value, kind)
            for key, value in schema.items()
        }
    return [_moved_refs(one, kind) for one in schema] if isinstance(schema, list) else schema


def _body(offer: Offer, parts: dict[str, Any]) -> dict[str, Any]:
    name = f"{offer.verb}.question"
    parts[name] = _question(offer)
    question = {"$ref": f"#/components/schemas/{name}"}
    content: dict[str, Any] = {"application/json": {"schema": question}}
    if offer.files:
        binary = {"type": "string", "format": "binary"}
        several = {"type": "array", "items": binary}
        files = {one: several if one in {FILES, "reference"} else binary for one in offer.files}
        form: dict[str, Any] = {"type": "object", "properties": {"question": question, **files}}
        if offer.needs_files:
            form["required"] = [FILES]
        with_files = {"schema": form, "encoding": {"question": {"contentType": "application/json"}}}
        content = {"multipart/form-data": with_files} | ({} if offer.needs_files else content)
    return {"required": True, "content": content}


def _question(offer: Offer) -> dict[str, Any]:
    properties = {one.name: question_option(one) for one in offer.options}
    if offer.verb == "plan":
        properties = {one.name: _of_plan(one) for one in offer.options}
        said = "What scores are like: the name of a population, or a spelling of one with its options."
        properties = {KIND: {"type": "string", "description": said}, **properties}
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _of_plan(option: Option) -> dict[str, Any]:
    """What a plan takes under this name, of whichever population; where rows can be made of it, a list of it too."""
    owners = [one for _, one in every_option().get(option.name, ())]
    kinds = dict.fromkeys((option.type, *(one.type for one in owners)))
    several = replace(option, type=Union[tuple(kinds)], range=option.range if len(kinds) == 1 else None)  # noqa: UP007  (made of what is found)
    return question_option(several, grids=bool(owners) or option.many)


def question_option(option: Option, *, grids: bool = False) -> dict[str, Any]:
    """What JSON may say of an option."""
    said = spell_marks(option.help, "page")
    if is_flag(option):
        return {"type": "boolean", "description": said}
    if repeats(option):
        words: dict[str, Any] = {"type": "array", "items": {"type": "string"}, "maxItems": 100}
        mapped = {"type": "object", "additionalProperties": {"type": "string"}}
        shape: dict[str, Any] = {"anyOf": [words, mapped]} if "=" in (option.metavar or "") else words
        return shape | {"description": said}
    one = _any([_value_shape(kind, option) for kind in alternatives(option.type) if kind is not types.NoneType])
    if grids:
        one = {"anyOf": [one, {"type": "array", "items": one, "minItems": 1, "maxItems": 200}]}
    return one | {"description": said}


def _any(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    different = [one for place, one in enumerate(shapes) if one not in shapes[:place]]
    return different[0] if len(different) == 1 else {"anyOf": different}


def _value_shape(kind: Any, option: Option) -> dict[str, Any]:
    if kind in {int, float}:
        return {"type": "integer" if kind is int else "number", **_bounds(option.range)}
    if is_series(option):
        return {
            "anyOf": [
                {"type": "string"},
                {"type": "array", "items": {"type": "number"}, "minItems": 1, "maxItems": 100},
            ]
        }
    if typing.get_origin(kind) is Literal:
        return {"type": "string", "enum": list(typing.get_args(kind))}
    return {"type": "string"}


def _bounds(range_: Range | None) -> dict[str, float]:
    if range_ is None or range_.either_sign:
        return {}
    named = {
        "minimum": range_.least,
        "exclusiveMinimum": range_.above,
        "maximum": range_.most,
        "exclusiveMaximum": range_.below,
    }
    return {name: bound for name, bound in named.items() if bound is not None}
