"""What to type next: a comparison or a ranking that these files answer."""

import shlex
from collections.abc import Sequence
from dataclasses import replace

from tellapart.errors import TellapartError
from tellapart.readers.logs.asked import Asked, Runs
from tellapart.readers.logs.harvest import Harvest
from tellapart.readers.logs.tidy_rows import tidied
from tellapart.readers.origin import Origin
from tellapart.verbs.describe.kind_commands import commands_of_kinds, is_kind, shared
from tellapart.verbs.describe.trials import Trial, first_that_answers


def commands_for(
    paths: Sequence[str], given: Sequence[str], origins: Sequence[Origin], harvest: Harvest
) -> tuple[str, ...]:
    """Commands for the shell, as they can be typed where the files are; `given` are flags that all of them need."""
    of_kinds = commands_of_kinds([one for one in harvest.found if is_kind(one)], harvest)
    rows = replace(harvest, found=[one for one in harvest.found if not is_kind(one)])
    if not rows.found:
        return of_kinds
    inside = [*paths, *given]
    trial = first_that_answers(rows, origins)
    found = _converted(inside, rows, origins) if trial is None else _answered(inside, trial)
    picked = [] if trial is None else _picked(trial.asked)
    # Where only two of all systems go together, nothing can be asked of all.
    whole = len(rows.found) == 1 or (trial is not None and not trial.asked.systems)
    agreed = [["agreement", *inside, *picked]] if whole and any(map(shared, rows.found)) else []
    return (*found, *(shlex.join(["tellapart", *command]) for command in agreed), *of_kinds)


def _answered(inside: Sequence[str], trial: Trial) -> list[str]:
    asked = trial.asked
    words = [*inside, *_picked(asked)]
    sides = ["--a", trial.pair[0], "--b", trial.pair[1]] if len(trial.systems) > 2 or asked.systems else []
    drop = ["--missing", "drop"] if trial.lacking else []
    # A model of raters and items has no place for clusters of items.
    alone = ["--cluster", "none"] if trial.raters and trial.clustered else []
    found = [["compare", *words, *alone, *sides, *drop]]
    if len(trial.systems) > 2 and not asked.systems and trial.board is not None:
        fixed = ["--raters-as", "fixed"] if trial.raters else []
        found.append(["rank", *words, *fixed, *(["--missing", trial.board] if trial.board else [])])
    return [shlex.join(["tellapart", *command]) for command in found]


def _picked(asked: Asked) -> list[str]:
    """A selection as it is typed."""
    words: list[str] = []
    words += [] if asked.dataset is None else ["--dataset", asked.dataset]
    words += [] if asked.measure is None else ["--measure", asked.measure]
    for axis, value in asked.where.items():
        words += ["--where", f"{axis}={value}"]
    words += [] if asked.runs is None else ["--runs", asked.runs]
    words += [] if asked.universe is None else ["--universe", str(asked.universe)]
    return [*words, "--partial"] if asked.partial else words


def _converted(inside: Sequence[str], harvest: Harvest, origins: Sequence[Origin]) -> list[str]:
    """One system, or systems that share nothing: all there is in one table."""
    partial = any(one.facts.status in {"unfinished", "withdrawn"} for one in harvest.found)
    universe = "500" if any(one.facts.solved_only for one in harvest.found) else None
    modes: tuple[Runs | None, ...] = (None, "separate")
    for asked in (Asked(partial=partial, universe=universe, runs=runs) for runs in modes):
        copied = replace(harvest, found=[one.copy() for one in harvest.found])
        try:
            tidied(copied, origins, asked)
        except TellapartError:
            continue
        return [shlex.join(["tellapart", "convert", *inside, *_picked(asked), "-o", "scores.csv"])]
    return []
