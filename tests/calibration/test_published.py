"""`tellapart calibrate`, run small: it measures what it says, finds out what is liberal, and its published record is current."""

import json
from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.calibration.board_lines import calibrated_skewed_boards

from tellapart.answers.calibration import Calibration
from tellapart.choosing.pairs import ScoreProfile, choose
from tellapart.cli import main
from tellapart.data.paired_sample import PairedSample
from tellapart.foundation.decision import rejects
from tellapart.foundation.seeds import stream
from tellapart.methods.intervals import INTERVALS, Interval
from tellapart.studies.calibration import calibrate, pieces
from tellapart.studies.calibration.arenas import ARENAS
from tellapart.studies.calibration.binary import cases, coverage, enumerated
from tellapart.studies.calibration.by_name import cases_by_name, simulated_by_name
from tellapart.studies.calibration.changes import OFTEN as OFTEN_CHANGED
from tellapart.studies.calibration.changes import unchanged_groups
from tellapart.studies.calibration.laws import LAWS, NORMAL, RARE, WITHOUT_THE_BOUND, scenarios
from tellapart.studies.calibration.measure import ALPHA, LEVEL, certain, excludes, judge_of, measured, promise, rate
from tellapart.studies.calibration.metric_scenarios import metric_scenarios
from tellapart.studies.calibration.raters import by_raters, raters_by_name
from tellapart.studies.calibration.run import DEFAULTS
from tellapart.studies.calibration.scenario import Scenario

DOCS = Path(__file__).parents[2] / "docs"


@lru_cache(maxsize=1)
def small() -> Calibration:
    return calibrate(0.005, seed=3)


def test_nothing_fails_unexplained() -> None:
    """On a hundred evaluations per scenario, no default and no leaderboard is beyond its band without a known reason."""
    assert small().failures == ()
    assert {row.group for row in small().rows} == {*DEFAULTS, "not chosen", "by name"}


def test_changes_keep_the_level_or_say_why() -> None:
    """On a hundred evaluations per row; failures that eight items do not show are the one known reason."""
    rows = [row for row in small().rows if row.group == "changes"]
    assert len(rows) == len(list(unchanged_groups()))
    assert [row.scenario for row in rows if row.verdict == "fails"] == ["8 % failures in the last alone, 8 + 8 + 8"]
    assert all(row.why for row in rows if row.verdict == "fails")
    assert all(row.power is not None and row.power.share > 0.2 for row in rows)


def test_enumerated_shares_have_no_last_bits() -> None:
    """What a sum of chances ends in is another's on another processor, and stands in no record."""
    assert certain(0.1 + 0.2) == certain(0.3)
    assert certain(0.1 + 0.2 + 1e-11) != certain(0.3)


def test_known_failures_are_shown() -> None:
    """What is not chosen is seen to fail, with its reason."""
    rejected = [row for row in small().rows if row.group == "not chosen"]
    assert len(rejected) == 11 + 2 * len(WITHOUT_THE_BOUND)
    failing = {row.scenario: row for row in rejected if row.verdict == "fails"}
    assert {"0.05 of items differ", "8 clusters of 10, ignored", "3 seeds, averaged", "skewed (exponential)"} <= set(
        failing
    )
    assert all(row.why for row in failing.values())


def test_every_default_is_there() -> None:
    """Each test that the chooser can choose appears in the grid, with the interval that is its inverse, and each rule has rows."""
    defaults = [row for row in small().rows if row.group in DEFAULTS]
    assert {test for row in defaults for test in (row.test, *(row.choices or ()))} - {"permutation"} == {
        "paired_t",
        "both(first=paired_t, second=bootstrap(kind=studentised))",
        "mcnemar(variant=mid_p)",
        "cluster_t(variance=cr2)",
        "both(first=cluster_t(variance=cr2), second=bootstrap(kind=studentised))",
        "both(first=cluster_t(variance=cr2), second=cluster_sign_flip)",
        "mixed_model(df=cochran)",
        "mixed_model(df=kenward_roger)",
        "rater_t",
        "max_t",
        "seeds_t(df=satterthwaite)",
        "seeds_t(df=cochran)",
    }
    beside = {row.test: row.interval for row in defaults if row.test}
    assert beside == {
        **{test: test.replace("first=paired_t", "first=student_t") for test in beside},
        "paired_t": "student_t",
        "mcnemar(variant=mid_p)": "tango",
    }
    assert {row.group: row.rule for row in small().rows} == {
        "right or wrong": 1,
        "numbers": 2,
        "metrics": 3,
        "clusters": 4,
        "raters": 5,
        "runs and seeds": None,
        "changes": None,
        "not chosen": None,
        "by name": None,
    }


