"""Reproducible random streams, independent of threads and order of execution, and SHA-256 fingerprints."""

import copy
import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, cast

import numpy as np

# A name for a piece of data that depends on its bytes alone: equal for equal scores, whatever file they
# came from.

SHOWN = 16
"""Hexadecimal digits that are printed: 64 bits, so that any two of a million data sets share them with a chance of one in 37 million."""


def digest(pieces: "Iterable[bytes | memoryview]") -> str:
    """The SHA-256 of the pieces one after the other, in hexadecimal; say in the pieces where one ends and the next begins."""
    running = hashlib.sha256()
    for piece in pieces:
        running.update(piece)
    return running.hexdigest()


def fingerprint(pieces: "Iterable[bytes | memoryview]") -> str:
    """The first digits of the digest, with the name of the hash in front.

    >>> fingerprint([b"scores"])
    'sha256:a6235752ef51e86c'
    """
    return shown(digest(pieces))


def content_fingerprint(said: Mapping[str, Any]) -> str:
    """Of all that a JSON object says, in whatever order."""
    return fingerprint([json.dumps(said, sort_keys=True, ensure_ascii=True).encode()])


def shown(full: str) -> str:
    """A digest as it is printed."""
    return f"sha256:{full[:SHOWN]}"


Generator = np.random.Generator

WORDS = 8
"""Words of 32 bits that Philox makes at once."""


def stream(seed: int, *index: int) -> Generator:
    """The generator of one numbered piece of work under `seed`: the same on any thread, process or machine.

    Philox is counter-based: pieces with different indices never share a number.

    >>> bool(stream(7, 3).random() == stream(7, 3).random()), bool(stream(7, 3).random() == stream(7, 4).random())
    (True, False)
    """
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=index)))


def ahead(rng: Generator, words: int) -> Generator:
    """A copy of a stream of which nothing has been drawn yet, as it will be after this many words of 32 bits.

    >>> whole, later = stream(7).bytes(60), ahead(stream(7), 10).bytes(20)
    >>> whole[40:] == later
    True
    """
    moved = copy.deepcopy(rng)
    _counter(moved).advance(words // WORDS)
    if words % WORDS:  # of no bytes at all NumPy draws a word too
        moved.bytes(4 * (words % WORDS))
    return moved


def block_of(rng: Generator, number: int) -> Generator:
    """The stream of a numbered block of one piece of work: the first is the piece's own, and no two share a number."""
    if number == 0:
        return copy.deepcopy(rng)
    return np.random.Generator(_counter(rng).jumped(number))


def move_past(rng: Generator, blocks: int) -> None:
    """Move a stream behind this many of its blocks, so that later draws are in none of them."""
    rng.bit_generator.state = _counter(rng).jumped(blocks).state


def position(rng: Generator) -> bytes:
    """The position of a stream: equal for streams that will draw the same."""
    state = _counter(rng).state
    inner = state["state"]
    return bytes(inner["counter"].tobytes() + inner["key"].tobytes() + bytes([state["buffer_pos"]]))


def _counter(rng: Generator) -> np.random.Philox:
    """The counter of a stream: streams are made of Philox, and the base of all generators does not say that it can be moved."""
    return cast("np.random.Philox", rng.bit_generator)
