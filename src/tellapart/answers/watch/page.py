"""Page of a watch: quiet or alarm, and the last groups with the evidence at their ends."""

from tellapart.answers.page import Cell, Column, Grid, Page
from tellapart.answers.parts import texts
from tellapart.answers.watch import Watch, WatchedGroup
from tellapart.answers.watch.texts import evidence_words
from tellapart.foundation.formatting import minus, one_line, percent, significant, thousands

LAST = 12
"""Groups that a page shows; the JSON has all."""


def make_page(answer: Watch) -> Page:
    return Page(
        headline=answer.headline,
        tone="bad" if answer.verdict == "alarm" else "good",
        grids=(_group_table(answer),),
        facts=tuple(_watch_facts(answer)),
        remarks=(("Notes", texts(answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _group_table(answer: Watch) -> Grid:
    columns = (
        Column("group", "name"),
        Column("items", "number"),
        Column("B − A, towards better", "number"),
        Column("evidence of a loss", "number"),
    )
    shown = answer.groups[-LAST:]
    title = (
        f"the last {len(shown)} of {thousands(len(answer.groups))} groups" if len(shown) < len(answer.groups) else ""
    )
    return Grid(columns, tuple(_group_line(one) for one in shown), title)


def _group_line(group: WatchedGroup) -> tuple[Cell, ...]:
    return (
        Cell(one_line(group.group)),
        Cell(thousands(group.items), (group.items,)),
        Cell(minus(significant(group.effect, 3)), (group.effect,)),
        Cell(evidence_words(group.evidence), (group.evidence,)),
    )


def _watch_facts(answer: Watch) -> list[tuple[str, str]]:
    groups = f"every {answer.every} items" if answer.by is None else f"each {one_line(answer.by)}"
    facts = [
        ("method", f"betting, begun afresh with {groups}"),
        ("items", f"{thousands(answer.items)}, {thousands(answer.new_items)} of them new"),
        ("margin", f"{answer.margin:g} of {one_line(answer.measure)}"),
        (
            "alarm",
            f"at evidence {answer.line:g}: falsely at most {percent(answer.alpha)} of the time, however long it is watched",
        ),
    ]
    return facts if answer.state is None else [*facts, ("state", answer.state)]
