"""Retrieval runs and relevance judgements (qrels), scored query by query with a retrieval measure."""

from typing import TYPE_CHECKING, Literal

from tellapart.foundation.lazy_names import lazy_names

if TYPE_CHECKING:
    from tellapart.readers.retrieval.runs import Runs

Unretrieved = Literal["zero", "error", "drop"]
"""A judged query for which a run has nothing is scored 0, by the definition of every measure; or refused; or left out."""

__all__ = ["Runs", "Unretrieved"]

__getattr__ = lazy_names(__name__)
