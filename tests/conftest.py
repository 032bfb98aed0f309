"""Where reference numbers and, if present, the real data are."""

import csv
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.network_guard.sitecustomize import LOG, guard

# How long numbers take to be made up depends on how busy the machine is, and says nothing of what is tried on them.
settings.register_profile("any machine", suppress_health_check=[HealthCheck.too_slow], deadline=None)
settings.load_profile("any machine")

# A shell that starts the suite in the background has it ignore Ctrl-C, and so would every command it runs and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Whatever this process or any Python that it starts would reach outside this machine is refused and noted.
GUARD = Path(__file__).parent / "network_guard"
os.environ[LOG] = tempfile.mkstemp(prefix="tellapart-network-")[1]
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (str(GUARD), os.environ.get("PYTHONPATH"))))
if not any("network_guard" in path for path in sys.path):
    sys.addaudithook(guard)


@pytest.fixture(autouse=True)
def _reaches_nobody() -> Iterator[None]:
    """No test reaches out."""
    yield
    log = Path(os.environ[LOG])
    if log.stat().st_size:
        noted = log.read_text()
        log.write_text("")
        pytest.fail(f"reached out of this machine: {noted}")


def pytest_unconfigure() -> None:
    Path(os.environ[LOG]).unlink(missing_ok=True)


REFERENCE = Path(__file__).parent / "reference"
SHARED = Path(__file__).parents[2] / "shared" / "data"
ORACLE = SHARED.parent / "oracle"

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
REQUIRED = "TELLAPART_BROWSER"
"""Set where a missing browser is a failure and no reason to skip: in continuous integration."""

Rows = list[dict[str, str]]


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Rows]:
    """Rows of a frozen reference table, by file name; tests/reference/README.md names the program behind each."""

    def rows(name: str) -> Rows:
        with (REFERENCE / name).open(newline="") as file:
            return list(csv.DictReader(file))

    return rows


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real per-item scores, beside the checkout and never in it."""
    if not SHARED.is_dir():
        pytest.skip("the real data are not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def oracle() -> Path:
    """The folder of reference numbers whose data are real, beside the checkout and never in it."""
    if not ORACLE.is_dir():
        pytest.skip("the reference numbers on real data are not beside this checkout")
    return ORACLE


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium, driven by Playwright: one per process, for it takes one at a time."""
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        message = "no Chromium is installed here; get Debian's with: make browser"
        if os.environ.get(REQUIRED):
            pytest.fail(message)
        pytest.skip(message)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (only where there is a browser)

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield started
        started.close()
