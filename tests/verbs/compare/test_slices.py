"""Slices of the items: the reference of two data sets, and what a slice may not change."""

import contextlib
import csv
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare, read
from tellapart.answers.comparison import Comparison
from tellapart.answers.comparison.parts import SliceResult
from tellapart.answers.texts import add_text
from tellapart.boards.contrast_laws import _permuted, adjusted_contrasts
from tellapart.boards.family import Family
from tellapart.boards.joint_flips import joint_flips
from tellapart.boards.joint_pvalues import joint_pvalues
from tellapart.boards.rest_contrasts import SliceTotals
from tellapart.cli import main
from tellapart.data.pair import paired
from tellapart.foundation.errors import DataError, GateFailed, TooFew, Unsuitable, UsageError
from tellapart.foundation.seeds import stream
from tellapart.verbs.compare.methods import analyse
from tellapart.verbs.compare.question import CompareQuestion
from tellapart.verbs.compare.slices import Slice, slice_variances
from tellapart.verbs.slice_columns import slice_masks

FRONTIER = Path(__file__).parents[2] / "reference" / "frontier"
FILES = {"topics": "slices_topics.csv", "tags": "slices_tags.csv"}


def data(case: str) -> Path:
    return FRONTIER / "data" / FILES[case]


def reference(case: str) -> dict[str, dict[str, float]]:
    """By quantity, the value of each slice."""
    found: dict[str, dict[str, float]] = defaultdict(dict)
    with (FRONTIER / "slices.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["case"] == case:
                quantity, _, name = row["quantity"].partition(".")
                found[quantity][name] = float(row["value"])
    return found


def sliced(given: Any, **options: Any) -> Comparison:
    return compare(given, slices=("topic",), **options)


def by_name(answer: Comparison) -> dict[str, SliceResult]:
    assert answer.slices is not None
    return {one.slice: one for one in answer.slices}


@pytest.mark.parametrize("case", FILES)
def test_every_slice_has_the_numbers_of_the_reference(case: str) -> None:
    """Effects, mid-p, Holm over all slices, and shrunken effects with their order."""
    wanted, found = reference(case), by_name(sliced(data(case), slice_least=2))
    assert set(found) == set(wanted["items"])
    for name, one in found.items():
        assert one.items == wanted["items"][name]
        assert one.effect == pytest.approx(wanted["effect"][name], abs=1e-12)
        assert one.pvalue == pytest.approx(wanted["midp"][name], abs=1e-10)
        assert one.adjusted_pvalue == pytest.approx(wanted["holm_midp"][name], abs=1e-10)
        assert one.shrunk == pytest.approx(wanted["shrunk"][name], abs=1e-9)
        assert one.shrunk_sd == pytest.approx(wanted["shrunk_sd"][name], abs=1e-9)
        assert one.place == wanted["place_from_worst"][name]
        assert one.against_rest == pytest.approx(wanted["against_rest"][name], abs=1e-12)
    assert (family := sliced(data(case), slice_least=2).slice_family) is not None
    assert (family.columns[0].tau or 0.0) ** 2 == pytest.approx(wanted["tau_squared"][""], abs=1e-9)
    assert family.columns[0].mean == pytest.approx(wanted["mean_over_slices"][""], abs=1e-9)


class Given(NamedTuple):
    """The differences of a reference data set, and which items each slice holds, `(item, slice)`."""

    differences: np.ndarray[Any, Any]
    names: list[str]
    member: np.ndarray[Any, Any]

    @classmethod
    def of(cls, case: str) -> "Given":
        with data(case).open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        tags = [set(row["topic"].split("|")) for row in rows]
        names = sorted(set.union(*tags) - {""})
        differences = np.array([float(row["b"]) - float(row["a"]) for row in rows])
        return cls(differences, names, np.array([[name in tag for name in names] for tag in tags]))

    @property
    def totals(self) -> SliceTotals:
        """Of the items that are in some slice."""
        held = self.member.any(axis=1)
        return SliceTotals.of_slices(self.differences[held], np.arange(int(held.sum())), self.member[held])


@pytest.mark.parametrize("case", FILES)
def test_contrasts_with_the_rest_have_the_errors_of_the_reference(case: str) -> None:
    """Welch's; a slice that does not vary (music) counts one unit as varying, where Welch finds it unlike the rest at p = .005."""
    wanted, given = reference(case), Given.of(case)
    found = given.totals.contrasts
    for name, error, pvalue in zip(given.names, found.error, found.pvalue, strict=True):
        if wanted["se"][name] > 0.0:
            assert error == pytest.approx(wanted["against_rest_se"][name], abs=1e-12)
            assert pvalue == pytest.approx(wanted["against_rest_welch_p"][name], abs=1e-10)
        else:
            one_unit = 2.0 / wanted["items"][name]
            assert error == pytest.approx(np.hypot(wanted["against_rest_se"][name], one_unit), abs=1e-12)
            assert pvalue > 0.5


@pytest.mark.parametrize("case", FILES)
def test_slices_judged_by_joint_flips_have_the_p_values_of_the_reference(case: str) -> None:
    wanted, given = reference(case), Given.of(case)
    slices = len(given.names)
    columns = np.vstack([np.zeros(len(given.differences)), (given.differences[:, np.newaxis] * given.member).T])
    family = Family(columns, np.zeros(slices, dtype=np.int64), np.arange(1, slices + 1), columns[1:].mean(axis=1))
    found = joint_pvalues(joint_flips(family, 50_000, stream(0))).step_down
    assert found == pytest.approx([wanted["max_t_flips_adjusted"][name] for name in given.names], abs=0.004)


def test_standard_errors_and_the_variances_that_shrink_are_those_of_the_reference() -> None:
    for case in FILES:
        wanted = reference(case)
        scores = read(str(data(case)), slices=("topic",))
        question = CompareQuestion(slices=("topic",))
        metric = question.aggregation(scores)
        whole = analyse(paired(scores, "a", "b", "error"), metric, question)[0]
        masks = slice_masks(scores, "topic", question.slice_separator)
        known = [
            Slice(
                "topic",
                name,
                int(mask.sum()),
                analyse(paired(scores.only(mask), "a", "b", "error"), metric, question)[0],
            )
            for name, mask in masks.items()
        ]
        assert [one.analysis.standard_error for one in known if one.analysis] == pytest.approx(
            [wanted["se"][one.name] for one in known], abs=1e-12
        )
        floored = np.sqrt(slice_variances(known, whole))
        assert floored == pytest.approx([wanted["se_floored"][one.name] for one in known], abs=1e-10)


def test_the_omnibus_tests_of_the_reference_agree_that_topics_do_not_differ() -> None:
    """Welch's F from the printed effects and errors; the deals of the contrasts, judged by the squares between slices."""
    wanted, given = reference("topics"), Given.of("topics")
    judged = given.member.sum(axis=0) >= 2
    sizes = given.member[:, judged].sum(axis=0)
    means = np.array([given.differences[one].mean() for one in given.member.T[judged]])
    spread = np.array([given.differences[one].var(ddof=1) for one in given.member.T[judged]])
    varies = spread > 0.0
    statistic, df2, pvalue = welch_anova(sizes[varies], means[varies], spread[varies])
    assert statistic == pytest.approx(wanted["welch_F"][""], abs=1e-10)
    assert df2 == pytest.approx(wanted["welch_df2"][""], abs=1e-8)
    assert pvalue == pytest.approx(wanted["welch_p"][""], abs=1e-10)
    totals = given.totals
    moved = _permuted(totals.rows_by_group_count()[0], 20_000, stream(1)).reshape(20_000, -1)
    between = [_squares_between(totals, totals.sums[some]) for some in (np.arange(len(totals.sums))[np.newaxis], moved)]
    dealt = (1 + np.sum(between[1] >= between[0] * (1 - 1e-12))) / 20_001
    assert dealt == pytest.approx(wanted["permutation_omnibus_p"][""], abs=0.012)
    answer = sliced(data("topics"))
    assert answer.slice_family is not None
    assert 0.1 < (answer.slice_family.columns[0].omnibus_pvalue or 0.0) < 0.6


def welch_anova(sizes: Any, means: Any, spread: Any) -> tuple[float, float, float]:
    """Welch (1951), as textbooks write it."""
    weights, groups = sizes / spread, len(sizes)
    centre = np.sum(weights * means) / weights.sum()
    lack = np.sum((1 - weights / weights.sum()) ** 2 / (sizes - 1))
    above = np.sum(weights * (means - centre) ** 2) / (groups - 1)
    statistic = above / (1 + 2 * (groups - 2) / (groups**2 - 1) * lack)
    df2 = (groups**2 - 1) / (3 * lack)
    return float(statistic), float(df2), float(stats.f.sf(statistic, groups - 1, df2))


def _squares_between(totals: SliceTotals, sums: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    by_group = np.add.reduceat(sums, totals.cells.group_starts, axis=-1)
    sizes = np.add.reduceat(totals.cells.size, totals.cells.group_starts)
    return np.asarray(np.sum(by_group**2 / sizes, axis=-1))


def test_clusters_of_one_item_leave_contrasts_as_they_are() -> None:
    """The general arithmetic of units, which may be in a slice and outside of it, and the short one of items."""
    totals = Given.of("tags").totals
    some = np.random.default_rng(4).permuted(np.tile(totals.residuals, (5, 1)), axis=1)
    quick = totals.contrasts_of(some, np.broadcast_to(totals.cells.size, some.shape))
    general = SliceTotals(totals.cells, totals.sums, totals.member)
    general.__dict__["_one_item_each"] = False
    slow = general.contrasts_of(some, np.broadcast_to(totals.cells.size, some.shape))
    for one, other in zip(quick, slow, strict=True):
        assert one == pytest.approx(other, rel=1e-10, abs=1e-14)


def varying(gain: float, **options: Any) -> Comparison:
    """Three slices of 40 items in clusters of two; B is better in the last by `gain`."""
    rng = np.random.default_rng(8)
    a = rng.normal(0.5, 0.1, 120)
    b = a + rng.normal(0.05, 0.1, 120) + gain * (np.arange(120) >= 80)
    scores = Scores.from_arrays({"a": a, "b": b}, slices={"topic": np.repeat(["x", "y", "z"], 40).tolist()}, **options)
    return compare(scores, slices=("topic",))


@pytest.mark.parametrize("law", ["normal", "skewed", "binary"])
@pytest.mark.parametrize(("slices", "items"), [(3, 20), (12, 15)])
def test_equal_differences_seldom_vary(law: str, slices: int, items: int) -> None:
    """At most alpha, with three standard errors of 150 tries; the guide has the figures of more."""
    rng = np.random.default_rng(21)
    laws: dict[str, Callable[[int], Any]] = {
        "normal": rng.standard_normal,
        "skewed": lambda n: rng.lognormal(size=n),
        "binary": lambda n: rng.choice([-1.0, 0.0, 1.0], p=[0.05, 0.85, 0.10], size=n),
    }
    draw = laws[law]
    member = np.eye(slices, dtype=bool)[np.repeat(np.arange(slices), items)]
    some = [SliceTotals.of_slices(draw(len(member)), np.arange(len(member)), member) for _ in range(150)]
    told = np.mean([adjusted_contrasts(one, 0.05, rng, 199).adjusted.min() <= 0.05 for one in some])
    assert told <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 150)


@pytest.mark.parametrize("options", [{}, {"clusters": np.repeat(np.arange(60), 2).tolist()}])
def test_a_difference_that_varies_is_told_with_the_slice_most_unlike_the_rest(options: dict[str, Any]) -> None:
    for gain, said in ((0.3, "the difference varies over topic"), (0.0, "not shown to vary over topic")):
        answer = varying(gain, **options)
        assert said in {note.code: note.text for note in add_text(answer).notes}["slices_vary"]
    some = varying(0.3, **options)
    contrasts = {one.slice: abs(one.against_rest or 0.0) for one in some.slices or ()}
    assert max(contrasts, key=lambda name: contrasts[name]) == "z"
    for one in some.slices or ():
        assert one.against_rest_interval is not None
        excludes = one.against_rest_interval.low > 0.0 or one.against_rest_interval.high < 0.0
        assert excludes == ((one.against_rest_adjusted_pvalue or 0.0) <= 0.05)


def test_small_slices_are_listed_and_not_judged() -> None:
    """Ten items by default: the family is six slices then, and the others keep their place among the shrunken ones."""
    answer = sliced(data("topics"))
    found = by_name(answer)
    assert {name for name, one in found.items() if not one.judged} == {"law", "music"}
    assert found["code"].adjusted_pvalue == pytest.approx(0.0354 * 6 / 8, abs=1e-4)
    assert found["code"].verdict == "b better"
    assert found["law"].pvalue is None
    assert found["law"].interval is None
    assert answer.slice_family is not None
    assert answer.slice_family.columns[0].left_out == ("law", "music")
    small = next(note for note in answer.notes if note.code == "slices_left_out")
    assert small.values["slices"] == [{"slice": "law", "items": 8}, {"slice": "music", "items": 3}]


def test_a_slice_is_judged_as_a_file_of_its_own() -> None:
    scores = read(str(data("topics")), slices=("topic",))
    found = by_name(compare(scores, slices=("topic",)))
    cells = scores.slices["topic"]
    for name, one in found.items():
        if one.judged:
            alone = compare(scores.only(cells.codes == cells.names.index(name)))
            assert (one.effect, one.pvalue, one.test) == (alone.effect, alone.pvalue, alone.test)


def test_the_interval_excludes_zero_where_holm_rejects() -> None:
    for case in FILES:
        for one in by_name(sliced(data(case), slice_least=2)).values():
            assert one.interval is not None
            excludes = one.interval.low > 0.0 or one.interval.high < 0.0
            assert excludes == (one.verdict != "undetermined")


def test_names_and_the_order_of_rows_change_nothing(tmp_path: Path) -> None:
    head, *rows = data("topics").read_text(encoding="utf-8").splitlines()
    renamed = [row.replace("algebra", "zoology") for row in np.random.default_rng(1).permutation(rows)]
    (tmp_path / "other.csv").write_text("\n".join([head, *renamed]) + "\n", encoding="utf-8")
    one, other = by_name(sliced(data("topics"))), by_name(sliced(tmp_path / "other.csv"))
    for name, found in one.items():
        there = other[name.replace("algebra", "zoology")]
        assert (found.effect, found.pvalue, found.adjusted_pvalue) == (
            there.effect,
            there.pvalue,
            there.adjusted_pvalue,
        )
        assert found.shrunk == pytest.approx(there.shrunk, abs=1e-12)


def scores_with(slices: list[Any], **systems: list[float]) -> dict[str, Any]:
    return {**systems, "topic": slices}


def test_tags_are_cells_with_separators_or_lists() -> None:
    rng = np.random.default_rng(3)
    systems: dict[str, Any] = {name: rng.random(60).round(3).tolist() for name in ("a", "b")}
    tags = [["x"], ["x", "y"], ["y"], []] * 15
    plain = ["|".join(one) for one in tags]
    lists = sliced(scores_with(tags, **systems))
    assert sliced(scores_with(plain, **systems)).slices == lists.slices
    assert sliced(scores_with([";".join(one) for one in tags], **systems), slice_separator=";").slices == (lists.slices)
    assert [one.items for one in lists.slices or ()] == [30, 30]
    codes = {note.code for note in lists.notes}
    assert {"slices_overlap", "slices_blank"} <= codes


def test_several_columns_are_one_family() -> None:
    rng = np.random.default_rng(5)
    systems = {name: rng.random(80) for name in ("a", "b")}
    columns = {"topic": ["x", "y"] * 40, "level": ["low"] * 40 + ["high"] * 40}
    scores = Scores.from_arrays(systems, slices=columns)
    both = compare(scores, slices=("topic", "level"))
    assert both.slice_family is not None
    assert both.slice_family.slices == 4
    assert [column.column for column in both.slice_family.columns] == ["topic", "level"]
    least = min(one.pvalue or 1.0 for one in both.slices or ())
    assert min(one.adjusted_pvalue or 1.0 for one in both.slices or ()) == pytest.approx(min(1.0, 4 * least))


def test_slices_that_all_point_the_other_way_are_noted() -> None:
    """Simpson's paradox: B loses in both slices where both have pairs, and is ahead of A as a whole by items in none."""
    a = [0.50, 0.52] * 10 + [0.60, 0.62] * 10 + [0.1, 0.2] * 10
    b = [0.48, 0.51] * 10 + [0.58, 0.61] * 10 + [0.9, 0.8] * 10
    answer = sliced(scores_with(["x"] * 20 + ["y"] * 20 + [""] * 20, a=a, b=b))
    assert "slices_opposed" in {note.code for note in answer.notes}


def test_texts_say_where_each_system_is_better() -> None:
    texts = {note.code: note.text for note in add_text(sliced(data("topics"))).notes}
    assert texts["slices_judged"].startswith(
        "b is better on 1 of 6 slices of topic (code: +13 points) and worse on none, after Holm over 6 slices; geometry looks worst"
    )


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"slices": ("topc",)}, UsageError, "topc"),
        ({"slice_least": 50}, TooFew, "no slice has 50 items"),
        ({"by": "topic"}, UsageError, "use one of them"),
    ],
)
def test_what_cannot_be_sliced_is_refused(change: dict[str, Any], error: type[Exception], said: str) -> None:
    given = scores_with(["x", "y"] * 10, a=[0.1, 0.2] * 10, b=[0.3, 0.1] * 10)
    with pytest.raises(error, match=said):
        compare(given, **{"slices": ("topic",), **change})


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["x"] * 40, "nothing to compare it with"),
        ([""] * 40, "no item has anything"),
        ([str(number) for number in range(40)], "cut it into bands"),
    ],
)
def test_columns_that_are_no_slices_are_refused(cells: list[str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        sliced(scores_with(cells, a=[0.1, 0.2] * 20, b=[0.3, 0.1] * 20))


def test_an_item_in_two_slices_is_refused_with_its_line(tmp_path: Path) -> None:
    rows = ["item,system,score,topic", "1,a,0.5,x", "1,b,0.6,y", "2,a,0.1,x", "2,b,0.4,x"]
    (tmp_path / "rows.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=r"rows\.csv, line 2: item '1' has topic 'x' here and another"):
        sliced(tmp_path / "rows.csv")


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_a_slice_named_as_items_usually_are_leaves_the_items_their_column(tmp_path: Path) -> None:
    rows = [f"{i},{s},{(3 * i + len(s)) % 7},{'xy'[i % 2]}" for i in range(40) for s in ("a", "bb")]
    answer = sliced(written(tmp_path / "ids.csv", "id,system,score,topic", *rows))
    assert [one.items for one in answer.slices or ()] == [20, 20]


def test_metrics_made_of_parts_are_recomputed_in_each_slice(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    cells = rng.integers(0, 2, (60, 2, 3)).tolist()
    rows = [
        f"{i},{s},{','.join(map(str, cells[i][place]))},{'xyz'[i % 3]}"
        for i in range(60)
        for place, s in enumerate("ab")
    ]
    path = written(tmp_path / "parts.csv", "item,system,tp,fp,fn,topic", *rows)
    answer = sliced(path, metric="f1")
    for one in answer.slices or ():
        some = [row for row in rows if row.endswith(one.slice)]
        alone = compare(written(tmp_path / f"{one.slice}.csv", "item,system,tp,fp,fn,topic", *some), metric="f1")
        assert (one.effect, one.pvalue) == (alone.effect, alone.pvalue)


def test_systems_on_different_items_have_slices_too(tmp_path: Path) -> None:
    rows = [f"{i},{'a' if i < 30 else 'b'},{i * i % 11},{'xy'[i % 2]}" for i in range(60)]
    answer = sliced(written(tmp_path / "apart.csv", "item,system,score,topic", *rows), test="welch_t")
    assert [one.items for one in answer.slices or ()] == [30, 30]


def test_ratings_have_no_slices(tmp_path: Path) -> None:
    rows = [f"{i},{s},{r},{(i + r) % 5},x" for i in range(8) for s in "ab" for r in range(3)]
    (tmp_path / "r.csv").write_text("\n".join(["item,system,rater,score,topic", *rows]) + "\n", encoding="utf-8")
    with pytest.raises(Unsuitable, match="slices are for scores"):
        sliced(tmp_path / "r.csv")


def worse_in_one(*, small: bool = False) -> dict[str, Any]:
    """B wins on x, loses clearly on y, and has next to no items in z."""
    rng = np.random.default_rng(11)
    a = rng.normal(0.5, 0.1, 84)
    gain = np.concatenate([np.full(40, 0.2), np.full(40, -0.1), np.full(4, 0.0)]) + rng.normal(0.0, 0.05, 84)
    last = "z" if small else ""
    return scores_with(["x"] * 40 + ["y"] * 40 + [last] * 4, a=a.tolist(), b=(a + gain).tolist())


def test_a_gate_fails_where_b_is_worse_in_a_slice() -> None:
    answer = sliced(worse_in_one())
    assert answer.verdict == "b better"
    answer.require("better", fail_on="worse")
    with pytest.raises(GateFailed, match=r"worse-in-slice.*worse in topic y \(effect −0\.09"):
        answer.require(fail_on="worse-in-slice")
    sliced(data("topics")).require(fail_on="worse-in-slice")


def test_a_gate_wants_every_slice_not_worse_by_the_margin() -> None:
    """Each at alpha, uncorrected: all have to show it; those too small stop it only where undetermined fails."""
    answer = sliced(worse_in_one(small=True), margin=0.15)
    answer.require("not-worse-in-slices")
    with pytest.raises(GateFailed, match=r"not shown not worse in topic z"):
        answer.require("not-worse-in-slices", fail_on="undetermined")
    narrow = sliced(worse_in_one(), margin=0.05)
    with pytest.raises(GateFailed, match=r"not shown not worse in topic y"):
        narrow.require("not-worse-in-slices")


def test_lower_may_be_better_in_slices_too() -> None:
    answer = sliced(worse_in_one(), lower_is_better=True)
    with pytest.raises(GateFailed, match=r"worse in topic x"):
        answer.require(fail_on="worse-in-slice")


def test_gates_about_slices_need_slices_and_a_margin() -> None:
    plain = compare(Scores.from_arrays({"a": [0.1, 0.4, 0.3], "b": [0.2, 0.4, 0.1]}))
    with pytest.raises(UsageError, match="needs slices"):
        plain.require(fail_on="worse-in-slice")
    with pytest.raises(UsageError, match="needs a margin"):
        sliced(worse_in_one()).require("not-worse-in-slices")


@pytest.mark.parametrize(
    ("flags", "code", "said"),
    [
        (["--slice", "topic", "--fail-on", "worse-in-slice"], 0, ""),
        (["--slice", "topic", "--margin", "0.02", "--require", "not-worse-in-slices"], 1, "topic geometry"),
        (["--fail-on", "worse-in-slice"], 2, "--slice"),
        (["--slice", "topic", "--require", "not-worse-in-slices"], 2, "--margin"),
    ],
)
def test_the_command_gates_on_slices(
    flags: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["compare", str(data("topics")), *flags])
    assert (stop.value.code or 0, said in capsys.readouterr().err) == (code, True)


def test_the_command_prints_a_table_from_the_worst_slice(capsys: pytest.CaptureFixture[str]) -> None:
    with contextlib.suppress(SystemExit):
        main(["compare", str(data("topics")), "--slice", "topic"])
    lines = capsys.readouterr().out.splitlines()
    names = [line.split()[0] for line in lines if line.endswith("McNemar mid-p") and "[" in line]
    assert [name for name in names if name != "B"][:2] == ["geometry", "poetry"]
