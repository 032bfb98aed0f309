"""Linear algebra has one thread while a question is answered, and what it had before and after."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest
import scipy.linalg  # noqa: F401  (its own library is loaded with it)
from threadpoolctl import threadpool_info, threadpool_limits

import tellapart
from tellapart.foundation.blas_threads import BLAS, ONE_THREAD, OneThread


def threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


@pytest.fixture
def two_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in BLAS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ONE_THREAD, "set_by_user", False)
    with threadpool_limits(2, user_api="blas"):
        if threads() != {2}:
            pytest.skip("this library of linear algebra has no threads to limit")
        yield


@pytest.mark.usefixtures("two_threads")
def test_a_question_is_answered_with_one_and_puts_back_what_was() -> None:
    seen: list[set[int]] = []
    scores = {"a": np.arange(40.0), "b": np.arange(40.0) ** 1.1}

    def progress(*_: object) -> None:
        seen.append(threads())

    tellapart.plan("gaussian", sd=0.2, correlation=0.5, effect=0.1, items=20, test="permutation(resamples=99)", replicates=2000, progress=progress)  # fmt: skip
    assert seen
    assert set.union(*seen) == {1}
    assert threads() == {2}
    with pytest.raises(tellapart.TellapartError):
        tellapart.compare(scores, a="a", b="absent")
    assert threads() == {2}


@pytest.mark.usefixtures("two_threads")
def test_whoever_came_first_puts_it_back_and_others_let_it_be() -> None:
    one = OneThread()
    inside, go = threading.Event(), threading.Event()

    def other() -> None:
        with one:
            inside.set()
            go.wait(60)

    thread = threading.Thread(target=other)
    with one:
        with one:  # a verb that asks another
            thread.start()
            assert inside.wait(60)
        assert threads() == {1}
    assert threads() == {2}
    go.set()
    thread.join()
    assert threads() == {2}


@pytest.mark.usefixtures("two_threads")
def test_what_was_said_in_the_environment_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "2")
    with OneThread():
        assert threads() == {2}


@pytest.mark.parametrize(("said", "heard"), [(None, "1"), ("2", "2")])
def test_a_command_says_so_before_anything_is_loaded(said: str | None, heard: str) -> None:
    code = (
        "import sys, os; sys.argv = ['tellapart', '--version']\n"
        "from tellapart.cli import main\n"
        "assert 'numpy' not in sys.modules\n"
        "try: main()\n"
        "except SystemExit: print(os.environ['OPENBLAS_NUM_THREADS'])"
    )
    environment = {name: value for name, value in os.environ.items() if name not in BLAS}
    if said is not None:
        environment["OPENBLAS_NUM_THREADS"] = said
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stdout.splitlines()[-1] == heard
