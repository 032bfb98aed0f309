from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tellapart.readers.format import FORMATS
from tellapart.readers.formats.votes import OUTCOMES, VoteKind, no_column, of_chat_arena
from tellapart.readers.storage.origin import Origin
from tellapart.readers.tables.columns import folded
from tellapart.readers.tables.table import Block

VOTERS = ("judge", "user_id", "user", "evaluation_session_id")
"""Columns that say who voted, the first that there is."""
NO_ITEMS = frozenset(
    ("question_id", "id", "battle_id", "conversation_id", "prompt", "question", "instruction", "system", "model")
)
"""Columns that number battles or hold their text: every user asks something else, so battles share no items."""


@FORMATS.add("chat_arena")
@dataclass(frozen=True)
class ChatArena(VoteKind):
    """Battles and conversations of a chat arena (LMArena): model_a, model_b, winner, and judge, turn, anony, language, tstamp.

    The voter is `judge`, else the user or session. `--where language=English` or `--where anony=true` picks rows by any column. Also
    with a column for each outcome (`winner_model_a`, `winner_model_b`, `winner_tie`). Every battle is about another question.
    """

    label = "chat arena battles"
    first_line = "(?i)model_a"
    items = "none: every battle is another question"

    def example(self) -> bytes:
        rows = (
            "old,new,model_b,ann,1,True,English,1.0",
            "new,old,tie (bothbad),ann,2,True,English,2.0",
            "new,old,model_a,bob,1,True,German,3.0",
        )
        return "\n".join(["model_a,model_b,winner,judge,turn,anony,language,tstamp", *rows, ""]).encode()

    def matches(self, names: frozenset[str]) -> bool:
        return of_chat_arena(names)

    def blocks(self, origin: Origin) -> Iterator[Block]:
        for block in super().blocks(origin):
            yield _battles(origin.name, block)


def _battles(source: str, block: Block) -> Block:
    """The models, the winner and the voter, and beside them what rows may be picked by."""
    known = {folded(name): name for name in block.names}
    if "winner" not in known and not known.keys() >= OUTCOMES:
        raise no_column(source, "chat_arena", block.names, ("winner", " and ".join(sorted(OUTCOMES))))
    voter = next((known[name] for name in VOTERS if name in known), None)
    taken: dict[str, str] = {name: known[name] for name in ("model_a", "model_b", "winner") if name in known}
    taken |= {} if voter is None else {"rater": voter}
    left_out = {*NO_ITEMS, *VOTERS, *taken, "rater"}

    def column(name: str) -> Sequence[Any]:
        if name == "winner" and name not in taken:
            return _one_of_three(block, known)
        return block.column(taken.get(name, name))

    others = (name for name in block.names if folded(name) not in left_out)
    return Block(tuple(dict.fromkeys((*taken, "winner", *others))), block.lines, column)


def _one_of_three(block: Block, known: dict[str, str]) -> list[str]:
    """The winner where each outcome has a column of 0 and 1."""
    won = [block.column(known[f"winner_model_{side}"]) for side in "ab"]
    return ["a" if _yes(a) else "b" if _yes(b) else "tie" for a, b in zip(*won, strict=True)]


def _yes(cell: Any) -> bool:
    return str(cell).strip().casefold() in {"1", "1.0", "true"}
