"""A small page that has one of everything, for the tests of formats."""

import pytest

from tellapart.answers.page import Cell, Column, Curve, Figure, Grid, Page

COLUMNS = (
    Column("system", "name"),
    Column("score", "number"),
    Column("95 % CI", "interval"),
    Column("method", "words"),
)
ROWS = (
    (Cell("large"), Cell("0.757", (0.7571,)), Cell("[0.70, 0.81]", (0.703, 0.805)), Cell("wilson")),
    (Cell("xs"), Cell("−0.5", (-0.5,)), Cell("[−1, 0]", (-1.0, 0.0)), Cell("student_t")),
)
FIGURE = Figure("items", "power", (Curve("paired_t", ((100.0, 0.2), (200.0, 0.6), (400.0, 1.0))),))


@pytest.fixture
def page() -> Page:
    return Page(
        headline="large is better",
        tone="good",
        grids=(Grid(COLUMNS, ROWS, "both systems"),),
        facts=(("items", "300"), ("test", "paired_t")),
        remarks=(("Notes", ("first note", "second note")), ("Nothing", ())),
        sentence="large 0.757 vs xs −0.5.",
        signature="tellapart 0.1.0 compare | seed=0",
        figures=(FIGURE,),
    )


@pytest.fixture
def hostile() -> Page:
    """Names that every format takes for markup, wherever a name can stand."""
    name = r"<script>a|b*c_d`e[f]\g&h%i$j#k{l}m~n^o</script>"
    return Page(
        headline=name,
        tone="open",
        grids=(Grid((Column(name, "name"), Column(name, "number")), ((Cell(name), Cell(name)),), name),),
        facts=(("items", name),),
        remarks=(("Notes", (name,)),),
        sentence=name,
        signature="tellapart",
    )
