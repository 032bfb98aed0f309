"""`tellapart example`: a bundled example on standard output, to try commands on."""

from importlib import resources

import click

from tellapart.cli import flags
from tellapart.cli.streams import put
from tellapart.foundation.errors import UsageError, nearest

ABOUT = {
    "retrieval": "nDCG@10 of two retrievers on 300 queries",
    "answers": "right or wrong, three systems on 400 questions",
    "ratings": "two systems on 40 items, rated from 1 to 7 by five people",
    "votes": "which of two answers is better, by 12 people on 40 items",
}
_NAMES = "\b\nExamples that are bundled:\n" + "\n".join(f"  {name:9}  {about}" for name, about in ABOUT.items())

EXAMPLES = ("tellapart example", "tellapart example retrieval > scores.csv")


@click.command("example", epilog=f"{_NAMES}\n\n{flags.format_examples(EXAMPLES)}")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Scores to try commands on.

    Print a bundled example as CSV; without a name, list them. The scores are invented.

    Exit codes: 0 answered, 2 usage, 4 internal error.
    """
    if name is not None and name not in ABOUT:
        raise UsageError(f"no example is called {name!r}; {nearest(name, ABOUT)}")
    put("".join(f"{each:9}  {about}\n" for each, about in ABOUT.items()) if name is None else text_of(name))


def text_of(name: str) -> str:
    """The CSV of an example."""
    file = resources.files("tellapart.cli") / "examples" / f"{name}.csv"
    return file.read_text(encoding="utf-8")
