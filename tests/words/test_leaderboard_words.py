"""What a leaderboard says, to the letter, at either surface: every note from its code and values, every kind of sentence."""

from dataclasses import replace
from typing import Any

import pytest

from tellapart import rank
from tellapart.answers.leaderboard import Leaderboard, MeanInterval, MoreItems, TierSize
from tellapart.answers.leaderboard.notes import NOTES
from tellapart.answers.parts import Note
from tellapart.answers.reading_texts import READING, SLICED
from tellapart.answers.texts import add_text
from tellapart.data.scores import Scores
from tellapart.foundation.surfaces import Surface

SCORES = Scores.from_arrays({"a": [0, 1, 0, 1, 0], "b": [1, 1, 0, 1, 1], "c": [1, 0, 0, 1, 1]})
FOUND = rank(SCORES)
BOARD = replace(
    FOUND,
    resamples=7,
    corrected=replace(FOUND.corrected, smallest_pvalue=0.125),
    interval=MeanInterval("wilson", 0.98333, 0.95),
)
"""A board with numbers that are easy to find again in its words."""

SAID: list[tuple[str, dict[str, Any], str]] = [
    ("blank_items", {"items": 1}, "1 item is scored for no system and was left out"),
    ("blank_items", {"items": 1200}, "1,200 items are scored for no system and were left out"),
    (
        "system_left_out",
        {"system": "late", "lacking": 1 / 3},
        "late left out: it lacks 33.3 % of the items",
    ),
    (
        "items_left_out",
        {"items": 3, "of": 1000},
        "3 of 1,000 items left out: not scored for all systems",
    ),
    (
        "compared_pairwise",
        {"systems": 1},
        (
            "1 system lacks items: each pair is compared on the items it shares, and a rank counts the systems that are better by these; "
            "means are over each system's own items"
        ),
    ),
    (
        "compared_pairwise",
        {"systems": 2},
        (
            "2 systems lack items: each pair is compared on the items it shares, and a rank counts the systems that are better by these; "
            "means are over each system's own items"
        ),
    ),
    (
        "standardised",
        {},
        (
            "datasets are on different scales: each one's scores were divided by the typical standard deviation of a difference on it, "
            "and means and effects are in that unit"
        ),
    ),
    (
        "trained_once",
        {"systems": ["a", "b"]},
        (
            "one seed of a, b: differences may be training luck; the board is about these trainings, with seeds "
            "averaged within each item"
        ),
    ),
    (
        "seeds_averaged",
        {},
        "the board is about these trainings only: seeds were averaged within each item, and other seeds may rank otherwise",
    ),
    (
        "seeds_random",
        {"fewest": 3},
        "the board is about other trainings too: 3 seeds of a system at least, taken as random; pass --seeds-as fixed for these trainings only",
    ),
    (
        "each_pair_with_seeds",
        {"tests": ["seeds_t(df=satterthwaite)"]},
        "each pair is judged by itself over its seeds and items (seeds_t(df=satterthwaite)); correction over 3 pairs: max-T",
    ),
    ("runs_averaged", {"runs": 3}, "up to 3 runs were averaged within each item, and items are the sample"),
    (
        "resampled",
        {},
        "p-values by all 8 patterns of signs, one sign per item for all pairs: exact for symmetric differences; correction over 3 pairs: max-T",
    ),
    (
        "too_few_units",
        {"units": 4},
        "systems differ on only 4 items: no p-value below 0.125 can come out of them, so nothing can be significant at 0.05",
    ),
    (
        "too_few_resamples",
        {"needed": 1320, "more": "possible", "multiplied": False},
        "7 flips give no p-value below 0.12, so nothing can be significant at 0.05: pass --resamples 1320 or more",
    ),
    (
        "too_few_resamples",
        {"needed": 1320, "more": "exhausted", "multiplied": True},
        "7 flips give no p-value below 0.12, and max-T over 3 pairs may multiply it beyond 0.05: there are no more, or use max_t",
    ),
    (
        "too_few_resamples",
        {"needed": 1320, "more": "too many", "multiplied": False},
        "7 flips give no p-value below 0.12, so nothing can be significant at 0.05: more than can be drawn would be needed",
    ),
    (
        "screen",
        {},
        "max-T is a screen: rank intervals, tiers and 'may be the best' do not hold together for all systems; max_t does that",
    ),
    (
        "near_alpha",
        {"pairs": 1, "error": 0.00653},
        "1 pair has its adjusted p-value within Monte Carlo error (±0.0065) of 0.05: raise --resamples to settle it",
    ),
    (
        "near_alpha",
        {"pairs": 2, "error": 0.00653},
        "2 pairs have their adjusted p-value within Monte Carlo error (±0.0065) of 0.05: raise --resamples to settle it",
    ),
    (
        "intervals_widened",
        {"systems": ["old", "new"]},
        "old, new: the interval was widened until it meets those of systems that are not told from it",
    ),
    (
        "skewed_pairs",
        {"pairs": 1, "drawn": 1, "bound": 0.9, "resamples": 1999},
        (
            "differences of 1 pair are visibly skewed (beyond ±0.9), where random signs may claim too much: there the p-value "
            "is the larger one of sign flips and of 1,999 bootstrap resamples of items, and the interval the wider one"
        ),
    ),
    (
        "skewed_pairs",
        {"pairs": 1200, "drawn": 1500, "bound": 0.9, "resamples": 1999},
        (
            "differences of 1,200 pairs are visibly skewed (beyond ±0.9), where random signs may claim too much: for all pairs the "
            "p-value is the larger one of sign flips and of 1,999 bootstrap resamples of items, and the interval the wider one"
        ),
    ),
    (
        "unjudged_pairs",
        {"pairs": 2, "fewest": 6},
        "2 pairs in need of resampling differ on fewer than 6 items, too few for it: not told apart",
    ),
    (
        "baseline_only",
        {},
        "only pairs with None were judged: other systems are not compared with each other",
    ),
    (
        "simultaneous_intervals",
        {},
        "intervals of means hold for all systems together at 95 %: each is a wilson interval at 98.333 %",
    ),
    (
        "no_width",
        {"systems": ["a", "b"]},
        "a, b: the same score on every item, so the interval has no width",
    ),
    (
        "no_width",
        {"systems": list("abcdef")},
        "a, b, c, d, e, …: the same score on every item, so the interval has no width",
    ),
    (
        "datasets_pooled",
        {"datasets": 3},
        (
            "items of 3 datasets were pooled: means, ranks and tests weigh all 5 items alike; --datasets ranks each "
            "alone too, and --dataset picks one"
        ),
    ),
    (
        "datasets_left_out",
        {"datasets": ["x"]},
        "datasets on which not all pairs share two items, left out of the answers by dataset: x",
    ),
    (
        "too_few_datasets",
        {"datasets": 0},
        "there is no dataset to compare on: nothing can be said across datasets",
    ),
    (
        "too_few_datasets",
        {"datasets": 1},
        "there is one dataset to compare on: nothing can be said across datasets",
    ),
    (
        "across_datasets",
        {},
        (
            "across datasets: the effect on this suite counts every dataset alike (equal_weight in the JSON), by items "
            "every item (item_weight). The mean of such datasets and a new dataset (new_dataset) are about datasets "
            "like these: the interval of their mean, and the wider one for the effect on one new dataset, each for a "
            "pair alone. Adjusted p-values are Holm's over the pairs. Counts of significant datasets are corrected "
            "over pairs and, by Bonferroni, over datasets. 'At least' counts datasets on which a system is shown to "
            "win or lose without saying which these are (partial conjunction, corrected over pairs and directions)"
        ),
    ),
    (
        "no_prediction",
        {},
        (
            "two datasets are too few to predict the effect on a new one: one degree of freedom goes into their mean, "
            "the other into the scatter about it"
        ),
    ),
    (
        "narrow_predictions",
        {"pairs": 1, "below": 0.5},
        (
            "for 1 pair datasets differ little more than by chance (I² below 50 %): the spread of true effects is "
            "then poorly known, and the 95 % interval for a new dataset holds in 85 to 95 of 100 cases"
        ),
    ),
    (
        "clusters_span_datasets",
        {},
        "clusters span several datasets, which answers across datasets take as independent: those are too certain",
    ),
    (
        "judged_as_compare",
        {"test": "paired_t", "label": "paired t"},
        "one pair needs no correction: it is judged as `tellapart compare` judges it, by paired t (paired_t)",
    ),
    (
        "margin_claims",
        {"margin": 0.1, "correction": "Holm"},
        (
            "not worse, not better and equivalent are within 0.1 of the baseline: each system is tested as by "
            "`tellapart compare`, and each kind of claim adjusted over the systems (Holm); a system shown better "
            "counts as not worse, and one shown worse as not better"
        ),
    ),
    (
        "simultaneous_differences",
        {"steps": True},
        (
            "intervals of differences (tango, at the critical value of the step that decided the pair) exclude 0 exactly where a pair is "
            "told apart, for all pairs together at 95 %; to bound the sizes of all differences together, use "
            '--correction "max_t(steps=single)"'
        ),
    ),
    (
        "simultaneous_differences",
        {"steps": False},
        (
            "intervals of differences hold for all pairs together at 95 %: each is a tango interval at the critical value of the "
            "largest difference"
        ),
    ),
    (
        "claims_beyond_intervals",
        {"pairs": 1},
        (
            "1 pair is told apart although its interval includes 0: the correction claims more than intervals that hold for all "
            "pairs together"
        ),
    ),
    (
        "intervals_beyond_claims",
        {"pairs": 2},
        (
            "2 pairs are not told apart although the interval excludes 0: test and interval are not each other's "
            "inverse, and the test decides"
        ),
    ),
    (
        "mixed_workers",
        {"unlike": ["numpy 1.26.4 (here 2.4.0)", "python 3.12.1 (here 3.14.0)"]},
        (
            "some workers are unlike this machine (numpy 1.26.4 (here 2.4.0); python 3.12.1 (here 3.14.0)): computed elsewhere, or here "
            "again, the last digits may differ"
        ),
    ),
    (
        "interrupted",
        {"resamples": 1_999, "asked_resamples": 100_000, "smallest_pvalue": 0.0005},
        "interrupted: pairs are judged by 1,999 of 100,000 resamples, so no p-value is below 0.00050",
    ),
    (
        "time_limit",
        {"resamples": 999, "asked_resamples": 10_000, "smallest_pvalue": 0.001},
        "stopped when the time was up: pairs are judged by 999 of 10,000 resamples, so no p-value is below 0.0010",
    ),
    (
        "not_stored",
        {"file": "kept.sqlite", "failure": "the disk is full"},
        (
            "not all of this could be kept in kept.sqlite (the disk is full); the answer does not depend on it, and what was kept before "
            "is still there"
        ),
    ),
    (
        "work_lost",
        {"work": "resamples 1,001 to 2,000", "times": 4},
        (
            "resamples 1,001 to 2,000: every worker that it was given to was lost (4 of them, at last with nothing else to do), and all that "
            "comes after it is left out; it may need more memory than a worker has"
        ),
    ),
]


