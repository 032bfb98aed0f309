"""How the parts of scores came about: which metric counted them, and how."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Counted:
    """The metric that parts were counted for, by its spelling, with the signature of the program that counted."""

    metric: str
    signature: str | None = None
    classes: tuple[str, ...] = ()
    """The classes that the parts are counted of, where they are of labels."""
    here: bool = True
    """Whether they were counted from texts or labels; else they were columns, counted by whoever wrote them."""
