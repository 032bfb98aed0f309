"""Which test a study of a population is planned for when none is named."""

from dataclasses import replace

from tellapart.metrics.mean import Mean
from tellapart.populations import Population
from tellapart.populations.pilot import Pilot
from tellapart.scores import Pair
from tellapart.seeds import stream
from tellapart.significance import TESTS, Procedure
from tellapart.verbs.choose import Shape, choose

LOOK = 240
"""Items drawn to see what kind of scores a population has."""


def default_test(population: Population) -> Procedure:
    """The population's own default; for a pilot what `compare` would choose on the pilot itself."""
    if isinstance(population, Pilot):
        return choose(Shape.of(population.pair, Mean())).test
    return TESTS.parse(population.test)


def compare_would_choose(population: Population, items: int) -> Procedure | None:
    """What `compare` would choose on so many items of this population; None where it takes no such scores."""
    if not population.paired:
        return None
    drawn = population.draw(LOOK, 1, stream(0))
    look = Shape.of(Pair(drawn.a[0], drawn.b[0], drawn.clusters), Mean())
    clusters = None if look.clusters is None else max(1, look.clusters * items // LOOK)
    return choose(replace(look, items=items, clusters=clusters)).test