def said(note: Note, board: Leaderboard = BOARD, surface: Surface = "command line") -> str:
    return add_text(replace(board, notes=(note,)), surface).notes[0].text


@pytest.mark.parametrize(("code", "values", "text"), SAID, ids=[f"{code}{i}" for i, (code, *_) in enumerate(SAID)])
def test_notes(code: str, values: dict[str, Any], text: str) -> None:
    """Each note in the words it was agreed to have."""
    assert said(Note(code, values)) == text


def test_every_note_is_here() -> None:
    """A new code without its words in the list above is seen; what reading and slices left to say is tried with its own words."""
    assert {code for code, *_ in SAID} == set(NOTES) - set(READING) - {"slices_ranked", *SLICED}


def test_a_margin_is_said_with_its_own_promise() -> None:
    """Of several systems as counts, of one in a clause; and that each kind of claim is corrected by itself."""
    values = {"base": [0, 1] * 40, "new": [0, 1] * 39 + [1, 1], "other": [0, 1] * 39 + [1, 0]}
    many = rank(Scores.from_arrays(values), baseline="base", margin=0.2)
    assert many.headline == (
        "against base: 0 better, 0 worse, 2 not told apart; within 20 points: 2 not worse, 2 equivalent"
    )
    assert many.sentence == (
        "Against base, 0 of 2 systems are better, 0 worse, and 2 not told apart from it; 2 are shown to be no worse than it by "
        "more than 20 points, and 2 equivalent to it (95 % family-wise for each kind of claim)."
    )
    del values["other"]
    said = {margin: rank(Scores.from_arrays(values), baseline="base", margin=margin).sentence for margin in (0.2, 0.01)}
    assert said[0.2].startswith("new is not told apart from base, and equivalent to it within 20 points (")
    assert said[0.01].startswith("new is not told apart from base, and not shown to be no worse than it by more than")


