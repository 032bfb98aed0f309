"""Ratings and votes where plain scores are wanted: averaged for those who ask about these raters only, else refused."""

from typing import Any

from tellapart.doors import option, verb
from tellapart.errors import Unsuitable
from tellapart.ratings import Ratings
from tellapart.scores import Scores
from tellapart.verbs.compare.systems import refuse_one_system
from tellapart.wording import amount


def plain_scores(given: Any, name: str, *, fixed: bool = False, may_fix: bool = True) -> Scores:
    """What is given as scores of items; `fixed` says that these raters are meant and no others."""
    if not isinstance(given, Ratings):
        raise Unsuitable(f"these are votes, and {verb(name)} is about scores; ask {verb('compare')}")
    refuse_one_system(given.systems)
    if fixed:
        return given.averaged()
    way_out = (
        f"Pass {option('raters_as', 'fixed')} to speak of these raters only"
        if may_fix
        else f"Ask {verb('compare')}"
    )
    raise Unsuitable(
        f"these are ratings by {amount(len(given.raters), 'rater')}, and {verb(name)} is about scores of items: averaged over raters they find "
        f"differences that are none, because other raters would differ. {way_out}"
    )
