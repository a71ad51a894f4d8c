"""Stores of backups and documents: their answers and their addresses are words of other parties.

What fails in a Job is the message of a condition that the cluster's owner reads.
"""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hypershift.cli.recovery import store
from hypershift.cloud.stores import Blob, Bucket, Keys, StoreFailed
from hypershift.cloud.stores.http import Call, send
from hypershift.kit import HypershiftError, Secret

ANSWER = (
    "<Error><Code>SignatureDoesNotMatch</Code><AWSAccessKeyId>AKIAEXAMPLE</AWSAccessKeyId>"
    "<StringToSign>AWS4 internal-service token=hunter2</StringToSign></Error>"
)


@contextmanager
def a_store(status: int, body: bytes, **headers: str) -> Iterator[str]:
    """A server that answers everything with one text."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def handle_any(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_PUT = do_POST = handle_any  # noqa: N815 - the library's names

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()


def a_bucket(endpoint: str) -> Bucket:
    return Bucket("b", "us-east-1", Keys("AKIAEXAMPLE", Secret("s")), endpoint=endpoint)


def test_an_error_of_a_store_tells_its_code_and_nothing_else_of_its_answer() -> None:
    with a_store(403, ANSWER.encode()) as endpoint, pytest.raises(StoreFailed) as failed:
        a_bucket(endpoint).get("key", 100)
    said = str(failed.value)
    assert "403 SignatureDoesNotMatch" in said
    assert "AKIA" not in said
    assert "hunter2" not in said
    assert (failed.value.status, failed.value.code) == (403, "SignatureDoesNotMatch")


def test_the_body_of_a_service_that_is_no_store_is_not_shown() -> None:
    with a_store(404, b"internal: password=hunter2") as endpoint, pytest.raises(StoreFailed) as it:
        a_bucket(endpoint).get("key", 100)
    assert "hunter2" not in str(it.value)


def test_azures_word_for_what_is_wrong_is_told() -> None:
    code = {"x_ms_error_code": "ContainerNotFound"}
    with a_store(404, b"<Error>secret</Error>", **code) as url, pytest.raises(StoreFailed) as it:
        Blob("a", "c", Secret("t"), endpoint=url).get("key", 100)
    assert it.value.code == "ContainerNotFound"
    assert "secret" not in str(it.value)


@pytest.mark.parametrize("code", ["x" * 1000, "a\r\nb", "<b>", "\x1b[2J"])
def test_a_word_that_is_no_word_is_left_out(code: str) -> None:
    body = f"<Code>{code}</Code>".encode()
    with a_store(403, body) as endpoint, pytest.raises(StoreFailed) as failed:
        a_bucket(endpoint).get("key", 100)
    assert failed.value.code == ""
    assert str(failed.value).isprintable()


@pytest.mark.parametrize("scheme", ["file", "ftp", "data", "jar"])
def test_only_http_is_spoken(scheme: str, tmp_path: Path) -> None:
    """The address of a store is a line of a file: `file:` would read this machine's."""
    secret = tmp_path / "b" / "key"
    secret.parent.mkdir()
    secret.write_text("hunter2")
    with pytest.raises(HypershiftError, match="neither http"):
        a_bucket(f"{scheme}://{tmp_path}").get("key", 100)
    with pytest.raises(HypershiftError, match="neither http"):
        send(lambda: Call("GET", f"{scheme}://{secret}"))


@pytest.mark.parametrize(
    "host",
    [
        "evil.example.org",
        "blob.core.windows.net.evil.example.org",
        "account.blob.core.windows.net@evil.example.org",
        "evilblob.core.windows.net",
        "account.blob.core.windows.net:8443",
        "127.0.0.1",
        "",
    ],
)
def test_a_token_for_azures_stores_goes_to_azure_alone(host: str, tmp_path: Path) -> None:
    """Administrators paste addresses that a status shows them."""
    file = tmp_path / "creds"
    file.write_text('{"clientId": "c", "tenantId": "t", "clientSecret": "s"}')
    options = store.StoreOptions(credentials_file=str(file), aws_region="", manifest_key_file="")
    with pytest.raises(HypershiftError, match="no address of a storage account"):
        store.snapshot_of(f"https://{host}/c/k", options)
