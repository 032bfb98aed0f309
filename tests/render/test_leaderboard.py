"""The page of a leaderboard: which pairs are worth a line, and what is left to the JSON."""

from dataclasses import replace
from functools import cache

import numpy as np

from tellapart import Leaderboard, Scores, rank
from tellapart.answers.leaderboard.page import MOST_CLOSE, MOST_LETTERS, MOST_PAIRS
from tellapart.answers.leaderboard.parts import Datasets, Standing
from tellapart.answers.page import Grid, Page, page_of
from tellapart.render.screen import Screen
from tellapart.render.text import text


@cache
def board() -> Leaderboard:
    """Eight systems, each better than the next: all pairs differ."""
    rng = np.random.default_rng(4)
    ease = rng.normal(size=200)
    return rank(Scores.from_arrays({f"s{i}": ease + 0.5 * i + rng.normal(size=200) for i in range(8)}))


def titles(page: Page) -> list[tuple[str, ...]]:
    return [grid.titles for grid in page.grids]


def names(grid: Grid) -> list[str]:
    return [row[0].text for row in grid.rows]


def test_few_pairs_are_all_shown() -> None:
    """Up to fifteen significant pairs stand one by one; the sign says which is the better one, and the difference is as the pair has it."""
    few = replace(board(), pairs=board().pairs[:MOST_PAIRS])
    pairs = page_of(few).grids[1]
    assert len(pairs.rows) == MOST_PAIRS
    assert names(pairs)[:2] == ["s7 > s6", "s7 > s5"]
    first = few.pairs[0]
    assert pairs.rows[0][1].values == (first.effect,)
    assert pairs.rows[0][2].values == (first.low, first.high)
    swapped = tuple(replace(p, verdict="a better") for p in few.pairs)
    assert names(page_of(replace(few, pairs=swapped)).grids[1])[:2] == ["s7 < s6", "s7 < s5"]
    endless = (replace(first, low=-np.inf), *few.pairs[1:])
    assert page_of(replace(few, pairs=endless)).grids[1].rows[0][2].text == "unbounded"


def test_many_pairs_are_told_by_neighbours_and_close_calls() -> None:
    """Beyond fifteen: who is told from the next in rank, and which were nearly not significant, the closest first."""
    close = tuple(
        replace(p, adjusted_pvalue=0.03 + 0.001 * i if i <= MOST_CLOSE else 0.005, close_call=i <= MOST_CLOSE)
        for i, p in enumerate(board().pairs)
    )
    _, neighbours, calls = page_of(replace(board(), pairs=close)).grids
    assert neighbours.caption == "neighbours in rank that are told apart"
    assert names(neighbours) == [f"s{i} > s{i - 1}" for i in range(7, 0, -1)]
    assert calls.caption == f"pairs that differ significantly: the closest calls, the first {MOST_CLOSE}"
    assert [row[4].values[0] for row in calls.rows] == [p.adjusted_pvalue for p in close[MOST_CLOSE:0:-1]]


def test_no_close_calls_no_table_of_them() -> None:
    """Where all are clear only neighbours are told of."""
    clear = tuple(replace(p, close_call=False) for p in board().pairs)
    assert [grid.caption for grid in page_of(replace(board(), pairs=clear)).grids] == [
        "",
        "neighbours in rank that are told apart",
    ]


def test_nothing_told_apart() -> None:
    """Then there is no table of pairs, and the headline is left open."""
    pairs = tuple(replace(p, significant=False, verdict="undetermined") for p in board().pairs)
    none = replace(board(), pairs=pairs, separation=replace(board().separation, told_apart=0))
    page = page_of(none)
    assert (len(page.grids), page.tone) == (1, "open")
    assert page_of(board()).tone == "good"  # one system is the best


def test_digits_follow_the_narrowest_interval() -> None:
    """A system without spread asks for no digits; where none has any, four are shown."""
    best, *others = board().systems

    def shown(*systems: Standing) -> str:
        return page_of(replace(board(), systems=systems)).grids[0].rows[0][1].text

    usual = shown(best, *others)
    assert shown(best, *others[:-1], replace(others[-1], low=1.0, high=1.0)) == usual
    assert len(shown(best, *others[:-1], replace(others[-1], low=1.0, high=1.002)).partition(".")[2]) == 4
    flat = tuple(replace(s, low=1.0, high=1.0) for s in board().systems)
    assert len(shown(*flat).partition(".")[2]) == 4


