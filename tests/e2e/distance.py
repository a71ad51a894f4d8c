"""Distance between workers and their control plane: every byte arrives a while later.

The kernel's own delay (netem) is not in every kernel, so a relay on the host does it: what workers
send to balancer addresses is led through it, and each direction takes half of the round trip.
"""

import asyncio
import socket
import struct
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from tests.e2e.embedded import Cluster

from hypershift.local.host import tools

TABLE = "ip e2e-distance"
ORIGINAL_DESTINATION = 80  # SO_ORIGINAL_DST of linux/netfilter_ipv4.h
CHUNK = 1 << 16


@contextmanager
def far_away(cluster: Cluster, round_trip: float) -> Iterator[list[int]]:
    """Put workers at a distance; yields how many connections went the long way so far."""
    plan, counted = cluster.spec.plan, [0]
    loop = asyncio.new_event_loop()
    server = loop.run_until_complete(_listen(str(plan.gateway), round_trip / 2, counted))
    port = server.sockets[0].getsockname()[1]
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    path = f"ip saddr {plan.hosted_machines} ip daddr {plan.balancers} tcp dport 1-65535"
    # before the balancer's own translation, which is at -100
    hook = "{ type nat hook prerouting priority -110 ; }"
    rules = (
        f"add table {TABLE}; add chain {TABLE} way {hook}; "
        f"add rule {TABLE} way {path} dnat to {plan.gateway}:{port}"
    )
    try:
        _nft(rules)
        yield counted
    finally:
        _nft(f"delete table {TABLE}", check=False)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        server.close()
        loop.close()


async def _listen(host: str, delay: float, counted: list[int]) -> asyncio.Server:
    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        counted[0] += 1
        taken = writer.get_extra_info("socket")
        raw = taken.getsockopt(socket.SOL_IP, ORIGINAL_DESTINATION, 16)
        port, address = struct.unpack("!2xH4s8x", raw)
        await asyncio.sleep(2 * delay)  # the handshake of TCP is a round trip too
        try:
            there = await asyncio.open_connection(socket.inet_ntoa(address), port)
        except OSError:
            writer.close()
            return
        await asyncio.gather(_later(reader, there[1], delay), _later(there[0], writer, delay))

    return await asyncio.start_server(relay, host, 0)


async def _later(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, delay: float) -> None:
    """Pass bytes on after a while, in order and as many as come."""
    loop = asyncio.get_running_loop()
    queue: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(1024)

    async def take() -> None:
        data = b"first"
        while data:
            with suppress(OSError):
                data = await reader.read(CHUNK)
            await queue.put((loop.time() + delay, data))

    taking = asyncio.create_task(take())
    with suppress(OSError):
        while True:
            at, data = await queue.get()
            await asyncio.sleep(max(0.0, at - loop.time()))
            if not data:
                break
            writer.write(data)
            await writer.drain()
    taking.cancel()
    writer.close()


def _nft(rules: str, *, check: bool = True) -> None:
    nft = asyncio.run(tools.nft())
    subprocess.run((*nft, rules), check=check, capture_output=not check)
