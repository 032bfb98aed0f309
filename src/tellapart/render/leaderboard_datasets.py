"""The tables of a leaderboard over several datasets."""

from tellapart.render.sheet import Grid
from tellapart.results.leaderboard import AcrossResult, DatasetStanding, Leaderboard
from tellapart.wording import decimals_for, pvalue, signed, thousands

MOST_PAIRS = 15
"""Pairs across datasets that are printed; the JSON has them all."""

MOST_NAMES = 3
"""Systems named for one dataset."""


def dataset_grids(answer: Leaderboard) -> tuple[Grid, ...]:
    """Each dataset alone, and the first system, or the baseline, against the others across datasets."""
    if answer.datasets is None:
        return ()
    grids = []
    if answer.datasets.within:
        rows = tuple(_alone(answer, dataset) for dataset in answer.datasets.within)
        grids.append(
            Grid(
                ("dataset", "items", "pairs told apart", "may be the best"),
                rows,
                f"every dataset alone, {answer.guarantee} within each",
            )
        )
    if answer.datasets.across:
        grids.append(_across(answer, answer.datasets.across))
    return tuple(grids)


def _alone(answer: Leaderboard, dataset: DatasetStanding) -> tuple[str, ...]:
    found = sum(pair.significant for pair in dataset.pairs)
    best = [s.name for s in dataset.systems if s.may_be_best]
    more = len(best) - MOST_NAMES
    named = ", ".join(best[:MOST_NAMES]) + (f" and {thousands(more)} more" if more > 0 else "")
    judged = not answer.baseline and answer.family_wise
    share = f"{thousands(found)} of {thousands(len(dataset.pairs))}"
    return dataset.name, thousands(dataset.items), share, named if judged else "not asked"


def _across(answer: Leaderboard, across: tuple[AcrossResult, ...]) -> Grid:
    first = answer.systems[0].name
    shown = [pair for pair in across if answer.baseline or pair.b == first][:MOST_PAIRS]
    unit = "" if answer.datasets is None or answer.datasets.unit == "raw" else ", standardised"
    more = "; all pairs are in the JSON" if len(across) > len(shown) else ""
    who = f"each less {answer.baseline}" if answer.baseline else f"{first} less each"
    means = [pair.new_dataset.mean for pair in shown]
    places = max((decimals_for((mean.high - mean.low) / 2.0) for mean in means), default=0)
    columns = (
        "system",
        "this suite",
        "adjusted",
        "by items",
        "a new dataset",
        "wins",
        "significant",
        "at least",
    )
    rows = tuple(_row(pair, pair.b if answer.baseline else pair.a, places, answer.alpha) for pair in shown)
    return Grid(columns, rows, f"across datasets{unit}: {who}{more}")


def _row(pair: AcrossResult, name: str, places: int, alpha: float) -> tuple[str, ...]:
    new = pair.new_dataset.mean
    return (
        name,
        signed(pair.equal_weight.effect, places),
        pvalue(pair.equal_weight.adjusted_pvalue, alpha),
        signed(pair.item_weight.effect, places),
        f"[{signed(new.low, places)}, {signed(new.high, places)}]",
        f"{pair.wins.wins} of {pair.datasets}",
        f"{pair.significant_wins} won, {pair.significant_losses} lost",
        f"{pair.wins_at_least} won, {pair.losses_at_least} lost",
    )
