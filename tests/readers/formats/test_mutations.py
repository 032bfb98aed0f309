"""Real files, damaged at random: an answer, or one refusal that names the file and the place; never an error of Python's, never a hang.

    MUTATIONS=1000000 SEED=7 python -m pytest tests/readers/formats/test_mutations.py

tries as many as are asked for, and then looks at the memory of the process too.
"""

import gzip
import os
import re
import resource
import time
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import pytest

from tellapart.data.scores import Scores
from tellapart.foundation.errors import DataError, ReadError, TellapartError, UsageError
from tellapart.readers.logs.collect import collect_logs
from tellapart.readers.logs.reading import select_rows, select_tidy_rows
from tellapart.readers.logs.request import LogRequest
from tellapart.readers.storage.origin import Memory
from tellapart.readers.tables.raters import scores_or_ratings

pytestmark = pytest.mark.shared

ASKED = os.environ.get("MUTATIONS")
CASES = int(ASKED or "20000")
LARGEST = 60_000
"""Bytes of a sample, unpacked four times as many: larger ones take longer and show nothing more."""
LONGEST = 5.0
"""CPU seconds that one file may take; a usual one takes a thousandth of that."""
MOST_MEMORY = 600e6

ODD_BYTES = (
    b"",
    b"null",
    b"NaN",
    b"1e400",
    b'"',
    b"{",
    b"]",
    b"\\u0000",
    b"\xff",
    b"-1",
    b"\t",
    b"\n",
    b"\r\n",
    b",",
)
ODD_VALUES = (
    b"null", b"true", b"false", b"NaN", b"-Infinity", b"1e400", b"-1", b"0", b"2.5", b"123456789012345678901234567890", b'""', b'" "',
    b'"x"', b'"C"', b'"1e400"', b'"nan"', b'"\\u0000"', b'"\\ud800"', b"[]", b"{}", b"[1, 2]", b'{"value": 1}', b'[{"id": 1}]', b"[[[[]]]]",
)  # fmt: skip
_SCALAR = re.compile(rb'"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\b(?:true|false|null|NaN)\b')
_NAME = re.compile(r"x\.\w+|x\b")


@dataclass(frozen=True, eq=False)
class Sample:
    """A real file, unpacked, and where its values stand."""

    path: Path
    content: bytes

    @cached_property
    def values(self) -> list[tuple[int, int]]:
        return [match.span() for match in _SCALAR.finditer(self.content)]

    @cached_property
    def lines(self) -> list[bytes]:
        return self.content.splitlines(keepends=True)


def damaged(sample: Sample, rng: np.random.Generator) -> bytes:
    """One to four changes of one kind: of bytes, of whole values, or of lines."""
    times, kind = int(rng.integers(1, 5)), int(rng.integers(5))
    if kind < 2 and sample.values:
        return _values_changed(sample, rng, times)
    if kind == 2 and len(sample.lines) > 2:
        return _lines_changed(sample, rng, times)
    return _bytes_changed(sample.content, rng, times)


def _bytes_changed(content: bytes, rng: np.random.Generator, times: int) -> bytes:
    found = bytearray(content)
    for _ in range(times):
        start = int(rng.integers(max(1, len(found))))
        end = min(len(found), start + int(rng.integers(1, 40)))
        odd = (*ODD_BYTES, bytes(found[start:end]) * 2, rng.bytes(3))
        found[start:end] = odd[int(rng.integers(len(odd)))]
    return bytes(found)


def _values_changed(sample: Sample, rng: np.random.Generator, times: int) -> bytes:
    """What is still JSON where it was: numbers, texts and keys become others, or what stands elsewhere."""
    chosen = sorted({int(rng.integers(len(sample.values))) for _ in range(times)}, reverse=True)
    found = bytearray(sample.content)
    for place in chosen:
        start, end = sample.values[place]
        other = sample.values[int(rng.integers(len(sample.values)))]
        odd = (*ODD_VALUES, sample.content[slice(*other)])
        found[start:end] = odd[int(rng.integers(len(odd)))]
    return bytes(found)


def _lines_changed(sample: Sample, rng: np.random.Generator, times: int) -> bytes:
    lines = list(sample.lines)
    for _ in range(times):
        one, other = (int(rng.integers(len(lines))) for _ in range(2))
        kind = int(rng.integers(3))
        if kind == 0:
            lines[one], lines[other] = lines[other], lines[one]
        elif kind == 1:
            lines.insert(other, lines[one])
        else:
            lines[one] = b""
    return b"".join(lines)


def answered(content: bytes, name: str, number: int, rng: np.random.Generator) -> None:
    """What a user may ask of a file: to be described, to be scored, to be converted."""
    origins = [Memory(name, "x", content)]
    harvest = collect_logs(origins, LogRequest(survey=number % 2 == 0))
    met = [*dict.fromkeys(measure for one in harvest.found for measure in one.measures)]
    measure = met[int(rng.integers(len(met)))] if met and rng.integers(2) else None
    asked = LogRequest(
        measure=measure, same_system="separate", partial=True, universe="500" if number % 5 == 0 else None
    )
    if number % 3 == 0:
        select_tidy_rows(harvest, origins, asked)
        return
    records = select_rows(harvest, origins, asked)
    make = scores_or_ratings if "rater" in records.rows.labels else Scores.from_records
    make(records.rows, records.measure, ("score",))


def samples_of(folder: Path) -> list[Sample]:
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.stat().st_size < LARGEST:
            content = path.read_bytes()
            found.append(Sample(path, gzip.decompress(content) if path.suffix == ".gz" else content))
    return [sample for sample in found if len(sample.content) < 4 * LARGEST]


def test_damaged_samples(shared: Path) -> None:
    """Every kind of file in turn, each time damaged otherwise and asked something else."""
    folders = [folder for folder in (shared / "format-samples", shared / "logs-2026-11") if folder.is_dir()]
    if not folders:
        pytest.skip("the real files of other programs are not beside this checkout")
    rng = np.random.default_rng(int(os.environ.get("SEED") or "20261115"))
    samples = [sample for folder in folders for sample in samples_of(folder)]
    refusals = 0
    for number in range(CASES):
        sample = samples[int(rng.integers(len(samples)))]
        name = f"x{''.join(sample.path.suffixes[-1:])}".removesuffix(".gz")
        content, start = damaged(sample, rng), time.process_time()
        try:
            answered(content, name, number, rng)
        except TellapartError as refusal:
            refusals += 1
            named = name in refusal.message or not isinstance(refusal, ReadError)
            if not named or not isinstance(refusal, DataError | UsageError):
                pytest.fail(f"{sample.path}, change {number}: {refusal!r}")
        except Exception as error:
            raise AssertionError(f"{sample.path}, change {number}: {error!r}") from error
        spent = time.process_time() - start
        assert spent < LONGEST, f"{sample.path}, change {number}: took {spent:.1f} s"
    assert 0 < refusals < CASES
    if ASKED:
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < MOST_MEMORY
