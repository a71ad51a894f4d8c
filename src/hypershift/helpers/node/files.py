"""Write a node's files so that no program ever reads half of one."""

import os
import tempfile
from pathlib import Path


def put(path: Path, content: bytes, mode: int = 0o600) -> bool:
    """Bring a file to its content, in one step; True if it was different."""
    if path.is_file() and path.read_bytes() == content:
        return False
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    Path(name).chmod(mode)
    Path(name).replace(path)
    return True


def point(link: Path, target: Path) -> None:
    """Bring a symbolic link to its target, in one step."""
    fresh = link.with_name(f".{link.name}-{os.getpid()}")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
