"""Names that act on whoever shows them are drawn as what they are."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from tellapart import Scores, compare
from tellapart.answers.drawing.files import written

pytest.importorskip("altair", reason="charts need tellapart[plot]")
HOSTILE = ("\x1b[31mred", "cr\rlf\n", "\u202egnp", "back\\x1bslash \\", "q\"q'q", "</svg><script>")


@pytest.mark.parametrize("name", HOSTILE)
def test_a_picture_is_a_picture_whatever_systems_are_called(name: str) -> None:
    rng = np.random.default_rng(0)
    scores = Scores.from_arrays({name: rng.random(30), "plain": rng.random(30)}, measure=name)
    answer = compare(scores, name, "plain")
    for chart in answer.charts:
        drawn = ET.fromstring(written(answer.chart(chart), ".svg"))  # noqa: S314  (made by this very line)
        text = "".join(drawn.itertext())
        assert not {"\x1b", "\u202e", "\x00", "\r"} & set(text)
        assert not [element for element in drawn.iter() if "script" in element.tag]
