"""Answer of an arena leaderboard: Bradley–Terry ratings, ranks, and which systems the votes tell apart."""

import math
from dataclasses import replace
from typing import cast

import numpy as np
from scipy import special

from tellapart.answers.arena import Arena, ArenaClusters, ArenaModel, ArenaPair, ArenaStanding, WinMatrix
from tellapart.answers.comparison import Comparison
from tellapart.answers.leaderboard import MoreItems
from tellapart.boards.vote_board import NO_ERROR
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.foundation.decision import EstablishedClaims, verdict
from tellapart.foundation.errors import UsageError
from tellapart.foundation.surfaces import option
from tellapart.numerics.null_laws.tails import t_tails
from tellapart.verbs.arena.board import ELO, ArenaBoard, arena_notes, judge_votes
from tellapart.verbs.arena.prepared import PreparedVotes, prepare_votes
from tellapart.verbs.compare import CompareQuestion, comparison
from tellapart.verbs.deviations import arena_beside_plan
from tellapart.verbs.judging_options import POWER
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import CLOSE, count_separation
from tellapart.verbs.signature import sign

ABOUT_SCORES = (
    "metric", "datasets", "resamples", "lower_is_better", "higher_is_better", "runs_as", "seeds_as", "missing",
)  # fmt: skip
"""Options of `rank` that votes have no use for."""
USUAL = RankQuestion.__dataclass_fields__


def arena(votes: Votes, question: RankQuestion) -> Arena:
    """Which systems do these votes tell apart? Bradley–Terry ratings, ranks and "may be the best", which hold together for all systems."""
    _refuse_options_about_scores(question)
    prepared = prepare_votes(votes, question)
    two = _compared(prepared, question) if len(prepared.names) == 2 and prepared.votes.control is None else None
    decided = {"a better": two.a.name, "b better": two.b.name}.get(two.verdict, "") if two is not None else None
    board = judge_votes(prepared, question, decided)
    pairs = _pairs(board, two)
    standings, names = board.standings, [board.names[i] for i in board.standings.ranking.order]
    answer = Arena(
        systems=_systems(board),
        pairs=pairs,
        letters=dict(zip(names, standings.letters, strict=True)),
        separation=count_separation(
            board.standings,
            [pair.significant for pair in pairs],
            None if question.baseline is None else board.names.index(question.baseline),
            None if question.margin is None else [pair.shown for pair in pairs if pair.shown is not None],
        ),
        model=_model(board),
        clusters=_clusters(board, two),
        fit=board.goodness(),
        matrix=_matrix(board),
        votes=int(prepared.votes.total),
        ties=prepared.ties,
        correction=question.vote_correction,
        controls="none" if question.vote_correction == "none" else "family-wise",
        alpha=question.alpha,
        baseline=question.baseline,
        margin=question.margin,
        more_votes=_more_votes(board),
        notes=tuple(arena_notes(board)),
        signature=_signature(board),
        sources=None if votes.reading is None else votes.reading.sources,
        letters_asked=question.letters or None,
    )
    return answer if question.followed is None else arena_beside_plan(answer, question)


def _refuse_options_about_scores(question: RankQuestion) -> None:
    for name in ABOUT_SCORES:
        if str(getattr(question, name)) not in {str(USUAL[name].default), "mean"}:
            raise UsageError(f"{option(name)} is about scores, and these are votes; leave it out")
    question.vote_correction  # noqa: B018  (refuses corrections that votes do not take)


def _compared(prepared: PreparedVotes, question: RankQuestion) -> Comparison:
    """The comparison of the only two systems, with the baseline as A."""
    a = question.baseline or prepared.names[0]
    b = next(name for name in prepared.names if name != a)
    margin = None if question.margin is None else _difference_of_shares(question.margin, question.rating_scale)
    asked = CompareQuestion(
        a=a,
        b=b,
        alpha=question.alpha,
        seed=question.seed,
        order=question.order,
        ties="drop" if question.ties == "drop" else "half",
        margin=margin,
    )
    return comparison(cast(Scores, prepared.given), asked)


