"""Many systems on the same items: which can these items tell apart, and where may each one stand?"""

import hashlib

import numpy as np

from tellapart.errors import DataError, UsageError
from tellapart.metrics import METRICS, Metric
from tellapart.multiplicity import Correction
from tellapart.multiplicity.board import Board
from tellapart.multiplicity.gaps import MISSING, Filled, Missing, close_gaps
from tellapart.multiplicity.pair_errors import pair_errors
from tellapart.multiplicity.scales import dataset_names, on_one_scale, standardised
from tellapart.multiplicity.separation import items_to_separate, separable_gap
from tellapart.results.leaderboard import Leaderboard, MoreItems, TierSize
from tellapart.scores import Scores
from tellapart.verbs import rank_phrases
from tellapart.verbs.ranking import Question, Ranking
from tellapart.verbs.signature import sign
from tellapart.verbs.suite import across_datasets

POWER = 0.8


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
    about pairs with that system. `resamples` is 10,000, or more where a correction of single p-values needs more. `gap` is the true difference that "what more items would buy" should assume.

    >>> from tellapart import Scores, rank
    >>> answer = rank(Scores.from_arrays({"old": [0, 1, 0, 1, 0, 0, 1, 0], "new": [1, 1, 1, 1, 0, 1, 1, 1]}))
    >>> [(s.name, s.rank, s.rank_low, s.rank_high) for s in answer.systems]
    [('new', 1, 1, 2), ('old', 2, 1, 2)]
    """
    question = Question(
        alpha, Correction.parse(correction or "max_t"), baseline, lower_is_better, resamples, seed, gap
    )
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
        alpha=alpha,
        metric=str(aggregation),
        measure=scores.measure,
        items=len(judged.items),
        clusters=None if judged.clusters is None else ranking.board.units,
        baseline=baseline,
        lower_is_better=lower_is_better,
        resamples=ranking.evidence.resamples,
        omnibus=ranking.omnibus(),
        more_items=_more_items(ranking),
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
    if chosen.parts != scores.parts:
        raise DataError(
            f"metric {chosen} is made of {', '.join(chosen.parts)} of every item, but the scores hold {', '.join(scores.parts)}; "
            f"read them with parts={chosen.parts!r}"
        )
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


def _more_items(ranking: Ranking) -> MoreItems | None:
    """Items for the top two, and for every smaller top tier; None where no number of flips can separate anything."""
    critical = ranking.evidence.critical(ranking.question.alpha)
    top = [i for i in ranking.order[1:] if not ranking.better[:, i].any()]
    others = np.array([ranking.order[1], *top], dtype=np.int64)
    errors = pair_errors(ranking.board, np.repeat(ranking.order[:1], len(others)), others)
    spread = errors.spread.tolist()
    separable = separable_gap(spread[0], int(errors.items[0]), critical, POWER)
    if separable is None:
        return None
    gap = ranking.question.gap if ranking.question.gap is not None else separable / 2.0
    top_two, *rest = (items_to_separate(s, gap, critical, POWER) for s in spread)
    assert top_two is not None
    # To leave k systems, all from the (k + 1)-th on must be told from the first; twins of it never can be.
    sizes = [(k, rest[k - 1 :]) for k in range(1, len(rest) + 1)]
    tier = tuple(TierSize(k, max(n for n in needed if n)) for k, needed in sizes if all(needed))
    return MoreItems(POWER, critical, separable, gap, top_two, tier)


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
    )


def _fingerprint(board: Board) -> str:
    """A short hash of the board: equal for equal scores, whatever order systems and items came in."""
    digest = hashlib.sha256(repr(board.systems).encode())
    digest.update(repr(board.scores.items).encode())
    for row in board.values:
        digest.update(row.tobytes())
    if board.clusters is not None:
        digest.update(board.clusters.tobytes())
    return f"sha256:{digest.hexdigest()[:16]}"
