"""Which test a study of a population is planned for when none is named."""

from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS, Procedure
from tellapart.verbs.choose import Shape, choose
from tellapart.verbs.sampled import Sampled

LOOK = 240
"""Items drawn to see what kind of scores a population has."""


def default_test(population: Population) -> Procedure:
    """The population's own default; for a pilot what `compare` would choose on the pilot itself."""
    if isinstance(population, Pilot):
        return choose(Shape.of(Sampled(population.pair, population.metric))).test
    return TESTS.parse(population.test)


def compare_would_choose(population: Population, items: int) -> Procedure | None:
    """What `compare` would choose on so many items of this population; None where it takes no such scores."""
    if not population.paired:
        return None
    look = _look(population)
    return choose(look.at(items, _clusters(population, look, items))).test


def _look(population: Population) -> Shape:
    """The shape of some items of a population, in whole clusters: a cut one would make them uneven."""
    if isinstance(population, Pilot):
        return Shape.of(Sampled(population.pair, population.metric))
    cut = LOOK % population.unit if population.unit <= LOOK else 0
    drawn = population.draw(LOOK - cut, 1, stream(0))
    return Shape.of(Sampled(Pair(drawn.a[0], drawn.b[0], drawn.clusters), population.metric))


def _clusters(population: Population, look: Shape, items: int) -> int | None:
    """In how many clusters so many items come, the last one cut where they do not fill it."""
    if look.clusters is None:
        return None
    clusters, filled = (look.clusters, look.items) if isinstance(population, Pilot) else (1, population.unit)
    return -(-items * clusters // filled)
