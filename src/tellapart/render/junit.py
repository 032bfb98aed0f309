"""JUnit XML for CI dashboards: one test case per check of a gate, or one of a watch."""

from xml.sax.saxutils import escape, quoteattr

from tellapart.answers.gate import Check, Gate, GateFailure, GateRequirement
from tellapart.answers.gate_rules import IN_SLICES, broken_in_slices
from tellapart.answers.watch import Watch
from tellapart.foundation.formatting import printable, signed_short

_FORBIDDEN = {code: None for code in range(32) if chr(code) not in "\t\n\r"} | {0xFFFE: None, 0xFFFF: None}
"""Characters that XML cannot hold, escaped or not."""


def junit(
    answer: Gate, fail_on: tuple[GateFailure, ...] = ("worse",), required: tuple[GateRequirement, ...] = ()
) -> str:
    undetermined_fails = "undetermined" in fail_on
    cases = [_case(answer, check, undetermined_fails=undetermined_fails) for check in answer.checks]
    if "deviation" in fail_on:
        cases.append(_junit_kept(answer, fail_on))
    if {*fail_on, *required} & {*IN_SLICES}:
        cases.append(_junit_slices(answer, fail_on, required))
    return _junit_suite("tellapart gate", cases)


def junit_of_watch(answer: Watch) -> str:
    """A watch fails on an alarm."""
    said = f'      <failure message={_attribute(answer.headline)} type="alarm">{_junit_text(answer.sentence)}</failure>'
    inner = said if answer.verdict == "alarm" else ""
    return _junit_suite(
        "tellapart watch", [_junit_named(f"watch.{answer.b}", f"no loss above {answer.margin:g}", inner)]
    )


def _junit_suite(name: str, cases: list[str]) -> str:
    failed = sum("<failure" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    counts = f'tests="{len(cases)}" failures="{failed}" errors="0"'
    suite = f'  <testsuite name="{name}" {counts} skipped="{skipped}" time="0">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites {counts} time="0">', suite, *cases]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _case(answer: Gate, check: Check, *, undetermined_fails: bool) -> str:
    return _junit_named(
        f"gate.{answer.candidate}", check.name, _junit_outcome(answer, check, undetermined_fails=undetermined_fails)
    )


def _junit_kept(answer: Gate, fail_on: tuple[GateFailure, ...]) -> str:
    """The plan, or the random order of a benchmark, is one more thing that can fail, where deviations do."""
    plan, broken = answer.plan, answer.comparison.broken_beforehand(answer.plan, fail_on)
    said = plan.sentence if plan is not None else "; ".join(broken.found)
    name = "the order of items" if plan is None else f"as planned in {plan.file}"
    failure = f'      <failure message={_attribute(said)} type="deviation"/>' if broken.rules else ""
    return _junit_named(f"gate.{answer.candidate}", name, failure)


def _junit_slices(answer: Gate, fail_on: tuple[GateFailure, ...], required: tuple[GateRequirement, ...]) -> str:
    """The rules about slices are one more thing that can fail."""
    broken = broken_in_slices(answer.comparison.slices or (), required, fail_on, answer.alpha)
    said = _attribute("; ".join(broken.found))
    return _junit_named(
        f"gate.{answer.candidate}", "slices", f'      <failure message={said} type="slices"/>' if broken.rules else ""
    )


def _junit_named(of: str, name: str, inner: str) -> str:
    opening = f'    <testcase classname={_attribute(f"tellapart.{of}")} name={_attribute(name)} time="0"'
    return f"{opening}>\n{inner}\n    </testcase>" if inner else f"{opening}/>"


def _junit_outcome(answer: Gate, check: Check, *, undetermined_fails: bool) -> str:
    if check.verdict == "pass":
        return ""
    held = f"; margin {answer.margin:g}" if check.rule is None else f"; not shown: {check.rule}"
    said = (
        f"{check.verdict}: effect {signed_short(check.effect)}, between {signed_short(check.low)} and "
        f"{signed_short(check.high)}{held}"
    )
    if check.verdict == "fail" or undetermined_fails or check.rule is not None:
        return f"      <failure message={_attribute(said)} type={_attribute(check.verdict)}>{_junit_text(answer.sentence)}</failure>"
    return f"      <skipped message={_attribute(said)}/>"


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _junit_text(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    return printable(text).translate(_FORBIDDEN)
