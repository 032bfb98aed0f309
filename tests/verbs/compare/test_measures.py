"""Several measures: ratios of means, joint decisions at the corners of their null, tables without rules, and what is refused."""

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Scores, compare, gate, plan, read
from tellapart.answers.comparison import Comparison
from tellapart.answers.page import page_of
from tellapart.answers.parts import codes
from tellapart.answers.texts import add_text
from tellapart.boards.corrections.holm import Holm
from tellapart.boards.meta_analysis import shrunken_effects
from tellapart.cli import main
from tellapart.foundation.errors import GateFailed, TellapartError, UsageError
from tellapart.numerics.ratios import PairedMeans

HEAD = "item,system,accuracy,latency_ms,cost"


def rows(system: str, items: int = 200, *, right: float, slower: float = 1.0) -> list[str]:
    rng = np.random.default_rng(1 if system == "old" else 2)
    shared = np.random.default_rng(3).lognormal(5.0, 0.5, items)
    latency = slower * shared * rng.lognormal(0.0, 0.2, items)
    found = zip((rng.random(items) < right).astype(int), latency, rng.normal(0.01, 0.001, items), strict=True)
    return [f"q{i},{system},{a},{b:.3f},{c:.6f}" for i, (a, b, c) in enumerate(found)]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    return written(tmp_path / "runs.csv", *rows("old", right=0.6), *rows("new", right=0.8))


def written(path: Path, *lines: str) -> Path:
    path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    return path


def asked(path: Path, **options: Any) -> Comparison:
    return compare(path, "old", "new", **options)


# The ratio of two means.


def test_fieller_inverts_the_t_test_of_the_difference() -> None:
    rng = np.random.default_rng(4)
    a, b = rng.lognormal(size=(2, 7, 40))
    means = PairedMeans.of(a, b)
    found = means.ratio(0.9)
    for row in range(7):
        for bound in (found.low[row], found.high[row]):
            t = stats.ttest_1samp(b[row] - bound * a[row], 0.0)
            assert t.pvalue == pytest.approx(0.1, abs=1e-9)
        above = stats.ttest_1samp(b[row] - 0.9 * a[row], 0.0, alternative="greater").pvalue
        assert means.beyond(0.9, above=True)[row] == pytest.approx(above, abs=1e-10)


