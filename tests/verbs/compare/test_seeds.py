"""Systems trained with several seeds: other trainings are meant by default, and false claims stay rare."""

import csv
import shlex
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.numerics.frontier import FOLDER

from tellapart import Scores, compare, gate, rank, read
from tellapart.answers.parts import codes
from tellapart.cli import main
from tellapart.data.pair import Pair
from tellapart.data.summaries.seeded import Seeded
from tellapart.foundation.arrays import FloatArray
from tellapart.foundation.errors import DataError, TooFew, UsageError
from tellapart.foundation.seeds import stream
from tellapart.methods.significance import Procedure
from tellapart.populations.population import MEAN
from tellapart.render import render


def trained(seeds: tuple[int, ...], items: int = 200, seed: int = 1, seed_sd: float = 0.02) -> list[FloatArray]:
    """Systems that are equal but for the luck of their trainings, `(item, seed)` each."""
    rng = np.random.default_rng(seed)
    common = 0.3 * rng.normal(size=(items, 1))
    return [
        np.asarray(common + seed_sd * rng.normal(size=(1, count)) + 0.2 * rng.normal(size=(items, count)))
        for count in seeds
    ]


def table(systems: list[FloatArray], path: Path, column: str = "seed") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(["system", "item", column, "score"])
        for name, scores in zip("abcdef", systems, strict=False):
            for (item, seed), score in np.ndenumerate(scores):
                written.writerow([name, f"i{item:05d}", seed + 1, float(score)])
    return path


def scored(systems: list[FloatArray]) -> Scores:
    return Scores.from_arrays(dict(zip("abcdef", systems, strict=False)), seed_runs=1)


@pytest.mark.parametrize("column", ["seed", "training_seed", "train_seed", "train_run"])
def test_a_column_of_seeds_is_about_other_trainings(tmp_path: Path, column: str) -> None:
    answer = compare(read(table(trained((3, 3)), tmp_path / "seeds.csv", column)))
    assert answer.test == "seeds_t(df=satterthwaite)"
    assert answer.seeds is not None
    assert (answer.seeds.seeds_a, answer.seeds.seeds_b, answer.seeds.mode) == (3, 3, "random")
    assert answer.seeds.shares is not None
    assert sum(answer.seeds.shares.values()) == pytest.approx(1.0, rel=1e-12, abs=0.0)
    assert answer.repeats is None
    assert {"seeds_random", "few_seeds"} <= set(codes(answer.notes))


def test_fixed_seeds_are_averaged_as_runs_are(tmp_path: Path) -> None:
    systems = trained((3, 3))
    fixed = compare(read(table(systems, tmp_path / "seeds.csv")), seeds_as="fixed")
    runs = compare(read(table(systems, tmp_path / "runs.csv", "run")))
    assert (fixed.pvalue, fixed.test) == (runs.pvalue, runs.test)
    assert "seeds_averaged" in codes(fixed.notes)
    assert fixed.seeds is not None
    assert (fixed.seeds.mode, fixed.seeds.sds) == ("fixed", None)


def test_equal_systems_are_rarely_called_different() -> None:
    """Four seeds that spread by two points on 500 items: averaging them calls equal systems different in one case of three."""
    random = fixed = 0
    for seed in range(300):
        scores = scored(trained((4, 4), items=500, seed=seed))
        random += compare(scores).pvalue <= 0.05
        fixed += compare(scores, seeds_as="fixed").pvalue <= 0.05
    assert random <= 27  # .05 and three standard errors
    assert fixed >= 75


def test_unlike_numbers_of_seeds_take_cochrans_rule() -> None:
    answer = compare(scored(trained((2, 5))))
    assert answer.test == "seeds_t(df=cochran)"
    assert answer.seeds is not None
    assert (answer.seeds.df, answer.seeds.df_rule) == (None, "cochran")


def test_labels_of_seeds_do_not_pair() -> None:
    """Seeds are nested in systems: their order within one changes nothing."""
    a, b = trained((3, 3))
    one, other = compare(scored([a, b])), compare(scored([a, b[:, [2, 0, 1]]]))
    assert one.pvalue == pytest.approx(other.pvalue, rel=1e-9, abs=0.0)


