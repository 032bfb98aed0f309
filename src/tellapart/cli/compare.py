"""`tellapart compare`: two systems on the same items."""

import click

from tellapart.cli.examples import examples
from tellapart.cli.flags import taking
from tellapart.cli.input import Source
from tellapart.cli.output import format_flag, show
from tellapart.readers import formats_in_words
from tellapart.verbs.compare import CompareQuestion, comparison

_FAILS = {
    "worse": {"a better"},
    "not-better": {"a better", "equivalent", "undetermined"},
    "undetermined": {"undetermined"},
}


_HELP = f"""Is system B different from system A on these items?

FILE is a table of scores ({formats_in_words()}, gzipped or not, or - for standard input): one row per system and item, or
one row per item and one column per system. Several files: one system each, named after the file.

Exit codes: 0 answered, 1 the gate of --fail-on failed, 2 usage, 3 bad data, 4 internal error.
"""


EXAMPLES = (
    "tellapart compare scores.csv --a baseline --b candidate",
    "tellapart compare old.csv new.csv --margin 0.05 --fail-on worse",
)


@click.command("compare", help=_HELP, epilog=examples(EXAMPLES))
@taking("source", Source)
@taking("question", CompareQuestion)
@format_flag()
@click.option(
    "--fail-on", type=click.Choice(list(_FAILS)), help="Exit with 1 on this verdict, for use as a gate."
)
def command(source: Source, question: CompareQuestion, form: str, fail_on: str | None) -> int:
    answer = comparison(source.scores(question.metric, (question.a, question.b)), question)
    show(answer, form)
    return int(fail_on is not None and answer.verdict in _FAILS[fail_on])
