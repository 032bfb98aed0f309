"""Systems trained with several seeds: normal scores by item and seed."""

from dataclasses import dataclass, field

from tellapart.data.pair import Pair
from tellapart.foundation.errors import SpellingError
from tellapart.foundation.quantities import several
from tellapart.numerics.seed_power import SeedSpreads
from tellapart.populations.noise import Draw, Noise
from tellapart.populations.population import POPULATIONS, Design, Population


@POPULATIONS.add("seeds")
@dataclass(frozen=True, kw_only=True)
class Seeds(Population):
    """Every system is trained with several seeds, each scored on every item; what is compared are other trainings too.

    `seed_sd` is how much trainings of one system spread as wholes, `item_sd` how much an item's difference spreads with endless
    seeds, `seed_item_sd` how much one training moves one item. Effects of seeds are normal and drawn anew for each system. Power is
    that of `seeds_t`, its mean squares drawn. The wrong choice for repeated runs of one training (`runs`). Satterthwaite (1946).
    """

    seeds: int = field(metadata={"help": "seeds of A, and of B unless seeds_b says otherwise"})
    seeds_b: int | None = field(default=None, metadata={"help": "seeds of B"})
    seed_sd: float = field(metadata={"help": "standard deviation of trainings of one system"})
    item_sd: float = field(metadata={"help": "standard deviation of the items' true differences"})
    seed_item_sd: float = field(metadata={"help": "standard deviation of one training on one item"})

    label = "scores of several trainings"
    examples = (
        "seeds(effect=0.05, seeds=5, seed_sd=0.01, item_sd=0.4, seed_item_sd=0.3)",
        "seeds(effect=0.05, seeds=3, seeds_b=5, seed_sd=0.02, item_sd=0.2, seed_item_sd=0.1)",
    )
    one_test = True

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, value in (("seeds", self.seeds), ("seeds_b", self.seeds_b)):
            if value is not None:
                several(self.name, name, value)
                if value < 2:
                    raise SpellingError(
                        f"seeds: {name}={value} should be at least 2; one training says nothing about others"
                    )
        for name in ("seed_sd", "item_sd", "seed_item_sd"):
            value = getattr(self, name)
            if value < 0.0:
                raise SpellingError(f"seeds: {name}={value:g} should not be below 0")
        if not self.spreads.standard_error(2) > 0.0:
            raise SpellingError("seeds: nothing spreads; give seed_sd, item_sd or seed_item_sd above 0")

    @property
    def seeds_of_each(self) -> tuple[int, int]:
        return self.seeds, self.seeds if self.seeds_b is None else self.seeds_b

    @property
    def spreads(self) -> SeedSpreads:
        alike = (self.seed_sd, self.seed_sd), self.item_sd, (self.seed_item_sd, self.seed_item_sd)
        return SeedSpreads(self.seeds_of_each, *alike)

    @property
    def test(self) -> str:
        a, b = self.seeds_of_each
        return f"seeds_t(df={'satterthwaite' if a == b else 'cochran'})"

    def draws(self, design: Design) -> tuple[Draw, ...]:
        shapes = (
            (design.items, 1, 1),
            *((rows, seeds, 1) for seeds in self.seeds_of_each for rows in (1, design.items)),
        )
        return tuple(Draw("normal", 1, shape) for shape in shapes)

    def scores(self, noise: Noise) -> Pair:
        item, seed_a, own_a, seed_b, own_b = noise.layers
        a = seed_a * self.seed_sd + own_a * self.seed_item_sd
        b = seed_b * self.seed_sd + own_b * self.seed_item_sd + item * self.item_sd + self.known_effect
        return Pair(a, b, seed_runs=1)

    def width(self, needs: type, design: Design) -> int:  # noqa: ARG002  (whatever is looked at)
        return design.items * (1 + sum(self.seeds_of_each))
