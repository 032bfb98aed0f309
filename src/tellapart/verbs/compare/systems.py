"""Selection of the two systems to compare, and of the items that both have."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tellapart.data.pair import Missing, Pair
from tellapart.data.ratings import Ratings
from tellapart.data.scores import Scores
from tellapart.foundation.errors import TooFew, UnknownSystem, Unsuitable, UsageError, nearest
from tellapart.foundation.formatting import amount
from tellapart.foundation.spelling import Question, setting
from tellapart.foundation.surfaces import option, verb
from tellapart.methods.significance import Procedure
from tellapart.verbs.judging_options import refuse_one_item


@dataclass(frozen=True)
class SystemPairOptions(Question):
    """The two systems that are asked about, and what becomes of items that only one of them has."""

    a: str | None = setting(None, "System A, the baseline (default: the first).", metavar="S", kw_only=False)
    b: str | None = setting(None, "System B (default: the second).", metavar="S", kw_only=False)
    missing: Missing = setting("error", "Items that only one of them has: refuse them, or drop them.")


def two_systems(scores: Scores, a: str | None, b: str | None) -> tuple[str, str]:
    """The systems to compare: those named, else the only two there are."""
    return two_of(scores.systems, a, b, ranked=True)


def two_of(systems: Sequence[str], a: str | None, b: str | None, *, ranked: bool = False) -> tuple[str, str]:
    """The two systems that are meant; `ranked` says that more than two could be."""
    for name in {a, b} - {None, *systems}:
        raise UnknownSystem(f"no system is called {name!r}; {nearest(str(name), systems)}")
    if a is not None and a == b:
        raise UsageError(f"a and b are both {a!r}; name two different systems")
    refuse_one_system(systems)
    others = [s for s in systems if s not in {a, b}]
    unnamed = (a is None) + (b is None)
    if unnamed and len(others) > unnamed:
        shown = ", ".join(map(repr, systems[:8])) + (", …" if len(systems) > 8 else "")
        otherwise = f", or use {verb('rank')} to compare all" if ranked else ""
        raise UsageError(
            f"{len(systems)} systems were found ({shown}); name two of them, as in {option('a', a or others[0])} {option('b', b or others[-1])}"
            f"{otherwise}"
        )
    first = a if a is not None else others.pop(0)
    return first, b if b is not None else others.pop(0)


def refuse_one_system(systems: Sequence[str]) -> None:
    """How far raters agree can be asked of one system; a difference takes two."""
    if len(systems) < 2:
        raise TooFew(
            f"only one system, {systems[0]!r}, was found; two are needed to compare. Add the other system's scores "
            f"or pass its file too, or name the column that says the system: {option('column', 'system=…')}. For one "
            f"system alone use {verb('score')}; for how far its raters agree, {verb('agreement')}"
        )


def pair_of(scores: Scores, names: tuple[str, str], test: Procedure | None, missing: Missing) -> Pair:
    """The scores of both, on the items they share unless the named test is for systems that share none."""
    unpaired = test is not None and not test.needs.paired
    return _unpaired(scores, names, test) if unpaired else _paired(scores, names, missing)


def _unpaired(scores: Scores, names: tuple[str, str], test: Procedure | None) -> Pair:
    a, b = names
    shared = int((scores.scored(a) & scores.scored(b)).sum())
    if shared:
        raise Unsuitable(
            f"{test} is for systems scored on different items, but {a!r} and {b!r} share {shared} of them: an "
            "unpaired test wastes the pairing. Leave the test out, or name a paired one such as paired_t"
        )
    pair = scores.unpaired(a, b)
    name, fewest = min(((a, len(pair.a)), (b, len(pair.b))), key=lambda entry: entry[1])
    if fewest < 2:
        raise _too_few(f"{name!r} has a score on {amount(fewest, 'item')}")
    return pair


def _paired(scores: Scores, names: tuple[str, str], missing: Missing) -> Pair:
    a, b = names
    pair = scores.pair(a, b, missing)
    refuse_one_item(scores)
    if len(pair.a) < 2:
        left = f", with {amount(sum(pair.lost), 'item')} of only one of them left out" if sum(pair.lost) else ""
        raise _too_few(f"{a!r} and {b!r} share {amount(len(pair.a), 'item')}{left}")
    return pair


def _too_few(said: str) -> TooFew:
    return TooFew(f"{said}; at least two are needed to see how scores vary. Check the item ids")


# Ratings and votes where plain scores are wanted: averaged for those who ask about these raters only, else
# refused.


def plain_scores(given: Any, name: str, *, fixed: bool = False, may_fix: bool = True) -> Scores:
    """What is given as scores of items; `fixed` says that these raters are meant and no others."""
    if not isinstance(given, Ratings):
        raise Unsuitable(f"these are votes, and {verb(name)} is for scores; use {verb('compare')}")
    refuse_one_system(given.systems)
    if fixed:
        return given.averaged()
    way_out = (
        f"Pass {option('raters_as', 'fixed')} to speak of these raters only" if may_fix else f"Ask {verb('compare')}"
    )
    raise Unsuitable(
        f"these are ratings by {amount(len(given.raters), 'rater')}, and {verb(name)} is for scores: averaged over "
        f"raters, they show differences that other raters might not see. {way_out}"
    )
