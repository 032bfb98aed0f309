"""Ratings of a single system: raters may agree on them, but nothing is compared; and ratings that are none."""

from pathlib import Path

import pytest

from tellapart import Ratings, agreement, compare, rank, read
from tellapart.cli import main
from tellapart.foundation.errors import DataError, TellapartError, TooFew, Unsuitable

ONE = {"only": [[1, 2, 3, 5, 4], [1, 3, 3, 4, 4], [2, 2, 3, 5, 5]]}
BOTH = {"only": ONE["only"], "other": [[2, 2, 1, 3, 4], [2, 3, 1, 3, 5], [1, 2, 1, 2, 4]]}


def written(path: Path, head: str, rows: list[str]) -> str:
    path.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    return str(path)


def rows_of_one(*, system: bool) -> list[str]:
    return [
        f"{'only,' if system else ''}{item},r{rater},{value}"
        for rater, values in enumerate(ONE["only"])
        for item, value in enumerate(values)
    ]


def test_raters_agree_on_one_system(tmp_path: Path) -> None:
    """From arrays, from a file that names the system, and from one that does not, alike."""
    alone = agreement(Ratings.from_arrays(ONE))
    named = written(tmp_path / "named.csv", "system,item,rater,score", rows_of_one(system=True))
    plain = written(tmp_path / "plain.csv", "item,rater,score", rows_of_one(system=False))
    assert (alone.units, alone.raters, alone.ratings) == (5, 3, 15)
    for path in (named, plain):
        found = agreement(path)
        assert found.coefficients == alone.coefficients
    # The other system changes the answer: it is not merely left out of what is read.
    assert agreement(Ratings.from_arrays(BOTH)).coefficients != alone.coefficients


def test_a_judge_is_held_against_people_on_one_system() -> None:
    found = agreement(Ratings.from_arrays(ONE), reference_raters=("0", "1"))
    (judge,) = found.judges
    assert [bias.system for bias in judge.bias] == ["only"]
    assert judge.bias[0].bias == pytest.approx(3.4 - (3.0 + 3.0) / 2.0)


@pytest.mark.parametrize("verb", ["compare", "rank", "rank --raters-as fixed", "plan pilot --effect 1"])
def test_nothing_is_compared_with_one_system(verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad data, in one line that says what would help."""
    path = written(tmp_path / "plain.csv", "item,rater,score", rows_of_one(system=False))
    with pytest.raises(SystemExit) as stop:
        main([*verb.split(), path])
    assert stop.value.code == 3
    said = capsys.readouterr().err
    assert "only one system, 'plain', was found" in said
    assert "`tellapart agreement`" in said
    with pytest.raises(TooFew):
        compare(path)


def test_a_pilot_needs_ratings_of_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A system of which all ratings are blank has none."""
    path = written(tmp_path / "half.csv", "system,item,rater,score", ["a,1,x,3", "a,2,y,4", "b,1,x,", "b,2,y,"])
    with pytest.raises(SystemExit):
        main(["plan", "pilot", path, "--effect", "1", "--items", "20"])
    assert "system 'b' has no rating" in capsys.readouterr().err


def test_scores_of_one_system_lack_raters(tmp_path: Path) -> None:
    """Not the other system: that would not help."""
    plain = written(tmp_path / "plain.csv", "system,item,score", ["a,1,3", "a,2,4"])
    single = written(tmp_path / "single.csv", "system,item,rater,score", ["a,1,x,3", "a,2,x,4"])
    for path in (plain, single):
        with pytest.raises(Unsuitable, match="these scores have no raters, or only one"):
            agreement(path)


def test_blank_ratings_are_none(tmp_path: Path) -> None:
    """Every verb says so, and none breaks."""
    path = written(tmp_path / "blank.csv", "system,item,rater,score", ["a,1,x,", "b,2,y,", "a,2,y,"])
    with pytest.raises(DataError, match="none of the 3 rows has a rating"):
        read(path)
    for verb in (agreement, compare, rank):
        with pytest.raises(TellapartError, match="none of the 3 rows has a rating"):
            verb(path)
