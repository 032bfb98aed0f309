"""The first lines of pages: verdict, then what it rests on, then what to do next."""

import pytest
from tests.golden.cases import made

from tellapart.answers.page import page_of

FOUND = {
    "compare_continuous": "B − A = +0.016, 95 % CI [+0.002, +0.030], p = 0.0284 (paired t)",
    "plan_items": "effect 0.01, 80 % power: paired t, r = 0.8, sd 0.12",
    "plan_evidence": "500 items, 80 % power: McNemar mid-p, accuracy 0.7, discordance 0.2067, evidence squad2_pairs",
    "score": "303 of 400 items right (Wilson interval)",
    "agreement": "95 % CI [0.374, 0.683]; 4 raters, 48 units, 172 ratings",
    "gate": "new − old = −0.006, 95 % bounds [−0.020, +0.009], p < 0.0001 for a loss of 0.05 or more (paired t)",
    "audit_table": "2 of 3 gains are smaller than their items can reliably detect",
}


@pytest.mark.parametrize("name", FOUND)
def test_the_second_line_has_effect_interval_and_p(name: str) -> None:
    assert page_of(made(name)).finding == FOUND[name]


@pytest.mark.parametrize(
    ("name", "typed", "steps"),
    [
        ("score", "tellapart score 'a b.csv' --system large", ["tellapart compare 'a b.csv' --a large --b OTHER"]),
        ("score", "tellapart score a.csv --system large --alpha 0.1", []),
        ("score_datasets", "tellapart score a.csv", ["tellapart rank a.csv"]),
        ("agreement", "tellapart agreement r.csv", ["tellapart compare r.csv", "tellapart plan pilot r.csv --effect EFFECT"]),
        ("agreement", "tellapart agreement r.csv --seed 1", []),
        ("audit_claim", "", ["tellapart plan --accuracy 0.706 --effect 0.008"]),
        ("audit_table", "", ["tellapart audit --a 0.706 --b 0.714 --items 1000"]),
        ("plan_items", "tellapart plan gaussian …", ["tellapart plan gaussian … --save plan.json"]),
        ("plan_grid", "tellapart plan …", []),
        ("gate", "tellapart gate …", []),
    ],
)  # fmt: skip
def test_next_steps_end_in_commands(name: str, typed: str, steps: list[str]) -> None:
    assert [step.rpartition(": ")[2] for step in page_of(made(name), typed).next_steps] == steps
