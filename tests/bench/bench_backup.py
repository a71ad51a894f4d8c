"""Backup and restore beside etcd's own programs, with the same database in the same run.

Backup is `etcdctl snapshot save` and what the Job does besides: verify every page and list the
contents. Restore is verifying and `etcdutl snapshot restore`. Bringing the file to a store and back
is needed by hand as well: it is told by itself, here to the same disk and by https from another
process. Starts of our programs are not in it; etcd's are.
"""

import base64
import http.client
import http.server
import json
import multiprocessing
import os
import shutil
import socket
import ssl
import statistics
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from tests.bench.figure import Figure
from tests.lib.ports import free_port

from hypershift import parts
from hypershift.controlplane.etcd import snapshot
from hypershift.pki import Leaf, new_authority

#: Bytes of values by the name of the size; HYPERSHIFT_BENCH_LARGE adds the largest.
SIZES = {"8 KiB": 8 * 1024, "100 MiB": 100 * 1024**2}
LARGE = {"2 GiB": 2 * 1024**3}
VALUE = 4096
BATCH = 100
RUNS = 5
QUESTIONS = 400
LEAST = 0.5
MOST_DELAY = 1.2


@dataclass(frozen=True)
class Etcd:
    """A member on loopback, and how it is asked."""

    port: int
    process: "subprocess.Popen[bytes]"

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """End it at once, as a machine does that loses its power."""
        self.process.kill()

    def fill(self, size: int) -> None:
        """Write objects of an API server's kinds until so many bytes are stored."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for first in range(0, max(size // VALUE, 1), BATCH):
            count = min(BATCH, max(size // VALUE, 1) - first)
            puts = [_put(f"/registry/configmaps/demo/{first + n}") for n in range(count)]
            self.ask(connection, "/v3/kv/txn", {"success": puts})
        connection.close()

    def ask(self, connection: http.client.HTTPConnection, path: str, body: Any) -> None:
        connection.request("POST", path, json.dumps(body))
        answer = connection.getresponse()
        content = answer.read()
        assert answer.status == http.client.OK, content

    def delays(self, enough: Callable[[int], bool]) -> list[float]:
        """Seconds of each write, as long as it is wanted."""
        connection, found = http.client.HTTPConnection("127.0.0.1", self.port), list[float]()
        while not enough(len(found)):
            begin = time.perf_counter()
            self.ask(connection, "/v3/kv/put", _put("/registry/leases/one")["requestPut"])
            found.append(time.perf_counter() - begin)
            time.sleep(0.002)
        connection.close()
        return found


def _put(key: str) -> dict[str, Any]:
    value = base64.b64encode(os.urandom(VALUE)).decode()
    return {"requestPut": {"key": base64.b64encode(key.encode()).decode(), "value": value}}


@contextmanager
def an_etcd(place: Path) -> Iterator[Etcd]:
    """One member with an empty disk."""
    client, peer = free_port(), free_port()
    argv = (
        str(parts.path("etcd")),
        f"--data-dir={place / 'data'}",
        f"--listen-client-urls=http://127.0.0.1:{client}",
        f"--advertise-client-urls=http://127.0.0.1:{client}",
        f"--listen-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-advertise-peer-urls=http://127.0.0.1:{peer}",
        f"--initial-cluster=default=http://127.0.0.1:{peer}",
        "--quota-backend-bytes=8589934592",
        "--log-level=error",
    )
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            await_ready(client)
            yield Etcd(client, process)
        finally:
            process.terminate()


def await_ready(port: int) -> None:
    """Return when a member answers."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            try:
                connection.request("GET", "/readyz")
                if connection.getresponse().status == http.client.OK:
                    return
            except OSError:
                time.sleep(0.05)
    raise AssertionError("etcd does not answer")


@dataclass(frozen=True)
class Disk:
    """A store that is a folder."""

    place: Path

    def put(self, key: str, path: Path) -> str:
        target = self.place / key.replace("/", "_")
        shutil.copyfile(path, target)
        with target.open("rb") as file:
            os.fsync(file.fileno())
        return str(target)


