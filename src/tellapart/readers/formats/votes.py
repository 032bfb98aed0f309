from collections.abc import Iterator
from dataclasses import dataclass

from tellapart.data.roles import ROLES, VOTE_ROLES
from tellapart.data.rows import show_items
from tellapart.data.votes import NO_SYSTEM, Votes
from tellapart.readers.format import FORMATS, Row, TableKind
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import TableRequest
from tellapart.readers.tables.votes import read_votes


@FORMATS.add("votes")
@dataclass(frozen=True)
class VoteTable(TableKind):
    """A table with a column `winner`: which of two systems was better, or tie, as chat arenas and evalica write it.

    The systems are in `model_a` and `model_b`, `left` and `right`, `a` and `b`; a winner called like one of these columns is what
    that column names. `error` and `missing` are votes that nobody won, counted and left out.
    """

    label = "votes"
    first_line = "(?i)winner"
    items = "prompt, question_id"
    way = "name the file itself: a folder is not searched for votes"

    def example(self) -> bytes:
        return b"model_a,model_b,winner,question_id,judge\nold,new,model_b,q1,ann\nold,new,tie,q2,ann\nnew,old,model_a,q2,bob\n"

    def matches(self, names: frozenset[str]) -> bool:
        # Beside a system and its score a winner is a mistake, which reading explains.
        scored = all(not names.isdisjoint(ROLES[role].columns) for role in ("system", "score"))
        return not names.isdisjoint(VOTE_ROLES["winner"].columns) and not scored

    def survey_rows(self, origin: Origin) -> Iterator[Row]:
        return rows_of(read_votes([self.table(origin)], TableRequest(None, ("score",), {}), {}))


def rows_of(votes: Votes) -> Iterator[Row]:
    """What a vote says of each of its systems: 1 for a win, 0.5 for a tie."""
    items = show_items(votes.items)
    for number, (a, b, winner) in enumerate(
        zip(votes.a.tolist(), votes.b.tolist(), votes.winner.tolist(), strict=True)
    ):
        item = str(number + 1) if votes.item is None else items[votes.item[number]]
        rater = "" if votes.rater is None else votes.raters[votes.rater[number]]
        for system in (a, b):
            score = 0.5 if winner == NO_SYSTEM else float(winner == system)
            yield Row(
                number + 1,
                item,
                "win",
                score,
                run=str(number + 1),
                system=votes.systems[system],
                rater=rater,
            )
