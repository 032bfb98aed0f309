"""Laws that every registered format of logs obeys, tried on small files that `tests/readers/formats/written.py` writes."""

import gzip
import importlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from tests.readers.formats import written

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ReadError, TellapartError
from tellapart.readers import FORMATS, Certainty, read
from tellapart.readers.detect import best_format
from tellapart.readers.format import Log
from tellapart.readers.logs.reading import read_logs
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.files import Folder
from tellapart.readers.storage.origin import Memory
from tellapart.verbs.compare import compare
from tellapart.verbs.convert import convert

LOGS = [name for name in FORMATS if issubclass(FORMATS[name], Log)]


def writer(name: str) -> Any:
    """What writes files of a format, and the measure it writes: `write` and `MEASURE` of its own test, or from the table."""
    if name in written.WRITERS:
        return SimpleNamespace(write=written.WRITERS[name], MEASURE=written.MEASURES[name])
    return importlib.import_module(f"tests.readers.formats.test_{name}")


NO_NULL = {"wmt_mqm", "sacrebleu_segments", "trec_eval", "ir_measures"}
"""A format that has no way to say that there is no score."""
NO_DOUBLE = {"pytest_evals", "swebench", "wmt_mqm", "sacrebleu_segments", "py_irt", "evalplus", "mteb"}
"""Where a record that comes again is no second score: an id in a list, an error of a segment, a line more; the key of an object.

MTEB and EvalPlus are tried below, where their records are doubled."""
ORDERED = {"sacrebleu_segments"}
"""Where the place of a record is its name."""
NUMBERED = {"mt_bench", "mteb", "sacrebleu_segments"}
"""Where items are numbers, or made of them."""
FAILED = {"swebench"}
"""Where what has no score is an error."""


def items_of(name: str, count: int) -> list[str]:
    if name == "mt_bench":
        return [f"{81 + place // 2}/{1 + place % 2}" for place in range(count)]
    if name == "mteb":
        return [f"T/s{place}" for place in range(count)]
    if name == "sacrebleu_segments":
        return [str(place + 1) for place in range(count)]
    return [f"q{place}" for place in range(count)]


def random_scores(name: str, seed: int, count: int = 12) -> dict[str, float | None]:
    rng = np.random.default_rng(seed)
    return {item: float(rng.integers(2)) for item in items_of(name, count)}


@dataclass(frozen=True)
class Case:
    name: str

    @property
    def format_(self) -> Any:
        return FORMATS[self.name]()

    def write(self, system: str, scores: dict[str, float | None]) -> bytes:
        content: bytes = writer(self.name).write(system, scores)
        return content

    def found(self, content: bytes, name: str = "x") -> dict[tuple[str, str], float]:
        """Every score by system and item, NaN where there is none."""
        asked = LogRequest(measure=writer(self.name).MEASURE, format=self.name)
        rows = read_logs([Memory(name, name, content)], asked).rows
        keys = [(str(rows.label("system", row)), self.item(str(rows.label("item", row)))) for row in range(len(rows))]
        assert len(set(keys)) == len(keys)
        return dict(zip(keys, rows.values[:, 0].tolist(), strict=True))

    def item(self, name: str) -> str:
        return name.removeprefix("w=")


@pytest.fixture(params=LOGS)
def case(request: pytest.FixtureRequest) -> Case:
    return Case(request.param)


def same(one: dict[Any, float], other: dict[Any, float]) -> bool:
    return one.keys() == other.keys() and all(
        a == b or (np.isnan(a) and np.isnan(b)) for a, b in ((one[key], other[key]) for key in one)
    )


def values(found: dict[tuple[str, str], float]) -> dict[str, float]:
    return {item: value for (_, item), value in found.items()}


def certain(content: bytes) -> list[str]:
    origin = Memory("x", "x", content)
    return [name for name in FORMATS if FORMATS[name]().claim(origin) == Certainty.CERTAIN]


def test_one_format_claims_it(case: Case) -> None:
    """Renamed, gzipped or pretty-printed, a file is claimed by its own format, and by no other for certain."""
    content = case.write("m", random_scores(case.name, 1))
    shapes = [content, gzip.compress(content), case.format_.example()]
    if content[:1] in b"{[":
        shapes += list(reshaped(content))
    for shape in shapes:
        assert certain(shape) == [case.name]
        assert str(best_format(Memory("x", "x", shape))[0]) == case.name, "a text shows its `first_line`"


def records_of(content: bytes) -> list[Any]:
    """The records of a JSON text: one value after the other."""
    decoder, text, found = json.JSONDecoder(), content.decode(), []
    at = 0
    while at < len(text.rstrip()):
        value, end = decoder.raw_decode(text, at)
        found.append(value)
        at = end + len(text[end:]) - len(text[end:].lstrip())
    return found


def reversed_keys(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: reversed_keys(value[key]) for key in reversed(value)}
    return [reversed_keys(one) for one in value] if isinstance(value, list) else value


