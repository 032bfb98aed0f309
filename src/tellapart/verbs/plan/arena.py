"""`plan arena`: votes, gap or power of a leaderboard from votes, by closed forms or from a log."""

import itertools
import math
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, cast

import numpy as np
from scipy import special

from tellapart.answers.arena_plan import Allocation, ArenaLog, ArenaPlan, ArenaPlanRow
from tellapart.answers.parts import Note
from tellapart.boards.vote_board import pair_variances
from tellapart.data.votes import Votes
from tellapart.foundation.errors import DataError, Unsuitable, UsageError
from tellapart.foundation.spelling import Question, Range, setting
from tellapart.foundation.surfaces import option
from tellapart.numerics.null_laws.studentized_range import range_quantile
from tellapart.numerics.pairwise import planning
from tellapart.numerics.pairwise.covariance import vote_covariance
from tellapart.numerics.pairwise.planning import PlannedVotes
from tellapart.planning.study import ALPHAS
from tellapart.verbs.arena.board import ELO, ArenaBoard, judge_votes
from tellapart.verbs.arena.prepared import prepare_votes
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.plan.question import several
from tellapart.verbs.plan.saved import refuse_unsaved, save_arena
from tellapart.verbs.python_verb import SubjectOptions, python_verb
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.signature import sign

WINDOW = 3
"""Ranks within which systems meet in the allocation that is held against meetings of all."""
MOST_POINTS = 2000.0
"""Farther apart than this nothing is to be planned: the better one wins all but one of 100,000 votes."""
SolvedFor = Literal["votes", "gap", "power"]


