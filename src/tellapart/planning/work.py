"""How much work a simulation of a study is, and how many replicates of it a plan can afford."""

from tellapart.planning.study import Study

MANY, FEWER, LEAST = 10_000, 1_000, 100
"""Simulated evaluations where nobody says how many: usually, where each is drawn again or fitted, and of the largest."""
NUMBERS = 25_000_000
"""Numbers in all of them together, so that no plan takes more than some seconds."""
DRAWN_AGAIN, RATED = 8, 4
"""For how many one counts that is drawn again, and one that a rater gave: their sums of squares take longer than a mean."""
STEPS = 1, 2, 5
ENOUGH = 500
"""Replicates below which a simulation, whose interval is then 9 points wide, says less than the central limit theorem does."""


def usual_replicates(study: Study) -> int:
    """A power of ten, twice or five times that: studies that hardly differ get the same."""
    usual = FEWER if study.test.resampling or study.population.fitted_one_by_one else MANY
    each = _numbers(study)
    round_numbers = (step * tens for tens in (LEAST, 10 * LEAST) for step in STEPS)
    affordable = (number for number in round_numbers if number * each <= NUMBERS)
    return usual if usual * each <= NUMBERS else min(usual, max(affordable, default=LEAST))


def has_many_items(study: Study) -> bool:
    """Whether one evaluation takes so many numbers that too few can be simulated."""
    return ENOUGH * _numbers(study) > NUMBERS


def _numbers(study: Study) -> int:
    """Of one evaluation, each counted as often as it is used."""
    population, test = study.population, study.test
    weight = DRAWN_AGAIN if test.resampling else RATED if population.by_raters else 1
    return population.width(test.needs, study.design) * weight