def test_a_ratio_of_clusters_is_that_of_their_differences() -> None:
    """With as many items each, clusters are their means."""
    rng = np.random.default_rng(5)
    a, b = rng.lognormal(size=(2, 24, 3))
    whole = PairedMeans.of(a.ravel(), b.ravel(), np.repeat(np.arange(24), 3)).ratio(0.95)
    of_means = PairedMeans.of(a.mean(axis=1), b.mean(axis=1)).ratio(0.95)
    assert [float(x) for x in whole] == pytest.approx([float(x) for x in of_means], rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("items", [50, 200, 1000])
def test_ratios_of_lognormal_latencies_are_covered(items: int) -> None:
    """93 to 97 %, allowing for three standard errors of 1,500 tries."""
    rng = np.random.default_rng(6)
    shared, own = rng.standard_normal((2, 1500, items))
    a, b = np.exp(shared), 0.9 * np.exp(0.5 * shared + np.sqrt(0.75) * own)
    found = PairedMeans.of(a, b).ratio(0.95)
    covered = np.mean((found.low <= 0.9) & (found.high >= 0.9))
    assert 0.93 - 0.017 <= covered <= 0.97 + 0.017


def test_a_mean_near_zero_has_no_ratio() -> None:
    rng = np.random.default_rng(7)
    found = PairedMeans.of(rng.standard_normal(30), rng.standard_normal(30)).ratio(0.95)
    assert not np.isfinite([found.low, found.high]).any()
    same = PairedMeans.of(np.full(10, 2.0), np.full(10, 3.0))
    assert same.beyond(1.2, above=True) == pytest.approx(0.5**10)
    assert same.beyond(1.6, above=True) == 1.0


# Decisions.


def test_a_decision_has_the_claims_of_each_measure_alone(runs: Path) -> None:
    answer = asked(runs, better=("accuracy",), not_worse=("cost:0.002", "latency_ms:10r%"))
    assert answer.decision is not None
    better, cost, latency = answer.decision.rules
    scores = {
        name: Scores.from_arrays(columns(runs, name), measure=name) for name in ("accuracy", "cost", "latency_ms")
    }
    assert better.pvalue == compare(scores["accuracy"], "old", "new").shown.pvalue("better")
    alone = compare(scores["cost"], "old", "new", margin=0.002)
    assert cost.pvalue == alone.shown.pvalue("not_worse")
    old, new = (np.array(columns(runs, "latency_ms")[name]) for name in ("old", "new"))
    assert latency.pvalue == pytest.approx(stats.ttest_1samp(new - 1.1 * old, 0.0, alternative="less").pvalue)
    assert answer.decision.shown
    assert {one.measure: one.lower_is_better for one in answer.measures or ()} == {
        "accuracy": False,
        "cost": True,
        "latency_ms": True,
    }


def columns(path: Path, measure: str) -> dict[str, list[float]]:
    place = HEAD.split(",").index(measure)
    found: dict[str, list[float]] = {"old": [], "new": []}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        cells = line.split(",")
        found[cells[1]].append(float(cells[place]))
    return found


def test_scores_by_measure_are_what_a_file_of_both_is(runs: Path) -> None:
    scores = {name: Scores.from_arrays(columns(runs, name), measure=name) for name in ("accuracy", "cost")}
    options: dict[str, Any] = {"better": ("accuracy",), "not_worse": ("cost:1r%",)}
    one, other = compare(scores, "old", "new", **options).decision, asked(runs, **options).decision
    assert one is not None
    assert other is not None
    assert [rule.pvalue for rule in one.rules] == pytest.approx([rule.pvalue for rule in other.rules])


@pytest.mark.parametrize("correlation", [-0.5, 0.0, 0.95])
@pytest.mark.parametrize("corner", ["better", "margin", "both"])
def test_decisions_are_wrong_at_most_alpha_of_the_time(correlation: float, corner: str) -> None:
    """Right or wrong beside a lognormal latency, with one rule or both at the limit: by the tests that `compare` takes."""
    rng, items, tries = np.random.default_rng(8), 60, 2000
    first, other, base = rng.standard_normal((3, tries, items))
    quality = first + (0.0 if corner != "margin" else 1.0)
    differences = (quality > 0.84).astype(float) - (quality < -0.84)
    latency = correlation * first + np.sqrt(1.0 - correlation**2) * other
    ratio = 0.8 if corner == "better" else 1.05
    slower = PairedMeans.of(np.exp(0.5 * base), ratio * np.exp(0.5 * latency)).beyond(1.05, above=False)
    wins, losses = (differences > 0).sum(axis=1), (differences < 0).sum(axis=1)
    few = np.minimum(wins, losses)
    mid = 2 * stats.binom.cdf(few, wins + losses, 0.5) - stats.binom.pmf(few, wins + losses, 0.5)
    claimed = np.mean((slower <= 0.05) & (wins > losses) & (mid <= 0.05))
    assert claimed <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / tries)


def test_one_better_measure_is_enough_where_that_is_asked(runs: Path) -> None:
    options: dict[str, Any] = {"better": ("cost", "accuracy"), "not_worse": ("latency_ms:20r%",)}
    every, some = asked(runs, **options).decision, asked(runs, any_better=True, **options).decision
    assert every is not None
    assert some is not None
    assert (every.shown, some.shown) == (False, True)
    better = [rule for rule in some.rules if rule.rule == "better"]
    adjusted = Holm().adjust_list(np.array([rule.pvalue for rule in better]))
    assert [rule.adjusted_pvalue for rule in better] == pytest.approx(adjusted.tolist())


