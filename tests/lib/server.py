"""A real kube-apiserver on a real etcd, as two processes of a test on loopback ports."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

import aiohttp
from tests.lib.ports import free_port

from hypershift import parts, pki
from hypershift.kube import Client

PARTS = ("etcd", "kube-apiserver")
_START_SECONDS = 90.0


def available() -> bool:
    """Whether the binaries are here; nothing is fetched."""
    try:
        return not parts.missing(PARTS)
    except Exception:  # noqa: BLE001 (a machine that cannot say has none)
        return False


class RealServer:
    """etcd and kube-apiserver; each can be killed and started again on the same data."""

    def __init__(self, directory: Path, *, flags: tuple[str, ...] = ()) -> None:
        """Keep data, certificates and logs in `directory`; `flags` go to the API server."""
        self.directory = directory
        self.port, self.etcd_port, self._peer_port = free_port(), free_port(), free_port()
        self._flags = flags
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._logs: list[IO[bytes]] = []
        self.kubeconfig = self._credentials()

    # Life

    def start(self) -> None:
        """Start both and wait until the API is ready."""
        self.start_etcd()
        self.start_api()

    def stop(self) -> None:
        """End both, and leave no process behind."""
        for name in ("kube-apiserver", "etcd"):
            self.kill(name)
        for log in self._logs:
            log.close()

    def kill(self, name: str) -> None:
        """Kill -9, as a crash does."""
        process = self._processes.pop(name, None)
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def start_etcd(self) -> None:
        """Start etcd on its data; it need not outlive a crash of the host, so nothing is synced."""
        client = f"http://127.0.0.1:{self.etcd_port}"
        peer = f"http://127.0.0.1:{self._peer_port}"
        self._spawn(
            "etcd",
            f"--data-dir={self.directory / 'etcd'}",
            f"--listen-client-urls={client}",
            f"--advertise-client-urls={client}",
            f"--listen-peer-urls={peer}",
            f"--initial-advertise-peer-urls={peer}",
            f"--initial-cluster=default={peer}",
            "--unsafe-no-fsync",
            "--log-level=error",
        )
        self._wait_for_port(self.etcd_port)

    def start_api(self) -> None:
        """Start the API server and wait until it is ready."""
        files = self.directory
        self._spawn(
            "kube-apiserver",
            f"--etcd-servers=http://127.0.0.1:{self.etcd_port}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            "--endpoint-reconciler-type=none",
            f"--secure-port={self.port}",
            f"--tls-cert-file={files / 'serving.crt'}",
            f"--tls-private-key-file={files / 'serving.key'}",
            f"--client-ca-file={files / 'ca.crt'}",
            f"--token-auth-file={files / 'tokens.csv'}",
            f"--cert-dir={files}",
            "--service-account-issuer=https://kubernetes.default.svc",
            f"--service-account-key-file={files / 'ca.key'}",
            f"--service-account-signing-key-file={files / 'ca.key'}",
            "--service-cluster-ip-range=10.0.0.0/24",
            "--authorization-mode=RBAC",
            "--disable-admission-plugins=ServiceAccount",
            "--shutdown-delay-duration=0s",
            *self._flags,
        )
        self._wait_for_port(self.port)
        self._wait_ready()

    async def compact(self) -> None:
        """Make etcd forget every version but the current one."""
        base = f"http://127.0.0.1:{self.etcd_port}/v3/kv"
        async with aiohttp.ClientSession() as session:
            async with session.post(f"{base}/range", json={"key": "AA=="}) as answer:
                revision = (await answer.json())["header"]["revision"]
            request = {"revision": revision, "physical": True}
            async with session.post(f"{base}/compaction", json=request) as answer:
                await answer.read()

    @property
    def pids(self) -> dict[str, int]:
        """The processes that run."""
        return {name: process.pid for name, process in self._processes.items()}

    def client(self, manager: str = "test") -> Client:
        """A client as the cluster's administrator."""
        return Client.from_kubeconfig_dict(self.kubeconfig, manager=manager)

    # Parts of it

    def _spawn(self, name: str, *arguments: str) -> None:
        log = (self.directory / f"{name}.log").open("ab")
        self._logs.append(log)
        self._processes[name] = subprocess.Popen(
            [str(parts.path(name)), *arguments],
            stdout=log,
            stderr=log,
            cwd=self.directory,
            start_new_session=True,
        )

    def _wait_for_port(self, port: int) -> None:
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise TimeoutError(f"nothing listens on port {port}; see the logs in {self.directory}")

    def _wait_ready(self) -> None:
        import ssl  # noqa: PLC0415 (only the wait needs plain HTTP)
        import urllib.request  # noqa: PLC0415

        trust = ssl.create_default_context(cafile=str(self.directory / "ca.crt"))
        request = urllib.request.Request(
            f"https://127.0.0.1:{self.port}/readyz",
            headers={"Authorization": "Bearer administrator"},
        )
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(request, context=trust, timeout=5) as answer:  # noqa: S310
                    if answer.status == 200:
                        return
            except OSError:
                time.sleep(0.1)
        raise TimeoutError(f"the API server is not ready; see the logs in {self.directory}")

    def _credentials(self) -> dict[str, Any]:
        self.directory.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC)
        authority = pki.new_authority("test", now, algorithm=pki.Algorithm.RSA_2048)
        serving = authority.issue(
            pki.Leaf("kube-apiserver", ip_addresses=frozenset({"127.0.0.1"})), now
        )
        admin = authority.issue(
            pki.Leaf("admin", organizations=("system:masters",), usage=pki.Usage.CLIENT), now
        )
        self._write("ca.crt", authority.pem)
        self._write("ca.key", authority.pair.key.reveal())
        self._write("serving.crt", serving.certificate)
        self._write("serving.key", serving.key.reveal())
        users = (
            "administrator,administrator,1,system:masters",
            "guest,guest,2",
            "configurer,system:hosted-cluster-config,3,system:masters",
        )
        self._write("tokens.csv", "".join(f"{user}\n" for user in users).encode())
        return pki.kubeconfig(
            f"https://127.0.0.1:{self.port}",
            authority.pem,
            certificate=admin.certificate,
            key=admin.key,
        )

    def _write(self, name: str, content: bytes) -> None:
        path = self.directory / name
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)


@contextmanager
def real_server(directory: Path, *, flags: tuple[str, ...] = ()) -> Iterator[RealServer]:
    """A running server for the body; its processes end with it."""
    server = RealServer(directory, flags=flags)
    try:
        server.start()
        yield server
    finally:
        server.stop()
