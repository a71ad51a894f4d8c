"""Whether nodes take traffic for Services, asked as a cloud's load balancer asks them."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from datetime import timedelta
from typing import Final

#: Where kube-proxy reports on every node whether its rules are in place.
PORT: Final = 10256
REQUEST: Final = b"GET /healthz HTTP/1.0\r\n\r\n"
PATIENCE: Final = 1.0
#: How often nodes are asked, and how often while one of them is not well.
EVERY: Final = timedelta(seconds=5)
SOON: Final = timedelta(seconds=1)

Probe = Callable[[str], Awaitable[bool]]


async def takes_traffic(address: str) -> bool:
    """Whether kube-proxy at an address reports healthy."""
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection(address, PORT)
            try:
                writer.write(REQUEST)
                answer = await reader.readline()
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return False
    return b" 200 " in answer


async def well(addresses: Mapping[str, str], probe: Probe) -> frozenset[str]:
    """The names of the nodes that take traffic."""
    answers = await asyncio.gather(*(probe(address) for address in addresses.values()))
    return frozenset(name for name, fit in zip(addresses, answers, strict=True) if fit)
