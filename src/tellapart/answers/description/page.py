"""Page of a description: systems, measures and files found in logs and tables."""

from tellapart.answers.description import DescribedMean, Description
from tellapart.answers.page import Cell, Column, Grid, Page
from tellapart.foundation.formatting import amount, counted, minus, thousands

MOST_ROWS = 40
"""Means that a page shows: a screenful."""
COLUMNS = (
    Column("system", "name"),
    Column("dataset", "words"),
    Column("measure", "words"),
    Column("where", "words"),
    Column("items", "number"),
    Column("mean", "number"),
)


def make_page(answer: Description) -> Page:
    shown = answer.means[:MOST_ROWS]
    more = f"the first {MOST_ROWS} of {len(answer.means)} means" if len(answer.means) > MOST_ROWS else ""
    remarks = [("Type next", answer.commands)]
    skipped = tuple(f"{counted(one.count, one.what)}: {one.why} (first: {one.first})" for one in answer.skipped)
    if skipped:
        remarks.append(("Skipped", skipped))
    return Page(
        headline=answer.headline,
        tone="even",
        grids=(Grid(COLUMNS, tuple(_description_row(mean) for mean in shown), more),),
        facts=tuple(_description_facts(answer)),
        remarks=tuple(remarks),
        sentence=answer.sentence,
        signature="",
    )


def _description_row(mean: DescribedMean) -> tuple[Cell, ...]:
    where = ", ".join(f"{axis}={value}" for axis, value in mean.where.items())
    return (
        Cell(mean.system),
        Cell(mean.dataset or ""),
        Cell(mean.measure),
        Cell(where),
        Cell(thousands(mean.items), (mean.items,)),
        Cell(minus(f"{mean.mean:.4g}"), (mean.mean,)),
    )


def _runs(answer: Description) -> str:
    """How many there are, and what they may be judged by where they are right or wrong."""
    sampled = any(one.kind == "right or wrong" for one in answer.measures)
    ways = f": pass@1 … pass@{answer.runs}" if sampled else ""
    return f"up to {amount(answer.runs, 'sample' if sampled else 'run')} per item{ways}"


def _description_facts(answer: Description) -> list[tuple[str, str]]:
    formats = dict.fromkeys(source.format for source in answer.sources)
    facts = [("files", f"{amount(len(answer.sources), 'file')} ({', '.join(formats)})")]
    facts += [("datasets", ", ".join(answer.datasets[:20]))] if answer.datasets else []
    facts += [
        ("measures", ", ".join(_description_measure(one.name, one.kind, one.primary) for one in answer.measures[:30]))
    ]
    facts += [(axis.name, ", ".join(axis.values[:20])) for axis in answer.axes]
    facts += [("runs", _runs(answer))] if answer.runs > 1 else []
    keys = [
        f"{one.key} ({thousands(one.groups)} groups{', declared' if one.declared else ''})"
        for one in answer.clusters[:20]
    ]
    facts += [("clusters", ", ".join(keys))] if keys else []
    rows, missing, errors = (
        sum(getattr(one, name) for one in answer.sources) for name in ("rows", "missing", "errors")
    )
    facts += [("rows", f"{thousands(rows)}, of which {thousands(missing)} missing and {thousands(errors)} errors")]
    facts += [("unfinished", f"{one.file}: {one.unfinished}") for one in answer.sources if one.unfinished]
    return facts


def _description_measure(name: str, kind: str, primary: bool) -> str:
    return f"{name} ({kind}{', primary' if primary else ''})"
