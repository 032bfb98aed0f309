"""Leaderboard of many systems on the same items: their possible ranks, and which pairs differ significantly."""

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import cast

import numpy as np

from tellapart.answers.arena import Arena
from tellapart.answers.leaderboard import Corrected, Leaderboard, MeanInterval, MoreItems, TierSize
from tellapart.boards.board import Board
from tellapart.boards.family import items_to_separate, pair_errors, separable_gap
from tellapart.compute import Runner
from tellapart.data.score_storage import rows_of
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.foundation.arrays import IntArray
from tellapart.foundation.errors import UsageError
from tellapart.foundation.formatting import significant
from tellapart.foundation.seeds import fingerprint
from tellapart.verbs import rank as rank_package
from tellapart.verbs.given_scores import GivenScores, Grouping, on_given_scores
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.python_verb import python_verb
from tellapart.verbs.rank.correlations import correlations
from tellapart.verbs.rank.notes import notes, stopped_notes
from tellapart.verbs.rank.prepared_board import prepare_board, select_systems
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import RankedBoard, rank_board
from tellapart.verbs.signature import sign
from tellapart.verbs.source_notes import EMPTY, AnswerPart, with_sources
from tellapart.verbs.workers import add_worker_notes, use_workers

# One line with everything needed to rank the same board again.


def signature(ranked: RankedBoard, *, partial: bool = False) -> str:
    """Of a partial answer, which cannot be had again, with the resamples that it comes from."""
    judged = ranked.judged
    question, alone, jointly = ranked.question, judged.alone, judged.jointly
    return sign(
        "rank",
        _fingerprint(ranked.board),
        metric=str(ranked.board.metric),
        correction=ranked.judged.correction,
        baseline=question.baseline,
        missing=question.missing,
        alpha=question.alpha,
        test=judged.tests[0] if alone is not None or judged.by_seeds else None,
        runs_as=question.runs_as,
        seeds_as=question.seeds_as,
        interval=None if alone is None else alone.intervals.method,
        margin=question.margin,
        resamples=None if jointly is None else jointly.joint.resamples if partial else jointly.resamples,
        **question.signed_slices,
        seed=question.seed,
        lower_is_better=True if question.lower_is_better else None,
        partial=partial or None,
    )


def _fingerprint(board: Board) -> str:
    """A short hash of the board: equal for equal scores, whatever order systems and items came in, and whatever items are called."""
    homes = sorted(Counter(home for home, _ in board.scores.items).items())
    names = (repr(board.systems).encode(), repr(homes).encode())
    clusters = () if board.clusters is None else (board.clusters.tobytes(),)
    return fingerprint(chain(names, (row.tobytes() for row in rows_of(board.values)), clusters))


# What more items would buy a leaderboard, at the spread seen and for a gap that is assumed, never for the
# gap seen.


def more_items(ranked: RankedBoard) -> MoreItems | None:
    """Items for the top two, and for every smaller top tier; None where no number of items can separate the top two.

    With a baseline: for it and the best of the others.
    """
    if ranked.judged.by_seeds:
        return None
    first, second = _contenders(ranked)
    critical = ranked.judged.by.critical(ranked.question.alpha)
    errors = pair_errors(ranked.board, np.array([first]), np.array([second]))
    spread, items = float(errors.spread[0]), int(errors.items[0])
    separable = separable_gap(spread, items, critical, POWER)
    if separable is None:
        return None
    gap = ranked.question.gap if ranked.question.gap is not None else separable / 2.0
    needed = items_to_separate(spread, gap, critical, POWER)
    if needed is None:
        raise UsageError(
            f"gap is {gap:g}, far too small for how much scores vary ({significant(spread)}): give a difference that would matter"
        )
    return MoreItems(POWER, critical, separable, gap, needed, _top_tier(ranked, gap, critical))


def _contenders(ranked: RankedBoard) -> tuple[int, int]:
    if ranked.question.baseline is None:
        return int(ranked.standings.ranking.order[0]), int(ranked.standings.ranking.order[1])
    baseline = ranked.board.systems.index(ranked.question.baseline)
    return baseline, int(next(i for i in ranked.standings.ranking.order if i != baseline))


def _top_tier(ranked: RankedBoard, gap: float, critical: float) -> tuple[TierSize, ...]:
    """To leave k systems beside and with the first, all others of the top tier must be told from it, in one go."""
    tier = [i for i in ranked.standings.ranking.order if ranked.standings.unbeaten[i]]
    if ranked.question.baseline is not None or len(tier) < 2:
        return ()
    others: IntArray = np.array(tier[1:], dtype=np.int64)
    spread = pair_errors(ranked.board, np.full_like(others, tier[0]), others).spread
    # Those that are hardest to tell from the first stay; twins of it always do.
    apart = np.sort(spread[spread > 0.0]).tolist()
    found = []
    for count in range(len(apart), 0, -1):
        each = 1.0 - (1.0 - POWER) / count
        needed = items_to_separate(apart[count - 1], gap, critical, each)
        if needed is not None:
            found.append(TierSize(len(tier) - count, needed))
    return tuple(found)


def ranked(scores: Scores | Votes, question: RankQuestion) -> "Leaderboard | Arena":
    """Which systems do these items tell apart? A leaderboard of scores; of votes between systems, an arena."""
    return rank_package.arena(scores, question) if isinstance(scores, Votes) else leaderboard(scores, question)


