"""What a snapshot of etcd contains: its revision, and its objects by kind.

Two snapshots with equal tallies of a kind hold equal objects of that kind. The objects are added
up in any order, so memory grows with the number of keys (32 bytes each), not with their sizes.
"""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from hypershift.controlplane.etcd.snapshot.bolt import Database, NotASnapshot

#: Lengths of a revision as a key: two numbers and a sign between; a deletion has one byte more.
LIVE, DELETED = 17, 18
#: More kinds than any cluster has; names of kinds come from the guest.
KINDS = 20_000
_TALLY_BYTES = 16
_TALLY_MODULUS = 2 ** (8 * _TALLY_BYTES)
_ENCRYPTED = b"k8s:enc:"


@dataclass(frozen=True, slots=True)
class Tally:
    """The objects of one kind: how many, and the sum of their digests."""

    count: int = 0
    digest: int = 0

    def plus(self, key: bytes, value: bytes) -> "Tally":
        """The tally with one more object."""
        return Tally(self.count + 1, (self.digest + _digest(key, value)) % _TALLY_MODULUS)


@dataclass(frozen=True, slots=True)
class Content:
    """What a snapshot contains."""

    revision: int
    keys: int
    #: Empty where objects were not tallied.
    kinds: Mapping[str, Tally] = field(default_factory=lambda: MappingProxyType({}))
    #: Providers and names of the keys that values are encrypted with: `aescbc/key-1`.
    encrypted_with: frozenset[str] = frozenset()
    #: The minor version of etcd that wrote it; databases have it from 3.6 on.
    version: str = ""


def _digest(key: bytes, value: bytes) -> int:
    found = hashlib.blake2b(key + b"\0" + value, digest_size=_TALLY_BYTES)
    return int.from_bytes(found.digest())


def content(database: Database, *, tallied: bool = True) -> Content:
    """Read all live objects of a snapshot, newest first; without tallies it is half the work."""
    # Counts and sums beside each other: a snapshot has millions of objects.
    counts: dict[str, int] = {}
    sums: dict[str, int] = {}
    secrets: set[str] = set()
    revision = keys = 0
    for at, key, value in _live(database):
        revision = max(revision, at)
        if not key:
            continue
        keys += 1
        if value.startswith(_ENCRYPTED):
            secrets.add(encryption_key(value))
        if not tallied:
            continue
        kind = kind_of(key)
        if kind not in counts and len(counts) >= KINDS:
            raise NotASnapshot(f"it has objects of more than {KINDS} kinds")
        counts[kind] = counts.get(kind, 0) + 1
        sums[kind] = sums.get(kind, 0) + _digest(key, value)
    kinds = {kind: Tally(count, sums[kind] % _TALLY_MODULUS) for kind, count in counts.items()}
    version = dict(database.items(b"meta")).get(b"storageVersion", b"")
    return Content(revision, keys, kinds, frozenset(secrets), _minor(version))


def kind_of(key: bytes) -> str:
    """The resource that a key of an API server belongs to: `secrets`, `apps.example.org/things`."""
    parts = key.split(b"/", 4)
    # /registry/RESOURCE/..., and with a dot in it /registry/GROUP/RESOURCE/...
    if len(parts) > 3 and b"." in parts[2]:  # noqa: PLR2004 - the words of a path
        found = b"/".join(parts[2:4])
    else:
        found = parts[2] if len(parts) > 2 else parts[0]  # noqa: PLR2004 - the words of a path
    return found.decode(errors="replace")


def encryption_key(value: bytes) -> str:
    """The provider and key name of an encrypted value: `k8s:enc:PROVIDER:VERSION:NAME:...`."""
    words = value[:256].split(b":", 5)
    return b"/".join((*words[2:3], *words[4:5])).decode(errors="replace")


def _live(database: Database) -> Iterator[tuple[int, bytes, bytes]]:
    """Yield revision, key and value of every object; of a revision without one, no key."""
    seen: set[bytes] = set()
    for revision, record in database.items(b"key", backwards=True):
        if len(revision) not in (LIVE, DELETED):
            raise NotASnapshot("the database is damaged: a revision has the wrong length")
        key, value = key_and_value(record)
        mark = hashlib.blake2b(key, digest_size=_TALLY_BYTES).digest()
        is_newest = mark not in seen
        seen.add(mark)
        at = int.from_bytes(revision[:8])
        yield (at, key, value) if is_newest and len(revision) == LIVE else (at, b"", b"")


def key_and_value(record: bytes) -> tuple[bytes, bytes]:
    """The first and fifth field of etcd's record, a protobuf message of bytes and numbers."""
    found: dict[int, bytes] = {}
    position, end = 0, len(record)
    try:
        while position < end:
            # Most numbers are one byte, and a snapshot has millions of them.
            tag, size = record[position], record[position + 1]
            position += 2
            if tag >= 0x80:  # noqa: PLR2004 - as in `_number`
                tag, position = _number(record, position - 2)
                size, position = _number(record, position)
            elif size >= 0x80:  # noqa: PLR2004 - as in `_number`
                size, position = _number(record, position - 1)
            if tag & 7 == 2:  # noqa: PLR2004 - bytes with their length before them
                found[tag >> 3] = record[position : position + size]
                position += size
            elif tag & 7:
                raise NotASnapshot("the database is damaged: a record cannot be read")
    except IndexError:
        raise NotASnapshot("the database is damaged: a record ends too early") from None
    return found.get(1, b""), found.get(5, b"")


def _number(record: bytes, position: int) -> tuple[int, int]:
    result = 0
    for shift in range(0, 70, 7):  # ten bytes of seven bits
        byte = record[position + shift // 7]
        result |= (byte & 0x7F) << shift
        if byte < 0x80:  # noqa: PLR2004 - the last byte of a number
            return result, position + shift // 7 + 1
    raise NotASnapshot("the database is damaged: a number has too many bytes")


def _minor(version: bytes) -> str:
    return ".".join(version.decode(errors="replace").split(".")[:2])
