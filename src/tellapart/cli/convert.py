"""`tellapart convert`: convert logs of any supported format to one tidy table."""

from dataclasses import dataclass
from pathlib import Path

import click

from tellapart.cli import flags
from tellapart.cli.streams import put
from tellapart.foundation.files import refuse_unwritable, write_whole
from tellapart.foundation.spelling import Question, argument, setting
from tellapart.readers.logs.request import SameSystem
from tellapart.verbs.convert import convert, writer_for

EXAMPLES = ("tellapart convert old.csv new.csv -o both.parquet", "tellapart convert answers.csv -o answers.jsonl.gz")


@dataclass(frozen=True)
class Converted(Question):
    """The files, and which of their rows."""

    files: tuple[str, ...] = argument("SOURCE...")
    measure: str | None = setting(None, "Only this measure.", metavar="M")
    dataset: str | None = setting(None, "Only the items of this dataset.", metavar="D")
    where: tuple[str, ...] = setting((), "Only rows with this value; may be repeated.", metavar="AXIS=VALUE")
    cluster: str | None = setting(None, "The key that says which items belong together.", metavar="KEY")
    column: tuple[str, ...] = setting((), "The key for a role; may be repeated.", metavar="ROLE=KEY")
    partial: bool = flags.partial_setting()
    universe: str | None = setting(None, "All items, where a file lists only those solved.", metavar="FILE|N")
    same_system: SameSystem | None = flags.same_system_setting()
    as_: str | None = flags.format_setting()
    limit: tuple[str, ...] = flags.limit_setting()


@click.command("convert", epilog=flags.format_examples(EXAMPLES))
@flags.question_flags(source=Converted)
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    help="Where to write: .parquet, .csv, .jsonl, or one of them with .gz.",
)
def command(source: Converted, output: str) -> None:
    """Logs of any kind as one tidy table.

    SOURCE is a file, a folder or several of them. The table has the columns system, dataset, item, measure, score, run, cluster, rater,
    status, better, source, and one per thing that varies; read back, it gives the same answers as the logs.

    Exit codes: 0 written, 2 usage, 3 bad data, 4 internal error.
    """
    writer_for(output)
    refuse_unwritable(Path(output))
    clusters = [] if source.cluster is None else [f"cluster={source.cluster}"]
    content = convert(
        list(source.files),
        output,
        measure=source.measure,
        dataset=source.dataset,
        where=flags.key_values("where", source.where, "axis=value", "filter=strict-match"),
        columns=flags.key_values("column", [*source.column, *clusters], "role=key", "cluster=chapter"),
        partial=source.partial,
        universe=source.universe,
        same_system=source.same_system,
        format=source.as_,
        limits=flags.limits_of(source.limit),
    )
    write_whole(Path(output), content)
    put(f"written: {output}\n")
