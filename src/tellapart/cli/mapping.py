"""What a flag that may be repeated says as key=value."""

from collections.abc import Iterable

from tellapart.doors import option
from tellapart.errors import UsageError


def mapping(flag: str, given: Iterable[str], shape: str, example: str) -> dict[str, str]:
    """Every key with its value; one that is given two values is refused."""
    said: dict[str, str] = {}
    for text in given:
        key, equals, value = (s.strip() for s in text.partition("="))
        if not (key and equals and value):
            raise UsageError(f"--{flag} {text!r} should be {shape}, for example {option(flag, example)}")
        if said.setdefault(key, value) != value:
            raise UsageError(f"--{flag} says that {key} is {said[key]!r} and {value!r}; name one")
    return said
