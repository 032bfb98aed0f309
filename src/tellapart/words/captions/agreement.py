"""What the charts of agreement find."""

from collections.abc import Callable

from tellapart.results.agreement import Agreement
from tellapart.wording import amount, number, percent, thousands


def coefficients(answer: Agreement) -> str:
    first = answer.coefficients[0]
    return (
        f"{first.label} is {number(first.value, 2)} over {amount(answer.units, 'unit')} and {thousands(answer.raters)} raters. Lines are "
        f"{percent(answer.level)} intervals by resampled units; 0 is what chance gives to those coefficients that allow for it."
    )


def judges(answer: Agreement) -> str:
    return (
        f"{amount(len(answer.judges), 'judge')} held against people on the same units; lines are {percent(answer.level)} intervals. A judge "
        "that agrees with people as far as they do with each other lies beside them."
    )


CAPTIONS: dict[str, Callable[[Agreement], str]] = {"coefficients": coefficients, "judges": judges}
