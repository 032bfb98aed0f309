"""What to type next: a comparison or a ranking that these files can answer."""

import shlex
from collections.abc import Sequence

from tellapart.readers.logs.found import Found
from tellapart.results.description import DescribedAxis, DescribedMeasure

SCORED = ("right or wrong", "number")


def commands_for(
    paths: Sequence[str],
    found: Sequence[Found],
    measures: Sequence[DescribedMeasure],
    axes: Sequence[DescribedAxis],
    *,
    clustered: bool = False,
) -> tuple[str, ...]:
    """Commands for the shell, as they can be typed where the files are."""
    datasets = list(dict.fromkeys(name for one in found for name in one.dataset_of_rows()))
    dataset = datasets[0] if len(datasets) > 1 else None
    measure = _measure(
        [one for one in found if dataset is None or dataset in one.dataset_of_rows()], measures
    )
    words = [*paths]
    words += ["--dataset", dataset] if dataset is not None else []
    words += ["--measure", measure] if measure is not None else []
    for axis in axes:
        met = {
            value
            for one in found
            if dataset in {None, *one.dataset_of_rows()}
            for value in one.texts.get(axis.name, ())
        }
        if axis.needed and len(met) > 1:
            words += ["--where", f"{axis.name}={next(value for value in axis.values if value in met)}"]
    if any(one.facts.solved_only for one in found):
        words += ["--universe", "500"]
    if any(one.facts.status is not None for one in found):
        words.append("--partial")
    systems = list(dict.fromkeys(name for one in found for name in one.system_of_rows()))
    raters = len({rater for one in found for rater in one.column("rater") if rater}) > 1
    agreed = (shlex.join(["tellapart", "agreement", *words]),) if raters and _shared(found) else ()
    if len(systems) < 2:
        return *agreed, shlex.join(["tellapart", "convert", *paths, "-o", "scores.csv"])
    sides = ["--a", systems[0], "--b", systems[1]] if len(systems) > 2 else []
    ranked = ["tellapart", "rank", *words, *(["--raters-as", "fixed"] if raters else [])]
    # A model of raters and items has no place for clusters of items.
    alone = ["--cluster", "none"] if raters and clustered else []
    return (
        shlex.join(["tellapart", "compare", *words, *alone, *sides]),
        *((shlex.join(ranked),) if len(systems) > 2 else ()),
        *agreed,
    )


def _shared(found: Sequence[Found]) -> bool:
    """Whether two raters rated what one system wrote for an item."""
    raters: dict[tuple[str, ...], str] = {}
    for one in found:
        columns = one.system_of_rows(), one.dataset_of_rows(), one.column("item"), one.column("measure")
        for *cell, rater in zip(*columns, one.column("rater"), strict=True):
            if raters.setdefault(tuple(cell), rater) != rater:
                return True
    return False


def _measure(found: Sequence[Found], measures: Sequence[DescribedMeasure]) -> str | None:
    """The measure that has to be named: none where the program has one of its own, or where there is but one."""
    fit = [
        one.name
        for one in measures
        if one.kind in SCORED and any(one.name in each.measures for each in found)
    ]
    primary = any(one.primary for one in measures)
    return fit[0] if len(fit) > 1 and not primary else None
