"""Gives back what only the start of a quiet process needed: pages of files that it has mapped.

A Go program touches most of its binary while it initialises, and a tenth of it afterwards. The
kernel keeps the rest mapped until memory is short; asked, it lets go at once, and reads a page
again should it be needed. Nothing is lost where the kernel cannot or may not: it is a wish.
"""

import contextlib
import ctypes
import gc
import os
from collections.abc import Iterator
from pathlib import Path

PROCESS_MADVISE = 440  # on every architecture
MADV_PAGEOUT = 21


class _Range(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


def trim(pid: int) -> int:
    """Ask the kernel to unmap the file pages of a process; returns the bytes that it looked at."""
    with contextlib.suppress(OSError):
        ranges = list(file_ranges(Path(f"/proc/{pid}/maps").read_text()))
        descriptor = os.pidfd_open(pid)
        try:
            return sum(max(0, _advise(descriptor, *each)) for each in ranges)
        finally:
            os.close(descriptor)
    return 0


def trim_self() -> None:
    """The same for this process, whose heap has holes too."""
    gc.collect()
    gc.freeze()  # existing objects stay for ever: later collections skip them
    with contextlib.suppress(AttributeError):  # glibc alone has it
        ctypes.CDLL(None).malloc_trim(0)
    trim(os.getpid())


def file_ranges(maps: str) -> Iterator[tuple[int, int]]:
    """Start and length of every mapping of a file, from /proc/PID/maps."""
    for line in maps.splitlines():
        fields = line.split(maxsplit=5)
        if fields[5:] and fields[5].startswith("/"):
            start, end = (int(number, 16) for number in fields[0].split("-"))
            yield start, end - start


def _advise(descriptor: int, start: int, length: int) -> int:
    place = _Range(start, length)
    one, nothing = ctypes.c_size_t(1), ctypes.c_uint(0)
    done = ctypes.CDLL(None).syscall(
        PROCESS_MADVISE, descriptor, ctypes.byref(place), one, MADV_PAGEOUT, nothing
    )
    return int(done)
