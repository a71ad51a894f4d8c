"""Ports of the cluster's units that another program holds on every address of this host.

Units listen on addresses of their own, so that clusters can run side by side; but a program that
listens on all addresses has the port there too. An unused loopback address shows that.
"""

import contextlib
import errno
import os
import socket
from collections.abc import Iterable, Iterator
from pathlib import Path

#: resolver, etcd (clients, peers, metrics), registry, API server, resolver's health, managers.
PORTS = (53, 2379, 2380, 2381, 5000, 6443, 8181, 10257, 10259)
NOBODYS = "127.79.255.254"
LISTENING = "0A"
STATE, INODE = 3, 9


def taken(ports: Iterable[int] = PORTS) -> list[int]:
    """Those of the ports that cannot be had."""
    return [port for port in ports if _is_taken(port)]


def complaint(ports: Iterable[int]) -> str:
    """The error message, with the programs that hold the ports."""
    held = ", ".join(f"{port} ({holder(port) or 'another program'})" for port in ports)
    return f"in use on all addresses of this host: port {held}; stop that program first"


def holder(port: int, proc: Path = Path("/proc")) -> str:
    """The program that listens on a port, as far as we may see it."""
    sockets = {f"socket:[{inode}]" for inode in _inodes(port, proc)}
    for path in proc.glob("[0-9]*/fd/*"):
        with contextlib.suppress(OSError):
            if os.readlink(path) in sockets:  # noqa: PTH115 - a link to no path
                process = path.parents[1]
                return f"{(process / 'comm').read_text().strip()}, pid {process.name}"
    return ""


def _is_taken(port: int) -> bool:
    with socket.socket() as attempt:
        attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            attempt.bind((NOBODYS, port))
        except OSError as error:
            return error.errno == errno.EADDRINUSE
    return False


def _inodes(port: int, proc: Path) -> Iterator[str]:
    for table in ("net/tcp", "net/tcp6"):
        with contextlib.suppress(OSError):
            for line in (proc / table).read_text().splitlines()[1:]:
                fields = line.split()
                number = int(fields[1].rpartition(":")[2], 16)
                if number == port and fields[STATE] == LISTENING:
                    yield fields[INODE]
