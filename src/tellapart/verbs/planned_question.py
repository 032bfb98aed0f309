"""Questions that follow a plan file: its settings apply unless an option overrides them by name."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, fields, replace
from os import PathLike, fsdecode
from pathlib import Path
from typing import Any, ClassVar, Self

from tellapart.answers.plan.file import LARGEST, PlanFile
from tellapart.foundation.errors import ReadError, UsageError
from tellapart.foundation.files import UPLOADED_FILES
from tellapart.foundation.spelling import Question, setting
from tellapart.methods.significance import Procedure
from tellapart.methods.significance.margins import Margin
from tellapart.verbs.judging_options import sounds_lower

CHOSEN = "chosen"
"""In place of a planned test: whatever `compare` chooses."""


RULES = ("better", "not-worse", "direction")


def is_rule(text: str) -> bool:
    """Whether a text is a rule as plan files have them: of a kind and about a measure, or that any better one is enough."""
    kind, _, measure = text.partition("=")
    return text == "any_better" or (kind in RULES and bool(measure))


def rule_options(texts: Sequence[str]) -> dict[str, Any]:
    """The options of a question that the rules of a plan stand for."""
    named = {name: tuple(one.removeprefix(f"{name}=") for one in texts if one.startswith(f"{name}=")) for name in RULES}
    return {"any_better": "any_better" in texts, **{name.replace("-", "_"): said for name, said in named.items()}}


@dataclass(frozen=True)
class Followed:
    """A plan that a question follows, and the options that were given beside it."""

    file: str
    plan: PlanFile
    named: frozenset[str]


@dataclass(frozen=True)
class Following(Question):
    """Base of the questions that can be asked as they were planned."""

    family: ClassVar[bool] = False
    """Whether alpha is that of all comparisons together, and not of one of them."""

    plan: Any = setting(None, "Run what a file of plan --save says, and name every difference to it.", metavar="FILE")

    def as_planned(self, given: Collection[str]) -> Self:
        """The question with what the plan says in place of what was not given."""
        if self.plan is None or isinstance(self.plan, Followed):
            return self
        followed = Followed(str(self.plan), load(self.plan), frozenset(given))
        own = {field.name for field in fields(self)}
        fixed = self.planned_options(followed.plan)
        filled = {name: value for name, value in fixed.items() if name in own and name not in given}
        margin = getattr(self, "margin", None)
        if "margin" in given and margin is not None and filled.get("test") is not None:
            filled["test"] = _with_own_margin(filled["test"], margin)
        return replace(self, plan=followed, **filled)

    def planned_options(self, plan: PlanFile) -> dict[str, Any]:
        """The options that a plan fixes, by the names they have here; of several measures the level and the rules."""
        if plan.rules and hasattr(self, "rule_texts"):
            return {"alpha": plan.level, **rule_options(plan.rules)}
        return {
            "test": None if plan.test == CHOSEN else plan.test,
            "alpha": plan.alpha if self.family else plan.level,
            "margin": plan.margin,
            "lower_is_better": plan.direction == "lower",
            "higher_is_better": plan.direction == "higher" and sounds_lower(plan.measure or ""),
        }

    @property
    def followed(self) -> Followed | None:
        """The plan that this follows, once it is filled in."""
        if self.plan is None or isinstance(self.plan, Followed):
            return self.plan
        raise UsageError("a question with a plan is asked with as_planned(), which fills in what the plan says")


def _with_own_margin(test: str, margin: float) -> str:
    """The planned test, about the margin that was given in place of its own."""
    found = Procedure.parse(test)
    return str(found.replace(margin=margin)) if isinstance(found, Margin) else test


def _content(name: str, most: int) -> bytes:
    """The content of the named file, on disk or among the uploads, up to a limit of bytes."""
    if (uploads := UPLOADED_FILES.get()) is not None:
        if name not in uploads.content:
            raise ReadError(f"{name}: no such file was given. Give it with the others")
        return uploads.content[name][:most]
    with Path(name).open("rb") as file:
        return file.read(most)


def load(path: str | PathLike[str]) -> PlanFile:
    """A plan file, whole."""
    if not isinstance(path, str | bytes | PathLike):
        raise UsageError(f"a plan is the path of a file of plan --save; found a {type(path).__name__}")
    name = fsdecode(path)
    try:
        text = _content(name, LARGEST + 1).decode()
    except UnicodeDecodeError:
        raise ReadError(
            f"{name}: this is not a plan file (it is not UTF-8 text). Make one with tellapart plan … --save FILE"
        ) from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise ReadError(f"{name}: cannot be read ({why}). Check the path of the plan") from None
    return PlanFile.from_json(text, name)