def _systems(board: ArenaBoard) -> tuple[ArenaStanding, ...]:
    found, ratings, reach = board.standings, board.ratings, board.pairs.simultaneous * board.scale
    errors = np.sqrt(np.maximum(np.diagonal(board.pairs.errors.covariance), 0.0))
    share = (board.expected_wins.sum(axis=1) - 0.5) / (len(board.names) - 1)
    votes = board.won[1].sum(axis=1)
    return tuple(
        ArenaStanding(
            name=board.names[i],
            mean=float(ratings[i]),
            low=float(ratings[i] - reach[i]),
            high=float(ratings[i] + reach[i]),
            rank=int(found.ranking.ranks[i]),
            rank_low=int(found.best_ranks[i]),
            rank_high=int(found.worst_ranks[i]),
            tier=int(found.tiers[i]),
            may_be_best=bool(found.unbeaten[i]),
            items=int(votes[i]),
            strength=float(board.fit.strengths[i]),
            se=float(errors[i]),
            wins=float(share[i]),
            votes=int(votes[i]),
        )
        for i in found.ranking.order
    )


def _pairs(board: ArenaBoard, two: Comparison | None) -> tuple[ArenaPair, ...]:
    """Every pair asked about; of two systems alone with the decision of `compare`, its interval on the scale of ratings."""
    place = np.argsort(board.standings.ranking.order)
    results = tuple(_pair(board, number, place) for number in range(len(board.pairs.a)))
    if two is None:
        return results
    (only,) = results
    significant = two.verdict in {"a better", "b better"}
    return (
        replace(
            only,
            low=board.scale * _logit(two.interval.low),
            high=board.scale * _logit(two.interval.high),
            pvalue=two.pvalue,
            adjusted_pvalue=two.pvalue,
            test=two.test,
            significant=significant,
            verdict=two.verdict,
            close_call=significant and two.pvalue > CLOSE * board.question.alpha,
            shown=None if board.question.baseline is None else two.shown,
        ),
    )


def _difference_of_shares(gap: float, scale: str) -> float:
    """By how many shares of votes a system wins that is better by a gap of ratings."""
    return math.tanh(gap / (ELO if scale == "elo" else 1.0) / 2.0)


def _logit(difference: float) -> float:
    """The strength at which B wins by this difference of shares of votes."""
    share = (1.0 + difference) / 2.0
    return math.inf if share >= 1.0 else -math.inf if share <= 0.0 else math.log(share / (1.0 - share))


def _pair(board: ArenaBoard, number: int, place: "np.ndarray[tuple[int, ...], np.dtype[np.intp]]") -> ArenaPair:
    pairs, scale = board.pairs, board.scale
    a, b = int(pairs.a[number]), int(pairs.b[number])
    effect, error = scale * float(pairs.differences[number]), scale * float(pairs.standard_errors[number])
    reach = error * float(pairs.critical[number])
    significant = bool(pairs.significant[number])
    adjusted, effective = float(pairs.adjusted[number]), float(pairs.errors.effective[number])
    up = "b better" if effect > 0.0 else "a better"
    shown = None if board.question.baseline is None else _established(board, number, adjusted)
    return ArenaPair(
        a=board.names[a],
        b=board.names[b],
        effect=effect,
        low=effect - reach,
        high=effect + reach,
        pvalue=float(pairs.pvalues[number]),
        test="bradley_terry",
        adjusted_pvalue=adjusted,
        significant=significant,
        verdict=(up if significant else "undetermined") if shown is None else verdict(shown),  # type: ignore[arg-type]  # one of two
        close_call=significant and adjusted > CLOSE * board.question.alpha,
        neighbours=abs(int(place[a]) - int(place[b])) == 1,
        votes=int(board.won[1][a, b]),
        points_a=float(board.won[0][a, b]),
        expected_a=float(board.predicted[a, b]),
        se=error,
        effective_clusters=None if math.isinf(effective) else effective,
        shown=shown,
    )


def _established(board: ArenaBoard, number: int, adjusted: float) -> EstablishedClaims:
    """What is shown of B beside the baseline A, each claim at its own adjusted p-value."""
    up = bool(board.pairs.differences[number] > 0.0)
    better, worse = (adjusted, 1.0) if up else (1.0, adjusted)
    if board.question.margin is None:
        return EstablishedClaims.at(board.question.alpha, better, worse, None, None, None)
    family = len(board.pairs.a) if board.question.vote_correction != "none" else 1
    not_worse, not_better = (min(1.0, family * p) for p in _margin_pvalues(board, number))
    return EstablishedClaims.at(board.question.alpha, better, worse, not_worse, not_better, max(not_worse, not_better))


