"""The answers that are kept to the letter: one of every verb, and of every shape that its page can take."""

import contextlib
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.golden.drawn import DRAWN

from tellapart import Claim, agreement, audit, compare, gate, plan, plan_arena, plan_judged, rank, read, score, watch
from tellapart.answers.answer import Answer
from tellapart.answers.texts import add_text
from tellapart.studies.calibration import run as calibration
from tellapart.studies.calibration.pieces import ReportLine
from tellapart.studies.reproduction import reproduce
from tellapart.verbs.describe import describe, known_formats
from tellapart.verbs.evidence.fit import fit_evidence
from tellapart.verbs.evidence.priors import known_evidence
from tellapart.verbs.store import contents

DATA = Path(__file__).parent / "data"
EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = Path(__file__).parents[1] / "reference" / "frontier" / "data"


def _compare(file: str, a: str, b: str, **options: float | str) -> Answer:
    return compare(read(EXAMPLES / file), a, b, **options)  # type: ignore[arg-type]  # by name, as users write them


def _rank(path: Path, **options: bool | str) -> Answer:
    return rank(read(path), **options)  # type: ignore[arg-type]  # by name, as users write them


def _calibrate() -> Answer:
    """Two lines of the calibration that are enumerated, and so the same whatever the seed and the scale."""
    few = [ReportLine("right or wrong", 0), ReportLine("right or wrong", 7)]
    with (
        patch.object(calibration, "lines", lambda _: few),
        patch.object(calibration, "unlisted", lambda *_: []),
    ):
        return calibration.calibrate(executor=1)


def _formats() -> Answer:
    """A table, a log and a kind of table: a format that is added adds no file here."""
    found = known_formats()
    return replace(found, rows=tuple(one for one in found.rows if one.name in {"delimited", "inspect", "trec_run"}))


def _stored() -> Answer:
    """A store of one simulated study; what differs between machines and days is replaced."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "done.db"
        plan("beta(mean=0.6, sd=0.2, correlation=0.8, effect=0.02)", items=40, replicates=500, store=file)
        found = contents(file)
    rows = tuple(replace(row, versions="some", last_asked="some day") for row in found.rows)
    return replace(found, file="done.db", size=0, rows=rows)


_SMALL_CLAIM = Claim(items=1000, a="0.706", b="0.714", systems=10, seeds=5, reported_p="0.04")

RULES: dict[str, Any] = {"better": ("accuracy", "cost"), "not_worse": ("latency_ms:10r%",)}

ANSWERS: dict[str, Callable[[], Answer]] = {
    "compare_continuous": lambda: _compare("retrieval.csv", "baseline", "candidate"),
    "compare_binary": lambda: _compare("answers.csv", "medium", "large", margin=0.05),
    "compare_anytime": lambda: _compare("answers.csv", "medium", "large", anytime=True, of=500),
    "compare_judged": lambda: compare(DATA / "judged.csv", human="human", judge="judge"),
    "compare_all_tests": lambda: _compare("answers.csv", "small", "large", test="all"),
    "compare_non_inferior": lambda: _compare("answers.csv", "medium", "large", test="non_inferiority(margin=0.1)"),
    "compare_ratings": lambda: _compare("ratings.csv", "base", "new"),
    "compare_ratings_fixed": lambda: _compare("ratings.csv", "base", "new", raters_as="fixed"),
    "compare_votes": lambda: _compare("votes.csv", "base", "new"),
    "compare_datasets": lambda: compare(read("suite.csv"), "old", "new"),
    "compare_groups": lambda: compare(read("suite.csv", by="dataset"), "old", "new"),
    "compare_slices": lambda: compare(REFERENCE / "slices_topics.csv", slices=("topic",)),
    "compare_measures": lambda: compare("measures.csv", "old", "new", measures="accuracy,latency_ms,cost"),
    "compare_decision": lambda: compare("measures.csv", "old", "new", **RULES, any_better=True),
    "gate_decision": lambda: gate("measures.csv", "measures.csv", a="old", b="new", **RULES),
    "gate": lambda: gate("old.csv", "new.csv", margin=0.05),
    "watch": lambda: watch(read("suite.csv"), "old", "new", margin=0.01, every=20, range="-5:5"),
    "plan_items": lambda: plan("gaussian(sd=0.12, correlation=0.8, effect=0.01)", power=0.8),
    "plan_looks": lambda: plan("paired_binary(accuracy=0.7, effect=0.02, discordance=0.1)", looks=3),
    "plan_grid": lambda: plan(
        "paired_binary(accuracy=0.7, effect=0.02, discordance=0.1)", items=[500, 1000, 2000, 5000]
    ),
    "plan_effect": lambda: plan(
        ["paired_binary(accuracy=0.7, discordance=0.1)", "gaussian(sd=0.12, correlation=0.8)"],
        items=[500, 1000],
        power=0.8,
    ),
    "plan_evidence": lambda: plan("paired_binary(accuracy=0.7)", evidence="squad2_pairs", items=500, power=0.8),
    # From 100 labels on by formula: fewer are simulated with numpy's binomial draws, which differ between its versions 2.4 and 2.5.
    "plan_judged": lambda: plan_judged(
        discordance=0.2, judge_correlation=0.7, labels=(100, 200), items=2000, effect=0.06
    ),
    "plan_arena": lambda: plan_arena(systems=10, gap=[20, 50, 100], ties=0.2, spread=300),
    "plan_arena_log": lambda: plan_arena(read(REFERENCE / "raters8.csv"), lead=60, top=2),
    "rank": lambda: _rank(EXAMPLES / "answers.csv"),
    "rank_baseline": lambda: _rank(EXAMPLES / "answers.csv", baseline="small"),
    "rank_discoveries": lambda: _rank(EXAMPLES / "answers.csv", correction="bh"),
    "rank_datasets": lambda: _rank(Path("suite.csv"), datasets=True, missing="pairwise"),
    "rank_slices": lambda: rank(read("measures.csv", measure="accuracy", slices=("level",)), slices=("level",)),
    "rank_votes": lambda: _rank(REFERENCE / "raters8.csv"),
    "score": lambda: score(EXAMPLES / "answers.csv", "large"),
    "score_datasets": lambda: score("suite.csv"),
    "agreement": lambda: agreement("ratings.csv"),
    "agreement_judge": lambda: agreement("ratings.csv", reference_raters=("ann", "ben")),
    "audit_claim": lambda: audit(_SMALL_CLAIM),
    "audit_table": lambda: audit("claims.csv"),
    "evidence": known_evidence,
    "evidence_fit": lambda: fit_evidence("results.csv"),
    "reproduce": lambda: reproduce("reasoning-items"),
    "describe": lambda: describe("suite.csv"),
    "formats": _formats,
    "store": _stored,
    "calibrate": _calibrate,
    "rank_ratings": lambda: _rank(EXAMPLES / "ratings.csv", raters_as="fixed"),
    "plan_raters": DRAWN["plan_raters"],
    "plan_budget": DRAWN["plan_budget"],
}

FORMS = {
    **dict.fromkeys(ANSWERS, ("text",)),
    **dict.fromkeys(
        ("compare_continuous", "compare_binary", "plan_items", "plan_grid", "rank"),
        ("text", "markdown", "latex"),
    ),
}
"""Formats kept of each answer: what formats do to a page is tested in their room."""


def made(name: str) -> Answer:
    """The answer with its words as the command line spells them, of files named as they are beside it."""
    with contextlib.chdir(DATA):
        return add_text({**ANSWERS, **DRAWN}[name](), "command line")
