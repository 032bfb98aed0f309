"""Real files, damaged at random: an answer, or one refusal that names the file; never an error of Python's."""

import gzip
import os
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from tellapart.errors import TellapartError
from tellapart.readers.logs.asked import Asked
from tellapart.readers.logs.reading import harvested
from tellapart.readers.origin import Memory

pytestmark = pytest.mark.shared

CASES = int(os.environ.get("MUTATIONS", "400"))
"""How many damaged files are tried; `MUTATIONS=1000000` for a night of them."""
LARGEST = 60_000


def damaged(content: bytes, rng: np.random.Generator) -> bytes:
    """One to four changes: bytes lost, doubled, made random, or swapped for what parsers stumble over."""
    found = bytearray(content)
    for _ in range(int(rng.integers(1, 5))):
        start = int(rng.integers(max(1, len(found))))
        end = min(len(found), start + int(rng.integers(1, 40)))
        odd = (
            b"",
            bytes(found[start:end]) * 2,
            rng.bytes(3),
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
        )
        found[start:end] = odd[int(rng.integers(len(odd)))]
    return bytes(found)


def test_damaged_samples(shared: Path) -> None:
    """Every kind of file in turn, each time damaged otherwise."""
    folder = shared / "format-samples"
    if not folder.is_dir():
        pytest.skip("the real files of other programs are not beside this checkout")
    rng = np.random.default_rng(int(os.environ.get("SEED", "20261115")))
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size < LARGEST]
    for number in range(CASES):
        path = files[int(rng.integers(len(files)))]
        content = path.read_bytes()
        plain = gzip.decompress(content) if path.suffix == ".gz" else content
        broken = damaged(plain, rng)
        try:
            with suppress(TellapartError):
                harvested([Memory(path.name.removesuffix(".gz"), "x", broken)], Asked(survey=number % 2 == 0))
        except Exception as error:
            raise AssertionError(f"{path}, change {number}: {error!r}") from error