def reshaped(content: bytes) -> Iterator[bytes]:
    """The same records with other blanks and in another order of keys."""
    records = records_of(content)
    yield "\n".join(json.dumps(record, indent=3) for record in records).encode()
    yield "\n".join(json.dumps(reversed_keys(record)) for record in records).encode()
    yield ("\r\n".join(json.dumps(record, separators=(",", ":")) for record in records) + "\r\n").encode()


def test_every_score_is_found(case: Case) -> None:
    """What was written is what is read."""
    scores = random_scores(case.name, 2)
    assert values(case.found(case.write("m", scores))) == scores


def test_names_as_written(case: Case) -> None:
    """Items whose names differ only in their blanks are two items."""
    if case.name in NUMBERED:
        pytest.skip("the format numbers its items")
    scores: dict[str, float | None] = {"one two": 0.0, "one  two": 1.0, "one   two": 1.0}
    assert values(case.found(case.write("m", scores))) == scores


def test_places(case: Case) -> None:
    """A row has the number of its line, or where a format counts records, of its record: from 1 upwards, without gaps."""
    content = case.write("m", random_scores(case.name, 16))
    blocks = [*case.format_.blocks(Memory("x", "x", content))]
    places = [line for block in blocks for line in block.lines]
    if case.format_.unit != "line":
        assert places[0] in {1, 2}
        assert {*np.diff(places).tolist()} <= {0, 1}
        return
    text = content.decode().splitlines()
    for item, place in zip([item for block in blocks for item in block.column("item")], places, strict=True):
        assert place == int(item) if case.name in ORDERED else str(item).partition("/")[0] in text[place - 1]


def test_blanks_and_keys(case: Case) -> None:
    """Blanks, the order of keys, and gzip change nothing."""
    content = case.write("m", random_scores(case.name, 3))
    expected = case.found(content)
    assert same(case.found(gzip.compress(content)), expected)
    for shape in reshaped(content) if content[:1] in b"{[" else ():
        assert same(case.found(shape), expected)


def test_unknown_keys(case: Case) -> None:
    """A key that nobody knows changes nothing."""
    content = case.write("m", random_scores(case.name, 4))
    if content[:1] not in b"{[":
        pytest.skip("cannot be written as JSON")
    records = records_of(content)
    for record in records if not isinstance(records[0], list) else records[0]:
        record["a key of tomorrow"] = {"x": [1, 2]}
    known = "\n".join(json.dumps(record) for record in records).encode()
    assert same(case.found(known), case.found(content))


def test_any_order(case: Case) -> None:
    """The order of records changes nothing."""
    if case.name in ORDERED:
        pytest.skip("the place of a record is its name")
    scores = random_scores(case.name, 5)
    mixed = {item: scores[item] for item in np.random.default_rng(6).permutation(list(scores)).tolist()}
    assert same(case.found(case.write("m", mixed)), case.found(case.write("m", scores)))


def test_another_name(case: Case) -> None:
    """Another file name changes only names taken from it."""
    content = case.write("m", random_scores(case.name, 7))
    assert values(case.found(content, "one.json")) == values(case.found(content, "two"))


def test_null_is_missing(case: Case) -> None:
    """A score made null is one more missing score, never 0, and changes no other."""
    if case.name in NO_NULL:
        pytest.skip("the format cannot say it")
    scores = random_scores(case.name, 8)
    first, second, *_ = scores
    blank = {**scores, first: None, second: 0.0}
    whole, found = (case.found(case.write("m", one)) for one in ({**scores, second: 0.0}, blank))
    assert np.isnan(values(found)[first])
    assert values(found)[second] == 0.0
    assert same({**found, **{k: v for k, v in whole.items() if k[1] == first}}, whole)
    asked = LogRequest(measure=writer(case.name).MEASURE, format=case.name)
    reading = read_logs([Memory("x", "x", case.write("m", blank))], asked).reading
    (source,) = reading.sources
    assert (source.rows, source.scored) == (12, 11)
    assert (source.missing, source.errors) == ((0, 1) if case.name in FAILED else (1, 0))


def doubled(case: Case, content: bytes) -> bytes:
    if content[:1] not in b"{[":
        head, record, *rest = content.splitlines(keepends=True)
        return b"".join([head, record, record, *rest])
    records = records_of(content)
    for place in (
        ("samples",),
        ("results", "results"),
        ("testCases",),
        ("details",),
        ("tests",),
        ("data",),
        ("scores", "test"),
    ):
        found: Any = records[0]
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, list):
            found.append(found[0])
            return json.dumps(records[0]).encode()
    listed = records[0] if isinstance(records[0], list) else records
    listed.append(listed[-1])
    return (
        json.dumps(records[0]).encode()
        if isinstance(records[0], list)
        else b"\n".join(json.dumps(one).encode() for one in listed)
    )


