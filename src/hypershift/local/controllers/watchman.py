"""Asks every node each second whether it answers, which is faster than waiting for leases to end.

A refused connection counts as an answer: the machine runs while its kube-proxy restarts. A frozen
machine does not answer: its kernel accepts the connection, but no program replies.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

KUBE_PROXY_HEALTH = 10256
INTERVAL = 1.0
PATIENCE = 1.5
SILENCES = 2

Ask = Callable[[str], Awaitable[bool]]


async def answers(address: str) -> bool:
    """Whether a program on the node answers."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(address, KUBE_PROXY_HEALTH)
            try:
                writer.write(b"GET /livez HTTP/1.0\r\n\r\n")
                return bool(await reader.readline())
            finally:
                writer.close()
    except (ConnectionRefusedError, ConnectionResetError):
        return True
    except (OSError, TimeoutError):
        return False


@dataclass(slots=True)
class Watchman:
    """Knows which nodes are silent."""

    ask: Ask = answers
    silent: dict[str, int] = field(default_factory=dict)

    @property
    def dead(self) -> frozenset[str]:
        """Nodes that were silent too often in a row."""
        return frozenset(name for name, count in self.silent.items() if count >= SILENCES)

    async def round(self, nodes: Mapping[str, str]) -> bool:
        """Ask every node once, by name and address; True if the set of silent nodes changed."""
        before = self.dead
        names = list(nodes)
        heard = await asyncio.gather(*(self.ask(nodes[name]) for name in names))
        self.silent = {
            name: 0 if answered else self.silent.get(name, 0) + 1
            for name, answered in zip(names, heard, strict=True)
        }
        return self.dead != before
