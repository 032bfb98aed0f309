"""What a description says in words."""

from dataclasses import replace

from tellapart.results.description import Description
from tellapart.wording import amount, one_line


def told(answer: Description) -> Description:
    systems = ", ".join(one_line(system.name) for system in answer.systems[:5])
    more = f" and {len(answer.systems) - 5} more" if len(answer.systems) > 5 else ""
    on = f" of {amount(len(answer.datasets), 'dataset')}" if answer.datasets else ""
    headline = f"{amount(len(answer.systems), 'system')} on {amount(answer.items, 'item')}{on}"
    return replace(answer, headline=headline, sentence=f"{headline}: {systems}{more}.")