CHOSEN_ANEW = [s for s in (*scenarios(), *metric_scenarios()) if s.test is None and s.items <= 100]


@pytest.mark.parametrize("scenario", CHOSEN_ANEW, ids=lambda scenario: scenario.name)
def test_a_row_says_what_is_chosen_and_how_often(scenario: Scenario) -> None:
    """The tests that `compare` chooses for the very samples that were measured, counted one by one."""
    drawn = scenario.pairs(60, 0.0, stream(4, scenario.number, 0, 1))
    pairs = (replace(drawn, a=a, b=b) for a, b in zip(drawn.a, drawn.b, strict=True))
    counted = Counter(str(choose(ScoreProfile.of(PairedSample(pair, scenario.metric))).test) for pair in pairs)
    row = measured(scenario, 60, 4)
    assert row.test == max(counted, key=lambda test: counted[test])
    assert (row.choices or {row.test: 1.0}) == {test: count / 60 for test, count in counted.items()}


@pytest.mark.parametrize("scenario", CHOSEN_ANEW, ids=lambda scenario: scenario.name)
def test_each_sample_is_judged_by_its_own_choice(scenario: Scenario) -> None:
    """p-values of a batch are those of its samples where nothing is drawn, and say what the bounds say."""
    pair, place = scenario.pairs(40, scenario.effect / 2, stream(5, scenario.number, 0, 1)), (5, 1, 0)
    batch = judge_of(scenario, 5).batch(pair)
    pvalues, bounds = batch.pvalues(place), batch.bounds(place)
    varying = bounds[0] != bounds[1]
    assert (rejects(pvalues, ALPHA) == excludes(bounds))[varying].all()
    for number in range(40):
        sample = PairedSample(replace(pair, a=pair.a[number], b=pair.b[number]), scenario.metric)
        choice = choose(ScoreProfile.of(sample))
        if not choice.test.resampling:
            alone = choice.test.apply(sample.sample(choice.test), stream(0)).pvalue
            assert pvalues[number] == pytest.approx(float(alone), rel=1e-9, abs=0.0)
            interval = Interval.parse(choice.interval)
            low, high = interval.interval(sample.sample(interval), LEVEL, stream(0))
            assert (bounds[0][number], bounds[1][number]) == pytest.approx((float(low), float(high)))


def test_powers_are_those_of_both_directions() -> None:
    """A gain towards the longer tail is found far more often than one away from it; symmetric laws have one power."""
    scenario = next(s for s in scenarios() if s.name == "skewed (exponential), 20 items")
    row, turned = (measured(one, 2000, 1) for one in (scenario, replace(scenario, tail=-1)))
    assert row.power is not None
    assert row.power_against is not None
    assert row.power.low > 0.8
    assert row.power_against.high < 0.65
    assert turned.power is not None
    assert turned.power.share == pytest.approx(row.power_against.share, abs=0.06)
    assert measured(next(s for s in scenarios() if s.tail == 0), 100, 1).power_against is None


