"""Page of an arena leaderboard from votes."""

from tellapart.answers.arena import Arena, ArenaPair, ArenaStanding
from tellapart.answers.leaderboard.page import baseline_columns, rank_columns
from tellapart.answers.page import Cell, Column, Grid, Page, Row, Spans
from tellapart.answers.parts import texts
from tellapart.answers.plan.page_tables import kept, not_as_planned
from tellapart.foundation.formatting import (
    amount,
    interval,
    number,
    percent,
    pvalue,
    signed,
    signed_interval,
    thousands,
)

MANY_VOTES = 1_000
MOST_PAIRS, MOST_IN_MATRIX = 15, 12
"""Significant pairs printed one by one, and systems whose matrix of wins is printed; the JSON has all."""


def make_page(answer: Arena) -> Page:
    return Page(
        headline=answer.headline,
        tone="even" if answer.separation.told_apart else "open",
        finding=_arena_finding(answer),
        next_steps=() if answer.more_votes is None else (answer.more_votes.text,),
        grids=(arena_standings(answer), *_arena_pairs(answer), *_arena_matrix(answer)),
        facts=tuple((name, text) for name, text in _arena_facts(answer) if text),
        remarks=(("Notes", texts(answer.notes)), *not_as_planned(answer.plan)),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _arena_finding(answer: Arena) -> str:
    """How many pairs differ, and the first two in rank with their interval."""
    found = answer.separation
    said = f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')} differ significantly ({answer.guarantee})"
    first, second = (standing.name for standing in answer.systems[:2])
    pair = next((pair for pair in answer.pairs if {pair.a, pair.b} == {first, second}), None)
    if pair is None:
        return said
    _, difference, bounds, _, adjusted = _arena_pair(answer, pair)
    level = f"{percent(1.0 - answer.alpha)} CI"
    top = f"{first} − {second} = {difference.text}, {level} {bounds.text}, {adjusted.text}"
    return top if found.pairs == 1 else f"{said}; {top}"


def arena_places(answer: Arena) -> int:
    return 0 if answer.model.scale == "elo" else 2


def arena_standings(answer: Arena) -> Grid:
    """Every system with its rating and the ranks it can have."""
    columns = (
        Column("system", "name"),
        Column("rating", "number"),
        Column(f"{percent(1.0 - answer.alpha)} CI", "interval"),
        Column("wins", "number"),
        Column("votes", "number"),
        Column("rank", "number"),
    )
    family_wise = answer.controls == "family-wise"
    also = rank_columns(answer, family_wise=family_wise) if answer.baseline is None else _beside_baseline(answer)
    rows = zip((_arena_standing(answer, s) for s in answer.systems), *also.values(), strict=True)
    spans = Spans(2, tuple((s.low, s.mean, s.high) for s in answer.systems))
    return Grid((*columns, *also), tuple((*standing, *cells) for standing, *cells in rows), spans=spans)


def _beside_baseline(answer: Arena) -> dict[Column, list[Cell]]:
    places = arena_places(answer)
    differences = {
        pair.b: (
            Cell(signed(pair.effect, places), (pair.effect,)),
            Cell(signed_interval(pair.low, pair.high, places), (pair.low, pair.high)),
        )
        for pair in answer.pairs
    }
    return baseline_columns(answer, differences, "", 1.0 - answer.alpha)


def _arena_standing(answer: Arena, s: ArenaStanding) -> Row:
    places = arena_places(answer)
    return (
        Cell(s.name),
        Cell(number(s.mean, places), (s.mean,)),
        Cell(interval(s.low, s.high, places), (s.low, s.high)),
        Cell(percent(round(s.wins, 3)), (s.wins,)),
        Cell(thousands(s.votes), (s.votes,)),
        Cell(str(s.rank), (s.rank,)),
    )


def _arena_pairs(answer: Arena) -> tuple[Grid, ...]:
    found = [pair for pair in answer.pairs if pair.significant]
    if not found or answer.baseline is not None:
        return ()
    differ = "differs" if answer.separation.pairs == 1 else "differ"
    caption = (
        f"{thousands(answer.separation.told_apart)} of {amount(answer.separation.pairs, 'pair')} {differ} significantly"
    )
    shown = sorted(found, key=lambda pair: pair.adjusted_pvalue)[:MOST_PAIRS]
    if len(found) > len(shown):
        caption += f"; the {MOST_PAIRS} clearest"
    columns = (
        Column("better > worse", "name"),
        Column("difference", "number"),
        Column(f"{percent(1.0 - answer.alpha)} CI", "interval"),
        Column("p-value", "number"),
        Column("adjusted", "number"),
    )
    return (Grid(columns, tuple(_arena_pair(answer, pair) for pair in shown), caption),)


def _arena_pair(answer: Arena, pair: ArenaPair) -> Row:
    places = arena_places(answer)
    up = pair.effect > 0.0
    first, second = (pair.b, pair.a) if up else (pair.a, pair.b)
    effect, low, high = (pair.effect, pair.low, pair.high) if up else (-pair.effect, -pair.high, -pair.low)
    return (
        Cell(f"{first} {'>' if pair.significant else '?'} {second}"),
        Cell(signed(effect, places), (effect,)),
        Cell(signed_interval(low, high, places), (low, high)),
        Cell(pvalue(pair.pvalue, answer.alpha), (pair.pvalue,)),
        Cell(pvalue(pair.adjusted_pvalue, answer.alpha), (pair.adjusted_pvalue,)),
    )


def _arena_matrix(answer: Arena) -> tuple[Grid, ...]:
    """Points of the row's system from the column's, of how many votes."""
    found = answer.matrix
    if len(found.systems) > MOST_IN_MATRIX:
        return ()
    columns = (Column("points over", "name"), *(Column(name, "number") for name in found.systems))
    rows = tuple(
        (
            Cell(name),
            *(
                Cell(_points_of(points, votes) if votes else "", (points,) if votes else ())
                for points, votes in zip(p, v, strict=True)
            ),
        )
        for name, p, v in zip(found.systems, found.points, found.votes, strict=True)
    )
    return (Grid(columns, rows, "points won from each other (a tie is half a point)"),)


def _points_of(points: float, votes: int) -> str:
    """Of very many votes without the half points."""
    return f"{points:g} of {votes}" if votes < MANY_VOTES else f"{thousands(round(points))} of {thousands(votes)}"


def _arena_facts(answer: Arena) -> list[tuple[str, str]]:
    found, clusters, fit = answer.separation, answer.clusters, answer.fit
    by = {"both": "raters and items", "rater": "raters", "item": "items", "none": ""}[clusters.by]
    return [
        ("votes", f"{thousands(answer.votes)}, {amount(answer.ties, 'tie')}"),
        ("clusters", f"{by}; the least effective pair rests on {number(clusters.least_effective, 0)}" if by and clusters.least_effective else ""),
        ("told apart", f"{thousands(found.told_apart)} of {amount(found.pairs, 'pair')}"),
        ("plan", kept(answer.plan)),
        ("correction", "" if clusters.law == "compare" else f"{answer.correction}, {clusters.law}, {answer.guarantee}"),
        ("fit", f"{pvalue(fit.pvalue, answer.alpha)} (X² {number(fit.x2, 1)} on {fit.df})" if fit.pvalue is not None and fit.x2 is not None else ""),
    ]  # fmt: skip
