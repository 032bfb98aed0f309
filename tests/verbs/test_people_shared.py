"""The document on ratings and votes: every number of its table, and what its text says of PPLM, MQM and TED."""

import csv
import gzip
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tellapart import Comparison, Ratings, compare, read
from tellapart.numerics.mixed_models.model_fit import RATING_TERMS
from tellapart.numerics.mixed_models.single_ratings import LongRatings, fit_ratings

pytestmark = pytest.mark.shared

PAGE = (Path(__file__).parents[2] / "docs" / "people.md").read_text(encoding="utf-8")
ROWS = re.findall(
    r"^\| `(\.\./shared\S+)([^`]*)` \| (\d+) \| (\d+) \| (\S+) \| \[(\S+), (\S+)\] \| (\S+) \| `([^`]+)` \|$",
    PAGE,
    re.MULTILINE,
)


def asked(path: Path, flags: str) -> Comparison:
    words = shlex.split(flags.replace("(", "'(").replace(")", ")'"))
    options: dict[str, Any] = dict(zip((w.strip("-").replace("-", "_") for w in words[::2]), words[1::2], strict=True))
    found = read(path, dataset=options.pop("dataset", None))
    return compare(found, "A", "B", **options)


def minus(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: Path(row[0]).stem + row[1])
def test_table(row: tuple[str, ...], oracle: Path) -> None:
    """As printed, to the last digit."""
    file, flags, raters, items, effect, low, high, pvalue, test = row
    answer = asked(oracle / Path(file).name, flags)
    assert answer.ratings is not None
    assert (answer.ratings.raters, answer.items, answer.test) == (int(raters), int(items), test)
    printed = (minus(effect), minus(low), minus(high))
    assert (answer.effect, answer.interval.low, answer.interval.high) == pytest.approx(printed, abs=6e-4)
    assert answer.pvalue == pytest.approx(float(pvalue), rel=6e-3, abs=0.0)


def test_the_table_is_whole() -> None:
    """Every line of it is tried."""
    assert len(ROWS) == PAGE.count("\n| `../shared") == 7


def test_pplm(oracle: Path) -> None:
    """Spreads of raters, texts and one rating, and the share of raters."""
    found = asked(oracle / "ratings_fit_data.csv", "--dataset pplm_ctrl_fluency").ratings
    assert found is not None
    assert [round(sd, 2) for sd in found.sds.values()] == [0.23, 0.28, 0.62]
    assert round(found.shares["raters"], 2) == 0.74


def test_side_by_side(oracle: Path) -> None:
    """What the term for a rater on an item is worth, and what becomes of the item's spread without it."""
    answer = asked(oracle / "ratings_fit_data.csv", "--dataset sxs_mqm_3_of_10")
    assert answer.ratings is not None
    assert round(answer.ratings.shares["items"], 2) == 0.57
    assert round(answer.ratings.sds["item_effect_sd"], 1) == 2.8
    pair = read(oracle / "ratings_fit_data.csv", dataset="sxs_mqm_3_of_10").pair("A", "B")
    rows = LongRatings(pair.of_b.astype(int), pair.rater, pair.item, pair.values)
    whole = fit_ratings(rows)
    without = fit_ratings(rows, terms=tuple(term for term in RATING_TERMS if term != "rater_item"))
    assert float(whole.loglik - without.loglik) == pytest.approx(59.188, abs=1e-3)
    assert float(without.sds["item_effect_sd"]) == 0.0
    assert float(whole.effect) == pytest.approx(answer.effect, rel=1e-6, abs=0.0)
    assert float(whole.df_kenward_roger) == pytest.approx(answer.ratings.df, rel=1e-4, abs=0.0)


def mqm(path: Path) -> dict[tuple[str, str, str], float]:
    """MQM by system, segment and rater, in the order of the file: minor 1, major 5, minor punctuation 0.1, non-translation 25."""
    found: dict[tuple[str, str, str], float] = {}
    with gzip.open(path, "rt", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            key = (row["system"], f"{row['doc']}/{row['seg_id']}", row["rater"])
            found[key] = found.get(key, 0.0) - _weight(row["category"], row["severity"])
    return found


def _weight(category: str, severity: str) -> float:
    if category.startswith("Non-translation"):
        return 25.0
    if (category, severity) == ("Fluency/Punctuation", "Minor"):
        return 0.1
    return {"Minor": 1.0, "Major": 5.0}.get(severity, 0.0)


def test_ted(shared: Path) -> None:
    """Signs differ on the first 150 segments; a rater on both systems on 24 % of all."""
    scores = mqm(shared / "wmt_mqm_ted_ende_ratings.csv.gz")
    segments = list(dict.fromkeys(segment for _, segment, _ in scores))
    assert len(segments) == 529

    def rated(kept: list[str]) -> Comparison:
        chosen = set(kept)
        rows = {key: value for key, value in scores.items() if key[1] in chosen}
        system, item, rater = zip(*rows, strict=True)
        ratings = Ratings.from_columns(system=system, item=item, rater=rater, value=list(rows.values()))
        return compare(ratings, "Online-W", "Facebook-AI")

    first, every = rated(segments[:150]), rated(segments)
    assert first.ratings is not None
    assert (round(first.ratings.plain_difference, 2), round(first.effect, 2)) == (0.11, -0.10)
    assert first.ratings.mode == "single"
    assert "item_effect" in first.ratings.dropped_terms
    codes = {note.code: note.values for note in first.notes}
    assert {"plain_difference_opposes", "unpaired_ratings_used", "terms_dropped"} <= set(codes)
    uneven = next(note.values for note in every.notes if note.code == "raters_uneven")
    assert (round(uneven["share"], 2), uneven["items"]) == (0.24, 529)
