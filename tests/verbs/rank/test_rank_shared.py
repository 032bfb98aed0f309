"""Real leaderboards, where they are beside the checkout: every number of docs/leaderboards.md, and what they teach."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tellapart import plan, rank, read
from tellapart.answers.leaderboard import Leaderboard
from tellapart.foundation.seeds import stream
from tellapart.studies.calibration.boards import claims

DOCUMENT = Path(__file__).parents[3] / "docs" / "leaderboards.md"
LINE = re.compile(r"\| `(\S+)(.*?)` \| ([\d,]+) \| ([\d,]+) \| (\d+) of \d+ \| ([\d,]+) of [\d,]+ \| (\d+) \| (\d+) \|")
LINES = LINE.findall(DOCUMENT.read_text(encoding="utf-8"))


def answer(shared: Path, name: str, options: str) -> Leaderboard:
    """What the command of a line answers."""
    given = dict(zip(options.split()[::2], options.split()[1::2], strict=True))
    missing: Any = given.pop("--missing", "error")
    scores = read(shared / name, measure=given.pop("--measure", None))
    assert not given
    return rank(scores, missing=missing)


def test_all_lines_are_found() -> None:
    """The document has the fifteen lines that the tests below run."""
    assert len(LINES) == 15


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line[0].split('.')[0]}{line[1]}")
def test_the_document_is_right(line: tuple[str, ...], shared: Path) -> None:
    """Systems, items, neighbours and pairs told apart, tiers, and how many may be the best."""
    name, options, *numbers = line
    board = answer(shared, name, options)
    found = (
        len(board.systems),
        board.items,
        board.neighbours_told_apart,
        sum(pair.significant for pair in board.pairs),
        max(s.tier for s in board.systems),
        sum(s.may_be_best for s in board.systems),
    )
    assert found == tuple(int(number.replace(",", "")) for number in numbers)


def test_the_half_missing_system(shared: Path) -> None:
    """GSM8K: an error names the gaps, drop leaves the system out, pairwise keeps it on its own items."""
    scores = read(shared / "zeroeval_gsm_correct.csv.gz")
    late = "gemini-1.5-flash-exp-0827"
    with pytest.raises(Exception, match=f"'{late}' lacks 638 of 1,319 items"):
        rank(scores)
    dropped, kept = (rank(scores, missing=missing) for missing in ("drop", "pairwise"))
    assert late not in {s.name for s in dropped.systems}
    assert [note.values["system"] for note in dropped.notes if note.code == "system_left_out"] == [late]
    standing = next(s for s in kept.systems if s.name == late)
    assert (standing.items, standing.may_be_best) == (681, True)
    assert kept.more_items is not None
    assert dropped.more_items is not None
    assert dropped.more_items.top_two == 5277


def test_null_model(shared: Path) -> None:
    """AlpacaEval 2: the lead of NullModel is significant on this suite and undetermined for a new dataset."""
    scores = read(shared / "alpaca_eval2_weighted.csv.gz")
    board = rank(scores, missing="drop", datasets=True)
    assert [s.name for s in board.systems if s.may_be_best] == ["NullModel"]
    assert board.datasets is not None
    second = board.systems[1].name
    lead = next(pair for pair in board.datasets.across if {pair.a, pair.b} == {"NullModel", second})
    assert lead.new_dataset.mean.low < 0.0 < lead.new_dataset.mean.high
    assert round(lead.heterogeneity.i_squared, 2) == 0.73
    alone = [d.name for d in board.datasets.within if [s.name for s in d.systems if s.may_be_best] == ["NullModel"]]
    assert alone == ["selfinstruct"]


def test_sign_flips_on_mteb(shared: Path) -> None:
    """MTEB by sign flips alone: many more pairs are told apart."""
    flips = rank(read(shared / "mteb_eng_v2_task_scores.csv.gz"), correction="max_t(resampling=flips)")
    assert flips.separation.told_apart == 10_883


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line[0].split('.')[0]}{line[1]}")
def test_decision_and_interval_are_one(line: tuple[str, ...], shared: Path) -> None:
    """On every board of the document; of the closest calls of 44 systems, eight of ten had intervals with 0 in them."""
    for pair in answer(shared, *line[:2]).pairs:
        assert pair.significant == (pair.low > 0.0 or pair.high < 0.0)


def test_the_plan_of_the_document() -> None:
    """Items for one point between two of 44 systems, and for a single pair."""
    question = "paired_binary(accuracy=0.95, discordance=0.05, effect=0.01)"
    text = DOCUMENT.read_text(encoding="utf-8")
    for systems in (44, None):
        assert f"{plan(question, power=0.8, systems=systems).rows[0].items:,}" in text


def distinct(values: Any) -> Any:
    """Systems that differ on at least half of the items from all kept before, with all means made equal."""
    kept: list[Any] = []
    for row in values:
        if all(np.sum(np.abs(row - other) > 1e-12) >= len(row) / 2 for other in kept):
            kept.append(row)
    return np.array(kept) - np.mean(kept, axis=1, keepdims=True)


@pytest.mark.parametrize(
    ("name", "measure", "signs", "replicates", "low", "high"),
    [
        ("mteb_eng_v2_task_scores", None, False, 20, 0.2, 0.85),
        ("mteb_eng_v2_task_scores", None, True, 20, 0.05, 0.5),
        ("trec_robust03_per_topic", "AP", False, 300, 0.06, 0.17),
        ("trec_robust03_per_topic", "AP", True, 300, 0.02, 0.10),
        ("trec_robust03_per_topic", "P@10", False, 300, 0.02, 0.11),
    ],
)
def test_where_random_signs_fail(
    name: str, measure: str | None, signs: bool, replicates: int, low: float, high: float, shared: Path
) -> None:
    """Items drawn again from real columns with equal means, or with random signs: false claims are as frequent as the document says."""
    scores = read(shared / f"{name}.csv.gz", measure=measure)
    columns, rng = distinct(scores.values[:, :, 0, 0]), stream(1)
    items = columns.shape[1]
    false = 0
    for _ in range(replicates):
        population = columns * rng.choice([-1.0, 1.0], items) if signs else columns
        population = population - population.mean(axis=1, keepdims=True)
        false += bool(claims(population[:, rng.integers(0, items, items)], None, 0.05, rng).any())
    assert low <= false / replicates <= high
