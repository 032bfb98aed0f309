"""A stored plan or calibration killed again and again, then left to end: what was computed, kept and computed twice, as JSON.

Run by a test in a process of its own, which has no threads when it forks.
"""

import json
import os
import random
import signal
import sys
import time
from pathlib import Path
from typing import Any

from tellapart.compute import Runner
from tellapart.compute.store import Store, file
from tellapart.compute.work import Budget
from tellapart.methods.significance.paired_t import PairedT
from tellapart.planning import monte_carlo
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import Study
from tellapart.populations.gaussian import Gaussian
from tellapart.studies.calibration import run
from tellapart.studies.calibration import run as calibration_run
from tellapart.studies.calibration.pieces import ReportLine

STUDIES = [
    Study(Gaussian(sd=1.0, correlation=0.5, effect=0.2), PairedT(), 200),
    Study(Gaussian(sd=1.0, correlation=0.5, effect=0.1), PairedT(), 300),
]
BUDGET = Budget("monte_carlo", replicates=60_000, seed=3)
LINES = [ReportLine("scenario", 12, 6_000, 50), ReportLine("scenario", 7, 1_000, 50)]
KILLED = 20


def simulated(runner: Runner) -> list[list[Any]]:
    return [[one.power, one.type_s, one.type_m] for one in simulate_many(STUDIES, BUDGET, runner)]


def calibrated(workers: Any, path: str | None = None) -> Any:
    script: Any = calibration_run
    script.lines, script.unlisted = lambda _: LINES, lambda *_: []
    answer = calibration_run.calibrate(1.0, seed=5, executor=workers, store=path)
    return json.loads(json.dumps(answer.to_dict()))


def told(notebook: int, *words: Any) -> None:
    os.write(notebook, (" ".join(map(str, words)) + "\n").encode())


def life(kind: str, path: str, notebook: int, workers: Any) -> Any:
    """One run, which notes every block that it computed and every row that was in the file after a commit."""
    keep, commit = Store.keep, Store.commit

    def keeping(self: Store, name: str, place: tuple[int, int], value: Any) -> None:
        keep(self, name, place, value)
        told(notebook, "finished", _of(json.loads(name)), place[0])

    def committing(self: Store) -> None:
        told(notebook, "committing")
        commit(self)
        told(notebook, "committed")

    Store.keep, Store.commit = keeping, committing  # type: ignore[method-assign]
    if kind == "calibrate":
        _note_pieces(notebook)
        return calibrated(workers, path)
    _note_blocks(notebook)
    with Store(path) as store:
        return simulated(Runner(workers, store=store))


def _of(name: dict[str, Any]) -> str:
    """What a block is of, as it is noted where it is computed."""
    if name["kind"] == "calibrate":
        return str(name["line"][1])
    return "".join(filter(str.isdigit, name["design"]))


def _note_pieces(notebook: int) -> None:
    script: Any = run
    computed = script.computed

    def counted(kind: str, number: int, block: Any) -> Any:
        told(notebook, "computed", number, block.number)
        return computed(kind, number, block)

    script.computed = counted


def _note_blocks(notebook: int) -> None:
    whole = monte_carlo.tally_block

    def counted(studies: Any, seed: int, block: int, size: int) -> Any:
        told(notebook, "computed", studies[0].items, block)
        return whole(studies, seed, block, size)

    monte_carlo.tally_block = counted


def _wait_for_work(notebook: int, child: int) -> None:
    """Until the first block is begun or all is done: on a busy machine a child may not have come so far after any fixed time."""
    while not (os.fstat(notebook).st_size or os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
        time.sleep(0.001)


def main(kind: str, path: str, notes: str, seed: str) -> None:
    file.COMMITTED = 0.05
    chance = random.Random(int(seed))  # noqa: S311  (moments, no secrets)
    for number in range(KILLED):
        notebook = os.open(f"{notes}.{number}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        if (child := os.fork()) == 0:
            life(kind, path, notebook, 2 if number % 2 else 1)
            os._exit(0)
        _wait_for_work(notebook, child)
        time.sleep(chance.uniform(0.0, 0.1))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        told(notebook, "killed" if os.WIFSIGNALED(status) else "ended")
        os.close(notebook)
    notebook = os.open(f"{notes}.{KILLED}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    answer = life(kind, path, notebook, 1)
    left = sorted(one.name for one in Path(path).parent.glob("*.db*"))
    sys.stdout.write(json.dumps({"answer": answer, "left": left}))


if __name__ == "__main__":
    main(*sys.argv[1:])
