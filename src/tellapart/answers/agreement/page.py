"""Page of an agreement answer: tables of coefficients, judge agreement and judge bias."""

import shlex

from tellapart.answers.agreement import Agreement, AgreementValue, JudgeAgreement, JudgeBias
from tellapart.answers.page import BLANK, FILES, Cell, Column, Grid, Page, Row
from tellapart.answers.parts import texts
from tellapart.foundation.formatting import (
    amount,
    decimals_within,
    interval,
    number,
    one_line,
    percent,
    signed,
    signed_interval,
    thousands,
)


def make_page(answer: Agreement) -> Page:
    return Page(
        headline=answer.headline,
        tone="even",
        finding=_agreement_finding(answer),
        next_steps=(
            *[_corrected_by_people(answer, judge) for judge in answer.judges if judge.correctable][:1],
            f"whether raters agree on which system is better: tellapart compare {FILES}",
            f"how many raters and items a difference takes: tellapart plan pilot {FILES} --effect EFFECT",
        ),
        grids=tuple(
            grid for grid in (_coefficient_grid(answer), _judge_grid(answer), _judge_bias_rows(answer)) if grid.rows
        ),
        facts=_agreement_facts(answer),
        remarks=(("Notes", texts(answer.notes)),),
        sentence=answer.sentence,
        signature=answer.signature,
    )


def _corrected_by_people(answer: Agreement, judge: JudgeAgreement) -> str:
    people, (a, b) = ",".join(answer.reference_raters), judge.correctable or ("", "")
    sides = ["-a", a, "-b", b] if len(judge.bias) > 2 else []
    options = shlex.join(["--judge", judge.rater, "--human", people, *sides, "--missing", "drop"])
    return f"what this judge says of {one_line(b)} and {one_line(a)}, corrected by people: tellapart compare {FILES} {options}"


def _agreement_finding(answer: Agreement) -> str:
    """The interval of the first coefficient, and what it rests on."""
    on = f"{amount(answer.raters, 'rater')}, {amount(answer.units, 'unit')}, {thousands(answer.ratings)} {answer.subject}"
    first = answer.coefficients[0] if answer.coefficients else None
    if first is None or first.low is None or first.high is None:
        return on
    return f"{percent(answer.level)} CI {interval(first.low, first.high, 3)}; {on}"


def _agreement_facts(answer: Agreement) -> tuple[tuple[str, str], ...]:
    equal = [] if answer.equal_share is None else [("equal pairs", percent(answer.equal_share, 3))]
    return (
        ("units", thousands(answer.units)),
        ("raters", thousands(answer.raters)),
        (answer.subject, thousands(answer.ratings)),
        ("missing", percent(answer.missing_share, 3)),
        (f"{answer.subject} per unit", f"{number(answer.ratings_per_unit, 2)} (harmonic mean)"),
        *equal,
    )


def _interval_title(answer: Agreement) -> str:
    return f"{percent(answer.level)} interval"


def _coefficient_grid(answer: Agreement) -> Grid:
    columns = (Column("coefficient", "name"), Column("value", "number"), Column(_interval_title(answer), "interval"))
    rows = tuple((Cell(value.label), *_coefficient_cells(value)) for value in answer.coefficients)
    return Grid(columns, rows)


def _coefficient_cells(value: AgreementValue) -> Row:
    if value.value is None:
        return Cell("undefined", (None,)), BLANK
    shown = Cell(number(value.value, 3), (value.value,))
    if value.low is None or value.high is None:
        return shown, BLANK
    return shown, Cell(interval(value.low, value.high, 3), (value.low, value.high))


def _judge_grid(answer: Agreement) -> Grid:
    columns = (
        Column("judge", "name"),
        Column("units", "number"),
        Column("with one reference rater", "number"),
        Column(_interval_title(answer), "interval"),
        Column("reference raters with each other", "number"),
    )
    return Grid(columns, tuple(map(_judge_row, answer.judges)))


def _judge_row(judge: JudgeAgreement) -> Row:
    people = BLANK if judge.people is None else _coefficient_cells(judge.people)[0]
    return (
        Cell(judge.rater),
        Cell(thousands(judge.units), (judge.units,)),
        *_coefficient_cells(judge.agreement),
        people,
    )


def _judge_bias_rows(answer: Agreement) -> Grid:
    columns = (
        Column("judge", "name"),
        Column("system", "name"),
        Column("judge − reference", "number"),
        Column(_interval_title(answer), "interval"),
        Column("items", "number"),
    )
    return Grid(columns, tuple(_biased(judge.rater, bias) for judge in answer.judges for bias in judge.bias))


def _biased(rater: str, bias: JudgeBias) -> Row:
    interval, decimals = BLANK, 3
    if bias.low is not None and bias.high is not None:
        decimals = decimals_within(bias.low, bias.high)
        interval = Cell(signed_interval(bias.low, bias.high, decimals), (bias.low, bias.high))
    return (
        Cell(rater),
        Cell(bias.system),
        Cell(signed(bias.bias, decimals), (bias.bias,)),
        interval,
        Cell(thousands(bias.items), (bias.items,)),
    )