def _serve(place: Path, port: int) -> None:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            """Say nothing of requests."""

    handler = partial(Quiet, directory=str(place))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(place / "tls.crt", place / "tls.key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
        server.serve_forever()


@contextmanager
def a_store(place: Path) -> Iterator[str]:
    """A folder by https, in another process."""
    now, port = datetime.now(UTC), free_port()
    authority = new_authority("bench", now)
    pair = authority.issue(Leaf("bench", dns_names=frozenset({"localhost"})), now)
    (place / "tls.crt").write_bytes(pair.certificate)
    (place / "tls.key").write_bytes(pair.key.reveal())
    (place / "ca.crt").write_bytes(authority.pem)
    child = multiprocessing.get_context("spawn").Process(
        target=_serve, args=(place, port), daemon=True
    )
    child.start()
    try:
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.05)
        yield f"https://localhost:{port}"
    finally:
        child.terminate()
        child.join()


def _run(*argv: str | Path) -> None:
    subprocess.run([str(word) for word in argv], check=True, capture_output=True)


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


@dataclass(frozen=True)
class Times:
    """The middle of several runs: etcd's own program, with what we do besides, and the store."""

    own: float
    ours: float
    store: float

    @classmethod
    def of(cls, runs: list[tuple[float, float, float]]) -> "Times":
        own, besides, store = (statistics.median(one) for one in zip(*runs, strict=True))
        return cls(own, own + besides, store)

    def figures(self, what: str, program: str) -> Iterator[Figure]:
        yield Figure(f"{what}: {program}", self.own, "s")
        yield Figure(f"{what}: ours", self.ours, "s")
        yield Figure(f"{what}: the way to or from the store", self.store, "s")
        speed = self.own / self.ours
        yield Figure(f"{what}: speed", speed, f"x of {program.partition(' ')[0]}", least=LEAST)


def _save(etcd: Etcd, target: Path) -> None:
    target.unlink(missing_ok=True)
    _run(parts.path("etcdctl"), f"--endpoints={etcd.endpoint}", "snapshot", "save", target)


def _backups(etcd: Etcd, place: Path) -> Times:
    target, runs = place / "snapshot.db", []
    for _ in range(RUNS):
        own = _seconds(partial(_save, etcd, target))
        besides = _seconds(partial(snapshot.verified, target))
        whole = partial(snapshot.upload, Disk(place / "store"), target, "x", datetime.now(UTC))
        runs.append((own, besides, max(0.0, _seconds(whole) - besides)))
    return Times.of(runs)


def _restores(url: str, place: Path) -> Times:
    runs, target = [], place / "fetched.db"
    wanted = snapshot.Fetch(f"{url}/snapshot.db", target, trust=place / "ca.crt")
    for _ in range(RUNS):
        shutil.rmtree(place / "restored", ignore_errors=True)
        words = ("snapshot", "restore", place / "snapshot.db", f"--data-dir={place / 'restored'}")
        own = _seconds(partial(_run, parts.path("etcdutl"), *words))
        target.unlink(missing_ok=True)
        fetched = _seconds(partial(snapshot.download, wanted, target))
        checked = _seconds(partial(snapshot.verified, target, tallied=False))
        runs.append((own, checked, fetched))
    return Times.of(runs)


def _delay(etcd: Etcd, place: Path) -> float:
    """The slowest write but one in a hundred while snapshots are taken, beside without.

    A snapshot is verified in a pod that may be on another node: that is not in it.
    """
    before = etcd.delays(lambda count: count >= QUESTIONS)
    ended = threading.Event()

    def back_up() -> None:
        try:
            for _ in range(RUNS):
                _save(etcd, place / "snapshot.db")
        finally:
            ended.set()

    thread = threading.Thread(target=back_up)
    thread.start()
    during = etcd.delays(lambda count: ended.is_set() and count >= QUESTIONS)
    thread.join()
    return _late(during) / _late(before)


def _late(delays: list[float]) -> float:
    return sorted(delays)[int(len(delays) * 0.99)]


def figures() -> Iterator[Figure]:
    """Each size: how fast beside etcd's own programs, and what writers notice."""
    sizes = SIZES | (LARGE if os.environ.get("HYPERSHIFT_BENCH_LARGE") else {})
    for name, size in sizes.items():
        with tempfile.TemporaryDirectory(prefix="hs-bench-") as folder:
            place = Path(folder)
            (place / "store").mkdir()
            with an_etcd(place) as etcd:
                etcd.fill(size)
                yield from _backups(etcd, place).figures(
                    f"backup of {name}", "etcdctl snapshot save"
                )
                delay = _delay(etcd, place)
                yield Figure(f"backup of {name}: p99 of writes", delay, "x", most=MOST_DELAY)
            with a_store(place) as url:
                yield from _restores(url, place).figures(
                    f"restore of {name}", "etcdutl snapshot restore"
                )
