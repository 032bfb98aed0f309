"""Two sources held against each other: what the logs of both sides say together."""

import pytest

from tellapart.data.provenance import Better, Reading
from tellapart.foundation.errors import ReadError
from tellapart.readers.tables.sides import _together


@pytest.mark.parametrize(
    ("said", "together"),
    [
        ((None, None), None),
        (("lower", None), "lower"),
        ((None, "lower"), "lower"),
        (("higher", "higher"), "higher"),
    ],
)
def test_which_way_is_up(said: tuple[Better | None, Better | None], together: Better | None) -> None:
    """A log that is silent leaves it to the other."""
    assert _together([Reading((), better) for better in said]).better == together


def test_sides_that_disagree_on_which_way_is_up() -> None:
    """An answer that took one of them for granted could pass a loss."""
    with pytest.raises(ReadError, match="these are two measures"):
        _together([Reading((), "higher"), Reading((), "lower")])
