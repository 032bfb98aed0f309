"""For dashboards of tests: JUnit XML, one test case per check."""

from xml.sax.saxutils import escape, quoteattr

from tellapart.results.gated import Check, Gate
from tellapart.wording import printable, signed_short

_FORBIDDEN = {code: None for code in range(32) if chr(code) not in "\t\n\r"} | {0xFFFE: None, 0xFFFF: None}
"""What XML cannot hold at all, escaped or not."""


def junit(answer: Gate, *, undetermined_fails: bool) -> str:
    cases = [_case(answer, check, undetermined_fails=undetermined_fails) for check in answer.checks]
    failed = sum("<failure" in case for case in cases)
    skipped = sum("<skipped" in case for case in cases)
    counts = f'tests="{len(cases)}" failures="{failed}" errors="0"'
    suite = f'  <testsuite name="tellapart gate" {counts} skipped="{skipped}" time="0">'
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<testsuites {counts} time="0">', suite, *cases]
    return "\n".join([*lines, "  </testsuite>", "</testsuites>"]) + "\n"


def _case(answer: Gate, check: Check, *, undetermined_fails: bool) -> str:
    name = "all items" if check.dataset is None else check.dataset
    inner = _outcome(answer, check, undetermined_fails=undetermined_fails)
    opening = f'    <testcase classname={_attribute(f"tellapart.gate.{answer.candidate}")} name={_attribute(name)} time="0"'
    return f"{opening}>\n{inner}\n    </testcase>" if inner else f"{opening}/>"


def _outcome(answer: Gate, check: Check, *, undetermined_fails: bool) -> str:
    if check.verdict == "pass":
        return ""
    said = (
        f"{check.verdict}: effect {signed_short(check.effect)}, between {signed_short(check.low)} and "
        f"{signed_short(check.high)}; margin {answer.margin:g}"
    )
    if check.verdict == "fail" or undetermined_fails:
        return f"      <failure message={_attribute(said)} type={_attribute(check.verdict)}>{_text(answer.sentence)}</failure>"
    return f"      <skipped message={_attribute(said)}/>"


def _attribute(text: str) -> str:
    return quoteattr(_legal(text))


def _text(text: str) -> str:
    return escape(_legal(text))


def _legal(text: str) -> str:
    return printable(text).translate(_FORBIDDEN)
