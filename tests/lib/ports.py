"""Loopback ports for the programs that tests start: each port is given to one process of this host.

Ports below the range that the kernel gives to connections, so that no connection of anybody takes
one before its program listens; and each is claimed by name until the process that asked has ended,
so that tests in other processes do not get it either.
"""

import os
import socket

#: Above well-known ports, below node ports and what the kernel gives to connections.
FIRST, COUNT = 20_000, 10_000


def free_port() -> int:
    """A loopback port that nobody uses, and that nobody else is given as long as we run."""
    start = os.getpid() * 31
    for step in range(COUNT):
        port = FIRST + (start + step) % COUNT
        if _claimed(port) and _unused(port):
            return port
    raise OSError(f"none of the ports {FIRST} to {FIRST + COUNT - 1} is free")


def _claimed(port: int) -> bool:
    """Whether the port is ours from now on: names of this kind go with the process."""
    claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        claim.bind(f"\0hypershift-test-port-{port}")
    except OSError:
        claim.close()
        return False
    claim.detach()
    return True


def _unused(port: int) -> bool:
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True
