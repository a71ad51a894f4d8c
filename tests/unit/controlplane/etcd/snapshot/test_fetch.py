"""Fetching a snapshot: from a store that errs, lies, or gives other things than snapshots."""

import ssl
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from tests.unit.controlplane.etcd.snapshot import databases

from hypershift.controlplane.etcd.snapshot import CannotFetch, Fetch, NotASnapshot, fetch

OBJECTS = databases.history(("/registry/configmaps/a/one", b"1"))
SIGNATURE = "X-Signature=do-not-repeat"


@dataclass
class Store:
    """A store of one object, and how it answers."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    asked: int = 0
    url: str = ""


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Store]:
    """A store on loopback whose certificate this process trusts."""
    found = Store()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked += 1
            self.send_response(found.status)
            headers = {"Content-Length": str(len(found.body)), **found.headers}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(found.body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    bundle = certificate(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(bundle)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    monkeypatch.setenv("SSL_CERT_FILE", str(bundle))
    found.url = f"https://localhost:{server.server_port}/snapshot?{SIGNATURE}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def certificate(place: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")])
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime(2020, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(2100, 1, 1, tzinfo=UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    bundle = place / "store.pem"
    bundle.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return bundle


def a_snapshot(place: Path) -> bytes:
    return databases.snapshot(place / "made.db", OBJECTS).read_bytes()


def test_a_snapshot_is_fetched_once_and_verified(store: Store, tmp_path: Path) -> None:
    store.body = a_snapshot(tmp_path)
    target = tmp_path / "snapshot.db"
    found = fetch(Fetch(store.url, target))
    assert found is not None
    assert found.keys == 1
    assert target.read_bytes() == store.body
    assert target.stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "snapshot.db.version").read_text() == "3.6"
    assert fetch(Fetch(store.url, target)) is None
    assert store.asked == 1


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"status": 403}, "localhost answers 403"),
        ({"status": 404}, "localhost answers 404"),
        ({"status": 302, "headers": {"Location": "http://localhost/x"}}, "not https"),
        ({"body": b"<?xml version='1.0'?><Error/>"}, "truncated or no snapshot"),
        ({"body": b""}, "truncated or no snapshot"),
    ],
)
def test_what_is_no_snapshot_is_refused_and_leaves_nothing(
    store: Store, tmp_path: Path, change: dict[str, object], why: str
) -> None:
    for name, value in change.items():
        setattr(store, name, value)
    with pytest.raises((CannotFetch, NotASnapshot), match=why) as error:
        fetch(Fetch(store.url, tmp_path / "snapshot.db"))
    assert SIGNATURE not in str(error.value)
    assert not list(tmp_path.glob("snapshot.db*"))


def test_a_store_that_ends_early_is_no_success(store: Store, tmp_path: Path) -> None:
    store.body = a_snapshot(tmp_path)
    store.headers = {"Content-Length": str(len(store.body) + 1)}
    with pytest.raises(CannotFetch, match=r"bytes|closed|IncompleteRead"):
        fetch(Fetch(store.url, tmp_path / "snapshot.db"))
    assert not list(tmp_path.glob("snapshot.db*"))


def test_a_budget_bounds_what_is_written(store: Store, tmp_path: Path) -> None:
    store.body = a_snapshot(tmp_path)
    with pytest.raises(NotASnapshot, match="larger than 100 bytes"):
        fetch(Fetch(store.url, tmp_path / "snapshot.db", largest=100))


def test_a_disk_that_is_too_small_says_so(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.body = a_snapshot(tmp_path)
    full = type("Usage", (), {"free": 100})
    monkeypatch.setattr("shutil.disk_usage", lambda _: full)
    with pytest.raises(CannotFetch, match="too small"):
        fetch(Fetch(store.url, tmp_path / "snapshot.db"))


@pytest.mark.parametrize("url", ["s3://bucket/key", "http://localhost/x", "", "file:///etc/passwd"])
def test_only_https_is_fetched(tmp_path: Path, url: str) -> None:
    with pytest.raises(CannotFetch, match="https address that is signed"):
        fetch(Fetch(url, tmp_path / "snapshot.db"))
