"""Lines of three columns with tabs between, as programs of retrieval print the value of a measure for a query."""

import re
from collections.abc import Iterator

from tellapart.errors import ReadError
from tellapart.readers.origin import Origin


def tabbed_lines(origin: Origin, line: re.Pattern[str], wanted: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Every line that says something, with its number; one that is not `wanted` is refused."""
    with origin.text() as text:
        for number, said in enumerate(text, 1):
            if not said.strip():
                continue
            found = line.fullmatch(said.rstrip("\r\n"))
            if found is None:
                raise ReadError(f"{origin.name}, line {number}: found {said.strip()[:40]!r}; wanted {wanted}")
            yield number, found