def test_runs_within_a_seed_are_averaged_first(tmp_path: Path) -> None:
    a, b = trained((3, 3), items=60)
    path = tmp_path / "both.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(["system", "item", "seed", "run", "score"])
        for name, scores in (("a", a), ("b", b)):
            for (item, seed), score in np.ndenumerate(scores):
                for run, off in enumerate((-0.1, 0.1)):
                    written.writerow([name, item, seed, run, float(score) + off])
    scores = read(path)
    assert (scores.seed_runs, scores.values.shape[2]) == (2, 6)
    assert compare(scores).pvalue == pytest.approx(compare(scored([a, b])).pvalue, rel=1e-6, abs=0.0)
    assert read(scores.to_frame()).seed_runs == 2


def test_one_seed_is_averaged_with_a_note_and_refused_as_random() -> None:
    scores = scored([trained((3, 3))[0], trained((3, 1), seed=2)[1]])
    answer = compare(scores)
    assert answer.test == "paired_t"
    assert "trained_once" in codes(answer.notes)
    with pytest.raises(TooFew):
        compare(scores, seeds_as="random")
    with pytest.raises(DataError):
        compare(Scores.from_arrays({"a": [0, 1, 1], "b": [1, 1, 0]}), seeds_as="random")


def test_an_item_without_some_seed_is_refused_or_dropped() -> None:
    a, b = trained((3, 3), items=30)
    b[4, 1] = np.nan
    with pytest.raises(DataError):
        compare(scored([a, b]))
    kept = np.arange(30) != 4
    dropped = compare(scored([a, b]), missing="drop")
    assert dropped.items == 29
    assert dropped.pvalue == pytest.approx(compare(scored([a[kept], b[kept]])).pvalue, rel=1e-9, abs=0.0)


def test_a_seed_for_every_answer_is_no_training(tmp_path: Path) -> None:
    """Seeds of sampling, each met on one item, are runs."""
    rng = np.random.default_rng(0)
    path = tmp_path / "sampled.csv"
    rows = [
        f"{name},i{item},{rng.integers(10**9)},{rng.random()}" for name in "ab" for item in range(20) for _ in range(3)
    ]
    path.write_text("\n".join(["system,item,seed,score", *rows]), encoding="utf-8")
    scores = read(path)
    assert (scores.seed_runs, scores.values.shape[2]) == (None, 3)
    assert compare(scores).test == "paired_t"


def test_runs_are_no_seeds_unless_they_are_said_to_be() -> None:
    path = FOLDER / "data" / "even5.csv"
    assert compare(read(path)).seeds is None
    assert compare(read(path, columns={"seed": "run"})).test == "seeds_t(df=satterthwaite)"


def test_what_is_detectable_and_needed_allows_for_seeds() -> None:
    """With few seeds no number of items finds a small effect."""
    scores = scored(trained((3, 3), seed_sd=0.05))
    answer = compare(scores, effect=0.01)
    assert answer.detectable is not None
    assert answer.detectable.effect > 3.0 * (answer.standard_error or 0.0)
    assert answer.needed is None
    assert "seeds_limit_power" in codes(answer.notes)
    needed = compare(scores, effect=0.5).needed
    assert needed is not None
    assert needed.items < 200


def test_margins_are_held_against_seeds_and_items() -> None:
    scores = scored(trained((5, 5)))
    answer = compare(scores, margin=0.2)
    assert answer.verdict == "equivalent"
    assert answer.shown.equivalent is not None


def test_a_gate_allows_for_seeds(tmp_path: Path) -> None:
    a, b = trained((3, 3), items=500, seed=5, seed_sd=0.05)
    for name, scores in (("old", a), ("new", b)):
        table([scores], tmp_path / f"{name}.csv")
    random = gate(tmp_path / "old.csv", tmp_path / "new.csv", margin=0.02)
    fixed = gate(tmp_path / "old.csv", tmp_path / "new.csv", margin=0.02, seeds_as="fixed")
    assert random.comparison.test == "seeds_t(df=satterthwaite)"
    assert fixed.comparison.test == "paired_t"


