"""What a law is: something that every plug-in of a kind obeys, and wrong plug-ins that break it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from tests.exhaustive import exhaustive

Case = Any
"""What a law is tried on: a plug-in in a setting, or a plug-in that needs none."""


@dataclass(frozen=True)
class Law:
    """`check` raises AssertionError on a plug-in that breaks the law; `applies` says in which settings it is one.

    A law that nothing can break tells nothing: each names wrong plug-ins, and the suite sees every one of them fail.
    """

    check: Callable[[Case], None]
    applies: Callable[[Case], bool]
    broken_by: tuple[Any, ...]

    def __str__(self) -> str:
        return self.check.__name__


class Laws(list[Law]):
    """The laws of one kind of plug-in, in the order they are written in."""

    def law(
        self, *broken_by: Any, applies: Callable[[Case], bool] = lambda _: True
    ) -> Callable[[Callable[[Case], None]], Callable[[Case], None]]:
        """Make a function a law, naming at least one wrong plug-in that it has to catch."""
        assert broken_by

        def add(check: Callable[[Case], None]) -> Callable[[Case], None]:
            self.append(Law(check, applies, broken_by))
            return check

        return add

    def tried_in(self, settings: list[Case]) -> list[tuple[Law, Case]]:
        return [(law, setting) for law in self for setting in settings if law.applies(setting)]

    def cases(self, settings: list[Case]) -> list[Any]:
        """The same as parameters of a test, of which those that repeat others are for exhaustive runs."""
        return [
            pytest.param(*case, marks=[exhaustive] if getattr(case[1], "repeats", False) else [])
            for case in self.tried_in(settings)
        ]

    @property
    def controls(self) -> list[tuple[Law, Any]]:
        """Every law with every plug-in that has to fail it."""
        return [(law, wrong) for law in self for wrong in law.broken_by]


def fails(law: Law, settings: list[Case]) -> bool:
    """Whether some setting shows that the plug-in breaks the law."""
    for setting in settings:
        if law.applies(setting):
            try:
                law.check(setting)
            except (AssertionError, pytest.fail.Exception):
                return True
    return False


def spoiled(part: Any) -> str:
    """How a control is called: by its law and by the class of the plug-in that breaks it."""
    return str(part) if isinstance(part, Law) else type(part).__name__
