"""Numbers as people read them: no digit that says nothing, and none missing that decides something."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tellapart.foundation.formatting import (
    amount,
    bare_pvalue,
    confidence_interval,
    counted,
    decimals_between,
    decimals_for,
    guarded,
    interval,
    number,
    one_line,
    percent,
    pvalue,
    signed,
    signed_interval,
    significant,
    thousands,
    unguarded,
)
from tellapart.readers.logs.folders import DEEP, LINK, NO_FORMAT, NO_ITEMS, PIPE, SAME

NAN = float("nan")
shares = st.floats(1e-9, 1.0)
magnitudes = st.floats(1e-12, 1e12)


@pytest.mark.parametrize(
    ("resolution", "decimals"),
    [(0.012, 3), (0.0999, 3), (0.1, 2), (1.0, 1), (9.9, 1), (10.0, 0), (5000.0, 0), (0.0, 4), (-1.0, 4), (NAN, 4), (math.inf, 4)],
)  # fmt: skip
def test_two_digits_of_an_uncertainty(resolution: float, decimals: int) -> None:
    """Half a width of 0.012 is worth three decimals; what is no width gets four."""
    assert decimals_for(resolution) == decimals


@pytest.mark.parametrize(
    ("low", "high", "marks", "decimals"),
    [
        (-0.5, 0.5, (), 2),
        (0.004, 0.9, (), 3),
        (0.0, 0.9, (), 2),
        (-0.9, -0.004, (), 3),
        (-0.5, 0.2996, (0.3,), 4),
        (-0.3, 0.3, (0.3, -0.3), 2),
        (1e-12, 0.9, (), 2),
    ],
)
def test_bounds_keep_their_side(low: float, high: float, marks: tuple[float, ...], decimals: int) -> None:
    """A bound that is not zero, or not at the margin, does not read as if it were, unless that would take too many digits."""
    assert decimals_between(low, high, *marks) == decimals


@given(st.floats(-1.0, 1.0), st.floats(0.001, 1.0))
def test_no_bound_rounds_to_zero_unless_it_is_very_near(low: float, width: float) -> None:
    """Whatever the interval, a printed 0 means a bound nearer to zero than the ten-thousandth part of its width."""
    decimals = decimals_between(low, low + width)
    for bound in (low, low + width):
        assert bound == 0.0 or float(f"{bound:.{decimals}f}") != 0.0 or abs(bound) < 1e-4 * width


@pytest.mark.parametrize(
    ("value", "decimals", "plain", "with_sign"),
    [
        (0.25, 3, "0.250", "+0.250"),
        (-0.25, 3, "−0.250", "−0.250"),
        (0.0, 2, "0.00", "0.00"),
        (-0.0, 2, "0.00", "0.00"),
        (-0.004, 2, "0.00", "0.00"),
        (0.004, 2, "0.00", "0.00"),
        (NAN, 2, "undefined", "undefined"),
        (None, 2, "undefined", "undefined"),
        (1e15, 1, "1.000e+15", "+1.000e+15"),
        (-1e15, 1, "−1.000e+15", "−1.000e+15"),
        (999999999999999.0, 0, "999999999999999", "+999999999999999"),
        (2e-20, 21, "2.0e-20", "+2.0e-20"),
        (0.5, 10, "0.5000000000", "+0.5000000000"),
        (0.0, 30, "0.0000000000", "0.0000000000"),
    ],
)
def test_numbers(value: float | None, decimals: int, plain: str, with_sign: str) -> None:
    """A real minus, no sign on what rounds to zero, and powers of ten where decimals would not end."""
    assert number(value, decimals) == plain
    assert signed(value, decimals) == with_sign


@given(st.floats(-1e14, 1e14), st.integers(0, 8))
def test_a_number_reads_back(value: float, decimals: int) -> None:
    """What is printed is the value to so many decimals, and a sign appears where it should."""
    read, read_signed = (float(f(value, decimals).replace("−", "-")) for f in (number, signed))
    assert read == read_signed == pytest.approx(value, abs=0.5 * 10.0**-decimals + 4.0 * math.ulp(value), rel=0.0)
    assert signed(value, decimals)[0] in "+−" or read == 0.0


def test_bounds_in_brackets() -> None:
    """Both bounds have the same decimals, so many that they stay on their sides; those of a difference have signs."""
    assert interval(0.1, 0.25, 2) == "[0.10, 0.25]"
    assert signed_interval(-0.1, 0.25, 2) == "[−0.10, +0.25]"
    assert signed_interval(-0.1, 0.0004, 2) == "[−0.1000, +0.0004]"
    assert signed_interval(0.0, 1e-12, 2) == "[0.00, 0.00]"
    assert confidence_interval(0.95, -0.0004, 0.9) == "95 % CI [−0.0004, +0.9000]"
    assert confidence_interval(0.9, -0.1, 0.2996, 0.3) == "90 % CI [−0.1000, +0.2996]"
    assert interval(NAN, NAN, 2) == "[undefined, undefined]"


@pytest.mark.parametrize(
    ("value", "digits", "shown"),
    [
        (0.0, 2, "0"),
        (None, 2, "undefined"),
        (NAN, 2, "undefined"),
        (0.00001, 2, "0.000010"),
        (0.0000099, 2, "9.9e-06"),
        (1e15, 2, "1.0e+15"),
        (123.0, 2, "123"),
        (1.0, 1, "1"),
        (-0.0314, 2, "-0.031"),
        (0.12345, 4, "0.1235"),
        (math.nextafter(0.1, 0.0), 2, "0.10"),
        (math.nextafter(1.0, 0.0), 4, "1.000"),
        (math.nextafter(1e-5, 0.0), 2, "0.000010"),
        (math.nextafter(1e15, 0.0), 2, "1.0e+15"),
        (0.99838, 2, "1.00"),
        (-math.inf, 2, "-inf"),
    ],
)
def test_significant_digits(value: float | None, digits: int, shown: str) -> None:
    """Magnitudes from a hundred-thousandth up stand in plain notation."""
    assert significant(value, digits) == shown


@given(magnitudes, st.integers(1, 6))
def test_significant_digits_read_back(value: float, digits: int) -> None:
    """The error is at most half of the last digit that is shown."""
    assert float(significant(value, digits)) == pytest.approx(
        value, rel=0.5 * 10.0 ** (1 - digits) * (1 + 1e-9), abs=0.0
    )


@given(shares, st.sampled_from([0.05, 0.01, 0.001, 0.1, 0.02, 0.0333, 1e-5]))
def test_p_stays_on_its_side(value: float, alpha: float) -> None:
    """A printed p-value is on the same side of alpha and of every usual level as the true one."""
    relation, shown = pvalue(value, alpha).removeprefix("p ").split()
    if relation == "<":
        assert value < float(shown) <= alpha
    else:
        assert relation == "="
        for level in (alpha, 0.001, 0.01, 0.05, 0.1):
            assert (float(shown) <= level) == (value <= level)
        assert float(shown) == pytest.approx(value, rel=0.05, abs=0.0)


@pytest.mark.parametrize(
    ("value", "alpha", "said"),
    [
        (0.0001, 0.05, "p = 0.0001"),
        (0.00009, 0.05, "p < 0.0001"),
        (0.00009, 0.00009, "p = 9e-05"),
        (NAN, 0.05, "p undefined"),
        (0.0500000001, 0.05, "p = 0.0500001"),
        (0.05000000000000849, 0.05, "p = 0.0500001"),
        (0.05, 0.05, "p = 0.05"),
        (1.0, 0.05, "p = 1"),
    ],
)
def test_p_in_words(value: float, alpha: float, said: str) -> None:
    """Small ones have a bound unless alpha itself is as small; those at a level have all the digits they need."""
    assert pvalue(value, alpha) == said


@pytest.mark.parametrize(
    ("value", "alpha", "shown"),
    [
        (None, None, ""),
        (1e-99, None, "1.0e-99"),
        (9e-100, None, "<1e-99"),
        (0.0499, None, "0.050"),
        (0.0499, 0.05, "0.050"),
        (0.0501, 0.05, "0.0501"),
        (0.050001, 0.05, "0.0500010"),
        (0.0500000001, 0.05, "0.0500001"),
        (0.05000000000000849, 0.05, "0.0500001"),
    ],
)
def test_bare_p(value: float | None, alpha: float | None, shown: str) -> None:
    """Two digits, more where two would move it across alpha."""
    assert bare_pvalue(value, alpha) == shown


def test_shares_and_counts() -> None:
    """Per cent with a space, thousands with commas, nouns in the number that fits."""
    assert (percent(0.95), percent(0.999), percent(1 / 3, 3)) == ("95 %", "99.9 %", "33.3 %")
    assert (thousands(999), thousands(1000), thousands(1_234_567)) == ("999", "1,000", "1,234,567")
    assert [amount(n, "item") for n in (0, 1, 2, 1000)] == ["0 items", "1 item", "2 items", "1,000 items"]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("model [v2]", "model [v2]"),
        ("  kept  as it is ", "  kept  as it is "),
        ("two\nlines", "two\\nlines"),
        ("a\r\n\tb\x00c", "a\\r\\n\\tb\\x00c"),
        ("sep\u2028arated\u2029", "sep\\u2028arated\\u2029"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\x1b[31mred\x9b0m", "\\x1b[31mred\\x9b0m"),
        ("\u202edlrow\u2066", "\\u202edlrow\\u2066"),
        ("half \ud800", "half \\ud800"),
        ("\U0001f468\u200d\U0001f469 \u06a9\u200c\u06af", "\U0001f468\u200d\U0001f469 \u06a9\u200c\u06af"),
        ("x" * 300, "x" * 100 + "…" + "x" * 99),
        ("日本語", "日本語"),
    ],
)
def test_names_stay_on_one_line(name: str, shown: str) -> None:
    """Only what would act on a terminal or break the line is spelled out, and the longest are shortened."""
    assert one_line(name) == shown


@pytest.mark.parametrize("first", list("=+-@\t\r\n＝＋－＠"))
def test_what_a_spreadsheet_would_run_is_guarded(first: str) -> None:
    """With an apostrophe, however often it is written and read again, and every reading takes one off."""
    formula = f"{first}SUM(1,1)"
    once = guarded(formula)
    assert once == f"'{formula}"
    assert guarded(once) == f"''{formula}"
    assert unguarded(guarded(once)) == once
    assert unguarded(once) == formula
    assert unguarded(formula) == formula


@pytest.mark.parametrize("number", ["-0.5", "+1", "-.5", "-1e-9", "+2.E+3"])
def test_numbers_are_no_formulas(number: str) -> None:
    assert guarded(number) == number
    assert guarded(f"{number}+1") == f"'{number}+1"


@pytest.mark.parametrize("plain", ["", "a=b", "model", "'quoted'", "1-2", "٣"])
def test_plain_texts_are_left_alone(plain: str) -> None:
    assert guarded(plain) == unguarded(plain) == plain


def test_one_of_everything_that_a_folder_holds_and_is_passed_over() -> None:
    """Kinds are called by their plural; each has a singular, so that one file is not called files."""
    kinds = {what for what, _ in (LINK, SAME, PIPE, DEEP, NO_FORMAT, NO_ITEMS)} | {"files without items"}
    assert [kind for kind in kinds if counted(1, kind) == f"1 {kind}"] == []