def leaderboard(scores: Scores, question: RankQuestion) -> Leaderboard:
    """Which systems do these items tell apart? Ranks, tiers and "may be the best" hold together for all systems.

    All pairs are judged together by the step-down max-T of joint sign flips, and those whose differences are visibly skewed by the larger
    p-value of these and of items drawn again, unless a `correction` is named; `systems` ranks these alone, and `baseline` asks only about pairs with that system. `resamples` is 10,000, or more where alpha and the correction need more. `gap` is the true
    difference that "what more items would buy" should assume.

    >>> from tellapart import Scores, rank
    >>> answer = rank(Scores.from_arrays({"old": [0, 1, 0, 1, 0, 0, 1, 0], "new": [1, 1, 1, 1, 0, 1, 1, 1]}))
    >>> [(s.name, s.rank, s.rank_low, s.rank_high) for s in answer.systems]
    [('new', 1, 1, 2), ('old', 2, 1, 2)]
    """
    if question.slices:
        rank_package.refuse_judgements(scores)
    if not isinstance(scores, Scores):
        reading = getattr(scores, "reading", None)  # votes have none
        scores = replace(
            rank_package.plain_scores(scores, "rank", fixed=question.raters_as == "fixed"), reading=reading
        )
    if question.systems is not None:
        scores, question = select_systems(scores, question.given_systems), replace(question, systems=None)
    if question.plan is not None:
        return rank_package.board_beside_plan(leaderboard(scores, replace(question, plan=None)), scores, question)
    with use_workers(question) as runner:
        answer = with_sources(_ranked(scores, question.facing(scores), runner), scores, question)
    return add_worker_notes(answer, runner)


def _ranked(scores: Scores, question: RankQuestion, runner: Runner) -> Leaderboard:
    prepared = prepare_board(scores, question)
    question = question.turned_by(prepared.metric)
    board, baseline = prepared.board, question.baseline
    ranked = rank_board(board, question)
    jointly = ranked.judged.jointly
    parts = _alone(ranked, prepared.unit)
    answer = Leaderboard(
        systems=ranked.standing_results(),
        letters=dict(zip(ranked.names, ranked.standings.letters, strict=True)),
        neighbours_told_apart=ranked.standings.separated_neighbours if baseline is None else None,
        resamples=0 if jointly is None else jointly.joint.first.resamples,
        clusters=None if board.clusters is None else board.units,
        correction=str(ranked.judged.correction),
        metric=str(board.metric),
        pairs=ranked.pair_results(),
        separation=ranked.separation(),
        corrected=_correcting(ranked),
        family_wise=ranked.judged.correction.guarantee == "family-wise",
        alpha=question.alpha,
        measure=board.scores.measure,
        unit=prepared.unit,
        items=len(board.scores.items),
        baseline=baseline,
        margin=question.margin,
        lower_is_better=question.lower_is_better,
        interval=MeanInterval(ranked.intervals.method, ranked.intervals.level, 1.0 - question.alpha),
        pair_interval=ranked.judged.intervals.method,
        correlations=correlations(ranked),
        omnibus=ranked.omnibus(),
        more_items=more_items(ranked),
        letters_asked=question.letters or None,
        notes=(*stopped_notes(ranked, runner), *parts.notes, *notes(ranked, prepared, parts.fields["datasets"])),
        signature=signature(ranked, partial=runner.interrupted),
        partial=runner.interrupted,
        stopped=runner.stopped,
        **parts.fields,
    )
    if prepared.metric.counted_from:
        return rank_package.with_metric_details(answer, prepared.metric, prepared.board.scores)
    return answer


def _alone(ranked: RankedBoard, unit: str) -> AnswerPart:
    """Each dataset and each slice alone, where that was asked for."""
    slices = rank_package.rank_slices(ranked) if ranked.question.slices else EMPTY
    datasets = rank_package.dataset_results(ranked, unit) if ranked.question.datasets else None
    return AnswerPart({"datasets": datasets, **slices.fields}, slices.notes)


def _on_some_systems(
    answer: Callable[[GivenScores, RankQuestion], Leaderboard | Arena],
) -> Callable[[GivenScores, RankQuestion], Leaderboard]:
    """Typed as the leaderboard that most files give; of votes it is an `Arena`, whose systems and pairs have the same fields and more."""

    @functools.wraps(answer)
    def taken(scores: GivenScores, question: RankQuestion) -> Leaderboard:
        with question.naming_systems():
            return cast(Leaderboard, answer(scores, question))

    return taken


rank = python_verb(
    "rank",
    RankQuestion,
    _on_some_systems(
        on_given_scores(ranked, lambda asked: asked.named_systems, lambda asked: Grouping(slices=asked.slice_columns))
    ),
)


def _correcting(ranked: RankedBoard) -> Corrected:
    correction, alone, jointly = ranked.judged.correction, ranked.judged.alone, ranked.judged.jointly
    if alone is not None:
        return Corrected(
            correction.label, correction.guarantee, None, exhaustive=False, smallest_pvalue=alone.least_pvalue
        )
    if jointly is None:
        return Corrected(correction.label, correction.guarantee, None, exhaustive=False, smallest_pvalue=0.0)
    resampled_by, found = jointly.resampled_by, jointly.joint.first
    return Corrected(correction.label, correction.guarantee, resampled_by, found.exhaustive, found.smallest)
