"""What the contents of a store are in words: how many studies, how many of them whole, and what was taken away."""

import pytest

from tellapart.answers.store import StoreContents, StoredRow
from tellapart.answers.texts import add_text


def row(replicates: int, *, usable: bool = True) -> StoredRow:
    return StoredRow(
        "plan",
        "gaussian",
        "paired_t",
        "20 items",
        0.05,
        0,
        2_000,
        replicates,
        4,
        "numpy 2",
        usable,
        "2026-01-01",
    )


@pytest.mark.parametrize(
    ("rows", "forgotten", "headline", "sentence"),
    [
        (
            (row(2_000), row(500)),
            False,
            "2 studies in store",
            "a.db holds 2 studies, 1 of them as far as was asked for.",
        ),
        ((row(2_000),), True, "forgotten", "a.db held 1 study, and holds nothing any more."),
        ((), False, "an empty store", "a.db is a store and holds nothing."),
        (
            (row(2_000, usable=False),),
            False,
            "1 study in store",
            (
                "a.db holds 1 study, as far as was asked for. 1 of them was computed by other versions or on another processor, "
                "and would be computed anew here; --forget takes everything away."
            ),
        ),
    ],
)
def test_contents(rows: tuple[StoredRow, ...], forgotten: bool, headline: str, sentence: str) -> None:
    told = add_text(StoreContents("a.db", 100, rows, forgotten), "command line")
    assert (told.headline, told.sentence) == (headline, sentence)
