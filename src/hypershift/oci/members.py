"""Tar archives of another party, read one member at a time within a budget.

Python's tarfile trusts an archive: it reads headers of any length into memory, follows chains of
extension headers by recursion, keeps every member, and decompresses without end. The reader below
gives it a stream that counts, so that neither a small file that unpacks to terabytes nor a header
of gigabytes costs more than the budget.
"""

import gzip
import io
import tarfile
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from hypershift.oci.errors import InvalidImage
from hypershift.oci.limits import DOCUMENT_BYTES, HEADER_BYTES, Budget

CHUNK = 1 << 20
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
#: What tarfile and the decompressor raise for input that they do not expect.
_BROKEN = (
    tarfile.TarError,
    EOFError,
    zlib.error,
    gzip.BadGzipFile,
    ValueError,
    OverflowError,
    RecursionError,
    IndexError,
    KeyError,
)


class Allowance:
    """What is left of a budget; the layers of one image share it."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._bytes = budget.unpacked
        self._entries = budget.entries

    def take(self, size: int) -> None:
        """Count bytes, or refuse them."""
        self._bytes -= size
        if self._bytes < 0:
            raise InvalidImage(f"layers unpack to over {self._budget.unpacked} bytes")

    def count(self) -> None:
        """Count a name, or refuse it."""
        self._entries -= 1
        if self._entries < 0:
            raise InvalidImage(f"layers have over {self._budget.entries} names")


class Members:
    """The members of an archive, in its order; the content of one is read before the next."""

    def __init__(self, raw: BinaryIO, allowance: Allowance) -> None:
        self._allowance = allowance
        self._stream = _Counted(_decompressed(raw), allowance)

    def __iter__(self) -> Iterator[tarfile.TarInfo]:
        try:
            with self._stream.header():  # opening reads the first header
                self._archive = tarfile.TarFile(fileobj=self._stream, mode="r")
            while member := self._next():
                yield member
        except _BROKEN as error:
            raise InvalidImage(f"a layer is no tar archive: {type(error).__name__}") from error

    def _next(self) -> tarfile.TarInfo | None:
        with self._stream.header():
            member = self._archive.next()
        # Every member would stay in memory; global headers are not part of the layer format.
        kept: Any = self._archive
        kept.members, kept.pax_headers = [], {}
        if member is not None:
            self._allowance.count()
            _check(member)
        return member

    def content(self, member: tarfile.TarInfo) -> Iterator[bytes]:
        """The content of the member that was yielded last, piece by piece."""
        source = self._archive.extractfile(member)
        left = member.size
        while source and left > 0:
            chunk = source.read(min(left, CHUNK))
            if not chunk:
                raise InvalidImage(f"{member.name!r} is shorter than its header says")
            left -= len(chunk)
            yield chunk

    def document(self, member: tarfile.TarInfo, most: int = DOCUMENT_BYTES) -> bytes:
        """The content of a small member."""
        if member.size > most:
            raise InvalidImage(f"{member.name!r} is larger than {most} bytes")
        return b"".join(self.content(member))


def _check(member: tarfile.TarInfo) -> None:
    """Refuse what no layer has: negative sizes, and holes that cost nothing to send."""
    if member.size < 0 or member.issparse():
        raise InvalidImage(f"{member.name!r} is sparse, which layers do not have")


def _decompressed(raw: BinaryIO) -> BinaryIO:
    """The archive inside; the first bytes say in which format, as for container tools."""
    first = _peek(raw)
    if first.startswith(_GZIP):
        return gzip.GzipFile(fileobj=raw, mode="rb")  # type: ignore[return-value]
    if first.startswith(_ZSTD):
        raise InvalidImage("a layer is compressed by zstd, which is not supported: use gzip")
    return raw


def _peek(raw: BinaryIO) -> bytes:
    start = raw.tell()
    first = raw.read(len(_ZSTD))
    raw.seek(start)
    return first


class _Counted(io.RawIOBase):
    """A stream that goes forward only, and counts against an allowance and for each header."""

    def __init__(self, source: BinaryIO, allowance: Allowance) -> None:
        super().__init__()
        self._source = source
        self._allowance = allowance
        self._position = 0
        self._header: int | None = None

    def header(self) -> "_Header":
        """Limit what is read inside of the context to the length of a header."""
        return _Header(self)

    def limit(self, size: int | None) -> None:
        """Let that many bytes be read, None for any number."""
        self._header = size

    def tell(self) -> int:
        return self._position

    def seekable(self) -> bool:
        return False

    def read(self, size: int = -1) -> bytes:
        if size < 0 or (self._header is not None and size > self._header):
            raise InvalidImage(f"a name in a layer takes over {HEADER_BYTES} bytes to describe")
        data = self._source.read(size)
        self._allowance.take(len(data))
        self._position += len(data)
        if self._header is not None:
            self._header -= len(data)
        return data

    def seek(self, position: int, whence: int = 0) -> int:
        """Skip forwards; tarfile asks for nothing else as long as members come in order."""
        if whence or position < self._position:
            raise tarfile.StreamError("seeking backwards is not allowed")
        while left := position - self._position:
            data = self._source.read(min(left, CHUNK))
            if not data:
                break
            self._allowance.take(len(data))
            self._position += len(data)
        return self._position


class _Header:
    """Limits what tarfile reads while it looks for the next member."""

    def __init__(self, stream: _Counted) -> None:
        self._stream = stream

    def __enter__(self) -> None:
        self._stream.limit(HEADER_BYTES)

    def __exit__(self, *_: object) -> None:
        self._stream.limit(None)
