"""The commands whose answers are frozen: whatever is registered, on every kind of sample, and every other way of asking once.

What is registered comes from the registries, so that a new plug-in is frozen without a line here.
"""

import re
import shlex
from collections.abc import Iterator
from itertools import product
from typing import Any

from tests.freeze.single_commands import SINGLE
from tests.freeze.tables import example_file

from tellapart.boards.corrections import CORRECTIONS
from tellapart.foundation.spelling import Registry, options
from tellapart.methods.intervals import INTERVALS
from tellapart.methods.reliability import COEFFICIENTS
from tellapart.methods.significance import TESTS
from tellapart.metrics import METRICS
from tellapart.populations import POPULATIONS
from tellapart.populations.evidence import EVIDENCE
from tellapart.readers import FORMATS

PAIRED = ("answers.csv --a medium --b large", "clustered.csv", "ratings.csv", "votes.csv")
"""One pair of systems for every kind of sample of the same items; tests and intervals of other kinds are refused."""
APART = ("apart.csv --test welch_t", "apart_binary.csv --test two_proportion_z")
"""Systems that answered different items, of which no test is chosen."""
MARGIN = {"equivalence": "equivalence(margin=0.05)", "non_inferiority": "non_inferiority(margin=0.05)"}
"""Tests that need an option."""
POPULATED = (
    "gaussian(effect=0.05, sd=0.2, correlation=0.7)",
    "paired_binary(effect=0.1, accuracy=0.7, discordance=0.2)",
    "ratings(effect=0.2, raters=8, rater_effect_sd=0.22, item_effect_sd=0.28, residual_sd=0.26)",
)
"""Populations that every test is planned on."""
FEW = "--replicates 200"
JSON_LINES = "converted.jsonl"
"""Where `convert` writes; the file is what is kept of its answer."""


def commands() -> list[str]:
    """All of them, in the order in which they run: some read a file that an earlier one wrote."""
    found = [*_compared(), *_planned(), *_ranked_and_rated(), *_read(), *_evidence(), *SINGLE]
    return list(dict.fromkeys(found))


def arguments(command: str) -> list[str]:
    """What the command line is given."""
    typed = shlex.split(command)
    return [*typed, *(("--output", JSON_LINES) if typed[0] == "convert" else ("--format", "json"))]


def _compared() -> Iterator[str]:
    tests = [f"--test '{spelling}'" for spelling in (*(MARGIN.get(name, name) for name in TESTS), *_variants(TESTS))]
    intervals = [f"--interval '{spelling}'" for spelling in (*INTERVALS, *_variants(INTERVALS))]
    for sample, asked in product((*PAIRED, *APART, "skewed.csv", "runs.csv"), ("", " --margin 0.05")):
        yield f"compare {sample}{asked}"
    for sample, asked in product(PAIRED, (*tests, *intervals)):
        yield f"compare {sample} {asked}"
    for sample, interval in product(APART, INTERVALS):
        yield f"compare {sample} --interval {interval}"
    for files, metric in product(("old.txt new.txt --reference ref.txt", "labels.csv"), METRICS):
        yield f"compare {files} --metric {metric}"


def _variants(registry: Registry[Any]) -> Iterator[str]:
    """Each choice that an option of a plug-in leaves; of one- and two-sided tests one other than the default."""
    for name in registry:
        for option in options(registry[name]):
            choices = [choice for choice in option.choices if choice not in {option.default, "greater"}]
            yield from (f"{name}({option.name}={choice})" for choice in choices if name not in MARGIN)


def _planned() -> Iterator[str]:
    """Power, items and the detectable effect of every example of a population; then every test."""
    for example in (example for name in POPULATIONS for example in POPULATIONS[name].examples):
        without = re.sub(r"\beffect=[^,()]*(, )?", "", example, count=1)
        yield f"plan '{example}' --items 60 {FEW}"
        yield f"plan '{example}' --power 0.7 {FEW}"
        yield f"plan '{without}' --items 60 --power 0.7 {FEW}"
    for population, test in product(POPULATED, TESTS):
        yield f"plan '{population}' --items 40 --test '{MARGIN.get(test, test)}' {FEW}"


def _ranked_and_rated() -> Iterator[str]:
    for table, correction in product(("board.csv", "answers.csv --baseline small"), CORRECTIONS):
        yield f"rank {table} --correction {correction}"
    for table, coefficient in product(("ratings.csv", "votes.csv"), COEFFICIENTS):
        yield f"agreement {table} --coefficient {coefficient}"


def _read() -> Iterator[str]:
    """What every reader makes of a file of its own: all rows, what it says of them, and an answer."""
    for verb, name in product(("describe", "convert", "compare"), FORMATS):
        yield f"{verb} {example_file(name)}"


def _evidence() -> Iterator[str]:
    for example in (example for name in EVIDENCE for example in EVIDENCE[name].examples):
        yield f"evidence '{example}'"
        yield f"audit --a 0.806 --b 0.829 --items 1000 --evidence '{example}'"
