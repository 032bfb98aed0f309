"""`audit`: what published numbers can support, claim by claim and as a table."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tellapart import Claim, audit, plan
from tellapart.answers.audit import AuditedClaim
from tellapart.answers.parts import codes
from tellapart.foundation.errors import UsageError
from tellapart.populations.evidence import GlueOverlap, Squad2Pairs, TypicalGain


def one(**printed: Any) -> AuditedClaim:
    return audit(Claim(**printed)).claims[0]


@pytest.mark.parametrize(
    ("printed", "verdict"),
    [
        ({"a": "0.70", "b": "0.72", "items": 1000}, "undecidable"),
        ({"a": "0.714", "b": "0.706", "items": 1000}, "unlikely"),
        ({"a": "0.712", "b": "0.732", "items": 1000, "alpha": 0.01}, "unlikely"),
        ({"a": "0.85", "b": "0.87", "items": 3000}, "likely"),
        ({"correct_a": 2550, "correct_b": 2610, "items": 3000}, "certain"),
        ({"a": "2550", "b": "2610", "items": 3000}, "certain"),
        ({"a": "0.8500", "b": "0.8700", "items": 3000}, "certain"),
        ({"a": "0.714", "b": "0.713", "items": 1000}, "not significant"),
        ({"a": "0.714", "b": "0.72", "items": 100}, "impossible"),
        ({"a": "0.50", "b": "0.90", "items": 200}, "certain"),
    ],
    ids=str,
)
def test_verdicts(printed: dict[str, Any], verdict: str) -> None:
    """Certain whatever the overlap and the rounding, likely at the evidence or far from it, significant nowhere, impossible."""
    alpha = printed.get("alpha", 0.05)
    found = audit(Claim(**{k: v for k, v in printed.items() if k != "alpha"}), alpha=alpha).claims[0]
    assert found.verdict == verdict
    if found.p_high_rounded is not None:
        assert found.p_low_rounded is not None
        assert found.p_expected is not None
        by_definition = (
            "not significant"
            if found.p_low_rounded > alpha
            else "certain"
            if found.p_high_rounded <= alpha
            else "likely"
            if found.p_expected <= alpha
            else "unlikely"
            if found.p_expected > 5 * alpha
            else "undecidable"
        )
        assert verdict == by_definition


def test_known_values() -> None:
    """0.70 against 0.72 on 1,000 items: p between 9.5e-7 and 0.407, 0.152 at the usual overlap."""
    found = one(a="0.70", b="0.72", items=1000)
    assert (found.p_low, found.p_expected, found.p_high) == pytest.approx((9.5367e-7, 0.152, 0.4067), rel=2e-3, abs=0.0)
    assert found.effect == 0.02
    assert found.p_low_rounded is not None
    assert found.p_high_rounded is not None
    assert found.p_low_rounded < 9.5e-7
    assert found.p_high_rounded > 0.41
    rounded = one(a="0.85", b="0.87", items=3000)
    assert (rounded.p_high, rounded.p_high_rounded) == pytest.approx((0.0385, 0.301), abs=5e-4)
    assert codes(rounded.notes) == ("certain_without_rounding", "taken_as_accuracies")


@pytest.mark.parametrize(("variant", "high"), [("asymptotic", 0.0384), ("exact", 0.0417), ("mid_p", 0.0385)])
def test_other_variants(variant: str, high: float) -> None:
    """The range by the other variants of the test."""
    answer = audit(Claim(a="0.85", b="0.87", items=3000), test=f"mcnemar(variant={variant})")
    assert answer.claims[0].p_high == pytest.approx(high, abs=5e-5)
    assert answer.claims[0].test == f"mcnemar(variant={variant})"


def test_detectable_and_power_are_those_of_plan() -> None:
    """The audit asks `plan` from the worse accuracy, with the same evidence, for an effect from outside the claim."""
    found = one(a="92.0", b="92.6", items=1725)
    assert found.detectable == pytest.approx(plan("paired_binary(accuracy=0.92)", items=1725, power=0.8).rows[0].effect)
    gain = TypicalGain().gain(0.92).expected
    row = plan(f"paired_binary(accuracy=0.92, effect={gain!r})", items=1725).rows[0]
    assert found.plausible_effect == gain
    assert (found.power, found.type_s, found.type_m) == pytest.approx((row.power, row.type_s, row.type_m))
    assert found.supposed.expected == GlueOverlap().discordance(0.92, 0.926).expected


def test_power_ignores_the_claimed_effect() -> None:
    """Power, type S and type M do not move with the claim: only with the baseline and the plausible effect."""
    small, large = (one(a="0.800", b=b, items=500) for b in ("0.802", "0.860"))
    assert (small.power, small.type_m, small.detectable) == (large.power, large.type_m, large.detectable)
    asked = one(a="0.800", b="0.802", items=500, effect="0.05")
    assert asked.plausible_effect == 0.05
    assert asked.power is not None
    assert small.power is not None
    assert asked.power > small.power


def test_order_of_the_systems_does_not_matter() -> None:
    """Swapping A and B turns the sign of the effect and nothing else."""
    there, back = one(a="0.71", b="0.74", items=800), one(a="0.74", b="0.71", items=800)
    assert there.effect == -back.effect
    for name in (
        "p_low",
        "p_high",
        "p_expected",
        "p_low_rounded",
        "p_high_rounded",
        "detectable",
        "power",
        "verdict",
    ):
        assert getattr(there, name) == getattr(back, name)


def test_percent_fraction_and_count_agree() -> None:
    """The same claim in three units gives the same numbers where all are exact."""
    found = [
        one(a="0.714", b="0.706", items=1000),
        one(a="71.4", b="70.6", items=1000),
        one(a=714, b=706, items="1,000"),
        one(a="71.4 %", b="70.6%", items=1000),
    ]
    assert len({(c.effect, c.p_low, c.p_high, c.p_high_rounded, c.power) for c in found}) == 1


def test_reported_overlap_narrows_the_range() -> None:
    """With the discordance, agreement or correlation known, only tables with it are left."""
    open_, *known = (
        one(a="0.700", b="0.720", items=1000, **overlap)
        for overlap in (
            {},
            {"discordance": "0.060"},
            {"agreement": "94.0%"},
            {"correlation": "0.853"},
            {"discordance": "0.05:0.07"},
        )
    )
    assert open_.p_low is not None
    for found in known:
        assert found.p_low is not None
        assert found.p_high is not None
        assert open_.p_low <= found.p_low <= found.p_high <= (open_.p_high or 0.0)
        assert found.p_expected == pytest.approx(0.0099, rel=0.15, abs=0.0)
        assert found.supposed.source == "reported"
    assert known[0].verdict == "certain"
    assert known[0].p_expected == known[1].p_expected
    exact = float(stats.binom.cdf(20, 60, 0.5) * 2 - stats.binom.pmf(20, 60, 0.5))
    assert known[0].p_expected == pytest.approx(exact, rel=1e-9, abs=0.0)
    impossible = one(a="0.700", b="0.720", items=1000, discordance="0.005")
    assert (impossible.verdict, impossible.p_low) == ("impossible", None)


def test_means() -> None:
    """Means with their spread: p over every correlation, by the paired t test."""
    found = one(a="0.410", b="0.450", sd="0.300", items=200, correlation="0.5:0.9", effect="0.02")
    assert (found.kind, found.test) == ("mean", "paired_t")

    def by_hand(correlation: float) -> float:
        ratio = 0.04 / (0.3 * math.sqrt(2.0 * (1.0 - correlation)) / math.sqrt(200))
        return float(2.0 * stats.t.sf(ratio, 199))

    assert (found.p_low, found.p_high) == pytest.approx((by_hand(0.9), by_hand(0.5)), rel=1e-9, abs=0.0)
    assert found.p_expected == pytest.approx(by_hand(0.7), rel=1e-9, abs=0.0)
    assert found.p_low_rounded is not None
    assert found.p_low is not None
    assert found.p_low_rounded < found.p_low
    row = plan("gaussian(sd=0.3, correlation=0.7, effect=0.02)", items=200).rows[0]
    assert (found.power, found.type_m) == pytest.approx((row.power, row.type_m), rel=1e-9, abs=0.0)
    needed = plan("gaussian(sd=0.3, correlation=0.7)", items=200, power=0.8).rows[0].effect
    assert found.detectable == pytest.approx(needed, rel=1e-9, abs=0.0)


def test_means_with_standard_errors() -> None:
    """A standard error of each mean is an sd over the root of the items; one of the difference needs no correlation."""
    root = math.sqrt(200)
    by_sd = one(a="0.41", b="0.45", sd=repr(0.02 * root), items=200, correlation="0.5")
    by_se = one(a="0.41", b="0.45", se="0.02", items=200, correlation="0.5")
    assert by_sd.p_expected == pytest.approx(by_se.p_expected, rel=1e-9, abs=0.0)
    direct = one(a="0.41", b="0.45", se_difference="0.02", items=200)
    assert direct.p_low == direct.p_high == pytest.approx(float(2 * stats.t.sf(2.0, 199)), rel=1e-9, abs=0.0)
    assert one(a="0.41", b="0.45", sd="0.3", items=200).supposed.source == "trec_runs(measure=ndcg)"
    assert one(a="0.41", b="0.45", sd="0.3", items=200).power is None


@pytest.mark.parametrize("correlation", ["0.9:1", "0.2", "-1:1", "0.97"])
def test_rounded_means_hold_every_value(correlation: str) -> None:
    """Whatever means, spreads and correlation were rounded, the range holds their p-value."""
    rng = np.random.default_rng(1)
    found = one(a="0.4", b="0.5", sd_a="0.3", sd_b="0.2", items=30, correlation=correlation)
    low, high = (float(x) for x in (correlation.split(":") * 2)[:2])
    half = 0.0 if ":" in correlation else 0.5 * 10 ** -len(correlation.partition(".")[2])
    assert found.p_low_rounded is not None
    assert found.p_high_rounded is not None
    for _ in range(300):
        a, b, sd_a, sd_b = (x + rng.uniform(-0.05, 0.05) for x in (0.4, 0.5, 0.3, 0.2))
        r = min(rng.uniform(low - half, high + half), 1.0)
        sd = math.sqrt(sd_a**2 + sd_b**2 - 2 * r * sd_a * sd_b)
        p = 2.0 * stats.t.sf(abs(b - a) * math.sqrt(30) / sd, 29)
        assert found.p_low_rounded <= p * (1 + 1e-9)
        assert p <= found.p_high_rounded * (1 + 1e-9)


def test_many_systems_share_the_level() -> None:
    """Against four others, the claim is judged at a quarter of the level and its items detect less."""
    found = one(correct_a=2550, correct_b=2610, items=3000, systems=5)
    assert found.among_many is not None
    assert (found.among_many.comparisons, found.among_many.alpha) == (4, 0.0125)
    assert (found.verdict, found.among_many.verdict) == ("certain", "likely")
    assert found.detectable is not None
    assert found.among_many.detectable is not None
    assert found.among_many.detectable > found.detectable
    survivor = round((found.among_many.smallest or 0.0) * 3000)
    share = {"items": 3000, "discordance": repr(found.supposed.expected)}
    at = [one(correct_a=2550, correct_b=2550 + gap, **share).p_expected for gap in (survivor, survivor - 2)]
    assert (at[0] or 1.0) <= 0.0125 < (at[1] or 0.0)


def test_the_best_of_several_runs() -> None:
    """Five runs: 1.163 standard deviations by chance; what is left where the spread of runs is known."""
    found = one(a="71.4", b="72.6", items=1000, seeds=5, seed_sd="0.5")
    assert found.best_seed is not None
    assert found.best_seed.deviations == pytest.approx(1.16296, abs=1e-5)
    assert found.best_seed.enough == pytest.approx(0.012 / 1.16296, rel=1e-4, abs=0.0)
    assert found.best_seed.inflation == pytest.approx(0.005 * 1.16296, rel=1e-4, abs=0.0)
    assert found.best_seed.left == pytest.approx(0.012 - 0.005 * 1.16296, rel=1e-4, abs=0.0)
    assert "best_seed" in codes(found.notes)


def test_reported_pvalues_are_checked() -> None:
    """A p-value that no table allows is called out; one that some allow names the overlap it takes."""
    impossible = one(a="0.714", b="0.713", items=1000, reported_p="0.01")
    assert codes(impossible.notes) == ("reported_p_impossible", "taken_as_accuracies")
    implied = one(a="0.714", b="0.706", items=1000, reported_p="0.04")
    note, _ = implied.notes
    assert note.code == "reported_p_implies_discordance"
    assert note.values == {"reported": "p = 0.04", "discordance": 0.014}
    possible = one(a="0.714", b="0.706", items=1000, reported_p="<0.05")
    assert codes(possible.notes) == ("reported_p_possible", "taken_as_accuracies")


def test_evidence_can_be_named() -> None:
    """Named evidence speaks instead of the default: on overlap, on gains, or on both."""
    answer = audit(Claim(a="0.70", b="0.72", items=1000), evidence="no_prior, squad2_gain")
    found = answer.claims[0]
    assert (found.supposed.source, found.plausible_source) == ("no_prior", "squad2_gain")
    assert found.supposed.expected == pytest.approx(0.30)
    default = one(a="0.70", b="0.72", items=1000)
    assert default.supposed.expected == Squad2Pairs().discordance(0.70, 0.72).expected


@pytest.mark.parametrize(
    "printed",
    [
        {"a": "1", "b": "0.9", "items": 1000},
        {"a": "0.9", "b": "71.4", "items": 1000},
        {"a": "71", "b": "73", "items": 1000},
        {"a": "0.7", "b": "0.8"},
        {"a": "0.714", "items": 100},
        {"a": "0.714", "b": "0.706", "items": 0},
        {"a": "0.714", "b": "0.706", "items": "1e3"},
        {"a": "-0.714", "b": "0.706", "items": 100},
        {"a": "0.714", "b": "0.706", "items": 100, "unit": "count"},
        {"a": "0.714", "b": "0.706", "items": 100, "systems": 1},
        {"a": "0.714", "b": "0.706", "items": 100, "effect": "1"},
        {"a": "71.4", "b": "70.6", "items": 100, "effect": "0.01"},
        {"a": "71.4", "b": "70.6", "items": 100, "discordance": "0.1"},
        {"a": "0.714", "b": "0.706", "items": 100, "discordance": "0.1", "correlation": "0.5"},
        {"a": "0.714", "b": "0.706", "items": 100, "correlation": "1.5"},
        {"a": "0.714", "b": "0.706", "items": 100, "correlation": "0.8:0.2"},
        {"a": "0.714", "b": "0.706", "items": 100, "sd_a": "0.1"},
        {"a": "0.714", "b": "0.706", "items": 100, "sd": "0"},
        {"a": "0.714", "b": "0.706", "items": 100, "sd": "0.1", "discordance": "0.1"},
        {"a": "0.714", "b": "0.706", "items": 100, "reported_p": "n.s."},
        {"a": "0.714", "b": "0.706", "items": 100, "unit": "points"},
    ],
    ids=str,
)
def test_what_cannot_be_told_is_asked_for(printed: dict[str, Any]) -> None:
    """Ambiguous, incomplete or impossible input is refused with the way out, never guessed."""
    with pytest.raises(UsageError):
        one(**printed)


@pytest.mark.parametrize(
    "options",
    [
        {"alpha": 0.0},
        {"alpha": 0.7},
        {"power": 0.01},
        {"power": 80},
        {"test": "paired_t"},
        {"test": "mcnemar(variant=unconditional)"},
        {"test": "mcnemar(variant=exact, alternative=less)"},
    ],
    ids=str,
)
def test_impossible_questions(options: dict[str, Any]) -> None:
    """Levels, powers and tests that an audit has no answer for."""
    with pytest.raises(UsageError):
        audit(Claim(a="0.70", b="0.72", items=1000), **options)


@pytest.mark.parametrize(
    "printed",
    [
        {"a": "0.00", "b": "0.00", "items": 50},
        {"a": "1.00", "b": "1.00", "items": 50},
        {"a": "0.00", "b": "1.00", "items": 50},
        {"a": "0.50", "b": "1.00", "items": 2},
        {"a": "0.9999", "b": "0.9998", "items": 10_000_000},
        {"a": "0.5", "b": "0.50", "items": 10},
        {"a": "0.70", "b": "0.72", "items": 1000, "discordance": "0.02"},
        {"a": "3.1", "b": "3.1", "sd": "0.5", "items": 2},
    ],
    ids=str,
)
def test_edges(printed: dict[str, Any]) -> None:
    """Perfect, hopeless, tiny, huge and equal systems get an answer in order."""
    found = one(**printed)
    assert found.p_low is not None
    assert found.p_low_rounded is not None
    assert found.p_expected is not None
    assert found.p_high is not None
    assert found.p_high_rounded is not None
    assert 0.0 < found.p_low_rounded <= found.p_low <= found.p_expected <= found.p_high <= found.p_high_rounded <= 1.0
    assert found.sentence
