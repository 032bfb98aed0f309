"""Which test a study of a population is planned for when none is named."""

from tellapart.metrics.mean import Mean
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.significance import TESTS, Procedure
from tellapart.verbs.choose import Choice, Shape, choose


def default_test(population: Population) -> Procedure:
    """The population's own default; for a pilot what `compare` would choose on the pilot itself."""
    if isinstance(population, Pilot):
        return choose(Shape.of(population.pair, Mean())).test
    return TESTS.parse(population.test)


def compare_would_choose(population: Population, items: int) -> Choice | None:
    """What `compare` would choose on so many items of this population; None where that depends on the draw."""
    if not population.paired or not population.from_spelling:
        return None
    pair = population.with_effect(population.effect or 0.0).draw(max(items, 2), 1, _any_stream())
    from_first = type(pair)(pair.a[0], pair.b[0], pair.clusters)
    return choose(Shape.of(from_first, Mean()))