def test_a_board_judges_each_pair_so() -> None:
    systems = trained((3, 3, 4), items=300)
    systems[2] = systems[2] + 0.3
    board = rank(scored(systems))
    assert board.correction == "holm"
    assert {pair.test for pair in board.pairs} == {"seeds_t(df=satterthwaite)", "seeds_t(df=cochran)"}
    for pair in board.pairs:
        alone = compare(scored(systems), pair.a, pair.b)
        assert pair.pvalue == pytest.approx(alone.pvalue, rel=1e-9, abs=0.0)
    adjusted = sorted(pair.adjusted_pvalue for pair in board.pairs)
    raw = sorted(pair.pvalue for pair in board.pairs)
    assert adjusted[0] == pytest.approx(min(3.0 * raw[0], 1.0), rel=1e-9, abs=0.0)
    assert "seeds_random" in codes(board.notes)
    assert board.more_items is None
    fixed = rank(scored(systems), seeds_as="fixed")
    assert fixed.correction == "max_t"
    assert "seeds_averaged" in codes(fixed.notes)


def test_a_board_says_what_does_not_go_with_seeds() -> None:
    systems = trained((3, 3, 3))
    with pytest.raises(UsageError):
        rank(scored(systems), correction="max_t")
    systems[0][2, 1] = np.nan
    with pytest.raises(DataError):
        rank(scored(systems))
    assert rank(scored(systems), missing="drop").items == 199
    single = rank(scored([systems[1], systems[2], systems[1][:, :1]]))
    assert "trained_once" in codes(single.notes)


def test_clusters_of_items_stand_in_place_of_items() -> None:
    """Of clusters of one size the answer is that of their means; of uneven ones the mean stays, and clusters alone vary."""
    systems, clusters = trained((3, 3)), np.repeat(np.arange(40), 5)
    names = dict(zip("ab", systems, strict=True))
    together = compare(Scores.from_arrays(names, clusters=list(map(str, clusters)), seed_runs=1))
    means = {name: scores.reshape(40, 5, 3).mean(axis=1) for name, scores in names.items()}
    averaged = compare(Scores.from_arrays(means, seed_runs=1))
    found = (together.effect, together.pvalue, together.standard_error, together.interval.low)
    expected = (averaged.effect, averaged.pvalue, averaged.standard_error, averaged.interval.low)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert not {"test_ignores_clusters", "interval_ignores_clusters"} & set(codes(together.notes))


def test_false_claims_with_clusters_are_rare() -> None:
    """Equal systems of three seeds on 40 clusters of uneven size; the negative control leaves the clusters out."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(1, 12, size=40)
    clusters = np.repeat(np.arange(40), sizes)
    batch, items = 2000, int(sizes.sum())
    shared = 0.3 * rng.normal(size=(batch, 40, 1))[:, clusters]
    own = [
        shared * part + 0.2 * rng.normal(size=(batch, items, 3)) + 0.01 * rng.normal(size=(batch, 1, 3))
        for part in (1.0, -1.0)
    ]
    pair = Pair(own[0][..., None], own[1][..., None], clusters, seed_runs=1)
    test = Procedure.parse("seeds_t(df=satterthwaite)")
    pvalue, ignoring = (
        test.apply(Seeded.of(one, MEAN), stream(0)).pvalue for one in (pair, replace(pair, clusters=None))
    )
    assert np.mean(pvalue <= 0.05) <= 0.065
    assert np.mean(ignoring <= 0.05) > 0.2


def test_the_next_plan_is_typed(capsys: pytest.CaptureFixture[str]) -> None:
    for systems in (trained((3, 3)), trained((2, 5), seed_sd=0.1)):
        page = render(compare(scored(systems)), "text")
        (command,) = (line.strip() for line in page.splitlines() if "tellapart plan seeds" in line)
        with pytest.raises(SystemExit) as left:
            main(shlex.split(command)[1:])
        assert left.value.code == 0
    capsys.readouterr()
