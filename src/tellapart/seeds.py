"""Random streams that depend on the seed and on what is drawn, never on who draws it or when."""

import numpy as np

Generator = np.random.Generator


def stream(seed: int, *index: int) -> Generator:
    """The generator of one numbered piece of work under `seed`: the same on any thread, process or machine.

    Philox is counter-based: pieces with different indices never share a number.

    >>> bool(stream(7, 3).random() == stream(7, 3).random()), bool(stream(7, 3).random() == stream(7, 4).random())
    (True, False)
    """
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(seed, spawn_key=index)))
