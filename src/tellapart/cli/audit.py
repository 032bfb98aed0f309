"""`tellapart audit`: a published comparison, from its printed numbers."""

from typing import Any, get_args

import click

from tellapart.cli.output import format_flag, show
from tellapart.errors import UsageError
from tellapart.verbs.audit import audit
from tellapart.verbs.audit_claim import Claim
from tellapart.verbs.audit_numbers import Unit

_NUMBERS = {
    "a": "Accuracy of A as printed (0.714, 71.4, or right answers with --unit count); a mean with --sd or --se.",
    "b": "Accuracy or mean of B.",
    "items": "On how many items.",
    "correct-a": "Right answers of A, instead of --a.",
    "correct-b": "Right answers of B.",
    "discordance": "Share of items only one of them got right, if reported; or a range low:high.",
    "agreement": "One minus that.",
    "correlation": "Of the two systems' item scores, if known; or a range low:high.",
    "sd": "Standard deviation of each system's item scores (also --sd-a, --sd-b).",
    "sd-a": "",
    "sd-b": "",
    "se": "Standard error of each system's mean (also --se-a, --se-b).",
    "se-a": "",
    "se-b": "",
    "se-difference": "Standard error of the difference.",
    "systems": "How many systems were compared: the claim against each of the others shares the level.",
    "seeds": "The best of how many runs was reported.",
    "seed-sd": "Standard deviation between runs, in the unit of --a and --b.",
    "reported-p": "The p-value that was reported, such as 0.04 or <0.05.",
    "effect": "A difference that is plausible beforehand, in the unit of --a and --b (default: from evidence).",
    "dataset": "Its name; evidence on gains knows some.",
    "name": "What to call the claim.",
    "decimals": "Decimals that were printed, where trailing zeros were lost.",
}


def _flags(command: Any) -> Any:
    for name, words in reversed(_NUMBERS.items()):
        command = click.option(f"--{name}", metavar="V", help=words, hidden=not words)(command)
    return command


@click.command("audit")
@click.argument("file", required=False, metavar="[FILE]")
@_flags
@click.option(
    "--unit", type=click.Choice(get_args(Unit)), help="What the accuracies are, where they do not tell."
)
@click.option(
    "--evidence", metavar="E", help="Evidence by name (tellapart evidence), or a file of evidence fit."
)
@click.option(
    "--test", default="mcnemar(variant=mid_p)", show_default=True, metavar="T", help="A variant of mcnemar."
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test.")
@click.option("--power", type=float, default=0.8, show_default=True, help="The power that is enough.")
@format_flag("csv")
def command(
    file: str | None, evidence: str | None, test: str, alpha: float, power: float, form: str, **printed: Any
) -> int:
    """Could this claim have been supported?

    Give two accuracies and the number of items, or a FILE with one claim a row (columns name, items, a, b and, if known, dataset,
    discordance, correlation, sd, se, systems, seeds, reported_p: the flags below are its columns, and what they say counts for rows
    that leave it blank). Numbers count as printed: 0.70 has two decimals.

    Verdicts: certain (significant whatever the overlap of the two systems, rounding included), likely (significant at the overlap
    usual for such systems), implausible (impossible as printed, or significant at no overlap), else undecidable.

    Exit codes: 0 answered, 2 usage, 3 some rows could not be used (they are named on stderr), 4 internal error.
    """
    given = {name: value for name, value in printed.items() if value is not None}
    numbers = {"a", "b", "correct_a", "correct_b"} & set(given)
    if (file is None) != bool(numbers):
        raise UsageError(
            "give a FILE with claims, or --a, --b and --items of one claim; not both, and not neither"
        )
    claims: Any = file if file is not None else Claim(**given)
    answer = audit(claims, evidence=evidence, test=test, alpha=alpha, power=power, defaults=given)
    for row in answer.bad_rows:
        click.echo(f"{file}, line {row.line}: {row.problem}", err=True)
    show(answer, form)
    return 3 if answer.bad_rows else 0
