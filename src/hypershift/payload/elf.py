"""What a dynamic program needs: its loader and libraries, read from its ELF headers.

Reading beats running `ldd`: it works for files of another root, and starts nothing.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

_MAGIC = b"\x7fELF\x02\x01"  # 64 bit, little endian: amd64 and arm64
_LOAD, _DYNAMIC, _INTERPRETER = 1, 2, 3
_END, _NEEDED, _STRINGS, _RPATH, _RUNPATH = 0, 1, 5, 15, 29


@dataclass(frozen=True, slots=True)
class Dynamic:
    """The names in a dynamic program's headers."""

    interpreter: str = ""
    needed: tuple[str, ...] = ()
    search: tuple[str, ...] = ()


def read_dynamic(file: Path) -> Dynamic | None:
    """The dynamic part of a program or library; nothing when the file is not ELF."""
    data = file.read_bytes() if _is_elf(file) else b""
    return _parse(data) if data else None


def _is_elf(file: Path) -> bool:
    with file.open("rb") as stream:
        return stream.read(len(_MAGIC)) == _MAGIC


def _parse(data: bytes) -> Dynamic:
    segments = _segments(data)
    interpreter = next((_text(data, s[1]) for s in segments if s[0] == _INTERPRETER), "")
    dynamic = next((s for s in segments if s[0] == _DYNAMIC), None)
    if dynamic is None:
        return Dynamic(interpreter)
    tags = _tags(data, dynamic)
    strings = _offset(segments, next((value for tag, value in tags if tag == _STRINGS), 0))
    needed = tuple(_text(data, strings + value) for tag, value in tags if tag == _NEEDED)
    paths = (_text(data, strings + value) for tag, value in tags if tag in {_RPATH, _RUNPATH})
    search = tuple(each for path in paths for each in path.split(":") if each)
    return Dynamic(interpreter, needed, search)


def _segments(data: bytes) -> list[tuple[int, int, int, int]]:
    """Each segment's type, place in the file, address in memory, and size in the file."""
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    found = []
    for number in range(count):
        kind, _, offset, address, _, length = struct.unpack_from(
            "<IIQQQQ", data, table + number * size
        )
        found.append((kind, offset, address, length))
    return found


def _tags(data: bytes, segment: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    _, start, _, length = segment
    for offset in range(start, start + length, 16):
        tag, value = struct.unpack_from("<qQ", data, offset)
        if tag == _END:
            break
        found.append((tag, value))
    return found


def _offset(segments: list[tuple[int, int, int, int]], address: int) -> int:
    """Where an address in memory lies in the file."""
    for kind, offset, start, length in segments:
        if kind == _LOAD and start <= address < start + length:
            return offset + address - start
    return address


def _text(data: bytes, offset: int) -> str:
    return data[offset : data.index(b"\0", offset)].decode()
