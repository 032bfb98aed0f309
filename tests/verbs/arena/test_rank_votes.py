"""`rank` of votes beside reference boards (R and NumPy), and what must not change an answer."""

import csv
import json
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.numerics.frontier import FOLDER, quantities, rows

import tellapart
from tellapart.answers.arena import Arena
from tellapart.answers.page import page_of
from tellapart.cli import main
from tellapart.foundation.errors import DataError, GateFailed, TooFew, UnknownSystem, UsageError

BOARDS = sorted({(row["case"], row["clusters"]) for row in rows("arena_board")})
EXAMPLES = Path(__file__).parents[3] / "examples"
LAWS = {"joint normal": "joint normal", "joint t": "joint t", "Holm of own t": "holm of own t"}


def ranked(case: str | Path, by: str | None = None, **options: Any) -> Arena:
    path = case if isinstance(case, Path) else FOLDER / "data" / f"{case}.csv"
    cluster = {} if by is None else {"cluster": by.replace("rater+item", "both")}
    answer: Any = tellapart.rank(tellapart.read(path, columns=cluster), **options)
    assert isinstance(answer, Arena)
    return answer


@pytest.mark.parametrize(("case", "by"), BOARDS)
def test_reference_boards(case: str, by: str) -> None:
    """Ratings, standard errors, adjusted p-values, ranks and tiers; fitted without an order effect."""
    answer = ranked(case, by, order="ignore")
    expected = quantities("arena_board", case, clusters=by)
    for system in answer.systems:
        found = {
            "rating_elo_mean1000": system.mean,
            "win_rate_against_others": system.wins,
            "rank": system.rank,
            "rank_low": system.rank_low,
            "rank_high": system.rank_high,
            "tier": system.tier,
        }
        assert found == pytest.approx({k: expected[f"{k}.{system.name}"] for k in found}, abs=1e-6)
    scale = 400.0 / math.log(10.0)
    for pair in answer.pairs:
        name = f"{pair.a}-{pair.b}"
        assert pair.se / scale == pytest.approx(expected[f"se_difference.{name}"], abs=1e-8)
        assert pair.adjusted_pvalue == pytest.approx(expected[f"adjusted_pvalue.{name}"], abs=0.003)
        assert pair.significant == (not pair.low <= 0.0 <= pair.high)
    (law,) = [r["value"] for r in rows("arena_board") if (r["case"], r["clusters"], r["quantity"]) == (case, by, "law")]
    assert answer.clusters.law == LAWS[law]


@pytest.mark.parametrize(
    ("case", "order", "x2", "df"), [("ties6", "ignore", 4.683, 10), ("cycle4", "ignore", 47.12, 3)]
)
def test_fit(case: str, order: str, x2: float, df: int) -> None:
    """Whether one line of strengths fits all pairs."""
    fit = ranked(case, "none", order=order).fit
    assert fit.x2 == pytest.approx(x2, abs=0.005)
    assert fit.df == df
    expected = quantities("arena_fit", case)
    found = {"pearson_x2": fit.x2, "dispersion": fit.dispersion, "fit_pvalue": fit.pvalue}
    assert found == pytest.approx({name: expected[f"half.{name}"] for name in found}, abs=1e-7)


def test_order_effect() -> None:
    model = ranked("order4", "none").model
    assert model.order == pytest.approx(0.3638, abs=1e-4)
    assert model.order_se == pytest.approx(0.0880, abs=2e-4)


def test_separated_systems_are_fitted_with_a_penalty() -> None:
    answer = ranked("separated4")
    assert answer.model.penalty == "firth"
    assert {s.name: s.strength for s in answer.systems} == pytest.approx(
        {"s1": 3.1202, "s2": -0.7487, "s3": -1.0393, "s4": -1.3322}, abs=1e-4
    )
    assert "separated" in [note.code for note in answer.notes]


def test_systems_that_never_met_are_refused_with_the_way_out() -> None:
    with pytest.raises(DataError, match=r"s1, s2 \| s3, s4, s5"):
        ranked("disconnected5")
    assert len(ranked("disconnected5", systems="s3,s4,s5").systems) == 3


