"""Which files lie on another machine."""

from pathlib import Path

import pytest

from tellapart.compute.store.rows import on_network

MOUNTS = r"""
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb1 /home/local xfs rw 0 0
//box/share /mnt/my\040share cifs rw 0 0
tmpfs /run tmpfs rw 0 0
broken
"""


@pytest.mark.parametrize(
    ("path", "far"),
    [
        ("/var/a.db", False),
        ("/home/me/a.db", True),
        ("/home/local/a.db", False),
        ("/mnt/my share/a.db", True),
        ("/run/a.db", False),
        ("/homework/a.db", False),
    ],
)
def test_places(tmp_path: Path, path: str, far: bool) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert on_network(Path(path), mounts) is far


def test_where_the_system_does_not_say(tmp_path: Path) -> None:
    assert not on_network(tmp_path, tmp_path / "none")
