"""Page of a calibration: one table per group of scenarios, one for leaderboards, one for corrections."""

from collections.abc import Iterator
from itertools import groupby

from tellapart.answers.calibration import Calibrated, CalibratedBoard, CalibratedCorrection, Calibration, Rate
from tellapart.answers.page import Cell, Column, Grid, Page, Row, without_repeats
from tellapart.answers.parts import texts
from tellapart.foundation.formatting import interval, number, percent, significant, thousands

COLUMNS = (
    Column("scenario", "name"),
    Column("items", "number"),
    Column("test, interval", "words"),
    Column("size", "number"),
    Column("coverage", "number"),
    Column("power", "number"),
    Column("against skew", "number"),
    Column("at effect", "number"),
    Column("verdict, reason", "words"),
)
BOARD_COLUMNS = (
    Column("leaderboards", "name"),
    Column("systems", "number"),
    Column("items", "number"),
    Column("any false claim", "number"),
    Column("all ranks held", "number"),
    Column("verdict, reason", "words"),
)
CORRECTION_COLUMNS = (
    Column("correction", "name"),
    Column("alpha bounds", "words"),
    Column("truth", "words"),
    Column("so often", "number"),
    Column("a real gap is found", "number"),
    Column("verdict, reason", "words"),
)
BOUNDED = {
    "family-wise": "any false claim",
    "false discovery rate": "the false share of claims",
    "none": "nothing; any false claim",
}
SHOWN = ".07, or .10 of fewer than 20 items or clusters, bounds the band of a row that “holds”"
CAPTIONS = {
    "numbers": "numbers: the default for continuous or discrete scores",
    "right or wrong": "right or wrong: every table enumerated, no band",
    "metrics": "metrics that are no averages, of equal systems and of systems that differ (effects in units of the metric)",
    "clusters": "clusters of items that are alike (intraclass correlation 0.3)",
    "runs and seeds": "several runs of each item, and systems trained with several seeds (effects in standard deviations of a difference)",
    "changes": "changes of the difference between three groups of items, judged together (effects in standard deviations of a difference)",
    "raters": "raters: ratings by several raters, for other raters and other items (spreads of raters, of items and of one rating)",
    "not chosen": "not chosen: what the defaults protect from",
    "by name": "by name: every other method, with its assumptions and without them",
}


def make_page(answer: Calibration) -> Page:
    groups = groupby(answer.rows, key=lambda row: row.group)
    return Page(
        headline=answer.headline,
        tone="bad" if answer.failures else "open" if answer.partial else "good",
        grids=(
            *(_scenario_grid(name, tuple(rows)) for name, rows in groups),
            *_corrections(answer.corrections),
            *_boards(answer.leaderboards),
        ),
        facts=(
            ("promised", f"size at most {answer.alpha:g}, coverage at least {percent(answer.level)}"),
            ("bands", "99.9 % binomial"),
            (
                "holds",
                f"{SHOWN}: size and what the interval misses end at or below it; “fails” where one begins above it",
            ),
            ("power", "where differences are skewed: of a gain towards the longer tail, then of one against the skew"),
        ),
        remarks=(("Unexplained", answer.failures), ("Notes", texts(answer.notes))),
        sentence=answer.sentence,
        signature=answer.signature,
        document=True,
    )


def _scenario_grid(group: str, rows: tuple[Calibrated, ...]) -> Grid:
    reasons = without_repeats(row.why for row in rows)
    rules = {row.rule for row in rows}
    rule = f"rule {rules.pop()}: " if None not in rules and len(rules) == 1 else ""
    return Grid(COLUMNS, tuple(map(_scenario_row, rows, reasons)), rule + CAPTIONS[group])


def _scenario_row(row: Calibrated, why: str) -> Row:
    return (
        Cell(row.scenario),
        Cell(thousands(row.items), (row.items,)),
        Cell(_methods(row)),
        _rate(row.size),
        _rate(row.coverage),
        _rate(row.power),
        _rate(row.power_against),
        Cell(significant(row.effect), (row.effect,)),
        Cell(_reasoned(row.verdict, why)),
    )


def _methods(row: Calibrated) -> str:
    """The test and the interval; the tests alone, each with its share, where evaluations differ in what is chosen for them."""
    if row.choices:
        shares = (f"{test} {percent(share, digits=2)}" for test, share in row.choices.items())
        return f"chosen: {', '.join(shares)}"
    return ", ".join(dict.fromkeys(method for method in (row.test, row.interval) if method))


def _boards(boards: tuple[CalibratedBoard, ...]) -> Iterator[Grid]:
    """Nothing where a calibration was stopped before them."""
    if not boards:
        return
    reasons = without_repeats(board.why for board in boards)
    rows = tuple(
        (
            Cell(board.truth),
            Cell(str(board.systems), (board.systems,)),
            Cell(str(board.items), (board.items,)),
            _rate(board.false_claims),
            _rate(board.ranks_held),
            Cell(_reasoned(board.verdict, why)),
        )
        for board, why in zip(boards, reasons, strict=True)
    )
    yield Grid(
        BOARD_COLUMNS,
        rows,
        "leaderboards: 999 joint sign flips of all pairs, or what rank chooses where differences lean, items are clustered or votes are the items",
    )


def _corrections(corrections: tuple[CalibratedCorrection, ...]) -> Iterator[Grid]:
    """Nothing where a calibration was stopped before them."""
    if not corrections:
        return
    first, reasons = corrections[0], without_repeats(row.why for row in corrections)
    rows = tuple(
        (
            Cell(row.correction),
            Cell(BOUNDED[row.guarantee]),
            Cell(row.truth),
            _rate(row.errors),
            _rate(row.power),
            Cell(_reasoned(row.verdict, why)),
        )
        for row, why in zip(corrections, reasons, strict=True)
    )
    pairs = first.systems * (first.systems - 1) // 2
    caption = f"corrections of p-values by name: paired t tests of all {pairs} pairs of {first.systems} systems on {first.items} items"
    yield Grid(CORRECTION_COLUMNS, rows, caption)


def _reasoned(verdict: str, why: str) -> str:
    return f"{verdict}: {why}" if why else verdict


def _rate(rate: Rate | None) -> Cell:
    """A share and its band, which an enumerated one does not have."""
    if rate is None:
        return Cell("–")
    if rate.replicates is None:
        return Cell(number(rate.share, 3), (rate.share,))
    shown = f"{number(rate.share, 3)} {interval(rate.low, rate.high, 3)}"
    return Cell(shown, (rate.share, rate.low, rate.high))
