"""The few Linux calls that Python 3.11 does not offer: namespaces, mounts, the change of root."""

import ctypes
import os
import struct
from pathlib import Path
from typing import Final

CLONE_NEWNS: Final = 0x0002_0000
CLONE_NEWUSER: Final = 0x1000_0000
CLONE_NEWCGROUP: Final = 0x0200_0000
CLONE_NEWUTS: Final = 0x0400_0000
CLONE_NEWIPC: Final = 0x0800_0000
CLONE_NEWPID: Final = 0x2000_0000
CLONE_NEWNET: Final = 0x4000_0000
#: All that make a machine.
MACHINE_NAMESPACES: Final = (
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET
)

MS_RDONLY: Final = 1
MS_NOSUID: Final = 2
MS_NODEV: Final = 4
MS_NOEXEC: Final = 8
MS_REMOUNT: Final = 32
MS_BIND: Final = 4096
MS_REC: Final = 16384
MS_PRIVATE: Final = 1 << 18
MS_SHARED: Final = 1 << 20
MNT_DETACH: Final = 2

#: The calls of the newer mount interface have one number everywhere.
_OPEN_TREE: Final = 428
_MOVE_MOUNT: Final = 429
_MOUNT_SETATTR: Final = 442
_AT_FDCWD: Final = -100
_AT_EMPTY_PATH: Final = 0x1000
_OPEN_TREE_CLONE: Final = 1
_MOVE_MOUNT_F_EMPTY_PATH: Final = 4
_ATTR_RDONLY: Final = 1
_ATTR_NODEV: Final = 4
_ATTR_IDMAP: Final = 0x0010_0000

#: x86-64 and arm64 number this call differently.
_PIVOT_ROOT: Final = {"x86_64": 155, "aarch64": 41}
_SECCOMP: Final = {"x86_64": 317, "aarch64": 277}
_BPF: Final = {"x86_64": 321, "aarch64": 280}
_PROG_LOAD: Final = 5
_SET_MODE_FILTER: Final = 1
#: Without it older kernels make every program slower that has a filter.
_SPEC_ALLOW: Final = 4

_libc = ctypes.CDLL(None, use_errno=True)


def unshare(flags: int) -> None:
    """Leave the named kinds of namespace for new ones; a new pid namespace is for children."""
    _check(_libc.unshare(ctypes.c_int(flags)), "unshare")


def setns(descriptor: int, flags: int) -> None:
    """Enter namespaces of the process behind a pidfd, or the one behind a namespace file."""
    _check(_libc.setns(ctypes.c_int(descriptor), ctypes.c_int(flags)), "setns")


def mount(
    source: str | Path, target: str | Path, kind: str = "", flags: int = 0, data: str = ""
) -> None:
    """Mount `source` on `target`."""
    result = _libc.mount(
        os.fsencode(source),
        os.fsencode(target),
        kind.encode() or None,
        ctypes.c_ulong(flags),
        data.encode() or None,
    )
    _check(result, f"mount {kind or 'bind'} on {target}")


def bind(source: str | Path, target: str | Path, *, read_only: bool = False) -> None:
    """Show `source` at `target` too."""
    mount(source, target, flags=MS_BIND | MS_REC)
    if read_only:
        mount("none", target, flags=MS_BIND | MS_REMOUNT | MS_RDONLY)


def bind_shifted(
    source: str | Path, target: str | Path, users: int, *, read_only: bool = False
) -> None:
    """Show `source` at `target` too, with owners as the user namespace `users` has them.

    No device in it can be opened.
    """
    attributes = _ATTR_IDMAP | _ATTR_NODEV | (_ATTR_RDONLY if read_only else 0)
    tree = _call(
        f"open_tree {source}",
        _OPEN_TREE, _AT_FDCWD, os.fsencode(source), _OPEN_TREE_CLONE | os.O_CLOEXEC,
    )  # fmt: skip
    try:
        change = struct.pack("=QQQQ", attributes, 0, 0, users)
        _call(
            f"mount_setattr {source}",
            _MOUNT_SETATTR, tree, b"", _AT_EMPTY_PATH, change, len(change),
        )  # fmt: skip
        _call(
            f"move_mount {target}",
            _MOVE_MOUNT, tree, b"", _AT_FDCWD, os.fsencode(target), _MOVE_MOUNT_F_EMPTY_PATH,
        )  # fmt: skip
    finally:
        os.close(tree)


def unmount(target: str | Path, flags: int = MNT_DETACH) -> None:
    """Take the topmost mount off `target`."""
    _check(_libc.umount2(os.fsencode(target), ctypes.c_int(flags)), f"umount {target}")


def pivot_root(root: str | Path) -> None:
    """Make `root`, a mount point, the root of this mount namespace, and let go of the old one."""
    os.chdir(root)
    number = _PIVOT_ROOT[os.uname().machine]
    # With "." twice the old root ends up stacked on the new one: no directory is needed for it.
    _check(_libc.syscall(ctypes.c_long(number), b".", b"."), f"pivot_root {root}")
    unmount(".")
    os.chdir("/")


def prctl(option: int, argument: int) -> None:
    """Change one property of this process."""
    _check(_libc.prctl(option, ctypes.c_ulong(argument), *[ctypes.c_ulong(0)] * 3), "prctl")


class _Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def seccomp(instructions: bytes) -> None:
    """Filter the system calls of this process and of all that it will start, for good."""
    program = _Program(len(instructions) // 8, instructions)
    number = _SECCOMP[os.uname().machine]
    result = _libc.syscall(
        ctypes.c_long(number),
        ctypes.c_uint(_SET_MODE_FILTER),
        ctypes.c_uint(_SPEC_ALLOW),
        ctypes.byref(program),
    )
    _check(result, "seccomp")


def load_program(kind: int, code: bytes) -> int:
    """Have the kernel check a program that calls none of its functions; a descriptor of it."""
    instructions, licence = ctypes.create_string_buffer(code), ctypes.create_string_buffer(b"MIT")
    places = ctypes.addressof(instructions), ctypes.addressof(licence)
    found, _ = bpf(_PROG_LOAD, struct.pack("=IIQQ", kind, len(code) // 8, *places))
    return found


def bpf(command: int, attributes: bytes) -> tuple[int, bytes]:
    """Ask the kernel about programs; its number, and the attributes as it leaves them."""
    # Longer than what any of our commands has: the kernel wants zeros there, or fills it in.
    held = ctypes.create_string_buffer(attributes, 128)
    number = ctypes.c_long(_BPF[os.uname().machine])
    result: int = _libc.syscall(number, ctypes.c_long(command), held, ctypes.c_long(len(held)))
    _check(min(result, 0), f"bpf {command}")
    return result, held.raw


def _call(action: str, number: int, *arguments: int | bytes) -> int:
    """Make a system call that the C library has no function for."""
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result: int = _libc.syscall(ctypes.c_long(number), *given)
    _check(min(result, 0), action)
    return result


def _check(result: int, action: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{action}: {os.strerror(number)}")
