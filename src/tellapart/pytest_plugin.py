"""For pytest: the fixture `tellapart`, whose gates fail a test with the sentence that says why, and a section that lists them.

Nothing of tellapart is imported before a gate is asked for: a suite that has none pays nothing.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Literal

import pytest

import tellapart

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tellapart.answers.gate import Gate
    from tellapart.answers.watch import Watch

OnUndetermined = Literal["warn", "fail", "pass"]

PROPERTY = "tellapart gate"
"""Under which name a gate's headline travels with the report of its test, also from the worker that ran it."""


class UndeterminedWarning(UserWarning):
    """These items do not tell whether the candidate is worse by more than the margin."""


class Gates:
    """What the fixture `tellapart` offers."""

    def __init__(self, record: Any) -> None:
        self._record = record

    def assert_not_worse(  # noqa: PLR0913  (what a gate may be asked)
        self,
        baseline: Any,
        candidate: Any,
        *,
        margin: float,
        measure: str | None = None,
        where: Any = None,
        alpha: float = 0.05,
        missing: str = "error",
        on_undetermined: OnUndetermined = "warn",
        **options: Any,
    ) -> Gate:
        """Fail the test where the candidate is shown to be worse; where nothing is shown, warn, fail or pass as told."""
        __tracebackhide__ = True
        if on_undetermined not in {"warn", "fail", "pass"}:
            raise ValueError(f"on_undetermined is {on_undetermined!r}; it should be 'warn', 'fail' or 'pass'")
        read = {} if where is None else {"where": where}
        asked = {"measure": measure, "margin": margin, "alpha": alpha, "missing": missing, **read, **options}
        answer = tellapart.gate(baseline, candidate, **asked)
        self._record(PROPERTY, answer.headline)
        if answer.verdict == "fail" or (answer.verdict == "undetermined" and on_undetermined == "fail"):
            # One line, which begins with the verdict: a runner takes a line that begins with `::`, as a name may, for a command.
            pytest.fail(_inert(f"{answer.headline}. {answer.sentence}"), pytrace=False)
        if answer.verdict == "undetermined" and on_undetermined == "warn":
            warnings.warn(UndeterminedWarning(f"{answer.headline}. {answer.sentence}"), stacklevel=2)
        return answer

    def assert_shown(
        self,
        baseline: Any,
        candidate: Any,
        *,
        better: tuple[str, ...] = (),
        not_worse: tuple[str, ...] = (),
        **options: Any,
    ) -> Gate:
        """Fail the test unless a decision about several measures is shown: better on some, not worse by a margin (M:5r%) on others."""
        __tracebackhide__ = True
        answer = tellapart.gate(baseline, candidate, better=better, not_worse=not_worse, **options)
        self._record(PROPERTY, answer.headline)
        if answer.verdict != "pass":
            pytest.fail(_inert(f"{answer.headline}. {answer.sentence}"), pytrace=False)
        return answer

    def assert_quiet(self, scores: Any, *, margin: float = 0.0, state: str | None = None, **options: Any) -> Watch:
        """Fail the test where a watch over this stream has raised an alarm."""
        __tracebackhide__ = True
        answer = tellapart.watch(scores, margin=margin, state=state, **options)
        self._record(PROPERTY, answer.headline)
        if answer.verdict == "alarm":
            pytest.fail(_inert(f"{answer.headline}. {answer.sentence}"), pytrace=False)
        return answer


def _inert(text: str) -> str:
    """The text without the mark that a runner of continuous integration looks for anywhere in a line."""
    return text.replace("##[", "#\\x23[")


@pytest.fixture(name="tellapart")
def _tellapart(record_property: Any) -> Gates:
    """Gates on evaluations: `tellapart.assert_not_worse(baseline, candidate, margin=0.01)`."""
    return Gates(record_property)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    lines = list(_gates(terminalreporter))
    if lines:
        terminalreporter.section("tellapart gates")
        for line in lines:
            terminalreporter.line(_inert(line))


def _gates(reporter: Any) -> Iterator[str]:
    """One line per gate, in the order in which tests finished; a test's report is met once, whoever ran it."""
    for reports in reporter.stats.values():
        for report in reports:
            when = getattr(report, "when", None)
            # A gate in a fixture that fails leaves no call to report.
            if when == "call" or (when == "setup" and report.failed):
                for name, value in report.user_properties:
                    if name == PROPERTY:
                        yield f"{report.nodeid}: {value}"
