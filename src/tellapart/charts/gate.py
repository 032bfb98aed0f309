"""Charts of a gate: each check beside the margin."""

from tellapart.charts.altair import Picture
from tellapart.charts.drawing import Drawing, Rows, known
from tellapart.charts.forest import Forest
from tellapart.charts.labels import among, label, lines
from tellapart.charts.theme import GREEN, ORANGE, PALE
from tellapart.results.gated import Gate
from tellapart.wording import one_line

KINDS = ("pass", "fail", "undetermined")


def _check_rows(answer: Gate) -> Rows:
    length = among(len(answer.checks))
    return [
        {
            "check": one.dataset or "all items",
            "items": one.items,
            "effect": one.effect,
            "low": known(one.low),
            "high": known(one.high),
            "verdict": one.verdict,
            "_label": label(one_line(one.dataset or "all items"), length),
        }
        for one in answer.checks
    ]


def _checks(answer: Gate, rows: Rows) -> Picture:
    better = f"{one_line(answer.candidate)} beside {one_line(answer.baseline)}, towards better"
    return Forest(
        [*lines(one_line(answer.measure), 44), *lines(better, 44)],
        "check",
        "effect",
        by="verdict",
        kinds=KINDS,
        colours=(GREEN, ORANGE, PALE),
        marks=(0.0,),
        margins=(-answer.margin,),
    ).drawn(rows)


CHARTS = (Drawing("checks", "Each check beside the margin", _check_rows, _checks),)
