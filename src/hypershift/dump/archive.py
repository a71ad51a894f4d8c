"""One archive out of a directory, in the place where people look for it."""

import tarfile
from pathlib import Path

NAME = "hypershift-dump.tar.gz"


def pack(directory: Path) -> Path:
    """Put everything in the directory into one compressed archive beside it, and give its path."""
    target = directory / NAME
    target.touch(mode=0o600)
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        for path in sorted(directory.rglob("*")):
            if path.is_file() and path != target:
                archive.add(path, arcname=str(path.relative_to(directory)))
    return target
