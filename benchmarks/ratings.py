"""Plans of ratings: exact power and a search beside the time they may take, simulated evaluations beside the numbers they are made of."""

from collections.abc import Callable

from benchmarks._clock import seconds
from tellapart import Study, plan, power
from tellapart.foundation.seeds import stream
from tellapart.methods.significance.mixed_model import MixedModel
from tellapart.populations.population import Design

SPREADS = "rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26"
DESIGN = f"ratings(raters=10, {SPREADS}, effect=0.2)"
EVALUATIONS, RATERS, ITEMS = 1_000, 10, 100

Row = tuple[str, float, float, str]


def rows() -> list[Row]:
    test = MixedModel(df="kenward_roger")
    study = Study(DESIGN, test, ITEMS)
    few = Study(DESIGN.replace("raters=10", "raters=3"), MixedModel(df="cochran"), ITEMS)
    simulated = f"{EVALUATIONS:,} evaluations of {RATERS} × {ITEMS} drawn and tested (drawing their normals)"
    return [
        _limited("exact power, 10 raters × 100 items", lambda: power(study), 0.02),
        _limited("exact power, 3 raters × 100 items", lambda: power(few), 0.02),
        _limited("best design for a budget, up to 120 raters", _search, 1.0),
        (
            simulated,
            seconds(_drawn_and_tested(study), repeats=5),
            seconds(_normals, repeats=5),
            "at least 0.25",
        ),
    ]


def _limited(what: str, call: Callable[[], object], limit: float) -> Row:
    return f"{what} (limit {limit:g} s)", seconds(call, repeats=3), limit, "at least 1"


def _search() -> object:
    spreads = {"rater_effect_sd": 0.22, "item_effect_sd": 0.28, "residual_sd": 0.26}
    return plan("ratings", effect=0.2, budget=400, cost_rating=0.1, cost_rater=10, **spreads)


def _drawn_and_tested(study: Study) -> Callable[[], object]:
    def run() -> object:
        rng = stream(1)
        sample = study.population.draw_summary(study.test.needs, Design(ITEMS), EVALUATIONS, rng)
        return study.test.apply(sample, rng)

    return run


def _normals() -> object:
    return stream(1).standard_normal((EVALUATIONS, RATERS * ITEMS + RATERS + ITEMS))
