"""The way of one command from the command line to the page: how many functions and files it enters, how often it changes room.

    python -m tests.architecture.trace compare examples/retrieval.csv --a baseline --b candidate

The counting rule. Every module is imported first, so that loading is no part of the way; then the command runs once, with cold caches. Each
call of a named function of tellapart is one step, in the order of calls; lambdas and comprehensions are part of the function around them. A
room is the first part of the path under `src/tellapart`. Two steps in a row whose rooms differ are one change of room: walking into a room
counts, and so does walking on from it to a third, but a return alone does not.
"""

import contextlib
import importlib
import io
import pkgutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import FrameType

import tellapart

SOURCE = str(Path(tellapart.__file__).parent)


@dataclass(frozen=True)
class Step:
    """One call: the file under src/tellapart and the function's name."""

    file: str
    function: str

    @property
    def room(self) -> str:
        return self.file.split("/", 1)[0].removesuffix(".py")

    def __str__(self) -> str:
        return f"{self.file.removesuffix('.py')}.{self.function}"


def steps_of(arguments: Sequence[str]) -> list[Step]:
    """Run the command with its output thrown away, and list the calls it made."""
    _import_everything()
    command = importlib.import_module("tellapart.cli.commands").group
    steps: list[Step] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCE) and not code.co_name.startswith("<"):
            steps.append(Step(code.co_filename[len(SOURCE) + 1 :], code.co_name))

    with contextlib.redirect_stdout(io.StringIO()):
        sys.setprofile(note)
        try:
            command.main(args=list(arguments), prog_name="tellapart", standalone_mode=False)
        finally:
            sys.setprofile(None)
    return steps


def changes(steps: Sequence[Step]) -> Iterator[tuple[Step, Step]]:
    return ((here, there) for here, there in pairwise(steps) if here.room != there.room)


def report(steps: Sequence[Step], longest: int = 40) -> str:
    """The figures, then the most frequent changes between two rooms and between two functions."""
    walls = list(changes(steps))
    rooms = Counter(f"{here.room} -> {there.room}" for here, there in walls)
    doors = Counter(f"{here} -> {there}" for here, there in walls)
    lines = [figures(steps)]
    for title, counts in (("between rooms", rooms), ("between functions", doors)):
        lines += ["", f"{title}:", *(f"{count:5d}  {name}" for name, count in counts.most_common(longest))]
    return "\n".join(lines)


def figures(steps: Sequence[Step]) -> str:
    files = {step.file for step in steps}
    return f"{len(set(steps))} functions in {len(files)} files, {sum(1 for _ in changes(steps))} changes of room"


def _import_everything() -> None:
    for module in pkgutil.walk_packages(tellapart.__path__, "tellapart."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


if __name__ == "__main__":
    sys.stdout.write(report(steps_of(sys.argv[1:])) + "\n")
