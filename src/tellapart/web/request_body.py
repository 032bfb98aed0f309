"""Parsing of request bodies into fields and files; each file is a label and its bytes, in memory."""

import dataclasses
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from tellapart.web.limits import ServeLimits
from tellapart.web.messages import Refused

JSON, FORM, PARTS = "application/json", "application/x-www-form-urlencoded", "multipart/form-data"
QUESTION = "question"
"""The part of a request with files that holds the question as JSON."""
MOST_FIELDS = 1_000


@dataclass(frozen=True)
class Uploaded:
    """A file of a request: the field it was given for, what it is called, and what it holds."""

    field: str
    label: str
    content: bytes = dataclasses.field(repr=False)


@dataclass(frozen=True)
class Body:
    """Fields in order, a question in JSON, and files."""

    fields: tuple[tuple[str, str], ...] = ()
    question: Mapping[str, Any] | None = None
    files: tuple[Uploaded, ...] = ()


def body_of(content_type: str, data: bytes, limits: ServeLimits) -> Body:
    """The body as its type says; what has no type holds nothing."""
    kind, options = parse_options_header(content_type)
    media = kind.decode("latin-1").strip().lower()
    if media == JSON:
        return Body(question=question_in(data))
    if media == FORM:
        return Body(fields=fields_in(data.decode("utf-8", "replace")))
    if media == PARTS and (boundary := options.get(b"boundary")):
        return _parts(data, boundary, limits)
    if not media and not data:
        return Body()
    raise Refused(415, f"found a body of type {media or 'unknown'!r}; wanted {JSON}, or {PARTS} with files")


def fields_in(text: str) -> tuple[tuple[str, str], ...]:
    """The fields of a form or of an address; those that were left blank say nothing."""
    try:
        return tuple(parse_qsl(text, max_num_fields=MOST_FIELDS, errors="strict"))
    except UnicodeDecodeError:
        raise Refused(400, "the fields are not UTF-8 text; wanted UTF-8") from None
    except ValueError:
        raise Refused(400, f"found more than {MOST_FIELDS:,} fields; wanted those of one question") from None


def question_in(data: bytes) -> Mapping[str, Any]:
    """The question that a text of JSON holds."""
    try:
        said = json.loads(data, parse_constant=_refuse_constant, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"the body is no JSON ({error}); wanted an object with the question's fields") from None
    if not isinstance(said, dict):
        raise Refused(400, f"found a JSON {type(said).__name__}; wanted an object with the question's fields")
    return said


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field is given twice")
    return found


class _Parts:
    """Collects the parts of a body while the parser walks over it."""

    def __init__(self, limits: ServeLimits) -> None:
        self.most_files = limits.most_files
        self.parts: list[tuple[dict[str, bytes], bytearray]] = []
        self._name, self._value = bytearray(), bytearray()

    def on_part_begin(self) -> None:
        if len(self.parts) >= self.most_files + MOST_FIELDS:
            raise Refused(
                400,
                f"found more than {self.most_files + MOST_FIELDS:,} parts; wanted at most {self.most_files:,} files",
            )
        self.parts.append(({}, bytearray()))

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def on_header_end(self) -> None:
        self.parts[-1][0][self._name.decode("latin-1").lower()] = bytes(self._value)
        self._name, self._value = bytearray(), bytearray()

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        self.parts[-1][1].extend(memoryview(data)[start:end])


def _parts(data: bytes, boundary: bytes, limits: ServeLimits) -> Body:
    found = _Parts(limits)
    names = ("on_part_begin", "on_header_field", "on_header_value", "on_header_end", "on_part_data")
    try:
        parser = MultipartParser(boundary, {name: getattr(found, name) for name in names})  # type: ignore[arg-type]
        parser.write(data)
        parser.finalize()
    except FormParserError as error:  # of the boundary, or of what stands between
        raise Refused(400, f"the body is no form with files ({error}); send it again") from None
    return _sorted(_named(found.parts), limits)


def _named(parts: Iterable[tuple[dict[str, bytes], bytearray]]) -> Iterable[tuple[str, str | None, bytes]]:
    """Each part with the name of its field, and of its file where it is one."""
    for headers, content in parts:
        _, said = parse_options_header(headers.get("content-disposition", b""))
        file = said.get(b"filename")
        yield _text(said.get(b"name", b"")), None if file is None else _text(file), bytes(content)


def _sorted(parts: Iterable[tuple[str, str | None, bytes]], limits: ServeLimits) -> Body:
    fields: list[tuple[str, str]] = []
    files: list[Uploaded] = []
    question = None
    for name, file, content in parts:
        if name == QUESTION and file is None:
            question = question_in(content)
        elif file is None:
            fields.extend([(name, _text(content))] if content else [])
        elif content or file:  # a browser sends an empty one where no file was chosen
            files.append(Uploaded(name, label(file, limits), content))
    _refuse_many(files, limits)
    return Body(tuple(fields), question, tuple(files))


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise Refused(400, "a name or a field of the form is not UTF-8 text; wanted UTF-8") from None


def label(name: str, limits: ServeLimits) -> str:
    """The label of a file: the last part of its name."""
    last = name.replace("\\", "/").rpartition("/")[2].strip()
    if "\0" in last or len(last) > limits.most_spelling:
        raise Refused(
            400, f"the name of a file holds a NUL, or more than {limits.most_spelling:,} characters. Rename it"
        )
    return last if last not in {"", "-", ".", ".."} else "upload"


def _refuse_many(files: list[Uploaded], limits: ServeLimits) -> None:
    if len(files) > limits.most_files:
        raise Refused(400, f"found {len(files):,} files; wanted at most {limits.most_files:,}")
    met: set[str] = set()
    for one in files:
        if one.label in met:
            raise Refused(400, f"two files are called {one.label!r}; give each a name of its own")
        met.add(one.label)