def test_python_spells_its_own_options() -> None:
    """Advice is spelled for the surface it is read at."""
    needs = Note("too_few_resamples", {"needed": 1320, "more": "possible", "multiplied": False})
    assert said(needs, surface="python").endswith("pass resamples=1320 or more")
    steps = said(Note("simultaneous_differences", {"steps": True}), surface="python")
    assert steps.endswith("together, use correction='max_t(steps=single)'")


def test_clusters_are_named() -> None:
    """With clusters it is they that are flipped, drawn and too few."""
    board = replace(BOARD, clusters=4)
    assert "one sign per cluster for all pairs" in said(Note("resampled"), board)
    assert "differ on only 4 clusters" in said(Note("too_few_units", {"units": 4}), board)
    assert "two items and two clusters" in said(Note("datasets_left_out", {"datasets": ["x"]}), board)


def test_how_pairs_were_resampled() -> None:
    """Random flips and the bootstrap say how many they are, and that they are not all."""
    how = replace(BOARD.corrected, exhaustive=False)
    drawn = said(Note("resampled"), replace(BOARD, corrected=how, resamples=10_000))
    assert drawn.startswith("p-values by 10,000 sign flips, one sign per item for all pairs; ")
    how = replace(how, resampling="bootstrap")
    drawn = said(Note("resampled"), replace(BOARD, corrected=how, resamples=10_000))
    assert drawn.startswith("p-values by 10,000 bootstrap resamples of items; ")


