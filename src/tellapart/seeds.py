"""Random streams that depend on the seed and on what is drawn, never on who draws it or when."""

import copy
from typing import cast

import numpy as np

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
    """A copy of a stream of which nothing has been drawn yet, as it will be after so many words of 32 bits.

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
    """The stream behind so many of its blocks, so that what is drawn from it next is in none of them."""
    rng.bit_generator.state = _counter(rng).jumped(blocks).state


def position(rng: Generator) -> bytes:
    """Where a stream is: equal for streams that will draw the same."""
    state = _counter(rng).state
    inner = state["state"]
    return bytes(inner["counter"].tobytes() + inner["key"].tobytes() + bytes([state["buffer_pos"]]))


def _counter(rng: Generator) -> np.random.Philox:
    """Where a stream is: streams are made of Philox, and the base of all generators does not say that it can be moved."""
    return cast("np.random.Philox", rng.bit_generator)