def test_a_decision_is_refuted_where_a_measure_is_shown_worse(tmp_path: Path) -> None:
    path = written(tmp_path / "slow.csv", *rows("old", right=0.6), *rows("new", right=0.8, slower=1.5))
    answer = asked(path, better=("accuracy",), not_worse=("latency_ms:5r%",))
    assert answer.decision is not None
    assert [rule.verdict for rule in answer.decision.rules] == ["pass", "fail"]
    assert answer.decision.verdict == "fail"
    with pytest.raises(GateFailed, match="refuted"):
        answer.require(fail_on="worse")
    with pytest.raises(GateFailed):
        answer.require("better")
    turned = asked(path, better=("accuracy",), not_worse=("latency_ms:5r%",), direction=("latency_ms=higher",))
    assert turned.decision is not None
    assert turned.decision.shown


def test_without_rules_all_measures_are_one_family(runs: Path) -> None:
    answer = asked(runs, measures="accuracy,latency_ms,cost")
    assert answer.decision is None
    found = answer.measures or ()
    adjusted = Holm().adjust_list(np.array([one.pvalue for one in found]))
    assert [one.adjusted_pvalue for one in found] == pytest.approx(adjusted.tolist())
    for one in found:
        excludes = one.interval.low > 0.0 or one.interval.high < 0.0
        assert excludes == (one.verdict != "undetermined")
    x, y = (np.subtract(columns(runs, name)["new"], columns(runs, name)["old"]) for name in ("latency_ms", "cost"))
    related = {(one.measure, one.other): one.correlation for one in answer.measure_correlations or ()}
    assert related["latency_ms", "cost"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert "direction_by_name" in codes(answer.notes)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"better": ("accuracy",), "margin": 0.1}, "not_worse"),
        ({"not_worse": ("cost",)}, "margin above 0"),
        ({"not_worse": ("cost:-1",)}, "margin above 0"),
        ({"not_worse": ("latency_ms:2%",)}, "hundredths"),
        ({"not_worse": ("cost:1", "cost:2")}, "name one"),
        ({"measures": "accuracy"}, "one measure"),
        ({"better": ("acuracy",)}, "acuracy"),
        ({"better": ("accuracy",), "direction": ("speed=lower",)}, "speed"),
        ({"better": ("accuracy",), "direction": ("accuracy=up",)}, "lower or higher"),
        ({"measures": "accuracy,cost", "any_better": True}, "any_better"),
        ({"better": ("accuracy",), "lower_is_better": True}, "direction"),
        ({"better": ("accuracy",), "by": "cost"}, "one measure"),
    ],
)
def test_rules_that_say_nothing_are_refused(runs: Path, options: dict[str, Any], said: str) -> None:
    with pytest.raises(TellapartError, match=said):
        asked(runs, **options)


def test_a_share_of_a_mean_near_zero_is_refused() -> None:
    rng = np.random.default_rng(9)
    scores = {
        name: Scores.from_arrays({"a": rng.standard_normal(40), "b": rng.standard_normal(40)}, measure=name)
        for name in ("gain", "other")
    }
    with pytest.raises(TellapartError, match="may be 0 at this level"):
        compare(scores, not_worse=("gain:5r%",), measures="other")


def test_gates_need_rules(runs: Path) -> None:
    table = asked(runs, measures="accuracy,cost")
    with pytest.raises(UsageError, match="need rules"):
        table.require("better")
    with pytest.raises(UsageError, match="works for one measure"):
        asked(runs, better=("accuracy",)).require("equivalent")


# Commands.