def two_systems() -> Leaderboard:
    rng = np.random.default_rng(1)
    return rank(Scores.from_arrays({"a": rng.normal(size=50), "b": 2.0 + rng.normal(size=50)}))


def test_two_systems() -> None:
    """One pair is told as one."""
    page = page_of(two_systems())
    assert page.grids[1].caption == "the two differ significantly"
    assert {"told apart", "neighbours"}.isdisjoint(dict(page.facts))


def test_minor_columns_make_room_for_intervals() -> None:
    """At 80 columns ties give way to lines of 20 cells, then tiers; where neither is enough, no column is missed and no line drawn."""

    def head(width: int, **names: str) -> str:
        systems = tuple(replace(one, name=names.get(one.name, one.name)) for one in board().systems)
        printed = text(page_of(replace(board(), systems=systems)), Screen(width, terminal=True))
        return printed[printed.index("\nsystem") :].partition("\n\n")[0]

    assert "●" in head(80)
    assert "tied with" not in head(80)
    assert "tier" in head(80)
    assert "tied with" in head(120)
    assert "●" in head(120)
    long = head(80, s3="x" * 12)
    assert "●" in long
    assert "tier" not in long
    longer = head(80, s3="x" * 30)
    assert "●" not in longer
    assert "tied with" in longer
    assert max(map(len, (head(80) + long + longer).splitlines())) <= 80


def test_columns_come_and_go() -> None:
    """Ties where there are more than two; items where they differ; letters where asked for and few; tiers in the order of ranks; the best where all holds together."""
    assert titles(page_of(board()))[0][-4:] == ("range", "tied with", "tier", "best?")
    assert "tied with" not in titles(page_of(two_systems()))[0]
    asked = replace(board(), letters_asked=True)
    longest = dict.fromkeys(board().letters, "a" * MOST_LETTERS)
    assert titles(page_of(replace(asked, letters=longest)))[0][-1] == "letters"
    longer = board().letters | {"s3": "a" * (MOST_LETTERS + 1)}
    assert titles(page_of(replace(asked, letters=longer)))[0][-1] == "best?"
    first, second, *others = board().systems
    apart = (replace(first, tier=2), replace(second, tier=1), *others)
    assert "tier" not in titles(page_of(replace(board(), systems=apart)))[0]
    assert "best?" not in titles(page_of(replace(board(), family_wise=False)))[0]
    gaps = (replace(board().systems[0], items=7), *board().systems[1:])
    assert "items" in titles(page_of(replace(board(), systems=gaps)))[0]
    assert "items" not in titles(page_of(board()))[0]


@cache
def suite() -> Leaderboard:
    """Twenty systems on two datasets that tell few of them apart."""
    rng = np.random.default_rng(2)
    ease = rng.normal(size=40)
    values = {f"s{i:02d}": ease + 0.01 * i + rng.normal(size=40) for i in range(20)}
    return rank(Scores.from_arrays(values, datasets=["x"] * 20 + ["y"] * 20), datasets=True, resamples=999)


def datasets() -> Datasets:
    found = suite().datasets
    assert found is not None
    return found


def test_datasets_name_a_few_that_may_be_best() -> None:
    """Three are named and the rest counted; where nothing was asked of all, nobody is."""
    best = ", ".join(s.name for s in datasets().within[0].systems[:3])
    assert page_of(suite()).grids[-2].rows[0][3].text == f"{best} and 17 more"
    three = tuple(
        replace(one, systems=tuple(replace(s, may_be_best=s in one.systems[:3]) for s in one.systems))
        for one in datasets().within
    )
    named = page_of(replace(suite(), datasets=replace(datasets(), within=three))).grids[-2]
    assert named.rows[0][3].text == best
    assert page_of(replace(suite(), family_wise=False)).grids[-2].rows[0][3].text == "not asked"


def test_pairs_across_datasets_are_few() -> None:
    """The first system against fifteen others, the rest in the JSON; in units of a spread that is said."""
    across = page_of(suite()).grids[-1]
    first = suite().systems[0].name
    assert len(across.rows) == MOST_PAIRS
    assert across.caption == f"across datasets: {first} less each; all pairs are in the JSON"
    one = replace(datasets(), across=datasets().across[:1], unit="standardised")
    page = page_of(replace(suite(), datasets=one))
    assert page.grids[-1].caption == f"across datasets, standardised: {first} less each"
