"""Which devices a machine may create and open, and the BPF program that enforces it in version 2.

Version 1 has a list for each group. In version 2 the kernel runs programs of the group and of
each group above it, and all of them must allow: what runs in the machine can only take away.
"""

import os
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hypershift.local.machine.syscalls import bpf, load_program

#: Character devices, major and minor: null, zero, full, random, urandom; tty, ptmx, its terminals.
ALLOWED: Final[tuple[tuple[int, int | None], ...]] = (
    (1, 3), (1, 5), (1, 7), (1, 8), (1, 9), (5, 0), (5, 2), (136, None),
)  # fmt: skip

_ATTACH, _QUERY = 8, 16
_OF_DEVICES, _AT_DEVICES = 15, 6
#: Groups below may have programs of their own, which are asked as well.
_ALLOW_MULTI = 2
#: What the kernel hands to the program: kind and access in one word, major, minor.
_KIND_AT, _MAJOR_AT, _MINOR_AT = 0, 4, 8
_KIND_MASK, _CHARACTER = 0xFFFF, 2

_LOAD_WORD, _AND, _MOVE, _UNLESS, _EXIT = 0x61, 0x54, 0xB7, 0x55, 0x95
_ANSWER, _CONTEXT, _KIND, _MAJOR, _MINOR = 0, 1, 2, 3, 4

Instruction = tuple[int, int, int, int, int]


def rows() -> Iterator[str]:
    """The devices as version 1 spells them."""
    for major, minor in ALLOWED:
        yield f"c {major}:{'*' if minor is None else minor} rwm"


def program() -> list[Instruction]:
    """Code, target, source, offset and value of each instruction: 1 allows, 0 refuses."""
    allowed = list(_allowed())
    return [
        (_LOAD_WORD, _KIND, _CONTEXT, _KIND_AT, 0),
        (_AND, _KIND, 0, 0, _KIND_MASK),
        (_LOAD_WORD, _MAJOR, _CONTEXT, _MAJOR_AT, 0),
        (_LOAD_WORD, _MINOR, _CONTEXT, _MINOR_AT, 0),
        (_UNLESS, _KIND, 0, len(allowed), _CHARACTER),  # a block device: on to the refusal
        *allowed,
        (_MOVE, _ANSWER, 0, 0, 0),
        (_EXIT, 0, 0, 0, 0),
    ]


def _allowed() -> Iterator[Instruction]:
    for major, minor in ALLOWED:
        if minor is None:
            yield (_UNLESS, _MAJOR, 0, 2, major)
        else:
            yield (_UNLESS, _MAJOR, 0, 3, major)
            yield (_UNLESS, _MINOR, 0, 2, minor)
        yield (_MOVE, _ANSWER, 0, 0, 1)
        yield (_EXIT, 0, 0, 0, 0)


def encoded(instructions: list[Instruction]) -> bytes:
    """The instructions as the kernel reads them."""
    return b"".join(
        struct.pack("=BBhi", code, source << 4 | target, offset, value)
        for code, target, source, offset, value in instructions
    )


def restrict(directory: Path) -> None:
    """Let the processes of a group of version 2, and of groups within, have these devices alone."""
    group = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        if _attached(group):
            return  # a group that is there already has the program
        loaded = load_program(_OF_DEVICES, encoded(program()))
        try:
            bpf(_ATTACH, struct.pack("=IIII", group, loaded, _AT_DEVICES, _ALLOW_MULTI))
        finally:
            os.close(loaded)
    finally:
        os.close(group)


def _attached(group: int) -> bool:
    """Whether the group has a program of its own; those above are not counted."""
    query = "=IIIIQI"
    _, answer = bpf(_QUERY, struct.pack(query, group, _AT_DEVICES, 0, 0, 0, 0))
    return bool(struct.unpack_from(query, answer)[5])
