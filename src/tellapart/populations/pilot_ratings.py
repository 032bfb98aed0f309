import math
from dataclasses import dataclass, field
from typing import Any, Self

from tellapart.data.provenance import Better
from tellapart.data.summaries.rater_samples import ByRaters
from tellapart.foundation.errors import Unsuitable
from tellapart.metrics.mean import Mean
from tellapart.numerics.mixed_models.fit_samples import fit_sample
from tellapart.populations.rating_designs import LEVELS, SPREADS
from tellapart.populations.ratings import RatedSystems


@dataclass(frozen=True, kw_only=True)
class PilotRatings(RatedSystems):
    """Ratings that spread as those of a pilot did, by raters and items like its own.

    It is spelled `ratings(…, pilot_raters=…, pilot_items=…)`: the spreads that were fitted, and to how many raters and items. Assumes that these
    are the true ones, which a pilot of few raters says little about.
    """

    open_numbers = frozenset[str]()

    pilot_raters: int = field(metadata={"help": "raters that the spreads were fitted to"})
    pilot_items: int = field(metadata={"help": "items that the spreads were fitted to"})
    better: Better | None = field(
        default=None, metadata={"help": "which ratings are better, where the pilot's file says so"}
    )

    @classmethod
    def fitted_to(cls, pair: Any, raters: int | None = None, per_item: int | None = None) -> tuple[Self, float]:
        """The ratings of a pilot by REML, with as many raters as it had unless another number is planned; and its own effect."""
        sample = ByRaters.of(pair, Mean())
        fit = fit_sample(sample)
        known = {name: float(sd) for name, sd in fit.sds.items() if math.isfinite(float(sd))}
        unknown = [name for name in SPREADS if name not in known]
        if unknown:
            raise Unsuitable(
                f"this pilot cannot separate {' and '.join(unknown)} from the rest; have some raters rate both systems on items that others rate too"
            )
        told: dict[str, Any] = {name: sd for name, sd in known.items() if name in {*SPREADS, *LEVELS}}
        told |= {"pilot_raters": int(sample.raters), "pilot_items": int(sample.items), "per_item": per_item}
        made = cls(raters=raters or int(sample.raters), better=pair.better, **told)
        return made, float(fit.effect)
