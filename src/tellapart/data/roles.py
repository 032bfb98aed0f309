"""The roles of columns, such as item, system and rater, with their meanings and usual column names."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Role:
    """One thing that a column can say: a name for it, what it means, and the names such columns usually have."""

    name: str
    help: str
    columns: tuple[str, ...]
    """The usual names of such columns; the first, the role's own, wins over the others."""
    labels: bool = True
    """Whether its cells are names that rows are labelled with; scores are numbers, and a measure chooses rows."""
    identifies: bool = False
    """Whether it helps to tell one score from every other."""
    absent: str | None = None
    """The name of rows without such a column; None if there is none."""
    blank: bool = False
    """Whether a cell may be blank."""
    everywhere: bool = False
    """Whether tables that are read as one have it all or none: half the items would be named otherwise than the rest."""
    many: bool = False
    """Whether there may be millions of different names."""
    groups: bool = False
    """Whether its column may play another role as well, because it only groups what that role tells apart."""


_DECLARED = (
    Role(
        "system",
        "who was evaluated",
        ("system", "system_name", "system_id", "model", "model_name", "model_id"),
        identifies=True,
    ),
    Role(
        "item",
        "what it was evaluated on",
        (
            # WMT counts segments, TREC topics, WildBench sessions; AlpacaEval has nothing but the instruction.
            *("item", "item_id", "id", "seg", "seg_id", "topic", "question_id", "session_id", "instruction"),
            *("query", "query_id", "qid", "example_id", "sample_id", "instance_id"),
        ),
        identifies=True,
        many=True,
    ),
    Role("score", "how well it did", ("score", "value", "rating"), labels=False),
    Role(
        "dataset",
        "where the item is from",
        ("dataset", "task", "task_name"),
        identifies=True,
        absent="",
        everywhere=True,
    ),
    Role("cluster", "which items belong together", ("cluster", "cluster_id"), absent="", everywhere=True, groups=True),
    # No column is one by its name: whoever asks about groups says which.
    Role("group", "groups to compare, such as weeks", (), absent="", everywhere=True, groups=True),
    # A system that ran once stands beside one with repeats as its first run.
    Role(
        "run",
        "which repeat of the same evaluation",
        ("run", "epoch", "repeat", "attempt", "trial"),
        identifies=True,
        absent="1",
    ),
    Role(
        "seed",
        "which training of the system",
        ("seed", "training_seed", "train_seed", "train_run"),
        identifies=True,
        absent="1",
    ),
    # Who judged is often not known; a score is a score all the same.
    Role("rater", "who judged", ("rater", "rater_id", "judge", "annotator", "worker"), absent="", blank=True),
    # Taken from columns of `QUESTIONS`, and only beside a column of items.
    Role("text", "what was asked, where ids may be positions", (), absent="", blank=True, many=True),
    Role("measure", "what the score is a score of", ("measure", "metric"), labels=False),
)

ROLES: Mapping[str, Role] = {role.name: role for role in _DECLARED}

_OF_VOTES = (
    Role("winner", "who won a vote: a system or tie", ("winner",)),
    # Chat arenas name models, evalica what stood left and right.
    Role("a", "one system of a vote", ("a", "system_a", "model_a", "left")),
    Role("b", "the other", ("b", "system_b", "model_b", "right")),
    # Which of them was shown first is often not known.
    Role("first", "which of them was shown first", ("first", "shown_first", "first_shown"), absent="", blank=True),
    # No column is one by its name: what is controlled for is the user's claim.
    Role("control", "a number, a minus b, such as of lengths", ()),
)

VOTE_ROLES: Mapping[str, Role] = {role.name: role for role in _OF_VOTES}
"""Roles that a table has only where a column says the winner: elsewhere `a` and `b` are columns like any other."""

ITEMS_ELSE = (
    *("prompt_id", "problem_id", "sentence_id", "document_id", "doc_id", "request_id", "case_id", "test_id", "task_id"),
    *("row_id", "uid", "uuid", "idx", "index", "question", "prompt", "problem", "example", "sample", "sentence"),
    *("document", "doc", "request", "case", "test_case", "input"),
)
"""Other names of item columns, in order of preference, for tables with none of the usual ones."""

QUESTIONS = (
    *("question", "question_text", "problem", "user_input", "input", "inputs", "input_text", "instruction"),
    *("query", "query_text", "prompt", "prompt_text", "text", "sentence"),
)
"""Columns with the text of an item beside its id: the question itself first, then templates of it."""

_PEOPLE = (
    *("annotator", "judge", "worker", "labeler", "labeller", "evaluator", "reviewer", "assessor"),
    *("grader", "participant", "respondent", "coder"),
)
RATERS_ELSE = tuple(dict.fromkeys((*_PEOPLE, *(f"{name}_id" for name in _PEOPLE))))
"""Other names of rater columns, for tables with none of the usual ones."""

PERHAPS_RATERS = (
    *("user", "person", "expert", "voter", "subject", "human", "turker", "crowdworker", "crowd_worker"),
    *("member", "student", "teacher", "doctor", "editor", "critic", "juror", "email", "username", "user_name"),
    *("rated_by", "judged_by", "labeled_by", "labelled_by", "annotated_by", "scored_by", "reviewed_by"),
)
"""Columns that may name raters or something else: never taken without asking."""

DATASETS_ELSE = (
    *(
        "category",
        "subject",
        "task",
        "subset",
        "topic",
        "split",
        "benchmark",
        "domain",
        "lang",
        "language",
        "section",
        "suite",
    ),
)
"""Names of columns within which ids may be counted anew, asked about where an id comes twice."""
TIMES = (
    *("week", "date", "day", "month", "year", "quarter", "time", "timestamp", "datetime", "period"),
    *("iso_week", "eval_date", "run_date", "created_at"),
)
"""Columns that say when something was scored; never a system where systems are columns."""

JUDGES = ("judge", "judge_score", "model_graded")
"""Usual names of a judge's score, which others may begin with."""
PEOPLE = ("human", "human_score", "expert", "expert_score", "people")
"""Usual names of people's score beside it."""

LABELS = tuple(role for role in _DECLARED if role.labels)
"""The roles that rows are labelled with."""


SLICE = "slice:"
"""Before the name of a column by whose values items are sliced: the role of that column."""
BETWEEN_TAGS = "\x1f"
"""Separates the entries of a cell that holds a list."""


def slice_role(name: str) -> Role:
    """The role of a column that items are sliced by; there may be several."""
    return Role(name, "slices of the items", (), absent="", blank=True, groups=True)


def roles_in_words() -> str:
    """All roles with what they mean, for help."""
    return ", ".join(f"{role.name} ({role.help})" for role in (*ROLES.values(), *VOTE_ROLES.values()))
