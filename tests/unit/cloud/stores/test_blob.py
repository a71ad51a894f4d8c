"""Uploads to Azure Blob, against a small server that keeps blocks as the service does."""

import base64
import hashlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from hypershift.cloud.stores import AuthType, Blob, BlobAccess, StoreFailed, blob_token
from hypershift.cloud.stores import http as transport
from hypershift.kit import Secret

TOKEN = Secret("do-not-repeat")


@dataclass
class Service:
    """What the service keeps, and how it errs."""

    blocks: dict[str, bytes] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    scopes: set[str] = field(default_factory=set)
    asked: list[dict[str, list[str]]] = field(default_factory=list)
    failures: int = 0
    loses: int = 0
    url: str = ""


def handler(service: Service) -> type[BaseHTTPRequestHandler]:  # noqa: C901 - a whole service
    class Handler(BaseHTTPRequestHandler):
        def answer(self, status: int, body: bytes = b"", length: int | None = None) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body) if length is None else length))
            self.end_headers()
            self.wfile.write(body)

        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            parts = urlsplit(self.path)
            query = parse_qs(parts.query)
            if service.failures:
                service.failures -= 1
                return self.answer(503)
            if self.headers.get("Authorization") != "Bearer do-not-repeat":
                return self.answer(403, b"<Error><Code>AuthenticationFailed</Code></Error>")
            service.scopes.add(self.headers.get("x-ms-encryption-scope") or "")
            if query["comp"] == ["block"]:
                digest = base64.b64encode(hashlib.md5(body).digest()).decode()  # noqa: S324
                if self.headers["Content-MD5"] != digest:
                    return self.answer(400, b"Md5Mismatch")
                service.blocks[query["blockid"][0]] = body
            else:
                names = re.findall(r"<Latest>([^<]+)</Latest>", body.decode())
                service.blobs[parts.path] = b"".join(service.blocks[name] for name in names)
            return self.answer(201)

        def do_HEAD(self) -> None:
            self.answer(200, length=len(service.blobs[self.path]) - service.loses)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            service.asked.append(parse_qs(body.decode()) | {"path": [self.path]})
            self.answer(200, json.dumps({"access_token": "do-not-repeat"}).encode())

        def do_GET(self) -> None:
            good = self.headers.get("Metadata") == "true"
            self.answer(200 if good else 400, b'{"access_token": "do-not-repeat"}')

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setattr(transport, "PAUSES", (0.0, 0.0, 0.0))
    found = Service()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(found))
    found.url = f"http://127.0.0.1:{server.server_port}"
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def a_file(place: Path, size: int) -> Path:
    path = place / "snapshot.db"
    path.write_bytes(os.urandom(size))
    return path


@pytest.mark.parametrize("size", [0, 10, 1000, 2500])
def test_a_file_arrives_whole_block_by_block(service: Service, tmp_path: Path, size: int) -> None:
    path = a_file(tmp_path, size)
    blob = Blob("acct", "backups", TOKEN, "scope-1", endpoint=service.url, block=1000)
    assert blob.put("demo/1.db", path) == f"{service.url}/backups/demo/1.db"
    assert service.blobs["/backups/demo/1.db"] == path.read_bytes()
    assert service.scopes == {"scope-1"}


def test_a_passing_failure_is_tried_again(service: Service, tmp_path: Path) -> None:
    service.failures = 3
    Blob("acct", "backups", TOKEN, endpoint=service.url).put("k", a_file(tmp_path, 10))
    assert len(service.blobs) == 1


def test_a_store_that_is_away_fails_without_telling_the_token(
    service: Service, tmp_path: Path
) -> None:
    service.failures = 99
    with pytest.raises(StoreFailed, match="503") as error:
        Blob("acct", "backups", TOKEN, endpoint=service.url).put("k", a_file(tmp_path, 10))
    assert "do-not-repeat" not in str(error.value)


def test_a_wrong_token_is_refused(service: Service, tmp_path: Path) -> None:
    blob = Blob("acct", "backups", Secret("other"), endpoint=service.url)
    with pytest.raises(StoreFailed, match=r"403.*AuthenticationFailed"):
        blob.put("k", a_file(tmp_path, 10))


def test_a_store_that_lost_bytes_is_found_out(service: Service, tmp_path: Path) -> None:
    service.loses = 1
    with pytest.raises(StoreFailed, match="9 of 10 bytes"):
        Blob("acct", "backups", TOKEN, endpoint=service.url).put("k", a_file(tmp_path, 10))


def test_tokens_are_got_in_three_ways(service: Service, tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("assertion")
    ways = (
        BlobAccess(AuthType.CLIENT_SECRET, "c", "t", Secret("s"), login=service.url),
        BlobAccess(AuthType.WORKLOAD_IDENTITY, "c", "t", token_file=file, login=service.url),
        BlobAccess(AuthType.MANAGED_IDENTITY, "c", metadata=service.url),
    )
    assert [blob_token(way).reveal() for way in ways] == ["do-not-repeat"] * 3
    by_secret, by_assertion = service.asked
    assert by_secret["client_secret"] == ["s"]
    assert by_assertion["client_assertion"] == ["assertion"]
    assert by_secret["path"] == ["/t/oauth2/v2.0/token"]
