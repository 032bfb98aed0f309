"""What holds for all that is called while it lasts, without being handed from one to the next: of this thread alone."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Ambient(Generic[Value]):
    """None outside; inside whatever was set last.

    >>> who = Ambient[str]("who")
    >>> with who.being("a"), who.being("b"):
    ...     who.value
    'b'
    >>> who.value is None
    True
    """

    def __init__(self, name: str) -> None:
        self._holding: ContextVar[Value | None] = ContextVar(name, default=None)

    @property
    def value(self) -> Value | None:
        return self._holding.get()

    @contextmanager
    def being(self, value: Value | None) -> Iterator[None]:
        before = self.value
        self._holding.set(value)
        try:
            yield
        finally:
            # Not by the token of `set`: a generator may be closed from elsewhere than it was started.
            self._holding.set(before)