def test_a_doubled_record(case: Case, tmp_path: Path) -> None:
    """It is refused, naming both places, or is one more run where repeats carry no number."""
    if case.name in NO_DOUBLE - {"mteb"} or case.name == "lighteval":
        pytest.skip("a record that comes again is no second score")
    content = doubled(case, case.write("m", random_scores(case.name, 9)))
    asked = LogRequest(measure=writer(case.name).MEASURE, format=case.name)
    other = case.write("n", random_scores(case.name, 10))
    paths = [tmp_path / "one", tmp_path / "two"]
    for path, text in zip(paths, (content, other), strict=True):
        path.write_bytes(text)
    # An OpenCompass example that comes again is another record of the same name.
    if case.format_.repeated and case.name != "opencompass":
        assert len(read_logs([Memory("x", "x", content)], asked).rows) == 13
        return
    with pytest.raises(DataError, match="twice") as error:
        read(list(map(str, paths)), measure=writer(case.name).MEASURE, format=case.name)
    assert str(error.value).count(str(paths[0])) == 2


def two_files(case: Case, folder: Path) -> list[str]:
    paths = []
    for seed, system in ((11, "base"), (12, "tuned")):
        inner = folder / system
        inner.mkdir()
        path = inner / ("details.parquet" if case.name == "lighteval" else "log.json")
        path.write_bytes(case.write(system, random_scores(case.name, seed)))
        paths.append(str(path))
    return paths


def asked(scores: Scores) -> dict[str, Any]:
    answer = compare(scores, test="paired_t").to_dict()
    return {key: value for key, value in answer.items() if key not in {"sources", "signature"}}


@pytest.mark.parametrize("suffix", ["csv", "jsonl.gz", "parquet"])
def test_converted_it_gives_the_same_answer(case: Case, tmp_path: Path, suffix: str) -> None:
    """`convert` then `compare` equals `compare`, but for the sources and the signature."""
    if case.name == "tidy":
        pytest.skip("it is what is written")
    paths, out = two_files(case, tmp_path), tmp_path / f"all.{suffix}"
    out.write_bytes(convert(paths, str(out)))
    measure = writer(case.name).MEASURE
    assert asked(read(str(out), measure=measure)) == asked(read(paths, measure=measure))


def test_swapped_files(case: Case, tmp_path: Path) -> None:
    """Swapped files swap A and B."""
    paths, measure = two_files(case, tmp_path), writer(case.name).MEASURE
    one, other = (compare(read(order, measure=measure), test="paired_t") for order in (paths, paths[::-1]))
    assert (one.a.name, one.b.name) == (other.b.name, other.a.name)
    assert one.a.mean == other.b.mean
    assert one.effect == pytest.approx(-other.effect)
    assert one.pvalue == pytest.approx(other.pvalue)


def test_claims_are_quiet(case: Case) -> None:
    """No bytes and no folder make a claim raise."""
    content, rng = case.write("m", random_scores(case.name, 13)), np.random.default_rng(7)
    for cut in rng.integers(len(content), size=60).tolist():
        for piece in (content[:cut], content[cut:], rng.bytes(cut), b""):
            assert case.format_.claim(Memory("x", "x", piece)) in Certainty
            case.format_.summary_only(Memory("x", "x", piece))
    assert case.format_.claim(Folder(str(Path(__file__).parent / "none"), "none")) == Certainty.NONE


def test_damaged_files(case: Case) -> None:
    """A file that is cut or damaged is read or refused, never met with an error of Python's."""
    content, rng = case.write("m", random_scores(case.name, 14)), np.random.default_rng(8)
    for start, lost, added in rng.integers(0, [len(content), 9, 3], size=(150, 3)).tolist():
        damaged = content[:start] + rng.bytes(added) + content[start + lost :]
        for piece in (damaged, content[:start]):
            with suppress(TellapartError):
                read_logs([Memory("x", "x", piece)], LogRequest(measure=writer(case.name).MEASURE, format=case.name))


FAULTS: dict[str, Callable[[Case], None]] = {
    "null is 0": test_null_is_missing,
    "by place": test_any_order,
    "one line down": test_places,
    "collapses blanks": test_names_as_written,
}


@pytest.mark.parametrize("fault", [*FAULTS, "last wins"])
def test_a_wrong_reader_is_caught(fault: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Negative control: each fault of a reader fails the law that is about it."""
    kind: Any = FORMATS["human_eval"]
    opened: Callable[..., Any] = kind.open_log

    def wrong(self: Any, origin: Any) -> Any:
        found = opened(self, origin)
        rows = list(found.rows)
        if fault == "null is 0":
            rows = [row._replace(score=row.score or 0) for row in rows]
        elif fault == "by place":
            rows = [row._replace(item=str(place)) for place, row in enumerate(rows)]
        elif fault == "one line down":
            rows = [row._replace(line=row.line + 1) for row in rows]
        elif fault == "collapses blanks":
            rows = [row._replace(item=" ".join(str(row.item).split())) for row in rows]
        else:
            rows = list({row.item: row for row in rows}.values())
        return found._replace(rows=iter(rows))

    monkeypatch.setattr(kind, "open_log", wrong)
    law = FAULTS.get(fault) or partial(test_a_doubled_record, tmp_path=tmp_path)
    with pytest.raises((AssertionError, ReadError)):
        law(Case("human_eval"))