def _margin_pvalues(board: ArenaBoard, number: int) -> tuple[float, float]:
    """One-sided p-values that B is not worse, and not better, than A by the margin."""
    margin = float(board.question.margin or 0.0) / board.scale
    error, df = float(board.pairs.standard_errors[number]), float(board.pairs.own_df[number])
    difference = float(board.pairs.differences[number])
    return _upper((difference + margin) / error, df), _upper((margin - difference) / error, df)


def _upper(statistic: float, df: float) -> float:
    if math.isinf(df):
        return float(special.ndtr(-statistic))
    return float(t_tails(np.asarray(statistic), df)[1])


def _model(board: ArenaBoard) -> ArenaModel:
    fit, blocks, question = board.fit, board.prepared.blocks, board.question
    order = board.prepared.order
    at = fit.votes.systems
    beyond = np.sqrt(np.diagonal(board.pairs.errors.covariance))[at:].tolist()
    groups = None
    if board.prepared.separated:
        means = [float(fit.strengths[blocks == block].mean()) for block in range(int(blocks.max()) + 1)]
        groups = tuple(
            tuple(board.names[i] for i in np.flatnonzero(blocks == block))
            for block in sorted(range(len(means)), key=lambda block: -means[block])
        )
    return ArenaModel(
        ties="half" if question.ties == "davidson" and fit.ties == "half" else question.ties,
        nu=fit.nu,
        order=fit.advantage,
        order_se=beyond[0] if order else None,
        control=fit.control,
        control_se=None if fit.control is None else beyond[int(order)],
        control_name=None if fit.control is None else board.prepared.given.control_name,
        scale=question.rating_scale,
        anchor=None if question.anchor is None else question.anchored,
        penalty="firth" if fit.penalised else None,
        separated=groups,
    )


def _clusters(board: ArenaBoard, two: Comparison | None) -> ArenaClusters:
    by = "none" if board.fit.penalised else board.prepared.cluster_by
    counts = {kind: len(np.unique(codes)) for kind, codes in zip(_kinds(by), board.prepared.clusters, strict=False)}
    least = board.pairs.errors.least_effective
    return ArenaClusters(
        by=by,
        raters=counts.get("rater"),
        items=counts.get("item"),
        least_effective=None if math.isinf(least) else least,
        law=board.pairs.law if two is None else "compare",
    )


def _kinds(by: str) -> tuple[str, ...]:
    return ("rater", "item") if by == "both" else () if by == "none" else (by,)


def _matrix(board: ArenaBoard) -> WinMatrix:
    order = board.standings.ranking.order
    points, votes = (part[np.ix_(order, order)] for part in board.won)
    return WinMatrix(
        tuple(board.names[i] for i in order),
        tuple(tuple(float(x) for x in row) for row in points),
        tuple(tuple(int(x) for x in row) for row in votes),
    )


def _more_votes(board: ArenaBoard) -> MoreItems | None:
    """What more votes would buy, allotted as these were: for the top two, or the baseline and the best of the others."""
    first, second = board.leading
    if board.question.baseline is not None:
        baseline = board.names.index(board.question.baseline)
        first, second = baseline, second if first == baseline else first
    error = math.sqrt(board.variance(first, second))
    if error**2 <= NO_ERROR or board.fit.penalised or board.pairs.errors.parted[first, second]:
        return None
    critical = board.pairs.family_critical
    separable = board.scale * error * (critical + float(special.ndtri(POWER)))
    gap = board.question.gap if board.question.gap is not None else separable / 2.0
    votes = math.ceil(board.fit.votes.total * (separable / gap) ** 2)
    return MoreItems(POWER, critical, separable, gap, votes, ())


def _signature(board: ArenaBoard) -> str:
    question = board.question
    return sign(
        "rank",
        board.prepared.fingerprint,
        systems=len(board.names),
        ties=question.ties,
        cluster=board.prepared.cluster_by,
        order=question.order,
        control=board.prepared.given.control_name or None,
        correction=question.vote_correction,
        baseline=question.baseline,
        alpha=question.alpha,
        margin=question.margin,
        seed=question.seed,
    )
