"""Packet rules on the host between machines, management cluster and users, with their counters."""

import asyncio
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hypershift.local.host import tools

#: Before connection tracking and the balancers' translation: a packet has the address that its
#: sender wrote, and a rule holds for connections that stand already.
RAW = -300
#: What the host itself sends is translated at -100.
BEFORE_NAT = -150


@dataclass(frozen=True, slots=True)
class Wall:
    """Rules in the host's way of packets, or in that of a process with a network of its own."""

    family: str
    table: str
    pid: int = 0

    def packets(self) -> list[int]:
        """Packets by counter, in the order of the rules that count."""
        return [one["packets"] for one in self._counters()]

    def sizes(self) -> list[int]:
        """Bytes by counter, in the same order."""
        return [one["bytes"] for one in self._counters()]

    def _counters(self) -> Iterator[Any]:
        listed = _nft("-j", "list", "table", self.family, self.table, pid=self.pid)
        rules = [one["rule"] for one in json.loads(listed)["nftables"] if "rule" in one]
        for rule in rules:
            yield from (part["counter"] for part in rule["expr"] if "counter" in part)


@contextmanager
def walled(
    table: str,
    rules: Sequence[str],
    *,
    family: str = "ip",
    hook: str = "prerouting",
    priority: int = RAW,
    pid: int = 0,
) -> Iterator[Wall]:
    """Put rules in the way, and take them away again."""
    lines = "\n".join(f"    {rule}" for rule in rules)
    text = (
        f"table {family} {table} {{\n  chain way {{\n"
        f"    type filter hook {hook} priority {priority}; policy accept;\n{lines}\n  }}\n}}\n"
    )
    _nft("delete", "table", family, table, check=False, pid=pid)
    _nft("-f", "-", feed=text, pid=pid)
    try:
        yield Wall(family, table, pid)
    finally:
        _nft("delete", "table", family, table, check=False, pid=pid)


def _nft(*words: str, feed: str = "", check: bool = True, pid: int = 0) -> str:
    program = asyncio.run(tools.nft())
    inside = ("nsenter", "-t", str(pid), "-n") if pid else ()
    argv = (*inside, *program, *words)
    done = subprocess.run(argv, input=feed, capture_output=True, text=True, check=False)
    assert not check or done.returncode == 0, f"nft {' '.join(words)}\n{feed}{done.stderr}"
    return done.stdout
