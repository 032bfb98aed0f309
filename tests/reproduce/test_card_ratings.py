"""Human ratings and the survey of Card et al. (2020), against another program's recomputation."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tellapart.studies.reproduction import reproduce

Row = dict[str, str]
Reference = Callable[[str], list[Row]]
SURVEY = {
    "papers_found": ("papers found", 1.0),
    "experiments": ("experiments", 1.0),
    "experiments_likert": ("of these Likert scales", 1.0),
    "experiments_head_to_head": ("of these direct comparisons", 1.0),
    "sd_effect_as_published": ("sd of effects, ratings divided by the maximum of their scale", 1.0),
    "sd_effect_true_0_1_scale": ("sd of effects on a 0–1 scale", 1.0),
    "share_items_at_most_100": ("% with 100 items or fewer, of those that report them", 100.0),
    "share_items_above_200": ("% with more than 200 items, of those that report them", 100.0),
    "share_workers_missing": ("% that do not report workers", 100.0),
    "share_items_missing": ("% that do not report items", 100.0),
    "share_3_per_item_of_those_reported": ("% with 3 ratings per item, of those that report it", 100.0),
    "share_3_per_item_of_all": ("% with 3 ratings per item, of all", 100.0),
    "kendall_tau_without_two_outliers": ("Kendall's tau of items and effect", 1.0),
    "kendall_p_without_two_outliers": ("its p-value", 1.0),
}


def test_survey(reference: Reference, shared: Path) -> None:
    """Counts, shares and the correlation; what differs does so for the reasons that are given."""
    answer = reproduce("card2020-survey", data=shared)
    ours = {cell.label: cell.ours for cell in answer.tables[0].cells}
    seen = 0
    for row in reference("human_meta.csv"):
        if row["quantity"] in SURVEY:
            name, times = SURVEY[row["quantity"]]
            assert ours[name] == pytest.approx(times * float(row["value"]), abs=1e-6), row
            seen += 1
    assert seen >= 12
    differing = {cell.label for cell in answer.tables[0].cells if cell.verdict == "differs"}
    assert differing == {
        "% with 3 ratings per item, of all",
        "sd of effects on a 0–1 scale",
        "Kendall's tau on a 0–1 scale",
    }
    assert answer.failures == ()


def test_differences_of_pplm(reference: Reference, shared: Path) -> None:
    """What raters and items of PPLM differ by between systems, to the digits of the other program."""
    answer = reproduce("card2020-table-16", data=shared)
    ours = {cell.label: cell.ours for cell in answer.tables[0].cells}
    who = {"rater_effect_sd": "workers", "item_effect_sd": "items"}
    seen = 0
    for row in reference("human_meta.csv"):
        place, _, pair = row["case"].partition("measured_pplm_fluency_")
        if place or "_to_" not in pair or row["quantity"] not in who:
            continue
        systems = pair.replace("_to_", " and ")
        label = next(found for found in ours if who[row["quantity"]] in found and found.endswith(f"systems={systems}"))
        assert ours[label] == pytest.approx(float(row["value"]), abs=float(row["tolerance"])), row
        seen += 1
    assert seen >= 5
    assert answer.failures == ()


def test_figure_6() -> None:
    """Their rule is met with half the difference as the effect; the default test finds a difference of that size less often."""
    answer = reproduce("card2020-figure-6", replicates=400)
    theirs, default = answer.tables[0].cells[:32], answer.tables[0].cells[32:]
    assert all(cell.verdict.startswith(("agrees", "differs by")) for cell in theirs)
    assert len(default) == 4
    assert all(cell.verdict == "differs" and cell.why for cell in default)
    assert default[1].ours == pytest.approx(0.23158, abs=1e-3)
