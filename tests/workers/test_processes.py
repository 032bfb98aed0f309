"""Processes of our own: what is left of them when they are ended."""

import subprocess
import sys
from pathlib import Path

LEFT_AT_ONCE = """
import os, time
from tellapart.workers.processes import Processes
if __name__ == "__main__":
    crew = Processes(2)
    crew.task = time.sleep
    futures = [crew.submit(60) for _ in range(6)]
    time.sleep(1)
    crew.close()
    os._exit(0)
"""


def test_a_command_that_ends_at_once_after_them_leaves_no_locks(tmp_path: Path) -> None:
    """Python would say on stderr, after the last word of the command, that semaphores leak."""
    script = tmp_path / "left.py"
    script.write_text(LEFT_AT_ONCE)
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
