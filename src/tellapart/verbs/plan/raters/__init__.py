"""Plans of ratings by several raters: the rows of a plan, and the search for a design that a budget pays for."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.verbs.plan.raters.budget import is_searched, searched, with_fewer_replicates
    from tellapart.verbs.plan.raters.rows import (
        averages_raters,
        averaging_note,
        check_reachable,
        pilot_note,
        rater_fields,
        raters_of,
        with_raters,
    )

__all__ = [
    "averages_raters",
    "averaging_note",
    "check_reachable",
    "is_searched",
    "pilot_note",
    "rater_fields",
    "raters_of",
    "searched",
    "with_fewer_replicates",
    "with_raters",
]

__getattr__ = lazy_names(__name__)
