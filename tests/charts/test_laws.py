"""What holds of every chart of every kind of answer: it can be drawn, it says what it finds, and its numbers are the answer's."""

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.golden.cases import ANSWERS, made
from tests.golden.drawn import DRAWN

import tellapart
from tellapart.answers import drawing
from tellapart.answers.answer import Answer
from tellapart.answers.drawing import caption
from tellapart.answers.drawing.files import SUFFIXES, written
from tellapart.verbs.describe.verb import known_formats

SOURCE = Path(tellapart.__file__).parent


@cache
def answer(case: str) -> Answer:
    return made(case)


def every_chart() -> list[tuple[str, str]]:
    kinds = {
        "compare",
        "gate",
        "plan",
        "rank",
        "agreement",
        "audit",
        "reproduce",
        "evidence",
        "describe",
        "calibration",
        "watch",
    }
    return [
        (case, name)
        for case in (*ANSWERS, *DRAWN)
        if case.partition("_")[0] in kinds
        for name in drawing.names(answer(case))
    ]


def numbers(value: Any) -> Iterator[float]:
    """All numbers in JSON-ready values, however deep."""
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield float(value)


EVERY = every_chart()


@pytest.mark.parametrize(("case", "name"), EVERY)
def test_numbers_are_those_of_the_json(case: str, name: str) -> None:
    """Nothing is computed in a chart: what it shows, but for a sign, is in the answer, and so is what Vega-Lite gets."""
    known = {0.0} | {abs(number) for number in numbers(json.loads(answer(case).to_json()))}
    shown = drawing.named(answer(case), name)
    rows = shown.rows(answer(case))
    assert {abs(number) for number in numbers(rows)} <= known
    spec = drawing.chart(answer(case), name).to_dict()
    data = [*spec.get("datasets", {}).values(), *_inline(spec)]
    assert json.loads(json.dumps(rows)) in data
    for values in data:
        assert {abs(number) for number in numbers(values)} <= known


def _inline(spec: Any) -> Iterator[Any]:
    """The data that stand in a specification where they are used."""
    if isinstance(spec, dict):
        if isinstance(spec.get("data"), dict) and "values" in spec["data"]:
            yield spec["data"]["values"]
        for part in spec.values():
            yield from _inline(part)
    elif isinstance(spec, list):
        for part in spec:
            yield from _inline(part)


@pytest.mark.parametrize(("case", "name"), EVERY)
def test_every_chart_is_drawn_and_says_what_it_finds(case: str, name: str) -> None:
    """As a picture with a size, from values that are all finite or none, with its finding as its description."""
    shown = drawing.named(answer(case), name)
    for row in shown.rows(answer(case)):
        assert all(math.isfinite(number) for number in numbers(row))
        assert list(row) == list(shown.rows(answer(case))[0])
    picture = answer(case).chart(name)
    assert picture.to_dict()["description"] == caption(answer(case), name)
    assert caption(answer(case), name).endswith(".")
    assert shown.title
    drawn = written(picture, ".svg").decode()
    assert drawn.startswith("<svg")
    assert "NaN" not in drawn
    assert "undefined" not in drawn


@pytest.mark.parametrize("case", ANSWERS)
def test_names_are_unique(case: str) -> None:
    """`answer.charts` lists what `answer.chart` takes, and the first is what it takes by itself."""
    names = answer(case).charts
    assert len(names) == len(set(names))
    if names:
        assert answer(case).chart().to_dict() == answer(case).chart(names[0]).to_dict()


def test_every_form() -> None:
    """What a suffix promises is what a file begins with."""
    picture = answer("compare_binary").chart("difference")
    begins = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".json": b"{"}
    assert set(begins) == set(SUFFIXES)
    for suffix, head in begins.items():
        assert written(picture, suffix).startswith(head)
    assert json.loads(written(picture, ".json")) == picture.to_dict()


def test_nothing_else_imports_what_draws() -> None:
    """Neither altair nor vl-convert is named outside the room, and within it they are loaded when something is drawn."""
    for path in SOURCE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parent != Path(drawing.__file__).parent:
            assert "import altair" not in text, path
            assert 'required("vl_convert")' not in text, path
            assert "import vl_convert" not in text, path
    code = (
        "import sys, tellapart\n"
        "answer = tellapart.compare(tellapart.Scores.from_arrays({'a': [0.1, 0.5, 0.3], 'b': [0.2, 0.7, 0.3]}))\n"
        "assert 'difference' in answer.charts\n"
        "assert not {'altair', 'vl_convert'} & set(sys.modules)\n"
        "answer.chart()\n"
        "assert 'altair' in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_an_unknown_chart() -> None:
    """The error names the drawing that there are."""
    with pytest.raises(tellapart.TellapartError, match="no chart 'power'"):
        answer("compare_binary").chart("power")
    with pytest.raises(tellapart.TellapartError, match="nothing to draw"):
        known_formats().chart()


@pytest.mark.parametrize(
    ("case", "names"),
    [
        ("compare_continuous", ("difference", "items", "scores")),
        ("compare_binary", ("difference", "counts")),
        ("compare_votes", ("difference", "votes", "spread")),
        ("plan_items", ("power", "power_by_effect", "type_m", "type_s")),
        ("plan_grid", ("power", "type_m", "type_s")),
        ("plan_panels", ("power", "type_m", "type_s")),
        ("plan_reach", ("detectable",)),
        ("plan_needs", ("detectable",)),
        ("rank", ("means", "ranks", "pairs", "correlations")),
        ("rank_baseline", ("means", "baseline", "correlations")),
        ("audit_table", ("pvalues", "sizes")),
        ("agreement_judge", ("coefficients", "judges")),
        ("gate", ("checks",)),
        ("watch", ("evidence",)),
        ("compare_looks", ("difference", "counts", "looks")),
        ("compare_anytime", ("difference", "counts", "moments")),
        ("plan_looks", ("looks",)),
        ("reproduce", ("cells",)),
        ("calibration", ("sizes", "coverages")),
        ("describe_numbers", ("scores",)),
        ("describe_answers", ("scores",)),
        ("describe_gaps", ("scores", "files")),
        ("plan_raters", ("power", "power_by_effect", "power_by_raters", "type_m", "type_s")),
        ("plan_raters_grid", ("power", "power_by_raters", "type_m", "type_s")),
        ("plan_raters_simulated", ("power", "power_by_effect", "power_by_raters", "type_m")),
        ("plan_budget", ("cost", "power", "power_by_effect", "power_by_raters", "type_m", "type_s")),
        ("plan_cheapest", ("cost", "power", "type_m")),
        ("evidence", ("accuracies",)),
        ("evidence_of_swaps", ("swaps",)),
        ("evidence_of_scores", ("pairs",)),
        ("evidence_fit", ()),
    ],
)
def test_which_charts_there_are(case: str, names: tuple[str, ...]) -> None:
    assert answer(case).charts == names


def test_a_simulated_plan_shows_what_was_simulated_on_the_way() -> None:
    """With the band that the number of replicates leaves, and the solved number among its points."""
    found = answer("plan_simulated")
    rows = drawing.named(found, "power").rows(found)
    assert len(rows) >= 3
    assert all(row["power low"] < row["power high"] for row in rows)
    assert found.rows[0].items in {row["items"] for row in rows}  # type: ignore[attr-defined]  # a plan
