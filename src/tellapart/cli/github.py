"""What GitHub Actions shows of a gate: a summary of the job, outputs for later steps, one annotation."""

import os
import secrets
from pathlib import Path

from tellapart.cli.streams import say
from tellapart.errors import UsageError
from tellapart.render import render
from tellapart.results.gated import Gate, GateFailure

SUMMARY, OUTPUT = "GITHUB_STEP_SUMMARY", "GITHUB_OUTPUT"


def summarise(answer: Gate) -> None:
    """Markdown for the page of the job, and the numbers for later steps; what else was written there stays."""
    _append(SUMMARY, render(answer, "markdown") + "\n")
    numbers = {
        name: getattr(answer, name) for name in ("verdict", "effect", "low", "high", "margin", "items")
    }
    _append(OUTPUT, "".join(f"{name}={value}\n" for name, value in numbers.items()) + _headline(answer))


def _headline(answer: Gate) -> str:
    """Between marks that no name of a system can hold, because nobody knows them beforehand."""
    mark = f"tellapart-{secrets.token_hex(16)}"
    return f"headline<<{mark}\n{answer.headline}\n{mark}\n"


def _append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if not path:
        say(f"{variable} is not set, so nothing was written there: this does not run in GitHub Actions")
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(
            f"{path}, which {variable} names, cannot be written to ({error.strerror or error})"
        ) from None


def annotate(answer: Gate, fail_on: tuple[GateFailure, ...]) -> None:
    """One line on stderr that GitHub shows beside the change; a change that passed, as it was planned to, needs none."""
    failed = answer.fails(fail_on)
    if answer.verdict == "pass" and not failed:
        return
    not_kept = failed and not answer.fails(tuple(rule for rule in fail_on if rule != "deviation"))
    said = f"{answer.headline}. {answer.plan.sentence}" if not_kept and answer.plan else answer.headline
    say(f"::{'error' if failed else 'warning'} title=tellapart gate::{_escaped(said)}")


def _escaped(text: str) -> str:
    """As workflow commands want it: a name must not end the command and begin another."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
