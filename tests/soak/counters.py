"""Packet counters in the network of a pod: who asks it for connections."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from tests.e2e import processes
from tests.e2e.embedded import Manifest

from hypershift.local.host import tools

TABLE = "counters_of_a_test"
RULES = """
table inet {table} {{
  set asked {{ type ipv4_addr; flags dynamic; counter; }}
  chain arriving {{
    type filter hook input priority 0;
    iifname != "lo" tcp dport {port} tcp flags & (syn | ack) == syn update @asked {{ ip saddr }}
  }}
}}
"""


class Counters:
    """Packets that ask for a connection, by the address that they come from."""

    def __init__(self, pod: Manifest, program: str, port: int) -> None:
        found = processes.of_pods({pod["metadata"]["uid"]})
        self._pid = next(each.pid for each in found if each.program == program)
        self._port = port

    def place(self) -> None:
        """Begin to count."""
        self._nft("-f", "-", feed=RULES.format(table=TABLE, port=self._port))

    def remove(self) -> None:
        """Leave the pod's network as it was."""
        self._nft("delete", "table", "inet", TABLE)

    def read(self) -> dict[str, int]:
        """How many packets came from where."""
        document = json.loads(self._nft("-j", "list", "set", "inet", TABLE, "asked"))
        (found,) = (each["set"] for each in document["nftables"] if "set" in each)
        elements = [each["elem"] for each in found.get("elem", [])]
        return {each["val"]: each["counter"]["packets"] for each in elements}

    def _nft(self, *words: str, feed: str = "") -> str:
        nft = asyncio.run(tools.nft())
        command = ("nsenter", "-t", str(self._pid), "-n", *nft, *words)
        done = subprocess.run(command, input=feed, check=True, capture_output=True, text=True)
        return done.stdout


@contextmanager
def counting(pod: Manifest, program: str, port: int) -> Iterator[Counters]:
    """Count while the body runs."""
    counters = Counters(pod, program, port)
    counters.place()
    try:
        yield counters
    finally:
        counters.remove()