@dataclass(frozen=True)
class ArenaPlanQuestion(Question):
    """Two of votes, gap (or lead) and power; the third is solved."""

    systems: int | None = setting(None, "How many systems vote by vote.", metavar="M", range=Range(least=2, most=1000))
    gap: Any = setting(
        None,
        "Points of Elo's scale between two systems that should be told apart.",
        metavar="G",
        many=float,
        range=Range(above=0, most=MOST_POINTS),
    )
    votes: Any = setting(None, "How many votes, of all pairs together.", metavar="N", many=int, range=Range(least=2))
    power: Any = setting(
        None, "How often the gap should be found, such as 0.8.", metavar="P", many=float, range=Range(above=0, below=1)
    )
    ties: Any = setting(
        None,
        "Share of ties among all votes (default: 0, or that of the log).",
        metavar="T",
        many=float,
        range=Range(least=0, below=1),
    )
    spread: float = setting(
        0.0, "Standard deviation of the systems' ratings, in points.", range=Range(least=0, most=MOST_POINTS)
    )
    design_effect: float | None = setting(
        None,
        "How many times as many votes it takes because raters or items repeat (default: 1, or that of the log).",
        range=Range(above=0),
    )
    top: int | None = setting(
        None, f"With {option('lead')}: at most so many systems in the top tier.", metavar="K", range=Range(least=1)
    )
    lead: Any = setting(
        None,
        f"With {option('top')}: points by which the best leads all others.",
        metavar="G",
        many=float,
        range=Range(above=0, most=MOST_POINTS),
    )
    alpha: float = setting(0.05, "Level that all pairs share.", range=ALPHAS)
    save: Any = setting(
        None, "Fix this design in a file, for rank to follow before there are votes.", metavar="FILE", group="saved"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.gap is not None and self.lead is not None:
            raise UsageError(
                f"{option('gap')} is between two neighbours and {option('lead')} of the best from all others; give one of them"
            )
        if (self.lead is not None) and self.top is None:
            raise UsageError(
                f"{option('lead')} needs {option('top')}: at most how many systems may stay in the top tier"
            )
        if self.top is not None and self.gap is not None:
            raise UsageError(f"{option('top')} is about a lead: give {option('lead')} in place of {option('gap')}")

    @property
    def distance(self) -> Any:
        """The gap or the lead."""
        return self.gap if self.top is None else self.lead

    @property
    def solved_for(self) -> SolvedFor:
        given = {"votes": self.votes, "gap": self.distance, "power": self.power}
        absent = [name for name, value in given.items() if value is None]
        if absent in (["votes", "power"], ["gap", "power"]):
            return cast("SolvedFor", absent[0])  # at the usual power
        if len(absent) != 1:
            have = ", ".join(name for name in given if name not in absent) or "none of them"
            wanted = option("gap") if self.top is None else option("lead")
            raise UsageError(
                f"give one or two of {option('votes')}, {wanted} and {option('power')}, and the rest is solved; given: {have}"
            )
        return cast("SolvedFor", absent[0])


def planned_arena(log: Votes | None, question: ArenaPlanQuestion) -> ArenaPlan:
    """How many votes does an arena need, which gap do so many find, or how often? Of a log, at its own ties, clusters and pairs.

    >>> from tellapart import plan_arena
    >>> plan_arena(systems=10, gap=50, ties=0.2).rows[0].votes
    5624
    """
    if not isinstance(log, Votes | None):
        raise Unsuitable("plan arena needs votes between systems, and these are not. Give a log of votes, or none")
    solved = question.solved_for
    board = None if log is None else _judged_log(log, question)
    seen = None if board is None else _log_seen(board)
    designs = [_design(question, board, seen, ties) for ties in several(question.ties)]
    asked = itertools.product(designs, several(question.votes), several(question.distance), several(question.power))
    rows = tuple(_arena_row(design, solved, *given) for design, *given in asked)
    first = designs[0]
    answer = ArenaPlan(
        solved_for=solved,
        rows=rows,
        systems=first.systems,
        top=question.top,
        spread=question.spread,
        design_effect=first.design_effect,
        critical=first.critical,
        alpha=question.alpha,
        log=seen,
        allocation=_allocation(first, rows[0].gap / ELO, board),
        notes=tuple(_arena_plan_notes(first, seen)),
        signature=_arena_plan_signature(question, first, board),
    )
    if question.save is not None:
        refuse_unsaved(question.save, len(rows))
        save_arena(answer, question.save)
    return answer


class _PlanningArenas(Protocol):
    """The log may be left out."""

    def __call__(self, log: Votes | None = None, /, **options: Any) -> ArenaPlan: ...


plan_arena = cast(
    _PlanningArenas, python_verb("plan_arena", ArenaPlanQuestion, planned_arena, SubjectOptions((), lambda log, _: log))
)


def _judged_log(votes: Votes, question: ArenaPlanQuestion) -> ArenaBoard:
    own = {
        "systems": question.systems,
        "ties": question.ties,
        "design_effect": question.design_effect,
        "spread": question.spread or None,
    }
    given = [name for name, value in own.items() if value is not None]
    if given:
        raise UsageError(
            f"the log already gives the {given[0].replace('_', ' ')}; leave {option(given[0])} or the file out"
        )
    asked = RankQuestion(alpha=question.alpha)
    board = judge_votes(prepare_votes(votes, asked), asked)
    if board.fit.penalised:
        raise DataError(
            "some systems of the log won or lost every vote against the others, so it does not say how far apart they are. "
            f"Plan without it: {option('systems', str(len(board.names)))} and {option('ties', '…')}"
        )
    if board.prepared.ties == board.fit.votes.total:
        raise DataError(
            f"all votes of the log are ties, so they separate no systems; plan without it: {option('systems', '10')}"
        )
    if not board.pairs.errors.judged.all():
        raise DataError(
            "some pairs of the log rest on one rater or item, or have no error, so the value of more votes is unknown. Leave "
            f"these pairs out, or plan without the log: {option('systems', str(len(board.names)))} and {option('ties', '…')}"
        )
    return board


def _log_seen(board: ArenaBoard) -> ArenaLog:
    first, second = board.leading
    return ArenaLog(
        votes=int(board.fit.votes.total),
        ties=float(board.fit.votes.ties / board.fit.votes.total),
        by=board.prepared.cluster_by,
        first=board.names[first],
        second=board.names[second],
        separable=ELO
        * math.sqrt(board.variance(first, second))
        * (board.pairs.family_critical + float(special.ndtri(POWER))),
    )


def _design(
    question: ArenaPlanQuestion, board: ArenaBoard | None, log: ArenaLog | None, ties: float | None
) -> PlannedVotes:
    if board is None or log is None:
        if question.systems is None:
            raise UsageError(f"say how many systems: {option('systems', '10')}, or name a log of votes")
        systems, share, effect = question.systems, ties or 0.0, question.design_effect or 1.0
    else:
        systems, share, effect = len(board.names), log.ties, _design_effect(board)
    if question.top is not None and question.top >= systems:
        asked = option("top", str(question.top))
        raise UsageError(f"{asked} of {systems} systems is all of them; give fewer than {systems}")
    critical = range_quantile(question.alpha, systems) / math.sqrt(2.0)
    design = PlannedVotes(systems, question.top, share, question.spread / ELO, effect, critical)
    if board is None or question.top is not None:
        return design
    variance = board.fit.votes.total * board.variance(*board.leading)
    return replace(design, critical=board.pairs.family_critical, of_log=variance)


def _design_effect(board: ArenaBoard) -> float:
    """The mean over pairs of the variance by clusters over that of votes alone."""
    covariances = board.pairs.errors.covariance, vote_covariance(board.fit)
    clustered, alone = (pair_variances(one, board.pairs.a, board.pairs.b) for one in covariances)
    return float(np.mean(clustered / alone))


def _arena_row(
    design: PlannedVotes, solved: SolvedFor, votes: int | None, points: float | None, power: float | None
) -> ArenaPlanRow:
    gap = 0.0 if points is None else points / ELO
    aim = POWER if power is None else power
    if solved == "gap":
        found_gap = design.gap(cast(int, votes), aim)
        if found_gap is None:
            raise UsageError(
                f"{votes} votes between {design.systems} systems find no gap with a power of {aim:g}; give more votes"
            )
        gap = found_gap
    count = design.votes(gap, aim) if solved == "votes" else cast(int, votes)
    found = design.power(count, gap)
    error = ELO * math.sqrt(design.variance(gap) / count)
    pairs = design.systems * (design.systems - 1) / 2
    return ArenaPlanRow(count, points if points is not None else ELO * gap, found, design.ties, count / pairs, error)


def _allocation(design: PlannedVotes, gap: float, board: ArenaBoard | None) -> Allocation | None:
    """The saving by meetings of neighbours at these strengths; few systems are all neighbours."""
    if design.systems <= WINDOW + 1:
        return None
    if board is not None:
        strengths = np.sort(board.fit.strengths)[::-1]
    elif design.top is not None:
        strengths = np.concatenate([[gap], np.zeros(design.systems - 1)])
    else:
        strengths = np.sort(planning.spread_strengths(design.systems, gap, design.spread))[::-1]
    alike, near = (
        planning.difference_variances(strengths, meetings)
        for meetings in (planning.all_meet(design.systems), planning.neighbours_meet(design.systems, WINDOW))
    )
    rank = np.arange(design.systems - 1)
    return Allocation(
        span=ELO * float(strengths[0] - strengths[-1]),
        window=WINDOW,
        neighbours=float(near[rank, rank + 1].mean() / alike[rank, rank + 1].mean()),
        ends=float(near[0, -1] / alike[0, -1]),
    )


def _arena_plan_notes(design: PlannedVotes, log: ArenaLog | None) -> list[Note]:
    notes = [Note("cautious_where_spread", {})] if design.spread > 0.0 else []
    if log is not None:
        notes.append(Note("like_the_log" if design.top is None else "top_of_log", {"votes": log.votes}))
        notes.append(Note("more_than_planned", {"separable": log.separable}))
    return notes


def _arena_plan_signature(question: ArenaPlanQuestion, design: PlannedVotes, board: ArenaBoard | None) -> str:
    return sign(
        "plan",
        "arena" if board is None else board.prepared.fingerprint,
        systems=design.systems,
        gap=question.gap,
        lead=question.lead,
        top=question.top,
        votes=question.votes,
        power=question.power,
        ties=question.ties,
        spread=question.spread or None,
        design_effect=question.design_effect,
        alpha=question.alpha,
    )
