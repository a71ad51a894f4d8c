"""The real proxy of the shared ingress on this host's loopback, with real back ends behind it."""

import asyncio
import shlex
import ssl
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from pathlib import Path

from tests.lib.ports import free_port

from hypershift import parts
from hypershift.api import HostedCluster, read
from hypershift.api.annotations import SHARED_INGRESS
from hypershift.api.defaults import zeroed
from hypershift.helpers.sharedingress_config import Loader
from hypershift.kit import Manifest
from hypershift.operators.hypershift.shared_ingress.rules.config import Member, configuration
from hypershift.operators.hypershift.shared_ingress.rules.members import named_routes
from hypershift.operators.hypershift.shared_ingress.rules.router import ASSET

PATIENCE = 30.0


async def haproxy(directory: Path) -> Path:
    """A program `haproxy` that also starts itself again, with the libraries of its own package."""
    await parts.ensure(("haproxy",))
    tree = await parts.tools_tree("haproxy")
    program = directory / "haproxy"
    words = parts.from_tree(tree, "usr/sbin/haproxy") if tree else (str(parts.path("haproxy")),)
    if len(words) > 1:
        words = (words[0], "--argv0", str(program), *words[1:])
    program.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    program.chmod(0o755)
    return program


def a_member(name: str, address: str, *, allowed: Iterable[str] = ()) -> Member:
    """A cluster whose API server is at an address of the loopback."""
    cluster: Manifest = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {
            "name": name,
            "namespace": "clusters",
            "annotations": {SHARED_INGRESS: "true"},
        },
        "spec": {
            "clusterID": f"id-{name}",
            "platform": {"type": "Local"},
            "networking": {"apiServer": {"allowedCIDRBlocks": list(allowed)}},
            "services": [
                {
                    "service": "APIServer",
                    "servicePublishingStrategy": {
                        "type": "Route",
                        "route": {"hostname": host(name)},
                    },
                }
            ],
        },
    }
    wanted = read(HostedCluster, zeroed(HostedCluster, cluster))
    service = {"spec": {"clusterIP": address, "ports": [{"port": 6443}]}}
    services = {"kube-apiserver": service}
    return Member(wanted, tuple(named_routes(wanted, services)), services)


def host(name: str) -> str:
    """The name under which a cluster's API server is published."""
    return f"api-{name}.example.test"


