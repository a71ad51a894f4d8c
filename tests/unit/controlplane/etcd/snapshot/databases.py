"""Small databases as etcd writes them, made by hand: pages, trees and the digest at the end."""

import hashlib
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

from hypershift.controlplane.etcd.snapshot import bolt

PAGE = 4096


def leaf(items: Sequence[tuple[int, bytes, bytes]], number: int = 0) -> bytes:
    """A leaf page with its elements."""
    heads, bodies = b"", b""
    for index, (flags, key, value) in enumerate(items):
        position = (len(items) - index) * bolt.LEAF_ELEMENT.size + len(bodies)
        heads += bolt.LEAF_ELEMENT.pack(flags, position, len(key), len(value))
        bodies += key + value
    size = bolt.HEADER.size + len(heads) + len(bodies)
    more = (size - 1) // PAGE
    header = bolt.HEADER.pack(number, bolt.LEAF, len(items), more)
    return (header + heads + bodies).ljust((1 + more) * PAGE, b"\0")


def branch(children: Sequence[tuple[bytes, int]], number: int) -> bytes:
    heads, bodies = b"", b""
    for index, (key, child) in enumerate(children):
        position = (len(children) - index) * bolt.BRANCH_ELEMENT.size + len(bodies)
        heads += bolt.BRANCH_ELEMENT.pack(position, len(key), child)
        bodies += key
    header = bolt.HEADER.pack(number, bolt.BRANCH, len(children), 0)
    return (header + heads + bodies).ljust(PAGE, b"\0")


def meta(number: int, root: int, pages: int, transaction: int) -> bytes:
    body = struct.pack(
        "<IIIIQQQQQ", bolt.MAGIC, bolt.VERSION, PAGE, 0, root, 0, 0, pages, transaction
    )
    body += struct.pack("<Q", checksum(body))
    return (bolt.HEADER.pack(number, 4, 0, 0) + body).ljust(PAGE, b"\0")


def checksum(body: bytes) -> int:
    result = 0xCBF29CE484222325
    for byte in body:
        result = (result ^ byte) * 0x100000001B3 % 2**64
    return result


def varint(number: int) -> bytes:
    out = b""
    while number > 0x7F:
        out, number = out + bytes((number & 0x7F | 0x80,)), number >> 7
    return out + bytes((number,))


def record(key: bytes, value: bytes = b"", revision: int = 1) -> bytes:
    """A key and its value as etcd stores them, with a revision between."""
    return (
        b"\x0a" + varint(len(key)) + key + b"\x18" + varint(revision)
        + b"\x2a" + varint(len(value)) + value
    )  # fmt: skip


def history(*changes: tuple[str, bytes | None]) -> dict[bytes, bytes]:
    """Revisions as they follow each other; a value of None deletes."""
    found = {}
    for revision, (key, value) in enumerate(changes, start=2):
        name = struct.pack(">Q", revision) + b"_" + struct.pack(">Q", 0)
        mark = b"t" if value is None else b""
        found[name + mark] = record(key.encode(), value or b"", revision)
    return found


def database(revisions: Mapping[bytes, bytes], version: bytes = b"3.6.0") -> bytes:
    """A database whose `key` bucket has a tree of two levels, and whose `meta` bucket is inline."""
    items = [(0, key, value) for key, value in revisions.items()]
    middle = len(items) // 2
    pages: list[bytes] = []

    def add(page: bytes) -> int:
        number = 2 + sum(len(one) for one in pages) // PAGE
        pages.append(page)
        return number

    children = [(part[0][1], add(leaf(part))) for part in (items[:middle], items[middle:]) if part]
    keys = add(branch(children, 0)) if children else add(leaf([]))
    settings = leaf([(0, b"storageVersion", version)]).rstrip(b"\0")
    root = add(
        leaf(
            [
                (bolt.IS_BUCKET, b"key", bolt.BUCKET.pack(keys, 0)),
                (bolt.IS_BUCKET, b"meta", bolt.BUCKET.pack(0, 0) + settings),
            ]
        )
    )
    count = 2 + sum(len(one) for one in pages) // PAGE
    return meta(0, root, count, 7) + meta(1, 0, count, 6) + b"".join(pages)


def snapshot(path: Path, revisions: Mapping[bytes, bytes], version: bytes = b"3.6.0") -> Path:
    data = database(revisions, version)
    path.write_bytes(data + hashlib.sha256(data).digest())
    return path
