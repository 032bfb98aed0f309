"""Charts of a leaderboard: means by tier, possible ranks, all pairs, and correlations between systems."""

from tellapart.answers.drawing import Drawing, Rows, known
from tellapart.answers.drawing.forest import Forest
from tellapart.answers.drawing.theme import BLUE, CYCLE, PALE, Picture, among, label, lines
from tellapart.answers.gate_rules import BESIDE
from tellapart.answers.leaderboard import Leaderboard, pair_charts
from tellapart.answers.leaderboard.pair_charts import MATRIX_CHARTS
from tellapart.answers.leaderboard.parts import GatedBoard
from tellapart.foundation.formatting import one_line

BEST = ("may be the best", "is not the best")


def _mean_rows(answer: Leaderboard) -> Rows:
    return [
        {
            "system": one.name,
            "mean": one.mean,
            "low": known(one.low),
            "high": known(one.high),
            "tier": one.tier,
            "_tier": f"tier {one.tier}",
            "_label": label(one_line(one.name), among(len(answer.systems))),
        }
        for one in answer.systems
    ]


def _means(answer: Leaderboard, rows: Rows) -> Picture:
    tiers = tuple(dict.fromkeys(row["_tier"] for row in rows))
    what = answer.measure if answer.metric == "mean" else answer.metric
    title, unit = lines(one_line(what) + answer.printed_unit.score_heading, 44), answer.printed_unit
    return Forest(title, "system", "mean", by="_tier", kinds=tiers, unit=unit).drawn(rows)


def board_rank_rows(answer: GatedBoard) -> Rows:
    return [
        {
            "system": one.name,
            "rank": one.rank,
            "best rank": one.rank_low,
            "worst rank": one.rank_high,
            "_best": BEST[0] if one.may_be_best else BEST[1],
            "_label": label(one_line(one.name), among(len(answer.systems))),
        }
        for one in answer.systems
        if answer.baseline is None
    ]


def draw_board_ranks(_answer: GatedBoard, rows: Rows) -> Picture:
    forest = Forest(
        ["rank"],
        "system",
        "rank",
        by="_best",
        kinds=BEST,
        colours=(BLUE, PALE),
        shapes=("circle", "square"),
        low="best rank",
        high="worst rank",
        ticks=tuple(range(1, len(rows) + 1, max(1, len(rows) // 6))),
    )
    return forest.drawn(rows)


def _baseline_rows(answer: Leaderboard) -> Rows:
    return [
        {
            "system": one.b,
            "difference": one.effect,
            "low": known(one.low),
            "high": known(one.high),
            "adjusted p": one.adjusted_pvalue,
            "verdict": BESIDE[one.verdict],
            "_label": label(one_line(one.b), among(len(answer.pairs))),
        }
        for one in answer.pairs
        if answer.baseline is not None
    ]


def _board_baseline(answer: Leaderboard, rows: Rows) -> Picture:
    what = answer.measure if answer.metric == "mean" else answer.metric
    title = [
        *lines(one_line(what), 44),
        *lines(f"system − {one_line(str(answer.baseline))}{answer.printed_unit.heading}", 44),
    ]
    verdicts = ("better", "worse", "equivalent", "not worse", "not better", "undetermined")
    margins = () if answer.margin is None else (-answer.margin, answer.margin)
    return Forest(
        title,
        "system",
        "difference",
        by="verdict",
        kinds=verdicts,
        colours=(*CYCLE[:5], PALE),
        marks=(0.0,),
        margins=margins,
        unit=answer.printed_unit,
    ).drawn(rows)


CHARTS = (
    Drawing("means", "Every system, with intervals that hold together", pair_charts.means, _mean_rows, _means),
    Drawing("ranks", "The ranks that these items leave open", pair_charts.ranks, board_rank_rows, draw_board_ranks),
    Drawing("baseline", "Every system beside the baseline", pair_charts.baseline, _baseline_rows, _board_baseline),
    *MATRIX_CHARTS,
)
