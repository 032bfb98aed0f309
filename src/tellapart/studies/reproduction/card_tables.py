"""Tables 2 and 9 of Card et al. (2020), each column by its own definition."""

from collections.abc import Callable, Sequence

from tellapart.populations.evidence import GlueOverlap, Squad2Overlap
from tellapart.studies.reproduction.card_claims import gains
from tellapart.studies.reproduction.card_detectable import NO_PRIOR, detectable, regression, two_sample
from tellapart.studies.reproduction.card_squad import improvements
from tellapart.studies.reproduction.published import PublishedRow
from tellapart.studies.reproduction.published import rows as printed_rows
from tellapart.studies.reproduction.table import Ours, Setting, recomputes

SQUAD = "SQuAD 2.0"
Column = Callable[[PublishedRow, Setting], Ours | None]


@recomputes("card2020-table-2")
@recomputes("card2020-table-9")
def detectable_effects(rows: Sequence[PublishedRow], setting: Setting) -> list[Ours | None]:
    return [_COLUMNS[row.settings["quantity"]](row, setting) for row in rows]


def _detectable_effect(power: Callable[[int, float, float], float], row: PublishedRow) -> Ours:
    return Ours(100.0 * detectable(power, int(row.number("items")), row.number("baseline") / 100.0))


def _regression(row: PublishedRow, setting: Setting) -> Ours:  # noqa: ARG001  (the shape of every column)
    overlap = Squad2Overlap() if row.settings["dataset"] == SQUAD else GlueOverlap()
    return _detectable_effect(regression(overlap), row)


def _predicted_gain(row: PublishedRow, setting: Setting) -> Ours:  # noqa: ARG001
    """From the printed coefficients of tables 7 and 8, as far off as their rounding allows."""
    dataset, baseline = row.settings["dataset"], row.number("baseline")
    if dataset == SQUAD:
        constant, slope = _printed_coefficients("card2020-table-8", "Constant", "Baseline")
        value, half_width = (constant[0] + slope[0] * baseline / 100.0, constant[1] + slope[1] * baseline / 100.0)
        return Ours(100.0 * value, 100.0 * half_width)
    constant, slope, task = _printed_coefficients("card2020-table-7", "Constant", "Previous best", dataset)
    half_width = constant[1] + slope[1] * baseline + task[1]
    return Ours(constant[0] + slope[0] * baseline + task[0], half_width)


def _printed_coefficients(table: str, *terms: str) -> list[tuple[float, float]]:
    """Printed coefficients, each with half a unit of its last digit; 0 for the task that the others are compared with."""
    printed = {
        row.settings["term"]: (float(row.published), 0.5 * row.unit)
        for row in printed_rows(table)
        if row.settings["quantity"] == "coefficient"
    }
    return [printed.get(term, (0.0, 0.0)) for term in terms]


def _claim_column(statistic: str) -> Column:
    def column(row: PublishedRow, setting: Setting) -> Ours | None:
        dataset = row.settings["dataset"]
        if setting.lacks(["squad" if dataset == SQUAD else "glue"]):
            return None
        found = improvements(setting) if dataset == SQUAD else gains(setting, dataset)
        return Ours(getattr(found, statistic))

    return column


_COLUMNS: dict[str, Column] = {
    "two-sample test": lambda row, _: _detectable_effect(two_sample, row),
    "no prior, least": lambda row, _: _detectable_effect(NO_PRIOR["least"], row),
    "no prior, middle": lambda row, _: _detectable_effect(NO_PRIOR["middle"], row),
    "no prior, most": lambda row, _: _detectable_effect(NO_PRIOR["most"], row),
    "overlap from regression": _regression,
    "gain predicted by regression": _predicted_gain,
    "mean claimed gain": _claim_column("mean"),
    "its standard error": _claim_column("error"),
    "claims": _claim_column("count"),
    "gap to the next system": lambda _row, _setting: None,
}
