"""Commands that a page advises: they are there to be copied, so that no format breaks them or changes a sign of them."""

import re

_COMMAND = re.compile(r"(?:^|(?<=: ))tellapart [a-z]+ .*")


def with_command(remark: str) -> tuple[str, str]:
    """What a remark says, and the command that it is or ends in; either may be empty.

    >>> with_command("it takes a plan: tellapart plan pilot 'a  b.csv'"), with_command("as `tellapart compare` says")
    (('it takes a plan:', "tellapart plan pilot 'a  b.csv'"), ('as `tellapart compare` says', ''))
    """
    found = _COMMAND.search(remark)
    return (remark, "") if found is None else (remark[: found.start()].rstrip(), found[0])
