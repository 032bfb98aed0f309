from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tellapart.data.roles import ROLES, VOTE_ROLES
from tellapart.data.rows import Labels, show_items
from tellapart.data.votes import NO_SYSTEM, Votes
from tellapart.foundation.errors import ReadError
from tellapart.foundation.formatting import first_of
from tellapart.foundation.surfaces import option
from tellapart.readers.format import FORMATS, OF_LOGS, Certainty, TableKind, column_names
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import TableRequest, folded
from tellapart.readers.tables.parquet import open_parquet
from tellapart.readers.tables.table import Table
from tellapart.readers.tables.votes import read_votes

CHAT_ARENA = frozenset(
    (
        "turn",
        "anony",
        "language",
        "tstamp",
        "timestamp",
        "conversation_a",
        "response_a",
        "winner_model_a",
        "evaluation_order",
    )
)
"""Columns of which a chat arena has some beside its models and the winner."""
OUTCOMES = frozenset(("winner_model_a", "winner_model_b"))
"""Columns of 0 and 1 that say together who won."""


def of_chat_arena(names: frozenset[str]) -> bool:
    """Whether columns of these names are those of battles."""
    decided = "winner" in names or names >= OUTCOMES
    return {"model_a", "model_b"} <= names and decided and not names.isdisjoint(CHAT_ARENA)


def no_column(source: str, kind: str, names: Sequence[str], wanted: Sequence[str]) -> ReadError:
    """A table without the column that says who won, which is of another kind than the caller takes it for."""
    return ReadError(
        f"{source}: no column says who won; found {first_of(list(names), 8, repr)}; wanted {' or '.join(wanted)}. If "
        f"this is another kind of table, leave {option('as_', kind)} out"
    )


@dataclass(frozen=True)
class VoteKind(TableKind):
    """Base of the formats whose rows are votes between two systems, in text, JSON or Parquet."""

    of_votes = True
    way = "name the file itself: a folder is not searched for votes"

    def claim(self, origin: Origin) -> Certainty:
        names = frozenset(map(folded, self.columns(origin)))
        return Certainty.CERTAIN if not names & (OF_LOGS - {"turn"}) and self.matches(names) else Certainty.NONE

    def columns(self, origin: Origin) -> tuple[str, ...]:
        """The names of columns, of Parquet those of its schema."""
        if origin.preview.kind != "parquet":
            return column_names(origin)
        with suppress(ReadError), open_parquet(origin) as file:
            return tuple(file.schema_arrow.names)
        return ()

    def table(self, origin: Origin) -> Table:
        return replace(super().table(origin), blocks=self.blocks(origin))

    def survey(self, origin: Origin) -> Mapping[str, Any]:
        return _scores_of(read_votes([self.table(origin)], TableRequest(None, ("score",), {}), {}))


@FORMATS.add("votes")
@dataclass(frozen=True)
class VoteTable(VoteKind):
    """A table with a column `winner`: which of two systems was better, or tie, as evalica writes it.

    The systems are in `model_a` and `model_b`, `left` and `right`, `a` and `b`; a winner called like one of these columns is what
    that column names. `error` and `missing` are votes that nobody won, counted and left out.
    """

    label = "votes"
    first_line = "(?i)winner"
    items = "prompt, question_id"

    def example(self) -> bytes:
        return b"model_a,model_b,winner,question_id,judge\nold,new,model_b,q1,ann\nold,new,tie,q2,ann\nnew,old,model_a,q2,bob\n"

    def matches(self, names: frozenset[str]) -> bool:
        # Beside a system and its score a winner is a mistake, which reading explains.
        scored = all(not names.isdisjoint(ROLES[role].columns) for role in ("system", "score"))
        return not names.isdisjoint(VOTE_ROLES["winner"].columns) and not scored and not of_chat_arena(names)


def _scores_of(votes: Votes) -> dict[str, Any]:
    """A vote as a score of each of its systems: 1 for a win, 0.5 for a tie."""
    systems = np.stack([votes.a, votes.b], axis=1).ravel().tolist()
    scores = np.where(votes.winner == NO_SYSTEM, 0.5, np.where(votes.winner == votes.a, 1.0, 0.0))
    lines = np.repeat(np.arange(1, len(votes) + 1), 2)
    items = tuple(map(str, range(1, len(votes) + 1))) if votes.item is None else show_items(votes.items)
    rows = {
        "line": lines.tolist(),
        "item": Labels(items, lines - 1 if votes.item is None else np.repeat(votes.item, 2)),
        "measure": Labels(("win",), np.zeros_like(lines)),
        "score": np.stack([scores, 1.0 - scores], axis=1).ravel().tolist(),
        "system": Labels.of([votes.systems[code] for code in systems]),
        "rater": () if votes.rater is None else Labels(votes.raters, np.repeat(votes.rater, 2)),
    }
    return {"run": (), "dataset": (), "status": (), **rows}