@pytest.mark.parametrize(
    ("separation", "baseline", "headline", "sentence"),
    [
        (
            {"told_apart": 0, "tiers": 1, "may_be_best": 3},
            None,
            "undetermined: these items do not tell the 3 systems apart",
            "The evaluation does not separate the 3 systems: any may be the best (95 % family-wise).",
        ),
        (
            {"told_apart": 1, "tiers": 2, "may_be_best": 3},
            None,
            "3 of 3 systems may be the best: b, c, a",
            "The evaluation separates 3 systems into 2 tiers; 3 systems may be the best (95 % family-wise).",
        ),
        (
            {"better": 1, "worse": 0, "not_told_apart": 1},
            "a",
            "against a: 1 better, 0 worse, 1 not told apart",
            "Against a, 1 of 2 systems are better, 0 worse, and 1 not told apart from it (95 % family-wise).",
        ),
    ],
)
def test_headline_and_sentence(separation: dict[str, int], baseline: str | None, headline: str, sentence: str) -> None:
    """Both follow from the counts of the answer."""
    board = add_text(replace(BOARD, separation=replace(BOARD.separation, **separation), baseline=baseline))
    assert (board.headline, board.sentence) == (headline, sentence)


def test_what_more_items_would_buy() -> None:
    """The gap and its items, for the top two or the baseline and the best other, and the tier sizes that are worth telling."""
    sizes = tuple(TierSize(systems, 100 * systems) for systems in (1, 4, 5))
    more = MoreItems(0.8, 2.1, 0.0781, 0.039, 1600, sizes)
    told = add_text(replace(BOARD, more_items=more)).more_items
    assert told is not None
    assert told.text == (
        "these items can detect a true gap of 0.078 between the top two (80 % power); a gap of 0.039 takes 1,600 items; if every "
        "other system trails the best by that gap, narrowing the top tier to 1 takes 100, narrowing the top tier to 5 takes 500"
    )
    against = add_text(replace(BOARD, baseline="a", more_items=replace(more, top_tier=()))).more_items
    assert against is not None
    assert "between a and the best of the others (80 % power); a gap of 0.039 takes 1,600 items" in against.text
    assert "trail" not in against.text
