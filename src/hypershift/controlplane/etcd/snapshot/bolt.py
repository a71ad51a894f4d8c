"""Read a bbolt database, the file that etcd keeps its data in, without running etcd.

The file may come from anybody, so every offset is checked against its page, and a walk ends after
as many pages as the file has: a loop between pages cannot hold it.

    meta page 0 | meta page 1 | pages of B+ trees ...      the newer valid meta names the root
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Self

from hypershift.kit import TerminalError

MAGIC, VERSION = 0xED0CDAED, 2
BRANCH, LEAF = 0x01, 0x02
IS_BUCKET = 1
#: Of a page: number, flags, count of elements, count of pages that follow and belong to it.
HEADER = struct.Struct("<QHHI")
#: Magic, version, page size, flags, root and its sequence, free list, pages, transaction, checksum.
META = struct.Struct("<IIIIQQQQQQ")
BRANCH_ELEMENT = struct.Struct("<IIQ")
LEAF_ELEMENT = struct.Struct("<IIII")
BUCKET = struct.Struct("<QQ")
#: B+ trees of 8 GiB are four levels deep.
DEPTH = 32
PAGE_SIZES = tuple(2**power for power in range(10, 17))
_FNV_OFFSET, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3

#: The flags, key and value of one element of a leaf.
Element = tuple[int, bytes, bytes]


class NotASnapshot(TerminalError):
    """A file that is no database of etcd, or a damaged one."""


@dataclass(slots=True)
class Database:
    """The pages of one database; what etcd appends to a snapshot is left out of `data`."""

    data: memoryview
    page_size: int
    root: int
    pages: int
    _visited: int = field(default=0, init=False)

    @classmethod
    def of(cls, data: memoryview) -> Self:
        """The database in a buffer, by its newest valid meta page."""
        metas = sorted(_metas(data), key=lambda meta: meta[8])
        if not metas:
            raise NotASnapshot("it is not a database of etcd: no valid meta page")
        _, _, page_size, _, root, _, _, pages, _, _ = metas[-1]
        if pages * page_size > len(data):
            text = f"{pages} pages of {page_size} bytes do not fit into {len(data)}"
            raise NotASnapshot(f"the database is truncated: {text}")
        return cls(data, page_size, root, pages)

    def items(self, bucket: bytes, *, backwards: bool = False) -> Iterator[tuple[bytes, bytes]]:
        """Yield keys and values of a top bucket in the order of keys, or the other way round."""
        for flags, key, value in self._elements(self._page(self.root), backwards=False):
            if key == bucket and flags & IS_BUCKET and len(value) >= BUCKET.size:
                yield from self._of_bucket(value, backwards=backwards)
                return

    def _of_bucket(self, value: bytes, *, backwards: bool) -> Iterator[tuple[bytes, bytes]]:
        (root, _) = BUCKET.unpack_from(value)
        self._visited = 0
        # A small bucket has no page of its own: the page follows in the value.
        page = self._page(root) if root else memoryview(value)[BUCKET.size :]
        for _, key, inner in self._elements(page, backwards=backwards):
            yield key, inner

    def _elements(self, page: memoryview, *, backwards: bool, depth: int = 0) -> Iterator[Element]:
        if len(page) < HEADER.size or depth > DEPTH:
            raise NotASnapshot("the database is damaged: a page is too short or a tree too deep")
        _, flags, count, _ = HEADER.unpack_from(page)
        order = range(count - 1, -1, -1) if backwards else range(count)
        if flags & LEAF:
            yield from _leaf(page, order)
            return
        if not flags & BRANCH:
            raise NotASnapshot(f"the database is damaged: a page of a tree has flags {flags:#x}")
        for index in order:
            _, _, child = _element(BRANCH_ELEMENT, page, index)
            yield from self._elements(self._page(child), backwards=backwards, depth=depth + 1)

    def _page(self, number: int) -> memoryview:
        start = number * self.page_size
        if number >= self.pages:
            raise NotASnapshot(f"the database is damaged: page {number} is not in its tree")
        _, _, _, more = HEADER.unpack_from(self.data, start)
        self._visited += 1 + more
        if self._visited > self.pages:
            raise NotASnapshot(f"the database is damaged: page {number} is in its tree twice")
        if number + more >= self.pages:
            raise NotASnapshot(f"the database is damaged: page {number} goes on behind its end")
        return self.data[start : start + (1 + more) * self.page_size]


def _metas(data: memoryview) -> Iterator[tuple[int, ...]]:
    """Yield the valid ones of the two meta pages; the second lies behind a page of any size."""
    for start in (0, *PAGE_SIZES):
        if len(data) < start + HEADER.size + META.size:
            return
        body = data[start + HEADER.size : start + HEADER.size + META.size]
        found = META.unpack(body)
        if found[:2] == (MAGIC, VERSION) and found[2] in PAGE_SIZES and found[-1] == _sum(body):
            yield found


def _sum(body: memoryview) -> int:
    """The checksum of a meta page: FNV-1a of what stands before it."""
    result = _FNV_OFFSET
    for byte in body[:-8]:
        result = (result ^ byte) * _FNV_PRIME & 0xFFFFFFFFFFFFFFFF
    return result


def _element(shape: struct.Struct, page: memoryview, index: int) -> tuple[int, ...]:
    start = HEADER.size + index * shape.size
    if start + shape.size > len(page):
        raise NotASnapshot("the database is damaged: an element lies outside of its page")
    return shape.unpack_from(page, start)


def _leaf(page: memoryview, order: range) -> Iterator[Element]:
    """The elements of a leaf: they share a page, so all together are no larger than it."""
    table = HEADER.size + len(order) * LEAF_ELEMENT.size
    if table > len(page):
        raise NotASnapshot("the database is damaged: an element lies outside of its page")
    elements = list(LEAF_ELEMENT.iter_unpack(page[HEADER.size : table]))
    size = 0
    for index in order:
        flags, position, key_size, value_size = elements[index]
        size += key_size + value_size
        if size > len(page):
            raise NotASnapshot("the database is damaged: values lie in each other")
        start = HEADER.size + index * LEAF_ELEMENT.size + position
        middle = start + key_size
        end = middle + value_size
        if end > len(page):
            raise NotASnapshot("the database is damaged: a value lies outside of its page")
        yield flags, bytes(page[start:middle]), bytes(page[middle:end])
