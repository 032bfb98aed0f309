"""What a note on `plan` says of the files: once, and by whoever knows how they were read."""

import numpy as np

from tellapart import Scores, compare
from tellapart.verbs.compare.pilots import with_files


def test_files_that_are_named_stay() -> None:
    """A reader of texts names those of the two systems and their reference; the command line knows only what was typed."""
    rng = np.random.default_rng(2)
    answer = compare(
        Scores.from_arrays({"a": rng.random(20), "b": rng.random(20)}), test="permutation", effect=0.1
    )
    once = with_files(answer, ["a.txt", "b.txt"], {"reference": ["r.txt"]})
    twice = with_files(once, ["a.txt", "b.txt", "c.txt"], {})
    (note,) = [note for note in twice.notes if note.code == "items_by_plan"]
    assert note.values["files"] == ["a.txt", "b.txt"]
    assert note.values["beside"] == {"reference": ["r.txt"]}
