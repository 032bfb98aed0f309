"""Sentences about the contents of logs and tables: headline, result sentence and notes."""

from dataclasses import replace

from tellapart.answers.description import Description
from tellapart.foundation.formatting import amount, first_of, one_line

MOST_NAMED = 5
"""Systems that the sentence names one by one."""


def with_texts(answer: Description) -> Description:
    systems = first_of([one_line(system.name) for system in answer.systems], MOST_NAMED)
    on = f" of {amount(len(answer.datasets), 'dataset')}" if answer.datasets else ""
    headline = f"{amount(len(answer.systems), 'system')} on {amount(answer.items, 'item')}{on}"
    return replace(answer, headline=headline, sentence=f"{headline}: {systems}.")
