"""What a column can say about its rows. Help, errors, readers and `Records.labels` all speak of these roles."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Role:
    """One thing that a column can say: a name for it, what it means, and the names such columns usually have."""

    name: str
    help: str
    usual: tuple[str, ...]
    """Usual column names beside the role's own, which wins over them."""
    labels: bool = True
    """Whether its cells are names that rows are labelled with; scores are numbers, and a measure chooses rows."""
    identifies: bool = False
    """Whether it helps to tell one score from every other."""
    absent: str | None = None
    """What rows are called where no column says it; None where there is no such name."""
    blank: bool = False
    """Whether a cell may be blank."""
    everywhere: bool = False
    """Whether tables that are read as one have it all or none: half the items would be named otherwise than the rest."""
    groups: bool = False
    """Whether its column may play another role as well, because it only groups what that role tells apart."""

    @property
    def columns(self) -> tuple[str, ...]:
        """All names by which such a column is known."""
        return (self.name, *self.usual)


_DECLARED = (
    Role(
        "system",
        "who was evaluated",
        ("system_name", "system_id", "model", "model_name", "model_id"),
        identifies=True,
    ),
    Role(
        "item",
        "what it was evaluated on",
        (
            *("item_id", "id", "seg", "seg_id", "topic", "question_id", "session_id", "instruction"),
            *("query", "query_id", "qid", "example_id", "sample_id", "instance_id"),
        ),
        identifies=True,
    ),
    Role("score", "how well it did", ("value",), labels=False),
    Role(
        "dataset",
        "where the item is from: items of one name in two datasets are two items",
        ("task", "task_name"),
        identifies=True,
        absent="",
        everywhere=True,
    ),
    Role("cluster", "which items belong together", ("cluster_id",), absent="", everywhere=True, groups=True),
    Role("run", "which repeat of the same evaluation", ("seed", "epoch"), identifies=True, absent="1"),
    Role("rater", "who judged", ("rater_id", "judge", "annotator", "worker"), absent="", blank=True),
    Role("measure", "what the score is a score of", ("metric",), labels=False),
)

ROLES: Mapping[str, Role] = {role.name: role for role in _DECLARED}

LABELS = tuple(role for role in _DECLARED if role.labels)
"""The roles that rows are labelled with."""
