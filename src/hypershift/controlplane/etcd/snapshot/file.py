"""A snapshot as a file: complete and unchanged, or refused with a reason."""

import hashlib
import mmap
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from hypershift.controlplane.etcd.snapshot.bolt import Database, NotASnapshot
from hypershift.controlplane.etcd.snapshot.content import Content, content

#: `etcdctl snapshot save` appends the SHA-256 of the database, whose size is a multiple of this.
DIGEST, SECTOR = 32, 512
CHUNK = 1024 * 1024


def check_size(path: Path) -> int:
    """Refuse a file that cannot be a database and its digest; gives its size."""
    size = path.stat().st_size
    if size <= DIGEST or size % SECTOR != DIGEST:
        text = f"{size} bytes are not a database and its digest"
        raise NotASnapshot(f"it is truncated or no snapshot of etcd: {text}")
    return size


def check_digest(path: Path) -> str:
    """Compare the file with the digest at its end; reads it in pieces. Gives the whole file's."""
    digest, left = hashlib.sha256(), check_size(path) - DIGEST
    with path.open("rb") as source:
        while left:
            piece = source.read(min(CHUNK, left))
            digest.update(piece)
            left -= len(piece) or left
        wanted = source.read(DIGEST)
    if digest.digest() != wanted:
        raise NotASnapshot("it was changed or damaged: its digest does not match")
    digest.update(wanted)
    return digest.hexdigest()


@contextmanager
def database(path: Path) -> Iterator[Database]:
    """The database of a snapshot, mapped: the kernel reads pages as they are visited."""
    with (
        path.open("rb") as source,
        mmap.mmap(source.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
        memoryview(mapped) as whole,
        whole[: len(whole) - DIGEST] as pages,
    ):
        found = Database.of(pages)
        yield found


def verified(path: Path, *, tallied: bool = True) -> Content:
    """What a snapshot contains, after its digest and every page in use were checked."""
    return examined(path, tallied=tallied)[0]


def examined(path: Path, *, tallied: bool = True) -> tuple[Content, str]:
    """The same, and the digest of the whole file, which is computed beside the reading."""
    check_size(path)
    with ThreadPoolExecutor(max_workers=1) as pool:
        digest = pool.submit(check_digest, path)
        try:
            with database(path) as found:
                contents = content(found, tallied=tallied)
        except NotASnapshot:
            digest.result()  # a file that was changed is told as such, whatever was changed in it
            raise
        return contents, digest.result()
