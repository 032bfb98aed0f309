"""Many systems on the same items: which can these items tell apart, and where may each one stand?"""

from tellapart.metrics import Metric
from tellapart.multiplicity import Correction
from tellapart.multiplicity.gaps import Missing
from tellapart.results.leaderboard import Leaderboard
from tellapart.scores import Scores
from tellapart.verbs.rank import phrases
from tellapart.verbs.rank.datasets import dataset_results
from tellapart.verbs.rank.more_items import more_items
from tellapart.verbs.rank.prepared import prepare
from tellapart.verbs.rank.question import RankQuestion
from tellapart.verbs.rank.ranked_board import rank_board
from tellapart.verbs.rank.signature import signature


def rank(  # noqa: PLR0913  (a verb has as many words as its question)
    scores: Scores,
    *,
    alpha: float = 0.05,
    correction: Correction | str | None = None,
    baseline: str | None = None,
    metric: Metric | str | None = None,
    missing: Missing = "error",
    seed: int = 0,
    lower_is_better: bool = False,
    resamples: int | None = None,
    datasets: bool = False,
    gap: float | None = None,
) -> Leaderboard:
    """Which systems do these items tell apart? Ranks, tiers and "may be the best" hold together for all systems.

    All pairs are judged by the step-down max-T of joint sign flips unless another `correction` is named; `baseline` asks only
    about pairs with that system. `resamples` is 10,000, or more where alpha and the correction need more. `gap` is the true
    difference that "what more items would buy" should assume.

    >>> from tellapart import Scores, rank
    >>> answer = rank(Scores.from_arrays({"old": [0, 1, 0, 1, 0, 0, 1, 0], "new": [1, 1, 1, 1, 0, 1, 1, 1]}))
    >>> [(s.name, s.rank, s.rank_low, s.rank_high) for s in answer.systems]
    [('new', 1, 1, 2), ('old', 2, 1, 2)]
    """
    judge = Correction.parse("max_t" if correction is None else correction)
    question = RankQuestion(alpha, judge, baseline, lower_is_better, resamples, seed, gap)
    prepared = prepare(scores, metric, missing, baseline)
    board = prepared.board
    ranked = rank_board(board, question)
    found = dataset_results(ranked, prepared.unit) if datasets else None
    return Leaderboard(
        systems=ranked.standing_results(),
        pairs=ranked.pair_results(),
        letters=dict(zip(ranked.names, ranked.standings.letters, strict=True)),
        correction=str(judge),
        guarantee=phrases.guarantee(question),
        family_wise=judge.guarantee == "family-wise",
        alpha=alpha,
        metric=str(board.metric),
        measure=scores.measure,
        items=len(board.scores.items),
        clusters=None if board.clusters is None else board.units,
        baseline=baseline,
        lower_is_better=lower_is_better,
        resamples=ranked.judged.joint.resamples,
        neighbours_told_apart=ranked.standings.neighbours_told_apart if baseline is None else None,
        omnibus=ranked.omnibus(),
        more_items=more_items(ranked),
        datasets=found,
        sentence=phrases.sentence(ranked),
        notes=phrases.notes(phrases.Told(ranked, prepared.gaps, prepared.unit, found)),
        signature=signature(ranked, missing),
    )
