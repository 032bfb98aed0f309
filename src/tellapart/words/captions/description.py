"""What the charts of a description find."""

from collections.abc import Callable

from tellapart.results.description import DescribedMean, Description
from tellapart.wording import amount, minus, one_line, significant, thousands

MOST_MEANS = 60
"""Systems that are drawn one below the other."""
MOST_FILES = 60


def measured(answer: Description) -> tuple[DescribedMean, ...]:
    """The means of one measure: the primary one where a file says so, else the first that has any."""
    there = {one.measure for one in answer.means}
    ordered = sorted((one for one in answer.measures if one.name in there), key=lambda one: not one.primary)
    return tuple(one for one in answer.means if one.measure == ordered[0].name) if ordered else ()


def drawn_means(answer: Description) -> tuple[DescribedMean, ...]:
    return measured(answer)[:MOST_MEANS]


def is_right_or_wrong(answer: Description) -> bool:
    """Of the measure that is drawn; several runs of an item make shares of its own."""
    drawn = measured(answer)[0].measure
    kinds = {one.name: one.kind for one in answer.measures}
    return kinds[drawn] == "right or wrong" and answer.runs == 1


def scores(answer: Description) -> str:
    means = measured(answer)
    highest = max(means, key=lambda one: one.mean)
    lowest = min(means, key=lambda one: one.mean)
    ends = f"{_number(lowest.mean)} ({one_line(lowest.system)}) to {_number(highest.mean)} ({one_line(highest.system)})"
    where = f"from {ends}" if lowest is not highest else f"at {_number(highest.mean)}"
    marked = "" if is_right_or_wrong(answer) else " (diamonds)"
    said = f"Means{marked} of {one_line(means[0].measure)} lie {where}."
    how = (
        "Every item is right or wrong."
        if is_right_or_wrong(answer)
        else "Thin lines are all items, thick ones the middle half of them, with the median across."
    )
    return f"{said} {how}{_cut(len(means), MOST_MEANS, 'means')}{_others(answer)}"


def _number(value: float) -> str:
    return minus(significant(value, 4))


def _others(answer: Description) -> str:
    more = len({one.measure for one in answer.means}) - 1
    return f" {amount(more, 'more measure')} in the table below." if more > 0 else ""


def _cut(count: int, most: int, what: str) -> str:
    return (
        f" Shown are the first {most} of {thousands(count)} {what}; the JSON has all." if count > most else ""
    )


def files(answer: Description) -> str:
    rows, scored, missing, errors = (answer.total(name) for name in ("rows", "scored", "missing", "errors"))
    said = (
        f"Of {amount(rows, 'row')} in {amount(len(answer.sources), 'file')}, {thousands(scored)} are scored, {thousands(missing)} missing "
        f"and {thousands(errors)} errors."
    )
    return f"{said}{_cut(len(answer.sources), MOST_FILES, 'files')}"


CAPTIONS: dict[str, Callable[[Description], str]] = {"scores": scores, "files": files}