@dataclass
class Router:
    """The proxy with the configuration of its pods, at ports of its own."""

    directory: Path
    program: Path
    names: int = field(default_factory=free_port)
    nodes: int = field(default_factory=free_port)
    health: int = field(default_factory=free_port)
    loader: Loader = field(init=False)
    process: subprocess.Popen[bytes] | None = None

    def __post_init__(self) -> None:
        self.loader = Loader(self.directory / "haproxy.cfg", self.directory / "master.sock")

    async def serve(self, members: Iterable[Member]) -> None:
        """Load the configuration of these clusters."""
        text = configuration(members)
        for ours, theirs in ((8443, self.names), (6443, self.nodes), (9444, self.health)):
            text = text.replace(f"bind :::{ours} v4v6", f"bind 127.0.0.1:{theirs}")
        await self.load(text)

    async def load(self, text: str) -> None:
        """Have the proxy read a configuration; one that does not run yet reads it as it starts."""
        while not await self.loader.load(text) and self.process is not None:  # noqa: ASYNC110 - the proxy answers
            await asyncio.sleep(0.05)

    def start(self) -> None:
        """Start the proxy with the limits that its pods have, and wait until it is ready."""
        limits = self.directory / "limits.cfg"
        limits.write_text(limits_of_pods())
        words = (self.program, "-W", "-S", self.loader.socket, "-n", "4000")
        files = ("-f", self.loader.file, "-f", limits)
        with (self.directory / "log").open("wb") as log:
            self.process = subprocess.Popen((*words, *files), stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while not self.loader.socket.exists() or not _listens(self.names):
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, "the proxy does not listen"
            time.sleep(0.05)

    def stop(self) -> None:
        """End it and its workers."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(PATIENCE)

    def said(self) -> str:
        """What the proxy wrote: a line for each connection that has ended."""
        return (self.directory / "log").read_text()

    @property
    def workers(self) -> list[int]:
        """The processes that carry connections: the present one, and those of before a reload."""
        assert self.process is not None
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return [int(word) for word in listed.split()]


def limits_of_pods() -> str:
    """What the router's pods read beside the generated configuration."""
    lines = ASSET.read_text().partition("limits.cfg: |\n")[2].partition("\n---")[0]
    return "\n".join(line.strip() for line in lines.splitlines()) + "\n"


def _listens(port: int) -> bool:
    import socket  # noqa: PLC0415 - a name that callers use too

    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@contextmanager
def backends(program: Path, directory: Path, addresses: dict[str, str]) -> Iterator[None]:
    """API servers by name, at port 6443 of an address: TLS that answers with the name."""
    pem = directory / "backend.pem"
    subprocess.run(
        (
            *("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
            *(
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=test",
                "-keyout",
                str(pem),
                "-out",
                f"{pem}.crt",
            ),
        ),
        check=True,
        capture_output=True,
    )
    with pem.open("a") as file:
        file.write(Path(f"{pem}.crt").read_text())
    text = (
        "defaults\n  mode http\n  timeout client 60s\n  timeout server 60s\n  timeout connect 5s\n"
    )
    for name, address in addresses.items():
        text += (
            f"frontend {name}\n  bind {address}:6443 ssl crt {pem}\n"
            f'  http-request return status 200 content-type text/plain string "{name}"\n'
        )
    config = directory / "backends.cfg"
    config.write_text(text)
    process = subprocess.Popen((program, "-db", "-n", "4000", "-f", config))
    try:
        time.sleep(0.5)
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


@dataclass
class Client:
    """One client that keeps its connection and asks one request after the other."""

    port: int
    name: str
    address: str = "127.0.0.1"
    beginning: bytes = b""
    source: str = ""
    _stream: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def connect(self) -> None:
        """Connect, with what goes before TLS."""
        local = (self.source, 0) if self.source else None
        reader, writer = await asyncio.open_connection(self.address, self.port, local_addr=local)
        if self.beginning:
            writer.write(self.beginning)
        await writer.start_tls(_unverified(), server_hostname=self.name)
        self._stream = reader, writer

    async def ask(self) -> str:
        """One request over the connection that is there."""
        assert self._stream is not None
        reader, writer = self._stream
        writer.write(f"GET /version HTTP/1.1\r\nHost: {self.name}\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        return (await reader.readexactly(length)).decode()

    async def close(self) -> None:
        """Hang up."""
        if self._stream is not None:
            self._stream[1].close()
            self._stream = None

    async def once(self) -> str:
        """A connection for one request."""
        await self.connect()
        try:
            return await self.ask()
        finally:
            await self.close()


@dataclass
class Traffic:
    """Clients that ask without a pause: some keep their connection, others make a new one."""

    port: int
    address: str = "127.0.0.1"
    failures: list[str] = field(default_factory=list)
    answers: int = 0
    times: list[float] = field(default_factory=list)

    @asynccontextmanager
    async def of(self, names: Iterable[str], each: int = 1) -> AsyncIterator[None]:
        """Ask these clusters meanwhile, with `each` clients of either kind."""
        works = (self._keeps, self._comes_and_goes)
        tasks = [
            asyncio.create_task(self._noting(work, name))
            for name in names
            for work in works
            for _ in range(each)
        ]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _noting(self, work: Callable[[str], Awaitable[None]], name: str) -> None:
        while True:
            try:
                await work(name)
            except (OSError, EOFError) as error:
                self.failures.append(repr(error))

    async def _keeps(self, name: str) -> None:
        client = Client(self.port, host(name), self.address)
        await client.connect()
        try:
            while True:
                await self._time(client.ask, name)
        finally:
            await client.close()

    async def _comes_and_goes(self, name: str) -> None:
        while True:
            await self._time(Client(self.port, host(name), self.address).once, name)

    async def _time(self, ask: Callable[[], Awaitable[str]], name: str) -> None:
        begin = time.perf_counter()
        answer = await ask()
        self.times.append(time.perf_counter() - begin)
        self.answers += 1
        if answer != name:
            self.failures.append(f"{name} was answered by {answer}")
        await asyncio.sleep(0)


@cache
def _unverified() -> ssl.SSLContext:
    """Made once: it takes long enough for many clients together to miss the proxy's patience."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


async def appears(client: Client, answer: str, most: timedelta) -> float:
    """How long it took until a client got this answer, in seconds."""
    begin = time.perf_counter()
    while True:
        try:
            if await client.once() == answer:
                return time.perf_counter() - begin
        except (OSError, EOFError, ssl.SSLError):
            pass
        assert time.perf_counter() - begin < most.total_seconds(), f"{client.name} never answered"
        await asyncio.sleep(0.02)
