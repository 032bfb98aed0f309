"""The `--changed` flag of `compare` and `gate`: a CSV file of the items won and lost."""

from dataclasses import dataclass
from pathlib import Path

from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import ChangedItem
from tellapart.data.scores import Scores
from tellapart.data.votes import Votes
from tellapart.foundation.errors import UsageError
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option
from tellapart.readers.tables.assembly import Read
from tellapart.render.csv import csv_lines
from tellapart.verbs.compare.changed import all_changed


@dataclass(frozen=True)
class ChangedFile(Question):
    """Where the items won and lost are written to."""

    changed: str | None = setting(
        None, "Also write every item won and lost, with both scores, to this file as CSV.", metavar="FILE.csv"
    )

    def refuse_unfit(self, *, grouped: bool = False) -> None:
        """Before anything is read: a file that cannot be written, and items that are met once in each group."""
        if self.changed is None:
            return
        if grouped:
            raise UsageError(
                f"{option('changed')} lists items of two systems, and here they are in groups; leave {option('by')} and {option('labels')} out"
            )
        refuse_unwritable(Path(self.changed))

    def write(self, scores: Read, answer: Comparison) -> None:
        if self.changed is None:
            return
        if answer.changed is None or isinstance(scores, Votes):
            raise UsageError(
                f"{option('changed')} lists items with a score of each system, and there are none here; leave it out"
            )
        plain = scores if isinstance(scores, Scores) else scores.averaged()
        found = all_changed(plain, answer)
        rows = [*_changed_rows(found.lost, "lost"), *_changed_rows(found.won, "won")]
        texts = any(row[-1] for row in rows)
        lines = [("item", "change", "a", "b", "difference", "text"), *rows]
        write_whole(Path(self.changed), csv_lines([line if texts else line[:-1] for line in lines]))


def _changed_rows(items: tuple[ChangedItem, ...], change: str) -> list[tuple[str, str, float, float, float, str]]:
    return [(one.item, change, one.a, one.b, one.b - one.a, one.text or "") for one in items]
