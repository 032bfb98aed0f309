"""The notes of a leaderboard about its datasets, in words."""

from tellapart.doors import option
from tellapart.results.leaderboard import Leaderboard
from tellapart.wording import amount, percent, thousands
from tellapart.words.leaderboard.notes import NOTES, first_names


@NOTES
def datasets_pooled(answer: Leaderboard, datasets: int) -> str:
    return (
        f"items of {datasets} datasets were pooled: means, ranks and tests are about all {thousands(answer.items)} items alike, so a dataset "
        f"weighs as much as it has items; {option('datasets')} judges each alone too, and {option('dataset')} picks one"
    )


@NOTES
def datasets_left_out(answer: Leaderboard, datasets: list[str]) -> str:
    unit = "items" if answer.clusters is None else "items and two clusters"
    return f"datasets on which not all pairs share two {unit}, left out of the answers by dataset: {first_names(datasets)}"


@NOTES
def too_few_datasets(_: Leaderboard, datasets: int) -> str:
    counted = "there is one dataset" if datasets else "there is no dataset"
    return f"{counted} to compare on: nothing can be said across datasets"


@NOTES
def across_datasets(answer: Leaderboard) -> str:
    counts = {
        "family-wise": "over pairs and, by Bonferroni, over datasets",
        "false discovery rate": f"over pairs by {answer.corrected.label}, a screen, and over datasets by Bonferroni",
        "none": "over datasets by Bonferroni, and not over pairs",
    }[answer.corrected.controls]
    return (
        "across datasets: the effect on this suite counts every dataset alike (equal_weight in the JSON), by items every item "
        "(item_weight); the mean of such datasets and a new dataset (new_dataset) are about datasets like these, with the interval of "
        "their mean and the wider one that the effect on one new dataset should lie in, each for a pair alone; adjusted p-values are "
        f"Holm's over the pairs; counts of significant datasets are corrected {counts}; 'at least' counts datasets on which a system is "
        "shown to win or lose without saying which these are (partial conjunction, corrected over pairs and directions)"
    )


@NOTES
def no_prediction(_: Leaderboard) -> str:
    return (
        "two datasets say nothing about where the effect on a new one should lie: one degree of freedom goes into their mean, the "
        "other into the scatter about it"
    )


@NOTES
def narrow_predictions(_: Leaderboard, pairs: int, below: float) -> str:
    return (
        f"for {amount(pairs, 'pair')} datasets scatter little more than their items make them (I² below {percent(below)}): how much true "
        "effects scatter is hardly known then, and the interval for a new dataset, at 95 %, holds in 85 to 95 of 100 cases"
    )


@NOTES
def clusters_span_datasets(_: Leaderboard) -> str:
    return "clusters reach over several datasets, which the answers across datasets take for independent: these are too sure"
