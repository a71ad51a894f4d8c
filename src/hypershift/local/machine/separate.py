"""The way from the host into a machine: its users, its namespaces, its pid 1.

    host       the stage, in a mount namespace that ends with the start
      └─ between   users, mapped and shown their image and disk by the host; namespaces, wired by it
           └─ pid 1

Without users of its own a machine is separated by the other namespaces alone.
"""

import os
import socket
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hypershift.kit import TransientError
from hypershift.local.machine import mounts, users
from hypershift.local.machine.spec import MachineSpec
from hypershift.local.machine.syscalls import (
    CLONE_NEWNS,
    CLONE_NEWUSER,
    MACHINE_NAMESPACES,
    unshare,
)


@contextmanager
def separated(
    spec: MachineSpec, connect: Callable[[int], None], first: Callable[[], None]
) -> Iterator[int]:
    """Start `first` as pid 1 of a machine, after `connect` for a process in its namespaces.

    Yields its pid as the host has it; within, even a pid 1 that fell is still to be seen.
    """
    unshare(CLONE_NEWNS)
    mounts.stage(spec)
    wire, theirs = socket.socketpair()
    child = os.fork()
    if child == 0:
        wire.close()
        _between(theirs, spec, first)
    theirs.close()
    with wire:
        _expect(wire, "users")
        _show(spec, child)
        _say(wire, "shown")
        _expect(wire, "namespaces")
        connect(child)
        _say(wire, "connected")
        yield int(_heard(wire))


def _show(spec: MachineSpec, child: int) -> None:
    """Give the child its users, and show it image and disk as theirs."""
    if spec.ids is None:
        mounts.show(spec, None)
        return
    users.shift(child, spec.ids)
    namespace = os.open(f"/proc/{child}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    try:
        mounts.show(spec, namespace)
    finally:
        os.close(namespace)


def _between(wire: socket.socket, spec: MachineSpec, first: Callable[[], None]) -> None:
    """Leave for the machine's users and namespaces, and fork its pid 1; does not return."""
    code = 1
    try:
        pid = _leave(wire, spec)
        if pid == 0:
            wire.close()
            first()
        else:
            _say(wire, str(pid))
            _heard(wire)  # until the host has seen pid 1, it has a parent
            code = 0
    except Exception:  # noqa: BLE001 - nothing of the host's half may run on in this process
        traceback.print_exc()
    os._exit(code)


def _leave(wire: socket.socket, spec: MachineSpec) -> int:
    if spec.ids is not None:
        unshare(CLONE_NEWUSER)
    _say(wire, "users")
    _expect(wire, "shown")
    if spec.ids is not None:
        users.become_root()
    unshare(MACHINE_NAMESPACES)
    _say(wire, "namespaces")
    _expect(wire, "connected")
    return os.fork()


def _say(wire: socket.socket, word: str) -> None:
    wire.sendall(f"{word}\n".encode())


def _expect(wire: socket.socket, word: str) -> None:
    if (said := _heard(wire)) != word:
        raise TransientError(f"the other half ended before it said {word!r}, with {said!r}")


def _heard(wire: socket.socket) -> str:
    """A line from the other side, byte by byte: what follows it is not ours to take."""
    said = bytearray()
    while (byte := wire.recv(1)) not in (b"", b"\n"):
        said += byte
    return said.decode()