def test_davidson_and_dropped_ties() -> None:
    half, davidson, drop = (ranked("ties6", "none", order="ignore", ties=rule) for rule in ("half", "davidson", "drop"))
    gaps = [a.systems[0].strength - a.systems[-1].strength for a in (half, davidson, drop)]
    assert gaps[:2] == pytest.approx([0.608, 0.818], abs=5e-4)
    assert davidson.model.nu == pytest.approx(0.6844, abs=1e-4)
    assert (drop.votes, half.votes) == (675, 900)


def test_two_systems_have_the_numbers_of_compare(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    votes = ["new"] * 40 + ["old"] * 22 + ["tie"] * 9
    path.write_text("a,b,winner\n" + "".join(f"old,new,{w}\n" for w in votes), encoding="utf-8")
    board, pair = ranked(path), tellapart.compare(path, a="new", b="old")
    (only,) = board.pairs
    assert only.pvalue == only.adjusted_pvalue == pair.pvalue
    assert only.verdict == pair.verdict
    assert only.effect == pytest.approx(400.0 / math.log(10.0) * math.log((22 + 4.5) / (40 + 4.5)))


def numbers(answer: Arena) -> Any:
    return [
        (s.name, round(s.strength, 9), s.rank_low, s.rank_high) for s in sorted(answer.systems, key=lambda s: s.name)
    ]


@pytest.mark.parametrize("by", ["none", "both"])
def test_rows_in_another_order_and_swapped_sides_change_nothing(tmp_path: Path, by: str) -> None:
    with (FOLDER / "data" / "twoway6.csv").open(encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    swapped = [row | {"a": row["b"], "b": row["a"]} if number % 3 else row for number, row in enumerate(table[::-1])]
    path = tmp_path / "swapped.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(swapped)
    assert numbers(ranked(path, by)) == numbers(ranked("twoway6", by))


def test_an_anchor_moves_no_pair() -> None:
    plain, anchored = ranked("ties6"), ranked("ties6", anchor="s4=1200")
    assert next(s.mean for s in anchored.systems if s.name == "s4") == 1200.0
    assert [replace(pair) for pair in plain.pairs] == [replace(pair) for pair in anchored.pairs]


def test_another_vote_for_a_system_never_lowers_it(tmp_path: Path) -> None:
    with (FOLDER / "data" / "order4.csv").open(encoding="utf-8") as file:
        text = file.read()
    path = tmp_path / "more.csv"
    path.write_text(text.rstrip("\n") + "\ns4,s1,s4,s4,r001,q001,0\n", encoding="utf-8")
    before, after = (
        next(s.strength for s in answer.systems if s.name == "s4")
        for answer in (ranked("order4", "none", order="ignore"), ranked(path, "none", order="ignore"))
    )
    assert after > before


def test_gates(tmp_path: Path) -> None:
    answer = ranked("order4", "none", baseline="s4", margin=30)
    with pytest.raises(GateFailed):
        answer.require("better")
    assert {pair.b: pair.verdict for pair in answer.pairs}["s1"] == "b better"
    answer.require(fail_on=("worse",))


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"anchor": "nobody=1000"}, UnknownSystem),
        ({"anchor": "s1"}, UsageError),
        ({"correction": "hommel"}, UsageError),
        ({"systems": "s1,nobody"}, UnknownSystem),
        ({"datasets": True}, UsageError),
        ({"runs_as": "pass@2"}, UsageError),
        ({"seeds_as": "fixed"}, UsageError),
    ],
)
def test_refusals(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        ranked("ties6", **options)


def test_clusters_by_a_column_that_is_not_there_or_says_nothing() -> None:
    with pytest.raises(UsageError, match="rater"):
        ranked("separated4", "rater")
    with pytest.raises(TooFew, match="on one item"):
        ranked("ties6", "item")


def test_corrections_of_single_pairs() -> None:
    """Bonferroni multiplies by the number of pairs, and its intervals decide as its p-values do."""
    pairs = ranked("ties6", "none", correction="bonferroni").pairs
    assert [p.adjusted_pvalue for p in pairs] == pytest.approx([min(1.0, 15 * p.pvalue) for p in pairs])
    assert all(pair.significant == (not pair.low <= 0.0 <= pair.high) for pair in pairs)


@pytest.mark.parametrize("case", ["ties6", "order4", "raters8"])
def test_step_down_beside_multcomp(case: str) -> None:
    expected = quantities("arena_multcomp", case)
    pairs = {f"{pair.a}-{pair.b}": pair for pair in ranked(case, "none", order="ignore").pairs}
    known = {name.partition(".")[2]: value for name, value in expected.items() if name.startswith("adjusted_pvalue.")}
    assert known
    assert {name: pairs[name].adjusted_pvalue for name in known} == pytest.approx(known, abs=0.003)


def test_pages_have_tiers_where_contiguous_and_letters_where_asked() -> None:
    plain, lettered = ranked("ties6"), ranked("ties6", letters=True)
    tables = [[column.title for column in page_of(answer).grids[0].columns] for answer in (plain, lettered)]
    assert [("tier" in names, "letters" in names) for names in tables] == [(True, False), (True, True)]


def test_at_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(FOLDER / "data" / "raters8.csv")
    with pytest.raises(SystemExit) as done:
        main(["rank", path, "--cluster", "rater", "--rating-scale", "logit", "--format", "json"])
    answer = json.loads(capsys.readouterr().out)
    assert (done.value.code or 0, answer["schema"]) == (0, "tellapart/arena/1")
    assert answer["clusters"]["by"] == "rater"
    assert answer["clusters"]["least_effective"] < 40
    assert answer["systems"][0]["mean"] == pytest.approx(answer["systems"][0]["strength"])


def test_a_rater_without_whom_systems_never_meet(tmp_path: Path) -> None:
    """The jackknife cannot leave that rater out; its pairs rest on one cluster, and nothing is claimed of them."""
    rows = [f"a,b,{'a' if n % 3 else 'b'},r{n % 5}" for n in range(40)]
    rows += [f"c,b,{'c' if n % 2 else 'b'},r0" for n in range(9)]
    path = tmp_path / "lonely.csv"
    path.write_text("a,b,winner,rater\n" + "\n".join(rows) + "\n", encoding="utf-8")
    answer = ranked(path)
    pairs = {frozenset((p.a, p.b)): p for p in answer.pairs}
    assert pairs[frozenset("bc")].effective_clusters == pytest.approx(1.0)
    assert not pairs[frozenset("bc")].significant
    assert (pairs[frozenset("bc")].se, pairs[frozenset("bc")].pvalue) == (math.inf, 1.0)
    assert math.isfinite(pairs[frozenset("ab")].se)
    assert "one_cluster_alone" in [note.code for note in answer.notes]


def test_strengths_adjusted_for_a_control(tmp_path: Path) -> None:
    """In standard deviations, whichever side of a vote a system is on; a note says whose claim it is."""
    path = FOLDER / "data" / "length5.csv"
    answer: Any = tellapart.rank(
        tellapart.read(path, columns={"control": "length_difference", "cluster": "none"}), order="ignore"
    )
    table = rows("data/length5")
    size = math.sqrt(sum(float(row["length_difference"]) ** 2 for row in table) / len(table))
    expected = quantities("arena_fit", "length5")
    assert answer.model.control == pytest.approx(size * expected["half_length.coefficient"])
    assert answer.systems[0].strength == pytest.approx(expected["half_length.sandwich.strength.s1"])
    assert "control_adjusted" in [note.code for note in answer.notes]
    swapped = [r | {"a": r["b"], "b": r["a"], "length_difference": str(-float(r["length_difference"]))} for r in table]
    other = tmp_path / "swapped.csv"
    with other.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table[0])
        writer.writeheader()
        writer.writerows(swapped[::-1])
    again: Any = tellapart.rank(
        tellapart.read(other, columns={"control": "length_difference", "cluster": "none"}), order="ignore"
    )
    assert numbers(again) == numbers(answer)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["length5.csv", "--control", "length_difference"], 0, ""),
        (["length5.csv", "--control", "winner"], 3, "says who won"),
        (["length5.csv", "--control", "rater"], 3, "wanted a number"),
        (["length5.csv", "--control", "length"], 3, "length_difference"),
        ([str(EXAMPLES / "answers.csv"), "--control", "large"], 2, "about votes"),
    ],
)
def test_controls_at_the_command_line(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as done:
        main(["rank", str(FOLDER / "data" / words[0]), *words[1:]])
    assert (done.value.code or 0) == code
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(("winners", "said"), [(("tie", "tie", "tie"), "all votes"), (("x", "y", "z"), "no vote")])
def test_davidson_without_ties_or_without_wins(tmp_path: Path, winners: tuple[str, ...], said: str) -> None:
    path = tmp_path / "votes.csv"
    sides = (("x", "y"), ("y", "z"), ("z", "x"))
    rows_ = [f"{a},{b},{w}" for (a, b), w in zip(sides, winners, strict=True) for _ in range(5)]
    path.write_text("a,b,winner\n" + "\n".join(rows_) + "\n", encoding="utf-8")
    answer = ranked(path, ties="davidson")
    assert (answer.model.ties, answer.model.nu) == ("half", None)
    assert said in next(note.text for note in answer.notes if note.code == "davidson_falls_back")
    assert [p.significant for p in answer.pairs] == [False] * 3


def few_votes(tmp_path: Path, head: str, lines: list[str]) -> Path:
    path = tmp_path / "few.csv"
    path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    return path


def test_an_order_that_systems_already_tell(tmp_path: Path) -> None:
    """Where one system is always shown first its advantage cannot be told from its strength, whichever column it stands in."""
    lines = [f"x,y,{'xy'[n % 2]},x" for n in range(8)] + [f"y,x,{'xy'[n % 2]},x" for n in range(8)]
    lines += [f"z,x,{'zx'[n % 2]},x" for n in range(8)]
    answer = ranked(few_votes(tmp_path, "a,b,winner,first", lines))
    assert answer.model.order is None
    assert "order_not_adjusted" in [note.code for note in answer.notes]


def test_an_order_that_separates_the_votes(tmp_path: Path) -> None:
    """The first one always won: no finite fit with the order effect, so Firth's penalty, and no pair is called different."""
    lines = [f"{a},{b},{a},{a}" for a, b in ("xy", "yx", "yz", "zy", "zx", "xz") for _ in range(5)]
    answer = ranked(few_votes(tmp_path, "a,b,winner,first", lines))
    assert answer.model.penalty == "firth"
    assert "covariates_separate" in [note.code for note in answer.notes]
    assert not any(pair.significant for pair in answer.pairs)


def test_pairs_without_an_error_are_not_judged(tmp_path: Path) -> None:
    answer = ranked(few_votes(tmp_path, "a,b,winner", ["x,y,tie", "y,z,tie", "z,x,tie"]))
    assert [(pair.se, pair.pvalue, pair.significant) for pair in answer.pairs] == [(math.inf, 1.0, False)] * 3
    assert all(math.isinf(system.high) for system in answer.systems)


@pytest.mark.parametrize(("case", "by"), [("ties6", "none"), ("twoway6", "both")])
def test_other_names_change_nothing(tmp_path: Path, case: str, by: str) -> None:
    """Names that sort the other way round: the same p-values, intervals and ranks."""
    text = (FOLDER / "data" / f"{case}.csv").read_text(encoding="utf-8")
    path = tmp_path / "renamed.csv"
    path.write_text(re.sub(r"\bs(\d)\b", lambda found: f"z{9 - int(found[1])}", text), encoding="utf-8")
    renamed = {pair.a + pair.b: pair for pair in ranked(path, by).pairs}
    for pair in ranked(case, by).pairs:
        other = renamed[f"z{9 - int(pair.b[1])}z{9 - int(pair.a[1])}"]
        found = other.adjusted_pvalue, other.low, other.high
        assert found == pytest.approx((pair.adjusted_pvalue, -pair.high, -pair.low), abs=1e-6)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--missing", "drop"], "about scores"),
        (["--anchor", "s1=nan"], "--anchor s1=1000"),
        (["--baseline", "s4"], "not told apart"),
        (["--correction", "none"], "pairs of systems differ"),
    ],
)
def test_words_at_the_command_line(options: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["rank", str(FOLDER / "data" / "ties6.csv"), *options])
    shown = capsys.readouterr()
    assert said in shown.out + shown.err


def test_a_lone_system_is_no_way_out(tmp_path: Path) -> None:
    """Of all ties dropped, no group has two systems to rank."""
    path = few_votes(tmp_path, "a,b,winner", ["x,y,tie", "y,z,tie (inconsistent)", "z,x,tie"])
    with pytest.raises(DataError, match=r"ties.*half") as refused:
        ranked(path, ties="drop")
    assert "Rank one" not in str(refused.value)
