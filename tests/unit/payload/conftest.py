import struct
from collections.abc import Callable

import pytest

PROGRAM_HEADER = "<IIQQQQQQ"


def _elf(interpreter: str = "", needed: tuple[str, ...] = (), search: str = "") -> bytes:
    """A file with the few headers that a loader reads."""
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in (*needed, search))
    places, position = [], 1
    for name in (*needed, search):
        places.append(position)
        position += len(name) + 1
    tags = [(1, place) for place in places[: len(needed)]] + ([(29, places[-1])] if search else [])
    base, address = 64 + 3 * 56, 0x1000
    loader = interpreter.encode() + b"\0"
    dynamic = b"".join(
        struct.pack("<qQ", *tag) for tag in (*tags, (5, address + len(loader)), (0, 0))
    )
    body = loader + strings + dynamic
    headers = (
        (1, base, address, len(body)),
        (3, base, address, len(loader)),
        (2, base + len(loader) + len(strings), 0, len(dynamic)),
    )
    table = b"".join(
        struct.pack(PROGRAM_HEADER, kind, 0, offset, where, 0, size, size, 0)
        for kind, offset, where, size in headers
    )
    head = b"\x7fELF\x02\x01".ljust(32, b"\0") + struct.pack("<Q", 64)
    return head.ljust(54, b"\0") + struct.pack("<HH", 56, 3) + b"\0" * 6 + table + body


@pytest.fixture
def an_elf() -> Callable[..., bytes]:
    """Makes the smallest dynamic programs."""
    return _elf
