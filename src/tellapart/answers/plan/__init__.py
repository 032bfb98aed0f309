"""The answer of one question: what an evaluation of some size can show."""

from typing import TYPE_CHECKING

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.answers.plan.file import LARGEST, PlanFile

__all__ = ["LARGEST", "PlanFile"]

__getattr__ = lazy_names(__name__)
