"""Preparation of votes for the fit: selected systems, treatment of ties, clusters and presentation order."""

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from tellapart.data.votes import NO_SYSTEM, ClusterBy, Votes
from tellapart.foundation.arrays import FloatArray, IntArray
from tellapart.foundation.errors import DataError, TooFew, UnknownSystem, nearest
from tellapart.foundation.seeds import fingerprint
from tellapart.foundation.surfaces import option
from tellapart.numerics.pairwise import PairwiseVotes, blocks_of_wins, groups_that_met
from tellapart.numerics.pairwise.bradley_terry import is_identified
from tellapart.verbs.rank.question import RankQuestion


@dataclass(frozen=True, eq=False)
class PreparedVotes:
    """What is fitted, and what was done to come there."""

    names: tuple[str, ...]
    given: Votes
    votes: PairwiseVotes
    clusters: tuple[IntArray, ...]
    cluster_by: ClusterBy
    order: bool
    blocks: IntArray
    """Blocks between which every vote was won by the same side; one block where all strengths are finite."""

    @property
    def separated(self) -> bool:
        return int(self.blocks.max()) > 0

    @property
    def ties(self) -> int:
        """Ties of the systems asked about, dropped ones included."""
        return int((self.given.winner == NO_SYSTEM).sum())

    @property
    def fingerprint(self) -> str:
        """A short hash of who met whom and won."""
        columns = (np.asarray(c, dtype=np.float64).tobytes() for c in (self.given.a, self.given.b, self.given.winner))
        return fingerprint([repr(self.given.systems).encode(), *columns])


def prepare_votes(given: Votes, question: RankQuestion) -> PreparedVotes:
    """The votes that are fitted; refused where strengths cannot be compared."""
    chosen = _of_systems(given, question.named_systems)
    names = tuple(chosen.systems[i] for i in _met(chosen))
    _check_names(names, question)
    fitted = chosen if question.ties != "drop" else chosen.only(chosen.winner != NO_SYSTEM)
    votes = _arrays(fitted, names)
    _refuse_disconnected(votes, names, question)
    by = _cluster_by(fitted)
    codes = {
        "rater": (fitted.rater,),
        "item": (fitted.item,),
        "both": (fitted.rater, fitted.item),
        "none": (),
    }[by]
    clusters = tuple(
        np.unique(column, return_inverse=True)[1].astype(np.int64) for column in codes if column is not None
    )
    order = question.order == "auto" and bool((votes.first != 0.0).all()) and bool(len(votes.first))
    if votes.control is not None and not is_identified(votes, order=False):
        raise DataError(
            f"{given.control_name or 'the control'} depends only on which systems met, so its effect cannot be separated from their strengths; leave it out"
        )
    order = order and is_identified(votes.collapsed(), order=True)
    if not order:
        votes = replace(votes, first=np.zeros_like(votes.first))
    blocks = blocks_of_wins(votes)
    if blocks.max() > 0:
        votes = replace(votes, control=None)
    return PreparedVotes(names, chosen, votes, clusters, by, order, blocks)


def _of_systems(given: Votes, wanted: tuple[str, ...]) -> Votes:
    if not wanted:
        return given
    places = [given.system_of(name) for name in wanted]
    return given.only(np.isin(given.a, places) & np.isin(given.b, places))


def _met(given: Votes) -> list[int]:
    """The places of systems that any vote is about, by name: the order of rows leaves no trace."""
    there = set(given.a.tolist()) | set(given.b.tolist())
    return sorted(there, key=lambda place: given.systems[place])


def _check_names(names: tuple[str, ...], question: RankQuestion) -> None:
    asked = [*question.named_systems, *([question.baseline] if question.baseline else [])]
    if question.anchor is not None:
        asked.append(question.anchored[0])
    for name in asked:
        if name not in names:
            raise UnknownSystem(f"no vote is about a system {name!r}; {nearest(name, names)}")
    if len(names) < 2:
        raise TooFew("there are no votes between two systems; check the names of the systems")


def _arrays(given: Votes, names: tuple[str, ...]) -> PairwiseVotes:
    place = np.full(len(given.systems) + 1, -1, dtype=np.int64)
    for new, name in enumerate(names):
        place[given.systems.index(name)] = new
    points = np.where(given.winner == NO_SYSTEM, 0.5, np.where(given.winner == given.a, 1.0, 0.0))
    control = None if given.control is None else _standardised(given)
    return PairwiseVotes(
        len(names), place[given.a], place[given.b], points, _first(given), np.ones(len(given)), control
    )


def _standardised(given: Votes) -> FloatArray:
    """The control in standard deviations about 0: a difference of a and b has no level of its own."""
    assert given.control is not None, "called where there is one"
    if not len(given):  # only ties, which were dropped
        return given.control
    size = float(np.sqrt(np.mean(given.control**2)))
    if size == 0.0:
        raise DataError(
            f"{given.control_name or 'the control'} is 0 in every vote, so there is nothing to adjust for; leave it out"
        )
    return np.asarray(given.control / size)


def _first(given: Votes) -> FloatArray:
    """1 where a was shown first, −1 where b was, 0 where nobody says."""
    if given.first is None:
        return np.zeros(len(given))
    return np.where(given.first == given.a, 1.0, np.where(given.first == given.b, -1.0, 0.0))


def _refuse_disconnected(votes: PairwiseVotes, names: tuple[str, ...], question: RankQuestion) -> None:
    groups = groups_that_met(votes)
    if int(groups.max()) == 0:
        return
    members = [[names[i] for i in np.flatnonzero(groups == group)] for group in range(int(groups.max()) + 1)]
    counts = Counter(groups[votes.a].tolist())
    most = max(range(len(members)), key=lambda group: (counts[group], -group))
    ways = [f"Without ties dropped ({option('ties', 'half')}) they may meet."] if question.ties == "drop" else []
    if len(members[most]) > 1:
        ways.insert(0, f"Rank one: {option('systems', ','.join(members[most]))}.")
    raise DataError(
        f"votes fall into {len(members)} groups that never met: {' | '.join(', '.join(group) for group in members)}; strengths across "
        f"them cannot be told. {' '.join(ways)}"
    )


def _cluster_by(given: Votes) -> ClusterBy:
    """What was asked for, else every column of raters and items that has two values or more, unless each vote has its own."""
    raters, items = (0 if column is None else len(np.unique(column)) for column in (given.rater, given.item))
    if given.cluster_by is not None:
        given.refuse_single_cluster()
        return given.cluster_by
    by_item = 1 < items < len(given)
    if raters > 1 and by_item:
        return "both"
    return "rater" if raters > 1 else "item" if by_item else "none"
