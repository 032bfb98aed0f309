from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree as ET
from xml.parsers import expat

from tellapart.foundation.errors import ReadError
from tellapart.readers.format import ERROR, FORMATS, MISSING, Facts, Log, OpenLog, Origin, Row, text_of
from tellapart.readers.storage.json_objects import objects_in, read_object
from tellapart.readers.storage.limits import CHUNK

OUTCOME = "outcome"
_SCORES = {"passed": 1, "xpassed": 1, "failed": 0, "xfailed": 0}
_STATUS = {"skipped": MISSING, "error": ERROR}


@FORMATS.add("pytest")
@dataclass(frozen=True)
class Pytest(Log):
    """pytest by pytest-json-report or as JUnit XML: a test passed (1), failed (0), was skipped (missing) or broke (an error).

    Properties that a test records are measures too.
    """

    label = "pytest reports"
    program = "pytest"
    items = "nodeid, or classname::name"
    unit = "test"

    def example(self) -> bytes:
        one = '{"nodeid": "t.py::test_%d", "outcome": "%s"}'
        return (
            f'{{"created": 1.0, "exitcode": 1, "summary": {{"total": 2}}, "tests": [{one % (0, "passed")}, {one % (1, "failed")}]}}'
        ).encode()

    def recognises(self, origin: Origin) -> bool:
        preview = origin.preview
        if preview.kind == "xml":
            return (
                'name="promptfoo"' not in origin.opening[:1000]
                and "<testcase" in origin.opening[:65536]
                and "<testsuite" in origin.opening[:65536]
            )
        tests = objects_in(preview.at("tests"))
        return preview.kind == "object" and any({"nodeid", OUTCOME} <= test.keys() for test in tests)

    def open_log(self, origin: Origin) -> OpenLog:
        rows = _junit_rows(origin) if origin.preview.kind == "xml" else _json_rows(read_object(origin))
        return OpenLog(Facts(primary=OUTCOME), rows)


def _json_rows(found: dict[str, Any]) -> Iterator[Row]:
    for number, test in enumerate(objects_in(found.get("tests")), 1):
        outcome = text_of(test.get(OUTCOME))
        recorded = [*objects_in([test.get("metadata")]), *objects_in(test.get("user_properties"))]
        properties = {str(name): value for one in recorded for name, value in one.items()}
        yield from _of_test(number, text_of(test.get("nodeid")), outcome, properties)


def _of_test(number: int, item: str, outcome: str, properties: dict[str, Any]) -> Iterator[Row]:
    yield Row(number, item, OUTCOME, _SCORES.get(outcome), _STATUS.get(outcome, ""))
    for name, value in properties.items():
        yield Row(number, item, name, value)


def _junit_rows(origin: Origin) -> Iterator[Row]:
    for number, case in enumerate(junit_cases(origin), 1):
        owner, name = case.get("classname", ""), case.get("name", "")
        properties = {one.get("name", ""): one.get("value", one.text) for one in case.iterfind("properties/property")}
        yield from _of_test(number, f"{owner}::{name}" if owner else name, junit_outcome(case), properties)


def junit_outcome(case: ET.Element) -> str:
    skipped = case.find("skipped")
    if skipped is not None:
        return "xfailed" if skipped.get("type") == "pytest.xfail" else "skipped"
    if case.find("error") is not None:
        return "error"
    return "failed" if case.find("failure") is not None else "passed"


class _Cases:
    """Collects test cases from expat's events, and refuses declarations where they begin, before anything they declare is used."""

    def __init__(self, origin: Origin) -> None:
        self.origin, self.depth = origin, 0
        self.complete: list[ET.Element] = []
        self.open: list[ET.Element] = []
        self.parser = expat.ParserCreate(namespace_separator="}")
        self.parser.buffer_text = True
        self.parser.StartDoctypeDeclHandler = self.refuse_declaration
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.text

    def refuse_declaration(self, *_: object) -> None:
        # What a document declares of its own could unfold to any size, or fetch other files; reports declare nothing.
        raise ReadError(
            f"{self.origin.name}: an XML document with declarations (<!DOCTYPE …>); wanted a plain JUnit report"
        )

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        limits = self.origin.limits
        if self.depth > limits.nesting:
            raise limits.refusal(self.origin.name, f"elements more than {limits.nesting} deep", "nesting")
        name = tag.rpartition("}")[2]
        if self.open or name == "testcase":
            element = ET.Element(name, attributes)
            if self.open:
                self.open[-1].append(element)
            self.open.append(element)

    def end(self, _tag: str) -> None:
        self.depth -= 1
        if self.open:
            element = self.open.pop()
            if not self.open:
                self.complete.append(element)

    def text(self, text: str) -> None:
        # What a test printed may be long, and is no score.
        if self.open and self.open[-1].tag == "property":
            self.open[-1].text = (self.open[-1].text or "") + text

    def parse(self, piece: bytes, read: int) -> list[ET.Element]:
        """The test cases that end in this piece, and the number of bytes read."""
        self.parser.Parse(piece, not piece)
        limits, found = self.origin.limits, self.complete
        if read - self.parser.CurrentByteIndex > limits.record:
            raise limits.refusal(self.origin.name, f"a tag or text of more than {limits.record:,} bytes", "record")
        self.complete = []
        return found


def junit_cases(origin: Origin) -> Iterator[ET.Element]:
    cases, read = _Cases(origin), 0
    try:
        with origin.binary() as stream:
            while piece := stream.read(CHUNK):
                read += len(piece)
                yield from cases.parse(piece, read)
            yield from cases.parse(b"", read)
    except (expat.ExpatError, UnicodeDecodeError, LookupError, ValueError) as error:
        raise ReadError(f"{origin.name}: not whole XML ({error}). Is the file whole?") from None
