"""Runs and their judgements: what a system retrieved for each query, scored by a measure of retrieval.

`runs` is the door; `lines` reads both kinds of file, `judgements` and `run` say what is in them, `measure` finds what is
computed, and `scoring` makes `Scores`.
"""

from typing import Literal

Unretrieved = Literal["zero", "error", "drop"]
"""A judged query for which a run has nothing is scored 0, by the definition of every measure; or refused; or left out."""
