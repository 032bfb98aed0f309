"""Scores as programs write them become numbers; what no float holds is refused, whatever stands beside it."""

import numpy as np
import pytest

from tellapart.readers.tables.table import InvalidCell
from tellapart.readers.tables.values import SCORED, marked


def test_plain_scores() -> None:
    values, marks = marked([0.5, 1, True], ["", "", ""])
    assert values.tolist() == [0.5, 1.0, 1.0]
    assert marks.tolist() == [SCORED] * 3
    assert marks.dtype == np.int8


@pytest.mark.parametrize("large", [10**400, -(10**400), 2**60])
def test_whole_numbers_that_floats_do_not_hold(large: int) -> None:
    with pytest.raises(InvalidCell) as refused:
        marked([0.5, large], ["", ""])
    assert refused.value.row == 1
