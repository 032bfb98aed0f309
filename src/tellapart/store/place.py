"""Whether a file lies on another machine."""

from pathlib import Path

MOUNTS = Path("/proc/mounts")
NETWORKED = (
    *(
        "nfs",
        "cifs",
        "smb",
        "lustre",
        "gpfs",
        "beegfs",
        "ceph",
        "glusterfs",
        "afs",
        "9p",
        "ncpfs",
        "orangefs",
    ),
    *("fuse.sshfs", "fuse.glusterfs", "fuse.ceph", "fuse.s3fs", "fuse.rclone"),
)


def on_network(path: Path, mounts: Path = MOUNTS) -> bool:
    """By the file system that it is mounted from; False where the system does not say."""
    try:
        rows = [line.split() for line in mounts.read_text(encoding="utf-8", errors="replace").splitlines()]
    except OSError:
        return False
    place = path.absolute()
    holding = [row for row in rows if len(row) > 2 and place.is_relative_to(row[1].replace("\\040", " "))]
    nearest = max(holding, key=lambda row: len(row[1]), default=None)
    return nearest is not None and nearest[2].startswith(NETWORKED)