@pytest.mark.parametrize("scenario", [s for s in scenarios() if not s.sizes], ids=lambda s: s.name)
def test_the_longer_tail_is_on_its_side(scenario: Scenario) -> None:
    values = scenario.draw((400_000 // scenario.items, scenario.items), 0.0, stream(8)).ravel()
    found = float(stats.skew(values))
    assert np.sign(found) == scenario.tail if scenario.tail else abs(found) < 0.1 or "heavy" in scenario.kind


def test_rows_without_the_bound_stand_beside_the_rule() -> None:
    """Student's t alone and the agreement of both have a row where the rule has one."""
    assert all(items in law.sizes for law, items in WITHOUT_THE_BOUND)


def test_few_failures_are_a_known_reason() -> None:
    """Where fewer than three are expected, and only there."""
    for law in LAWS:
        for items in law.sizes:
            assert (law.scenario(items).known == RARE) == (items * law.failing < 3.0)
    assert any(law.failing < 1.0 for law in LAWS)


@pytest.mark.parametrize("scenario", [*metric_scenarios()], ids=lambda scenario: scenario.name)
def test_metrics_have_their_effect(scenario: Scenario) -> None:
    """Of very many items the metrics differ by the effect, and by nothing where systems are equal."""
    for effect in (0.0, scenario.effect):
        pair = replace(scenario, items=400_000).pairs(1, effect, stream(3))
        a, b = (scenario.metric.value(x[0, :, 0].mean(axis=0), 400_000) for x in (pair.a, pair.b))
        tolerance = 0.1 if "bleu" in scenario.kind else 0.005
        assert float(b - a) == pytest.approx(effect, abs=tolerance)


def test_enumerated_rows() -> None:
    """Right-or-wrong scores have no band and the sizes that brute force over all tables gives."""
    sizes = {(row.items, row.scenario.partition(" ")[0]): row.size for row in map(enumerated, cases())}
    assert all(size is not None and size.replicates is None and size.low == size.high for size in sizes.values())
    shares = {case: size.share for case, size in sizes.items() if size is not None}
    assert shares[50, "1"] == pytest.approx(0.065, abs=6e-4)
    assert shares[100, "0.1"] == pytest.approx(0.041, abs=6e-4)
    verdicts = {(r.items, r.test): r.verdict for r in map(enumerated, cases()) if r.scenario[:4] == "0.05"}
    assert (verdicts[100, "mcnemar(variant=mid_p)"], verdicts[100, "mcnemar(variant=exact)"]) == (
        "holds",
        "fails",
    )


@pytest.mark.parametrize(
    ("items", "discordance", "effect", "wald", "tango"),
    [(30, 0.1, 0.05, 0.890, 0.984), (100, 0.05, 0.03, 0.902, 0.939), (30, 0.05, 0.05, 0.782, 0.997)],
)
def test_coverage_over_tables(items: int, discordance: float, effect: float, wald: float, tango: float) -> None:
    """The enumerated coverage is the one that an independent program found."""
    for name, published in (("wald", wald), ("tango", tango)):
        assert coverage(items, discordance, effect, INTERVALS.parse(name)) == pytest.approx(published, abs=6e-4)


@pytest.mark.parametrize(
    "scenario", [*scenarios(), *simulated_by_name()], ids=lambda s: f"{s.group}: {s.name}, {s.test}"
)
def test_draws_have_the_effect(scenario: Scenario) -> None:
    """Without effect the mean is 0 and the spread 1, with it the mean is the effect."""
    size = 400_000 // scenario.items
    for effect in (0.0, scenario.effect):
        values = scenario.draw((size, scenario.items), effect, stream(5))
        error = 5.0 * np.sqrt(scenario.design_effect * values.var() / values.size)
        assert values.mean() == pytest.approx(effect, abs=error)
    null = scenario.draw((size, scenario.items), 0.0, stream(6))
    assert null.std() == pytest.approx(1.0, abs=0.15 if "heavy" in scenario.kind else 0.03)


@pytest.mark.parametrize(("count", "replicates"), [(0, 100), (7, 100), (100, 100), (812, 9000)])
def test_bands_are_exact_binomial(count: int, replicates: int) -> None:
    """The 99.9 % band is Clopper–Pearson's."""
    found = rate(count, replicates)
    known = stats.binomtest(count, replicates).proportion_ci(0.999, method="exact")
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=1e-9)


def test_promises() -> None:
    """What holds is shown to, what fails too: a wide band shows neither. Of fewer than 20 units more is let pass."""
    good = rate(9_500, 10_000)
    assert promise(rate(500, 10_000), good, 20) == "holds"
    assert promise(rate(50, 1_000), good, 20) == "not shown"
    assert promise(rate(50, 1_000), good, 19) == "holds"
    assert promise(rate(900, 10_000), good, 20) == "fails"
    assert promise(rate(900, 10_000), good, 19) == "holds"
    assert promise(rate(1_500, 10_000), good, 19) == "fails"
    assert promise(rate(500, 10_000), rate(8_500, 10_000), 20) == "fails"
    assert promise(None, rate(930, 1_000), 20) == "not shown"


def test_same_seed_same_answer() -> None:
    """A scenario's numbers depend on seed and replicates, not on which other scenarios there are."""
    scenario = next(s for s in scenarios() if s.name == "normal differences, 60 items")
    first = measured(scenario, 500, seed=3)
    assert first == measured(scenario, 500, seed=3)
    assert first.size != measured(scenario, 500, seed=4).size
    assert LAWS[0] is NORMAL


def test_a_liberal_default_is_found_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Negative control: a default that ignores clusters is named, and the exit code is 1."""
    ignored = next(s for s in scenarios() if s.kind == "8 clusters of 10, ignored")
    liberal = replace(ignored, group="clusters", kind="ignored", replicates=4000, known="")
    some = (liberal, *by_raters(), *raters_by_name())
    monkeypatch.setattr(pieces, "every_scenario", lambda: some)
    scenario_kind = pieces._KINDS["scenario"]._replace(cases=lambda: some)
    monkeypatch.setitem(pieces._KINDS, "scenario", scenario_kind)
    monkeypatch.setattr(pieces, "unchanged_groups", list)  # they take longest, and have no part in this
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", "--scale", "0.04", "--folder", str(tmp_path / "new"), "--format", "json"])
    said = json.loads(capsys.readouterr().out)
    assert stop.value.code == 1
    assert said["failures"] == ["clusters: ignored, 80 items (paired_t, student_t)"]
    assert json.loads((tmp_path / "new" / "calibration.json").read_text(encoding="utf-8")) == said
    assert "| ignored | 80 |" in (tmp_path / "new" / "calibration.md").read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_made_is_told_first(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Nothing is simulated for a folder that cannot be written to."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(pieces, "every_scenario", lambda: pytest.fail("simulated all the same"))
    with pytest.raises(SystemExit) as stop:
        main(["calibrate", "--folder", str(tmp_path / "file" / "docs")])
    out, err = capsys.readouterr()
    assert (stop.value.code, out) == (2, "")
    assert "cannot be written" in err


def test_the_published_record_is_current() -> None:
    """docs/calibration.json has every scenario with the methods of today, at scale 1; all is explained."""
    said = json.loads((DOCS / "calibration.json").read_text(encoding="utf-8"))
    assert (said["schema"], said["scale"], said["failures"]) == ("tellapart/calibration/3", 1.0, [])
    kept = {(r["group"], r["scenario"], r["items"], r["test"], r["interval"]): r for r in said["rows"]}
    assert len(kept) == len(said["rows"])
    for row in chain(map(enumerated, cases()), (made() for made in cases_by_name())):
        record = kept.pop((row.group, row.scenario, row.items, row.test, row.interval))
        assert record["coverage"]["share"] == pytest.approx(row.coverage.share, rel=1e-9, abs=0.0)
        assert (row.size is None) == (record["size"] is None)
        if row.size is not None:
            assert record["size"]["share"] == pytest.approx(row.size.share, rel=1e-9, abs=0.0)
        assert record["verdict"] == row.verdict, "run: make calibrate"
    for scenario in pieces.every_scenario():
        possible = {methods.spelled for methods in judge_of(scenario, said["seed"]).possible}
        place = scenario.group, scenario.kind, scenario.items
        (key,) = (key for key in kept if key[:3] == place and key[3:] in possible)
        record = kept.pop(key)
        assert record["size"]["replicates"] == scenario.replicates
        assert set(record.get("choices") or ()) <= {test for test, _ in possible}, "run: make calibrate"
    for groups in unchanged_groups():
        record = kept.pop(("changes", groups.name, sum(groups.sizes), "max_t", "max_t"))
        assert record["size"]["replicates"] == OFTEN_CHANGED
    # What is left are methods that no list names, which have a row all the same.
    assert {group for group, *_ in kept} <= {"by name"}, "run: make calibrate"
    boards = {(board["truth"], board["items"]): board for board in said["leaderboards"]}
    assert {(line.truth, line.items) for line in calibrated_skewed_boards(0.001)} <= set(boards)
    votes = {(arena.truth, arena.systems, arena.votes): arena for arena in ARENAS}
    known = {(b["truth"], b["systems"], b["items"]): b for b in said["leaderboards"] if b["truth"].startswith("votes")}
    assert set(known) == set(votes), "run: make calibrate"
    for line, arena in votes.items():
        assert known[line]["false_claims"]["replicates"] == 1000
        assert (known[line]["verdict"] == "fails") == bool(arena.known), (
            "what rank does holds, and without it boards fail"
        )
    page = (DOCS / "calibration.md").read_text(encoding="utf-8")
    assert said["sentence"].replace("_", "\\_") in page
