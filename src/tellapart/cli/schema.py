"""`tellapart schema`: print the JSON Schema of an answer."""

import json
from pathlib import Path

import click

from tellapart.answers.schema import kinds, schema_of, schema_of_all
from tellapart.cli import flags
from tellapart.cli.output import say_written, write_file
from tellapart.cli.streams import put
from tellapart.foundation.errors import UsageError, nearest
from tellapart.foundation.files import refuse_unwritable

_KINDS = kinds()
_NAMES = "\b\nKinds:\n" + "\n".join(f"  {name}" for name in _KINDS)

EXAMPLES = ("tellapart schema comparison", "tellapart schema --output answers.schema.json")


@click.command("schema", epilog=f"{_NAMES}\n\n{flags.format_examples(EXAMPLES)}")
@click.argument("kind", required=False)
@click.option("-o", "--output", metavar="FILE", help="Write it to this file. - is standard output.")
def command(kind: str | None, output: str | None) -> None:
    """What does the JSON of an answer hold?

    The JSON Schema (2020-12) of one KIND of answer, or of all: every field with its type and its meaning. The version is the last part
    of what an answer's own field `schema` says; new fields and
    new words of a choice may be added under a version; none is taken away or changes its meaning.

    Exit codes: 0 answered, 2 usage, 4 internal error.
    """
    if kind is not None and kind not in _KINDS:
        raise UsageError(f"no answer is called {kind!r}; {nearest(kind, _KINDS)}")
    text = json.dumps(schema_of_all() if kind is None else schema_of(_KINDS[kind]), indent=2, ensure_ascii=False) + "\n"  # fmt: skip
    if output is None or output == "-":
        put(text)
        return
    refuse_unwritable(Path(output))
    write_file(Path(output), text)
    say_written(Path(output))
