"""Cells as people write them: percent, fractions, marks, separators of thousands, decimal commas."""

from collections.abc import Callable

import pytest

from tellapart.readers import read

File = Callable[..., str]
Refusal = Callable[..., str]

READ = {
    "percent": (["70%", "2 %", "0.7 %", "100%"], [0.7, 0.02, 0.007, 1.0]),
    "fractions": (["8/10", "3 / 4", "0/5", "10/10"], [0.8, 0.75, 0.0, 1.0]),
    "marks": (["✓", "✗", "✅", "❌"], [1.0, 0.0, 1.0, 0.0]),
    "other marks": (["✔️", "✘", "☑", "✖️"], [1.0, 0.0, 1.0, 0.0]),
    "letters": (["Y", "N", "y", "n"], [1.0, 0.0, 1.0, 0.0]),
    "thousands": (["1,351", "2,400,000", "999", "1,351.5"], [1351.0, 2400000.0, 999.0, 1351.5]),
    "decimal commas": (["0,5", "1,351", "2", "-0,25"], [0.5, 1.351, 2.0, -0.25]),
    "scientific": (["1e-3", "5%", "", ""], None),
}


def table(cells: list[str], mark: str = ";") -> str:
    rows = [f'q{place}{mark}"{cell}"{mark}{place}' for place, cell in enumerate(cells)]
    return "\n".join([mark.join(("item", "new", "old")), *rows]) + "\n"


@pytest.mark.parametrize("name", [name for name, (_, wanted) in READ.items() if wanted is not None])
@pytest.mark.parametrize("mark", [";", ",", "\t"])
def test_cells(name: str, mark: str, file: File) -> None:
    """Read as what they say, whichever mark separates fields."""
    cells, wanted = READ[name]
    found = read(file(table(cells, mark)))
    assert found.values[found.system("new"), :, 0, 0].tolist() == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("cell", ["#N/A", "-", "–", "—", "N/A"])
def test_what_is_missing(cell: str, file: File) -> None:
    """No score, and never 0."""
    found = read(file(table(["0.5", cell, "1", "0.25"])))
    assert found.scored("new").tolist() == [True, False, True, True]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (
            ["70%", "0.7", "50%", "1%"],
            "found '0.7' in column 'new'; wanted a number written like the others, such as 70%",
        ),
        (
            ["8/10", "0.7", "1/2", "1/3"],
            "found '0.7' in column 'new'; wanted a number written like the others, such as 8/10",
        ),
        (["0,5", "1,351.5", "1", "2"], "Commas cannot be both decimal points and thousands separators"),
        (["12/10", "1/2", "1/3", "1/4"], "found '12/10'"),
        (["1/0", "1/2", "1/3", "1/4"], "found '1/0'"),
    ],
)
def test_mixtures_are_refused(cells: list[str], said: str, file: File, refusal: Refusal) -> None:
    """Where two readings are possible none is taken."""
    assert said in refusal(file(table(cells)))


def test_semicolons_stand_where_commas_are_points(file: File) -> None:
    """1,351 is a little more than one there, and above a thousand between commas."""
    cells = ["1,351", "2,400", "3,125", "4"]
    for mark, wanted in ((";", [1.351, 2.4, 3.125, 4.0]), (",", [1351.0, 2400.0, 3125.0, 4.0])):
        found = read(file(table(cells, mark)))
        assert found.values[found.system("new"), :, 0, 0].tolist() == wanted


def test_letters_of_another_program_stay_no_words(file: File, refusal: Refusal) -> None:
    """Beside C and I, N is no answer."""
    assert "found 'N'" in refusal(file(table(["C", "I", "N", "C"])))
