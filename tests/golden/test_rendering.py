"""What a person sees, to the letter: a change of wording or layout is a change of this file, made on purpose."""

from pathlib import Path

import pytest

from tellapart import compare, plan, rank, read
from tellapart.render import render

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent


def answers() -> dict[str, object]:
    retrieval = read(ROOT / "examples" / "retrieval.csv")
    answers = read(ROOT / "examples" / "answers.csv")
    return {
        "compare_continuous": compare(retrieval, "baseline", "candidate"),
        "compare_binary": compare(answers, "medium", "large", margin=0.05),
        "plan_items": plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", power=0.8),
        "plan_grid": plan(
            "paired_binary(accuracy=0.7, effect=0.02, discordance=0.1)", items=[500, 1000, 2000, 5000]
        ),
        "rank": rank(answers),
    }


@pytest.mark.parametrize("form", ["text", "markdown", "latex"])
@pytest.mark.parametrize("name", ["compare_continuous", "compare_binary", "plan_items", "plan_grid", "rank"])
def test_rendering(name: str, form: str) -> None:
    """Every format of every answer is as it was last agreed on. Rewrite with `python tests/golden/test_rendering.py`."""
    expected = (HERE / f"{name}.{form}.txt").read_text(encoding="utf-8")
    assert render(answers()[name], form) == expected  # type: ignore[arg-type]


if __name__ == "__main__":
    for label, answer in answers().items():
        for kind in ("text", "markdown", "latex"):
            (HERE / f"{label}.{kind}.txt").write_text(render(answer, kind), encoding="utf-8")  # type: ignore[arg-type]
