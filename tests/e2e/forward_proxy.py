"""A real forward proxy of the distribution on the host, and a wall that leaves no other way out."""

import asyncio
import re
import socket
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.embedded import Cluster, until
from tests.e2e.walls import Wall, walled

from hypershift.parts import debian
from hypershift.parts.cache import Cache
from hypershift.parts.settings import Settings

PACKAGE = "tinyproxy-bin"
CONFIGURATION = """\
Port {port}
Listen {host}
Timeout 86400
MaxClients 400
LogLevel Connect
LogFile "{log}"
PidFile "{pid}"
{verdict} 0.0.0.0/0
"""
#: How it tells what it was asked: `Request (file descriptor 7): CONNECT 10.80.32.4:443 HTTP/1.1`.
_ASKED = re.compile(r"Request \(file descriptor \d+\): (?P<method>[A-Z]+) (?P<target>\S+)")
_REFUSED = "Unauthorized connection from"


@dataclass(slots=True)
class ForwardProxy:
    """A proxy that runs, and what it was asked for."""

    program: Path
    folder: Path
    host: str
    port: int
    child: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def asked(self) -> Counter[str]:
        """How often for each target, by method: `CONNECT 10.80.32.4:443`."""
        found = _ASKED.finditer(self._log.read_text())
        return Counter(f"{one['method']} {one['target']}" for one in found)

    def refused(self) -> int:
        """How often it answered 403."""
        return self._log.read_text().count(_REFUSED)

    def start(self, verdict: str = "Allow") -> None:
        """Run it, and wait until it listens."""
        settings, pid = self.folder / "tinyproxy.conf", self.folder / "pid"
        named = {"host": self.host, "port": self.port, "log": self._log, "pid": pid}
        settings.write_text(CONFIGURATION.format(**named, verdict=verdict))
        self.child = subprocess.Popen((str(self.program), "-d", "-c", str(settings)))
        until(lambda: accepts(self.host, self.port), 10)

    def stop(self) -> None:
        """End it, and with it the connections that it carries."""
        if self.child is not None:
            self.child.terminate()
            self.child.wait(timeout=30)
            self.child = None

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Cut the connections that stand, and refuse every request meanwhile."""
        self.stop()
        self.start("Deny")
        try:
            yield
        finally:
            self.stop()
            self.start()

    @property
    def _log(self) -> Path:
        return self.folder / "log"


def accepts(host: str, port: int) -> bool:
    """True if a server listens; OSError if none does."""
    with socket.create_connection((host, port), 1):
        return True


@contextmanager
def a_proxy(cluster: Cluster, port: int = 3128) -> Iterator[ForwardProxy]:
    """tinyproxy at the gateway of the cluster's machines."""
    cache = Cache(Settings.from_environment().cache / "parts")
    tree = asyncio.run(debian.fetch_tree(cache, (PACKAGE,), print))
    host = str(cluster.spec.plan.gateway)
    with tempfile.TemporaryDirectory() as folder:
        proxy = ForwardProxy(tree / "usr/bin/tinyproxy", Path(folder), host, port)
        try:
            proxy.start()
            yield proxy
        finally:
            proxy.stop()


@contextmanager
def only_way_out(cluster: Cluster, proxy: ForwardProxy) -> Iterator[Wall]:
    """Let machines that are not there yet leave their network through the proxy alone.

    Counted are packets to the proxy, questions for names, and whatever else was dropped: CoreDNS
    asks for each name that is not the cluster's own, for example while it knows none yet.
    """
    plan = cluster.spec.plan
    there = sorted(addresses(cluster))
    own = f"ip saddr {plan.hosted_machines}"
    rules = (
        *(f"ip saddr {{ {', '.join(there)} }} accept" for _ in there[:1]),
        f"{own} ip daddr {proxy.host} tcp dport {proxy.port} counter accept",
        f"{own} ip daddr {plan.machines} ip daddr != {proxy.host} accept",
        f"{own} ip daddr {proxy.host} meta l4proto {{ tcp, udp }} th dport 53 counter drop",
        f"{own} counter drop",
    )
    with walled("e2e-proxied", rules) as wall:
        yield wall


def addresses(cluster: Cluster) -> set[str]:
    """The addresses of all machines of hosted clusters."""
    found = cluster.get("localmachines", "-A")
    told = (each for one in found for each in one.get("status", {}).get("addresses", ()))
    return {each["address"] for each in told if each["type"] == "InternalIP"}