@pytest.mark.parametrize(
    ("margin", "code"),
    [("20r%", 0), ("0.001r%", 1), ("0.5%", 2)],
)
def test_commands_exit_with_1_where_a_decision_is_not_shown(
    margin: str, code: int, runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = ["--better", "accuracy", "--not-worse", f"latency_ms:{margin}"]
    compared = ["compare", str(runs), "--a", "old", "--b", "new", *rules, "--require", "better", "--format", "json"]
    assert exit_code(compared) == code
    printed = capsys.readouterr().out
    if code < 2:
        assert json.loads(printed)["decision"]["shown"] is (code == 0)
    for name, right in (("old", 0.6), ("new", 0.8)):
        written(tmp_path / f"{name}.csv", *rows(name, right=right))
    sides = ["--baseline", str(tmp_path / "old.csv"), "--candidate", str(tmp_path / "new.csv")]
    assert exit_code(["gate", *sides, *rules, "--junit", str(tmp_path / "gate.xml")]) == code
    if code < 2:
        cases = (tmp_path / "gate.xml").read_text(encoding="utf-8")
        assert (cases.count("<testcase"), cases.count("<failure")) == (2, code)


def exit_code(arguments: list[str]) -> Any:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    return stop.value.code or 0


@pytest.fixture
def topics(tmp_path: Path) -> Path:
    """B is better by accuracy in all topics, and slower in the second of three by half."""
    lines = [*rows("old", 300, right=0.6), *rows("new", 300, right=0.8)]
    cells = [line.split(",") for line in lines]
    for cell in cells:
        topic = "xyz"[int(cell[0][1:]) % 3]
        cell[3] = f"{float(cell[3]) * (1.5 if topic == 'y' and cell[1] == 'new' else 1.0):.3f}"
        cell.append(topic)
    path = tmp_path / "topics.csv"
    path.write_text("\n".join([f"{HEAD},topic", *map(",".join, cells)]) + "\n", encoding="utf-8")
    return path


def test_slices_of_several_measures_are_one_family(topics: Path) -> None:
    """By Holm within each measure's share of alpha: p-values are multiplied by the measures, and intervals go with them."""
    rules: dict[str, Any] = {"better": ("accuracy",), "not_worse": ("latency_ms:20r%",)}
    answer = asked(topics, **rules, slices=("topic",))
    found = {(one.measure, one.slice): one for one in answer.slices or ()}
    assert len(found) == 6
    assert answer.slice_family is not None
    assert answer.slice_family.slices == 6
    for name in ("accuracy", "latency_ms"):
        alone = {
            one.slice: one
            for one in compare(read(topics, measure=name, slices=("topic",)), "old", "new", slices="topic").slices or ()
        }
        for one in alone.values():
            both = found[name, one.slice]
            assert both.adjusted_pvalue == pytest.approx(
                min(1.0, 2 * (one.adjusted_pvalue or 0.0)), rel=1e-12, abs=1e-300
            )
            assert (both.pvalue, both.effect) == (one.pvalue, one.effect)
    worse = {key for key, one in found.items() if one.verdict == "a better"}
    assert worse == {("latency_ms", "y")}
    old, new = (np.array(columns(topics, "latency_ms")[name])[np.arange(300) % 3 == 0] for name in ("old", "new"))
    kept = stats.ttest_1samp(new - 1.2 * old, 0.0, alternative="less").pvalue
    assert found["latency_ms", "x"].not_worse_pvalue == pytest.approx(kept)
    with pytest.raises(GateFailed, match="worse in latency_ms: topic y"):
        answer.require(fail_on="worse-in-slice")
    with pytest.raises(GateFailed, match=r"not shown not worse in latency_ms: topic y .*"):
        answer.require("not-worse-in-slices")
    kinder = asked(topics, better=("accuracy",), not_worse=("latency_ms:90r%",), slices=("topic",))
    kinder.require("better", "not-worse-in-slices")
    with pytest.raises(UsageError, match="needs a margin"):
        asked(topics, better=("accuracy",), slices=("topic",)).require("not-worse-in-slices")
    table = asked(topics, measures="accuracy,latency_ms", slices=("topic",), slice_correction="none")
    assert {one.adjusted_pvalue == one.pvalue for one in table.slices or ()} == {True}


def test_pages_show_the_slices_of_every_measure(topics: Path) -> None:
    answer = add_text(asked(topics, better=("accuracy", "latency_ms"), slices=("topic",)))
    captions = [grid.caption for grid in page_of(answer).grids]
    assert [caption.partition(",")[0] for caption in captions if "slices" in caption] == [
        "accuracy: slices of topic",
        "latency_ms: slices of topic",
    ]
    text = next(note.text for note in answer.notes if note.code == "measures_sliced")
    assert text.startswith(
        "of 6 slices by measure, all one family (Holm in each measure's share of alpha), new is better on"
    )
    assert text.endswith("worse on 1: y (latency_ms)")


def test_a_gate_on_rules_looks_into_slices(topics: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, *lines = topics.read_text(encoding="utf-8").splitlines()
    sides = []
    for flag, name in (("--baseline", "old"), ("--candidate", "new")):
        path = topics.parent / f"{name}.csv"
        path.write_text("\n".join([head, *(line for line in lines if f",{name}," in line)]) + "\n", encoding="utf-8")
        sides += [flag, str(path)]
    rules = ["--better", "accuracy", "--not-worse", "latency_ms:90r%", "--slice", "topic"]
    assert exit_code(["gate", *sides, *rules, "--require", "not-worse-in-slices"]) == 0
    assert exit_code(["gate", *sides, *rules, "--fail-on", "worse-in-slice"]) == 1
    assert "worse in latency_ms: topic y" in capsys.readouterr().err


def test_a_plan_fixes_the_rules(runs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Saved with the design, followed by compare and gate, and a rule that is not as planned is a deviation."""
    file = str(tmp_path / "plan.json")
    rules = ["--better", "accuracy", "--not-worse", "cost:20r%", "--direction", "cost=lower"]
    design = [
        "--accuracy",
        "0.6",
        "--discordance",
        "0.3",
        "--effect",
        "0.17",
        "--power",
        "0.8",
        "--measure",
        "accuracy",
    ]
    assert exit_code(["plan", "paired_binary", *design, *rules, "--save", file]) == 0
    said = json.loads(Path(file).read_text(encoding="utf-8"))
    assert said["rules"] == ["better=accuracy", "not-worse=cost:20r%", "direction=cost=lower"]
    capsys.readouterr()
    answer = compare(runs, "old", "new", plan=file)
    assert answer.decision is not None
    assert [(one.rule, one.measure) for one in answer.decision.rules] == [("better", "accuracy"), ("not-worse", "cost")]
    assert answer.plan is not None
    assert [one.what for one in answer.plan.deviations if one.matters] == []
    for name, right in (("old", 0.6), ("new", 0.8)):
        written(tmp_path / f"{name}.csv", *rows(name, right=right))
    sides = [tmp_path / "old.csv", tmp_path / "new.csv"]
    found = gate(*sides, plan=file)
    assert [check.rule for check in found.checks] == ["better:accuracy", "not-worse:cost:20r%"]
    assert found.plan == answer.plan
    asked = ["compare", str(runs), "--a", "old", "--b", "new", "--plan", file]
    assert exit_code([*asked, "--fail-on", "deviation", "--require", "better"]) == 0
    assert "| plan " not in capsys.readouterr().out
    assert exit_code([*asked, "--not-worse", "cost:50r%", "--fail-on", "deviation"]) == 1
    told = capsys.readouterr()
    assert "rules: planned better=accuracy, direction=cost=lower, not-worse=cost:20r%, found" in told.err
    assert exit_code([*asked, "--better", "accuracy", "--measures", "latency_ms"]) == 0
    broken = Path(file).read_text(encoding="utf-8").replace("cost:20r%", "cost:90r%")
    (tmp_path / "other.json").write_text(broken, encoding="utf-8")
    changed = gate(*sides, plan=str(tmp_path / "other.json")).plan
    assert changed is not None
    assert not changed.intact


@pytest.mark.parametrize("rules", [("better",), ("not-worse=cost",), ("not-worse=cost:-1",)])
def test_rules_that_no_decision_can_have_are_not_planned(rules: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "plan.json"
    with pytest.raises(UsageError, match=r"needs a margin|is not a rule"):
        plan("paired_binary(accuracy=0.6, discordance=0.3, effect=0.1)", items=100, save=file, rules=rules)
    assert not file.exists()


def test_rules_are_of_plan_files(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="only goes into a plan file"):
        plan("paired_binary(accuracy=0.6, discordance=0.3, effect=0.1)", items=100, rules=("better=cost",))
    plan("paired_binary(accuracy=0.6, discordance=0.3, effect=0.1)", items=100, save=tmp_path / "plan.json")
    scores = Scores.from_arrays({"a": [0, 1] * 10, "b": [1, 1] * 10})
    given = {"accuracy": scores, "cost": scores}
    with pytest.raises(UsageError, match="works for one measure"):
        compare(given, plan=str(tmp_path / "plan.json"), measures="accuracy,cost")


@pytest.mark.parametrize(
    "wrong",
    [
        ["--not-worse", "latency:20r%"],
        ["--better", "accuracy", "--margin", "0.1"],
        ["--better", "cost", "--lower-is-better"],
        ["--measures", "acuracy,cost"],
    ],
)
def test_commands_below_refusals_of_rules_can_be_typed(
    wrong: list[str], runs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["compare", str(runs), "--a", "old", "--b", "new"]
    assert exit_code([*asked, *wrong]) in {2, 3}
    told = [line.strip() for line in capsys.readouterr().err.partition("Try:")[2].splitlines() if line.strip()]
    assert told
    assert [exit_code(shlex.split(line)[1:]) for line in told] == [0] * len(told)


def test_outputs_of_a_decision_hold_no_number_of_one_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for name, right in (("old", 0.6), ("new", 0.8)):
        written(tmp_path / f"{name}.csv", *rows(name, right=right))
    sides = ["--baseline", str(tmp_path / "old.csv"), "--candidate", str(tmp_path / "new.csv")]
    assert exit_code(["gate", *sides, "--better", "accuracy", "--not-worse", "cost:1r%", "--github"]) == 0
    told = (tmp_path / "GITHUB_OUTPUT").read_text(encoding="utf-8").splitlines()
    assert told[:2] == ["verdict=pass", "items=200"]
    assert told[2].startswith("headline<<")
    summary = (tmp_path / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")
    assert "| not worse on cost (by 1 % of the baseline's mean) |" in summary
    capsys.readouterr()


@pytest.mark.parametrize("format_", ["text", "markdown", "latex", "html"])
def test_every_format_holds_the_measures(format_: str, runs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main_arguments = [
        "compare",
        str(runs),
        "--a",
        "old",
        "--b",
        "new",
        "--measures",
        "accuracy,cost",
        "--format",
        format_,
    ]
    assert exit_code(main_arguments) == 0
    assert "accuracy" in capsys.readouterr().out


def test_a_gate_in_python_has_a_check_for_every_rule(tmp_path: Path) -> None:
    paths = [
        written(tmp_path / f"{name}.csv", *rows(name, right=right)) for name, right in (("old", 0.6), ("new", 0.8))
    ]
    found = gate(*paths, better=("accuracy",), not_worse=("cost:0.002",))
    assert [(check.rule, check.verdict) for check in found.checks] == [
        ("better:accuracy", "pass"),
        ("not-worse:cost:0.002", "pass"),
    ]
    found.require()
    with pytest.raises(UsageError, match="needs rules"):
        gate(*paths, measures="accuracy,cost")
    stricter = gate(*paths, better=("accuracy",), not_worse=("latency_ms:0.001r%",))
    with pytest.raises(GateFailed, match="not-worse:latency_ms"):
        stricter.require()


# Which slice looks worst.


@pytest.mark.parametrize("tau", [0.02, 0.1])
def test_the_shrunken_order_finds_the_worst_slice_at_least_as_often(tau: float) -> None:
    """Twelve slices of 10 to 120 items: the slice listed first has the lower true effect, on average, and the errors are smaller."""
    rng, picked, errors = np.random.default_rng(10), np.zeros(2), np.zeros(2)
    for _ in range(600):
        sizes = rng.integers(10, 121, 12)
        truth = rng.normal(0.03, tau, 12)
        raw = truth + rng.normal(0.0, 0.45 / np.sqrt(sizes))
        spread = 0.45**2 * rng.chisquare(sizes - 1) / (sizes - 1)
        variances = ((sizes - 1) * spread + 5 * 0.45**2) / (sizes + 4) / sizes
        shrunk = shrunken_effects(raw, variances).effects
        # Where all are shrunk to their mean, the raw effects order them.
        picked += truth[[raw.argmin(), np.lexsort((raw, shrunk))[0]]]
        errors += [np.mean((order - truth) ** 2) for order in (raw, shrunk)]
    assert picked[1] <= picked[0]
    assert errors[1] < errors[0]
