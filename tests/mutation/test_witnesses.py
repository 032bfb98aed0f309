"""Which tests are asked about a change, and who is asked first."""

from tests.mutation.changes import Mutant, changes
from tests.mutation.reach import Entered
from tests.mutation.trial import PACKAGE
from tests.mutation.witnesses import in_order, reaching

TESTS = [
    Entered("tests/one.py::a", 1.0, ("arrays.py::snap",)),
    Entered("tests/one.py::b", 1.0, ()),
    Entered("tests/two.py::a", 1.0, ("arrays.py::settle",)),
    Entered("tests/three.py::a", 1.0, ("scores.py::snap",)),
]


def mutant(function: str, constant: str | None = None) -> Mutant:
    return Mutant(PACKAGE / "arrays.py", 1, function, "", "", constant)


def test_a_change_in_a_function() -> None:
    """It is shown to the tests that enter this function of this file."""
    assert reaching(mutant("snap"), TESTS) == TESTS[:1]


def test_a_change_outside_of_all_functions() -> None:
    """It is shown to all tests beside one that enters its file; if there are none, to all."""
    assert reaching(mutant(""), TESTS) == TESTS[:3]
    assert reaching(mutant(""), TESTS[3:]) == TESTS[3:]


def test_what_a_class_says_of_itself() -> None:
    """It is shown to tests of declarations too, which enter no function of its file."""
    told = Entered("tests/room/test_declarations.py::a", 1.0, ("other.py::name",))
    assert reaching(mutant(""), [*TESTS, told]) == [*TESTS[:3], told]
    assert reaching(mutant("snap"), [*TESTS, told]) == TESTS[:1]


def test_a_value_that_functions_read() -> None:
    """It is shown to the tests that enter one of its readers, and to those of a file that names it."""
    tied = next(c for c in changes(PACKAGE / "planning" / "rater_search.py") if c.constant == "TIED").made()
    reader = Entered("tests/test_arrays.py::a", 1.0, ("planning/rater_search.py::RaterSearch._strongest",))
    other = Entered("tests/test_arrays.py::b", 1.0, ("planning/rater_search.py::RaterSearch.judged",))
    naming = Entered("tests/mutation/test_witnesses.py::b", 1.0, ())
    assert reaching(tied, [reader, other, naming]) == [reader, naming]


def test_a_value_that_is_read_at_import() -> None:
    """`REMEMBERED` stands in a decorator: any test beside one that enters the file may see it."""
    kept = next(c for c in changes(PACKAGE / "planning" / "exact.py") if c.constant == "REMEMBERED").made()
    beside = Entered("tests/a.py::a", 1.0, ("planning/exact.py::any_function",))
    neighbour, far = Entered("tests/a.py::b", 1.0, ()), Entered("tests/b.py::a", 1.0, ())
    assert reaching(kept, [beside, neighbour, far]) == [beside, neighbour]


def test_the_order() -> None:
    """Quick tests first; of those named after the file, ten times as slow ones are as welcome."""
    slow, quick = Entered("tests/a.py::a", 3.0, ()), Entered("tests/a.py::b", 1.0, ())
    own, slowest = Entered("tests/test_arrays.py::a", 9.0, ()), Entered("tests/test_arrays.py::b", 40.0, ())
    assert in_order(mutant("snap"), [slow, slowest, quick, own]) == [own, quick, slow, slowest]
