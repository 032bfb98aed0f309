"""The sheet of a calibration: one table a group of scenarios, one for leaderboards."""

from itertools import groupby

from tellapart.render.sheet import Grid, Sheet
from tellapart.results.calibration import Calibrated, CalibratedBoard, Calibration, Rate
from tellapart.wording import number, percent, significant, thousands

COLUMNS = ("scenario", "items", "test, interval", "size", "coverage", "power", "at effect", "verdict, reason")
BOARD_COLUMNS = ("leaderboards", "systems", "items", "any false claim", "all ranks held", "verdict, reason")
CAPTIONS = {
    "numbers": "numbers: the default for continuous or discrete scores",
    "right or wrong": "right or wrong: every table enumerated, no band",
    "clusters": "clusters of items that are alike (intraclass correlation 0.3)",
    "not chosen": "not chosen: what the defaults protect from",
}


def sheet(answer: Calibration) -> Sheet:
    failed = bool(answer.failures)
    groups = groupby(answer.rows, key=lambda row: row.group)
    return Sheet(
        headline="a default fails and nobody knows why"
        if failed
        else "every default holds, or is known to fail",
        mood="bad" if failed else "good",
        grids=(*(_grid(name, tuple(rows)) for name, rows in groups), _boards(answer.leaderboards)),
        facts=(
            ("promised", f"size at most {answer.alpha:g}, coverage at least {percent(answer.level)}"),
            ("bands", "99.9 % binomial; “near” is off by at most one point beyond them"),
        ),
        remarks=(("Unexplained", answer.failures),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _grid(group: str, rows: tuple[Calibrated, ...]) -> Grid:
    cells, told = [], ""
    for row in rows:
        why = "as above" if row.why and row.why == told else row.why
        verdict = f"{row.verdict}: {why}" if why else row.verdict
        methods = row.test if row.test == row.interval else f"{row.test}, {row.interval}"
        cells.append(
            (row.scenario, thousands(row.items), methods, _rate(row.size), _rate(row.coverage), _rate(row.power),
             significant(row.effect), verdict)
        )  # fmt: skip
        told = row.why
    return Grid(COLUMNS, tuple(cells), CAPTIONS[group])


def _boards(boards: tuple[CalibratedBoard, ...]) -> Grid:
    rows = tuple(
        (b.truth, str(b.systems), str(b.items), _rate(b.false_claims), _rate(b.ranks_held), b.verdict)
        for b in boards
    )
    return Grid(BOARD_COLUMNS, rows, "leaderboards: step-down max-T, 999 joint sign flips")


def _rate(rate: Rate) -> str:
    share = number(rate.share, 3)
    return share if rate.replicates is None else f"{share} [{number(rate.low, 3)}, {number(rate.high, 3)}]"
