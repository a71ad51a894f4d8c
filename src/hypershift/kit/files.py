"""Files that are replaced as a whole: a reader sees the old contents or the new ones."""

import os
import uuid
from contextlib import suppress
from pathlib import Path


def temporary_name(name: str) -> str:
    """A name beside `name` that no other writer uses, in this process or another one.

    With one name for all, a second writer renames the first one's file away, and the first one
    fails or publishes the second one's half.
    """
    return f".{name}.{uuid.uuid4().hex[:12]}.new"


def replace_file(
    path: str | Path,
    contents: bytes,
    directory: int | None = None,
    *,
    mode: int = 0o600,
    sync: bool = False,
) -> None:
    """Replace a file atomically; `directory` is an open one that `path` is relative to."""
    target = Path(path)
    temporary = target.with_name(temporary_name(target.name))
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    descriptor = os.open(temporary, flags, mode, dir_fd=directory)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(contents)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, target, src_dir_fd=directory, dst_dir_fd=directory)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=directory)
        raise
