"""The page of a calibration: its published page is what its published numbers print as."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from tellapart.answers.calibration import Calibrated, CalibratedBoard, CalibratedCorrection, Calibration, Rate
from tellapart.answers.calibration.page import make_page
from tellapart.answers.texts import add_text
from tellapart.render import render

DOCS = Path(__file__).parents[2] / "docs"


def _rates(said: dict[str, Any], *names: str) -> dict[str, Any]:
    return {**said, **{name: None if said[name] is None else Rate(**said[name]) for name in names}}


def published() -> Calibration:
    """The record beside the page, without its words."""
    said = json.loads((DOCS / "calibration.json").read_text(encoding="utf-8"))
    rows = tuple(Calibrated(**_rates(row, "size", "coverage", "power", "power_against")) for row in said["rows"])
    boards = tuple(CalibratedBoard(**_rates(row, "false_claims", "ranks_held")) for row in said["leaderboards"])
    corrections = tuple(CalibratedCorrection(**_rates(row, "errors", "power")) for row in said["corrections"])
    kept = {key: said[key] for key in ("alpha", "level", "scale", "seed", "defaults", "boards", "signature")}
    return Calibration(
        rows=rows, leaderboards=boards, corrections=corrections, failures=tuple(said["failures"]), **kept
    )


def test_the_published_page_shows_the_published_numbers() -> None:
    """docs/calibration.md is docs/calibration.json printed, and its words follow from its numbers."""
    answer = add_text(published())
    assert answer.to_json() + "\n" == (DOCS / "calibration.json").read_text(encoding="utf-8")
    page = (DOCS / "calibration.md").read_text(encoding="utf-8")
    assert render(answer, "markdown") == page, "run: make calibrate"


def test_failures_are_bad() -> None:
    """One default that fails and nobody knows why is the headline."""
    failed = add_text(replace(published(), failures=("numbers: normal, 20 items",)))
    page = make_page(failed)
    assert (page.headline, page.tone) == ("a default fails for no known reason", "bad")
    assert page.remarks == (("Unexplained", failed.failures), ("Notes", ()))
    assert make_page(published()).tone == "good"
