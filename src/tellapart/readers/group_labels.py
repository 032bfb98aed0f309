"""Each file a group of its own, by the label that the caller gives it."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tellapart.doors import option
from tellapart.errors import UsageError
from tellapart.readers.columns import folded
from tellapart.readers.table import Table
from tellapart.wording import amount


def labelled(tables: list[Table], labels: Sequence[str]) -> list[Table]:
    """The tables, each as the group with its label; as they are where there are no labels."""
    if not labels:
        return tables
    refuse_unfit_labels(labels, len(tables))
    return [
        replace(table, facts=replace(table.facts, group=label))
        for table, label in zip(tables, labels, strict=True)
    ]


def refuse_unfit_labels(labels: Sequence[str], files: int) -> None:
    """Each of so many files, or folders of them, has a label of its own."""
    if len(labels) != files:
        raise UsageError(
            f"{option('labels')} gives {amount(len(labels), 'label')} ({', '.join(labels)}) for {amount(files, 'file')}; "
            "give one per file, in their order"
        )
    for label, times in Counter(labels).items():
        if times > 1 or not label:
            found = f"{label!r} {times} times" if label else "a blank"
            raise UsageError(f"{option('labels')} holds {found}; give each file a label of its own")


def refuse_labelled_column(tables: Iterable[tuple[str, Sequence[str]]], by: str) -> None:
    """A label and a column that both say the group."""
    for source, names in tables:
        if folded(by) in map(folded, names):
            raise UsageError(
                f"{source} has a column {by!r}, and {option('labels')} says which group its rows are in too; leave one out"
            )
