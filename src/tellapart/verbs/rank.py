"""Many systems on the same items: which can these items tell apart, and where may each one stand?"""

import hashlib
from collections import Counter

from tellapart.errors import DataError, UsageError
from tellapart.metrics import METRICS, Metric
from tellapart.multiplicity import Correction
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.gaps import MISSING, Filled, Missing, close_gaps
from tellapart.multiplicity.scales import dataset_names, on_one_scale, standardised
from tellapart.results.leaderboard import Leaderboard
from tellapart.scores import Scores
from tellapart.verbs import rank_phrases
from tellapart.verbs.more_items import more_items
from tellapart.verbs.ranking import Question, Ranking
from tellapart.verbs.signature import sign
from tellapart.verbs.suite import across_datasets


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
    question = Question(alpha, judge, baseline, lower_is_better, resamples, seed, gap)
    aggregation = _metric(scores, metric)
    if baseline is not None:
        scores.system(baseline)
    filled = _filled(scores, missing, baseline)
    judged, unit = _one_unit(filled.scores, aggregation)
    ranking = Ranking(Board.of(judged, aggregation), question)
    found = across_datasets(ranking, unit) if datasets else None
    told = rank_phrases.Told(ranking, filled.notes, unit, found)
    return Leaderboard(
        systems=ranking.standings(),
        pairs=ranking.pair_results(),
        letters=ranking.letters(),
        correction=str(question.correction),
        guarantee=rank_phrases.guarantee(question),
        family_wise=question.correction.guarantee == "family-wise",
        alpha=alpha,
        metric=str(aggregation),
        measure=scores.measure,
        items=len(judged.items),
        clusters=None if judged.clusters is None else ranking.board.units,
        baseline=baseline,
        lower_is_better=lower_is_better,
        resamples=ranking.evidence.resamples,
        neighbours_told_apart=ranking.neighbours_told_apart(),
        omnibus=ranking.omnibus(),
        more_items=more_items(ranking),
        datasets=found,
        sentence=rank_phrases.sentence(ranking),
        notes=rank_phrases.notes(told),
        signature=_signature(ranking, str(aggregation), missing),
    )


def _metric(scores: Scores, metric: Metric | str | None) -> Metric:
    """The metric that was named, or the one whose parts these scores are."""
    if metric is None:
        known = [name for name in METRICS if METRICS[name].parts == scores.parts]
        metric = known[0] if known else "mean"
    chosen = Metric.parse(metric)
    chosen.check(scores)
    return chosen


def _filled(scores: Scores, missing: Missing, baseline: str | None) -> Filled:
    if missing not in MISSING:
        raise UsageError(f"missing is {missing!r}; it should be {', '.join(MISSING[:-1])} or {MISSING[-1]}")
    filled = close_gaps(scores, missing)
    if baseline is not None and baseline not in filled.scores.systems:
        raise DataError(
            f"the baseline {baseline!r} lacks too many items to be kept; pass --missing pairwise (missing='pairwise' in Python) to "
            "compare each system with it on what they share"
        )
    return filled


def _one_unit(scores: Scores, metric: Metric) -> tuple[Scores, str]:
    """Scores that may be averaged over datasets, and their unit."""
    if not metric.linear or len(dataset_names(scores)) < 2 or on_one_scale(scores):
        return scores, "raw"
    return standardised(scores), "standardised"


def _signature(ranking: Ranking, metric: str, missing: Missing) -> str:
    question = ranking.question
    return sign(
        "rank",
        _fingerprint(ranking.board),
        metric=metric,
        correction=question.correction,
        baseline=question.baseline,
        missing=missing,
        alpha=question.alpha,
        resamples=ranking.resamples,
        seed=question.seed,
        lower_is_better=True if question.lower_is_better else None,
    )


def _fingerprint(board: Board) -> str:
    """A short hash of the board: equal for equal scores, whatever order systems and items came in, and whatever items are called."""
    digest = hashlib.sha256(repr(board.systems).encode())
    digest.update(repr(sorted(Counter(home for home, _ in board.scores.items).items())).encode())
    for row in board.values:
        digest.update(row.tobytes())
    if board.clusters is not None:
        digest.update(board.clusters.tobytes())
    return f"sha256:{digest.hexdigest()[:16]}"
