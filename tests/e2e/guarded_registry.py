"""A registry that asks who pulls: what the cluster's own has, for those who know the password."""

import base64
import http.client
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.e2e.embedded import Cluster

USER, PASSWORD = "robot", "a-password-of-the-test"
CHUNK = 1 << 20
_PASSED = ("Accept", "Range")


@dataclass
class GuardedRegistry:
    """Where it is, and how often it gave something and refused to."""

    host: str
    given: int = 0
    refused: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def auth(self) -> str:
        """What a pull secret says of it."""
        return base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    def image(self, reference: str) -> str:
        """An image of the cluster's registry, by the name that it has here."""
        return f"{self.host}/{reference.partition('/')[2]}"

    def mirror(self) -> str:
        """How containerd reaches it: without TLS."""
        return f'server = "http://{self.host}"\n'

    def allows(self, words: str | None) -> bool:
        """Whether somebody knows the password; counted."""
        allowed = words == f"Basic {self.auth}"
        with self.lock:
            self.given += allowed
            self.refused += not allowed
        return allowed


@contextmanager
def a_guarded_registry(cluster: Cluster) -> Iterator[GuardedRegistry]:
    """One at the gateway of the cluster's machines."""
    gateway, _, port = cluster.spec.plan.registry.rpartition(":")
    found = GuardedRegistry("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Say nothing of requests."""

        def do_HEAD(self) -> None:
            self.do_GET()

        def do_GET(self) -> None:
            if not found.allows(self.headers.get("Authorization")):
                self.send_response(401)
                self.send_header("WWW-Authenticate", 'Basic realm="test"')
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self._pass_on()

        def _pass_on(self) -> None:
            behind = http.client.HTTPConnection(gateway, int(port), timeout=30)
            asked = {name: self.headers[name] for name in _PASSED if name in self.headers}
            behind.request(self.command, self.path, headers=asked)
            answer = behind.getresponse()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {"connection", "transfer-encoding", "date", "server"}:
                    self.send_header(name, value)
            self.end_headers()
            while piece := answer.read(CHUNK):
                self.wfile.write(piece)
            behind.close()

    server = ThreadingHTTPServer((gateway, 0), Handler)
    found.host = f"{gateway}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield found
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
