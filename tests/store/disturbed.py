"""A stored study killed again and again, then left to end: what was computed, kept and computed twice, as JSON.

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

from tellapart.planning import monte_carlo
from tellapart.planning.budget import Budget
from tellapart.planning.monte_carlo import simulate_many
from tellapart.planning.study import Study
from tellapart.populations.gaussian import Gaussian
from tellapart.significance.paired_t import PairedT
from tellapart.store import Store, file
from tellapart.workers import Runner

STUDIES = [
    Study(Gaussian(sd=1.0, correlation=0.5, effect=0.2), PairedT(), 200),
    Study(Gaussian(sd=1.0, correlation=0.5, effect=0.1), PairedT(), 300),
]
BUDGET = Budget("monte_carlo", replicates=60_000, seed=3)
KILLED = 20


def simulated(runner: Runner) -> list[list[Any]]:
    return [[one.power, one.type_s, one.type_m] for one in simulate_many(STUDIES, BUDGET, runner)]


def told(notebook: int, *words: Any) -> None:
    os.write(notebook, (" ".join(map(str, words)) + "\n").encode())


def life(path: str, notebook: int, workers: Any) -> list[list[Any]]:
    """One run, which notes every block that it computed and every row that was in the file after a commit."""
    whole, keep, commit = monte_carlo.tally_block, Store.keep, Store.commit

    def counted(studies: Any, seed: int, block: int, size: int) -> Any:
        told(notebook, "computed", studies[0].items, block)
        return whole(studies, seed, block, size)

    def keeping(self: Store, name: str, place: tuple[int, int], value: Any) -> None:
        keep(self, name, place, value)
        told(notebook, "finished", "".join(filter(str.isdigit, json.loads(name)["design"])), place[0])

    def committing(self: Store) -> None:
        told(notebook, "committing")
        commit(self)
        told(notebook, "committed")

    monte_carlo.tally_block, Store.keep, Store.commit = counted, keeping, committing  # type: ignore[method-assign]
    with Store(path) as store:
        return simulated(Runner(workers, store=store))


def main(path: str, notes: str, seed: str) -> None:
    file.COMMITTED = 0.05
    chance = random.Random(int(seed))  # noqa: S311  (moments, no secrets)
    for number in range(KILLED):
        notebook = os.open(f"{notes}.{number}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        if (child := os.fork()) == 0:
            life(path, notebook, 2 if number % 2 else 1)
            os._exit(0)
        time.sleep(chance.uniform(0.01, 0.15))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        told(notebook, "killed" if os.WIFSIGNALED(status) else "ended")
        os.close(notebook)
    notebook = os.open(f"{notes}.{KILLED}", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    answer = life(path, notebook, 1)
    left = sorted(one.name for one in Path(path).parent.glob("*.db*"))
    sys.stdout.write(json.dumps({"answer": answer, "left": left}))


if __name__ == "__main__":
    main(*sys.argv[1:])
