"""What a machine's processes may ask of the kernel: capabilities that stay, calls that are refused.

Pid 1 of a machine and each command that enters it give up the rest just before they run a program
of the machine, and none of their children gets it back. Kubelet, containerd, runc and the pod
network need CAP_SYS_ADMIN, and root of a machine is root of the host without a user namespace: so
this narrows what a mistake or an exploit reaches, and is no wall (docs/adr/0020).
"""

import ctypes
import errno
import os
import struct
from collections.abc import Iterator, Mapping
from typing import Final

from hypershift.local.machine.syscalls import prctl, seccomp

#: Capabilities that stay, by number, each with who needs it.
KEPT: Final[Mapping[str, int]] = {
    # Files of images and volumes: containerd unpacks, kubelet sets owners, pods' defaults.
    "CHOWN": 0, "DAC_OVERRIDE": 1, "FOWNER": 3, "FSETID": 4, "SETFCAP": 31,
    # Processes of other users: init and containerd stop them, runc becomes them.
    "KILL": 5, "SETGID": 6, "SETUID": 7, "SETPCAP": 8,
    # The machine's own network: CNI, kube-router, kube-proxy, pods' defaults.
    "NET_BIND_SERVICE": 10, "NET_ADMIN": 12, "NET_RAW": 13,
    # runc: mounts, roots, namespaces of processes of other users.
    "SYS_CHROOT": 18, "SYS_PTRACE": 19, "SYS_ADMIN": 21,
    # `poweroff` in a pid namespace ends that namespace.
    "SYS_BOOT": 22,
    # containerd gives these two to every pod.
    "MKNOD": 27, "AUDIT_WRITE": 29,
}  # fmt: skip
LAST_CAPABILITY: Final = 40

#: Calls that act on the whole host, or reach files past every path; number by architecture.
#: x86-64, then the same kernel's 32-bit calls, then arm64.
REFUSED: Final[Mapping[str, tuple[int, int | None, int | None]]] = {
    "kexec_load": (246, 283, 104),
    "kexec_file_load": (320, None, 294),
    "init_module": (175, 128, 105),
    "finit_module": (313, 350, 273),
    "delete_module": (176, 129, 106),
    "open_by_handle_at": (304, 342, 265),
    "iopl": (172, 110, None),
    "ioperm": (173, 101, None),
    "swapon": (167, 87, 224),
    "swapoff": (168, 115, 225),
    "settimeofday": (164, 79, 170),
    "clock_settime": (227, 264, 112),
    "acct": (163, 51, 89),
    "quotactl": (179, 131, 60),
    "syslog": (103, 103, 116),
    "perf_event_open": (298, 336, 241),
    "userfaultfd": (323, 374, 282),
    "bpf": (321, 357, 280),
}

X86_64: Final = 0xC000003E
I386: Final = 0x40000003
ARM64: Final = 0xC00000B7
_COLUMNS: Final = {X86_64: 0, I386: 1, ARM64: 2}
_HOSTS: Final = {"x86_64": (X86_64, I386), "aarch64": (ARM64,)}
#: The x32 calls of x86-64 have this bit in their number; no program of ours uses them.
_X32_BIT: Final = 0x40000000

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW: Final = 0x7FFF0000
_ERRNO: Final = 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT = 0, 4
_CAPBSET_DROP, _CAP_AMBIENT, _CLEAR_ALL = 24, 47, 4

Instruction = tuple[int, int, int, int]


def confine(*, without: frozenset[str] = frozenset()) -> None:
    """Give up, for this process and all it will run, what a machine does not need.

    `without` names calls of `REFUSED` that stay allowed: runc needs `bpf` for devices where the
    host has control groups of version 2.
    """
    seccomp(b"".join(encoded(program(os.uname().machine, without))))
    for number in dropped():
        try:
            prctl(_CAPBSET_DROP, number)
        except OSError as error:
            if error.errno != errno.EINVAL:  # a capability that this kernel does not know
                raise
    prctl(_CAP_AMBIENT, _CLEAR_ALL)
    _set_capabilities(frozenset(KEPT.values()))


def dropped() -> tuple[int, ...]:
    """The capabilities that no process of a machine has."""
    return tuple(one for one in range(LAST_CAPABILITY + 1) if one not in KEPT.values())


def program(machine: str, without: frozenset[str] = frozenset()) -> list[Instruction]:
    """The filter: one block for each set of call numbers that the host's kernel serves."""
    made: list[Instruction] = [(_LOAD, 0, 0, _ARCHITECTURE_AT)]
    for architecture in _HOSTS[machine]:
        block = list(_block(architecture, without))
        made += [(_EQUAL, 0, len(block), architecture), *block]
    # Calls in a set of numbers that we do not know would be calls that we cannot refuse.
    return [*made, (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]


def _block(architecture: int, without: frozenset[str]) -> Iterator[Instruction]:
    column = _COLUMNS[architecture]
    numbers = [row[column] for name, row in REFUSED.items() if name not in without]
    yield (_LOAD, 0, 0, _NUMBER_AT)
    if architecture == X86_64:
        yield (_AT_LEAST, 0, 1, _X32_BIT)
        yield (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)
    for number in (one for one in numbers if one is not None):
        yield (_EQUAL, 0, 1, number)
        yield (_RETURN, 0, 0, _ERRNO | errno.EPERM)
    yield (_RETURN, 0, 0, _ALLOW)


def encoded(instructions: list[Instruction]) -> Iterator[bytes]:
    """The instructions as the kernel reads them."""
    for code, when_true, when_false, value in instructions:
        yield struct.pack("=HBBI", code, when_true, when_false, value)


def _set_capabilities(kept: frozenset[int]) -> None:
    """Keep those of `kept` that we have; nothing is inherited but by being root."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = struct.pack("=Ii", 0x20080522, 0)
    buffer = ctypes.create_string_buffer(24)
    if libc.capget(header, buffer) != 0:
        raise OSError(ctypes.get_errno(), "capget")
    words = list(struct.unpack("=6I", buffer.raw))
    for half in range(2):
        mask = sum(1 << (one - 32 * half) for one in kept if one // 32 == half)
        permitted = words[half * 3 + 1] & mask
        words[half * 3 : half * 3 + 3] = [permitted, permitted, 0]
    if libc.capset(header, struct.pack("=6I", *words)) != 0:
        raise OSError(ctypes.get_errno(), "capset")
