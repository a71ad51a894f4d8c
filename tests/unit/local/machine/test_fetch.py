import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from hypershift import pki
from hypershift.ignition import (
    Config,
    ConfigError,
    File,
    Header,
    Ignition,
    Proxy,
    References,
    Resource,
    Storage,
    Timeouts,
    encode,
    file,
    inline_contents,
    pointer,
)
from hypershift.kit import TransientError
from hypershift.local.machine.fetch import REFUSED_PAUSE, Fetcher, proxies, resolve


@dataclass
class Server:
    url: str
    authority: bytes
    answers: list[tuple[int, bytes]] = field(default_factory=list)
    seen: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    now = datetime.now(UTC)
    authority = pki.new_authority("test", now)
    pair = authority.issue(pki.Leaf("server", ip_addresses=frozenset({"127.0.0.1"})), now)
    (tmp_path / "pair").write_bytes(pair.certificate + pair.key.reveal())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "pair")
    told = Server("", authority.pem)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.seen.append(dict(self.headers.items()))
            code, body = told.answers.pop(0) if len(told.answers) > 1 else told.answers[0]
            self.send_response(code)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    httpd = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    httpd.socket = context.wrap_socket(httpd.socket, server_side=True)
    told.url = f"https://127.0.0.1:{httpd.server_address[1]}"
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield told
    httpd.shutdown()
    thread.join()
    httpd.server_close()


def a_config(text: str) -> bytes:
    return encode(Config(storage=Storage(files=(file("/etc/x", text),))))


def text(config: Config) -> str:
    return inline_contents(config.storage.files[0].contents.source or "").decode()


def test_the_real_configuration_is_fetched_with_its_authority_and_headers(server: Server) -> None:
    server.answers = [(200, a_config("hello"))]
    headers = (Header(name="Authorization", value="Bearer abc"), Header(name="NodePool", value="p"))
    stub = pointer(
        Resource(source=f"{server.url}/ignition", http_headers=headers), (server.authority,)
    )
    said: list[str] = []
    assert text(resolve(stub, Fetcher(said.append))) == "hello"
    assert server.seen[0]["Authorization"] == "Bearer abc"
    assert server.seen[0]["Nodepool"] == "p"  # names of headers have no case
    assert "version=3.2.0" in server.seen[0]["Accept"]
    assert not any("abc" in line for line in said)


def test_an_unready_server_is_asked_again_soon_and_a_refusing_one_later(server: Server) -> None:
    server.answers = [(511, b""), (503, b""), (401, b""), (200, a_config("late"))]
    stub = pointer(Resource(source=f"{server.url}/ignition?token=secret"), (server.authority,))
    said: list[str] = []
    pauses: list[float] = []
    assert text(resolve(stub, Fetcher(said.append, pauses.append))) == "late"
    assert pauses == [0.2, 0.4, REFUSED_PAUSE]
    assert "HTTP 511" in said[0]
    assert "HTTP 401 Unauthorized" in said[2]
    assert not any("secret" in line for line in said)


def test_a_server_that_nobody_vouches_for_is_not_believed(server: Server) -> None:
    server.answers = [(200, a_config("evil"))]
    said: list[str] = []

    def give_up(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        resolve(pointer(Resource(source=server.url)), Fetcher(said.append, give_up))
    assert "certificate verify failed" in said[0]


def test_remote_contents_of_files_become_inline(server: Server) -> None:
    server.answers = [(200, b"remote")]
    stub = pointer(Resource(source="data:,"), (server.authority,))
    config = Config(
        ignition=Ignition(security=stub.ignition.security),
        storage=Storage(files=(File(path="/etc/x", contents=Resource(source=f"{server.url}/f")),)),
    )
    assert text(resolve(config, Fetcher(lambda _: None))) == "remote"


def test_a_replacement_stands_alone(server: Server) -> None:
    server.answers = [(200, a_config("new"))]
    stub = pointer(Resource(source="data:,"), (server.authority,))
    references = References(replace=Resource(source=server.url))
    config = Config(
        ignition=Ignition(config=references, security=stub.ignition.security),
        storage=Storage(files=(file("/etc/old", "old"),)),
    )
    whole = resolve(config, Fetcher(lambda _: None))
    assert [one.path for one in whole.storage.files] == ["/etc/x"]


def test_a_total_timeout_of_the_configuration_ends_the_attempts(server: Server) -> None:
    server.answers = [(503, b"")]
    reference = Resource(source=server.url)
    stub = pointer(reference, (server.authority,))
    config = Config(
        ignition=Ignition(
            config=References(merge=(reference,)),
            security=stub.ignition.security,
            timeouts=Timeouts(http_total=10),
        )
    )
    times = iter(range(0, 100, 4))
    with pytest.raises(TransientError, match="took too long: HTTP 503"):
        resolve(config, Fetcher(lambda _: None, lambda _: None, lambda: next(times)))
    assert len(server.seen) == 3


def test_references_without_end_are_refused(server: Server) -> None:
    stub = pointer(Resource(source=server.url), (server.authority,))
    server.answers = [(200, encode(stub))]
    with pytest.raises(ConfigError, match="references deep"):
        resolve(stub, Fetcher(lambda _: None))


def test_proxies_are_used_but_for_what_is_excepted() -> None:
    exempt = (".in.side", "h", "10.80.0.0/16", "192.0.2.7:9090")
    ignition = Ignition(
        proxy=Proxy(http_proxy="http://p:1", https_proxy="http://p:2", no_proxy=exempt)
    )
    assert proxies("https://example.org/x", ignition) == {"https": "http://p:2"}
    assert proxies("http://example.org/x", ignition) == {"http": "http://p:1"}
    assert proxies("https://a.in.side/x", ignition) == {}
    assert proxies("https://h/x", ignition) == {}
    assert proxies("https://10.80.4.1:443/x", ignition) == {}
    assert proxies("https://10.81.4.1/x", ignition) == {"https": "http://p:2"}
    assert proxies("https://192.0.2.7:9090/x", ignition) == {}
    assert proxies("https://192.0.2.7/x", ignition) == {"https": "http://p:2"}
