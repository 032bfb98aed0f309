"""The power explorer: numbers that a plan starts from, the one that is solved for, and the curves that the page draws."""

from collections.abc import Mapping
from typing import Any

from tellapart.answers.answer import Answer
from tellapart.answers.plan import Plan
from tellapart.answers.plan.chart_rows import Axis, power_rows
from tellapart.foundation.spelling import name_of, options
from tellapart.populations import POPULATIONS

SOLVE, KNOWN = "solve", "known"
"""Fields of a page: which of three numbers is solved for, and what is known of the overlap of two systems."""
SOLVED = ("items", "effect", "power")
PAST = "past"
OVERLAPS = {PAST: "like past systems", "discordance": "I know the discordance", "agreement": "I know the agreement", "correlation": "I know the correlation"}  # fmt: skip
Texts = Mapping[str, tuple[str, ...]]

_SCORES, _RATINGS = "gaussian(sd=0.25, correlation=0.5)", "ratings(raters=10, rater_effect_sd=0.1, item_effect_sd=0.3, residual_sd=0.5)"  # fmt: skip
GIVEN_FIRST = {"items": "1000", "power": "0.8", "discordance": "0.2", "agreement": "0.8", "correlation": "0.5"}
"""What stands in a field that is asked for and still empty."""
START: dict[str, dict[str, str]] = {
    "paired_binary": {"accuracy": "0.7", "effect": "0.02"},
    "gaussian": {"sd": "0.25", "correlation": "0.5", "effect": "0.02"},
    "beta": {"mean": "0.6", "sd": "0.2", "correlation": "0.7", "effect": "0.02"},
    "proportions": {"accuracy": "0.7", "effect": "0.05"},
    "ratings": {"raters": "10", "rater_effect_sd": "0.1", "item_effect_sd": "0.3", "residual_sd": "0.5", "effect": "0.2"},
    "votes": {"effect": "0.1", "ties": "0.1"},
    "clustered": {"population": _SCORES, "size": "10", "icc": "0.1", "effect": "0.02"},
    "ordinal": {"population": _RATINGS, "thresholds": "-1:0:1", "effect": "0.2"},
    "confusion": {"prevalence": "0.3", "recall": "0.7", "specificity": "0.9", "correlation": "0.5", "effect": "0.05"},
    "delta_laplace": {"zero_share": "0.5", "scale": "0.02", "effect": "0.001"},
    "retrieval": {"mean": "0.3", "sd": "0.3", "zero_share": "0.2", "correlation": "0.7", "effect": "0.02"},
    "runs": {"runs": "4", "accuracy": "0.5", "discordance": "0.15", "disagreement": "0.1", "effect": "0.05"},
    "seeds": {"seeds": "5", "seed_sd": "0.01", "item_sd": "0.3", "seed_item_sd": "0.2", "effect": "0.03"},
}  # fmt: skip
"""Plausible numbers for each kind of scores, so that a form is answered before anything is typed."""


def started(kind: str, fields: Texts) -> dict[str, tuple[str, ...]]:
    """The fields of a plan, filled in where nothing was said, without those that the page's own choices set aside."""
    said = dict(fields)
    solve, known = (said.pop(name, ("",))[0] for name in (SOLVE, KNOWN))
    start = START.get(name_of(kind), {})
    if start and not any(said.values()):
        said = {name: (text,) for name, text in {**start, "power": GIVEN_FIRST["power"]}.items()}
    if solve in SOLVED:
        said.pop(solve, None)
        for name in SOLVED:
            if name != solve and not any(said.get(name, ())):
                said[name] = (start.get(name) or GIVEN_FIRST.get(name, "0.02"),)
    if known in OVERLAPS and knows_overlap(kind):
        said = {name: texts for name, texts in said.items() if name not in OVERLAPS or name == known}
        if known != PAST and not any(said.get(known, ())):
            said[known] = (GIVEN_FIRST[known],)
    return said


def knows_overlap(kind: str) -> bool:
    """Whether the overlap of two systems can be given in several ways, or left to evidence."""
    own = {one.name: one for one in options(POPULATIONS[name_of(kind)])} if name_of(kind) in POPULATIONS else {}
    return all(name in own and not own[name].required for name in OVERLAPS if name != PAST)


def known_of(fields: Texts) -> str:
    return next((name for name in OVERLAPS if any(fields.get(name, ()))), PAST)


def solved_of(fields: Texts) -> str:
    """The first of the three that is not given."""
    return next((name for name in ("items", "power", "effect") if not any(fields.get(name, ()))), "items")


def curves(answer: Answer | None) -> dict[str, Any] | None:
    """The numbers that the page draws of a single study; None where there is none."""
    if not isinstance(answer, Plan) or answer.curve is None or len(answer.rows) != 1:
        return None
    row = answer.rows[0]
    band = None if row.solved_low is None or row.solved_high is None else [row.solved_low, row.solved_high]
    axes: tuple[Axis, ...] = ("items", "effect")
    return {
        "solved": answer.solved_for,
        "target": answer.target_power,
        "counts": row.counts,
        "alpha": row.alpha,
        "point": {name: getattr(row, name) for name in SOLVED},
        "band": band,
        "type_m": row.type_m,
        "type_s": row.type_s,
        "lines": {along: [_point(one, along) for one in power_rows(along, answer)] for along in axes},
    }


def _point(row: Mapping[str, Any], along: Axis) -> list[float]:
    return [row[along], row["power"], row["power low"], row["power high"]]
