"""A hostile registry (finding H6 of the red-team review), as a server on the loopback.

A consumer names the release image, and so the registry that the operator asks. The registry must
not get the operator to ask anybody else on its behalf, must not see foreign answers, and cannot
cost more memory or time than the budgets of `hypershift.oci.limits`.
"""

import asyncio
import gzip
import hashlib
import io
import json
import socket
import tarfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.release.test_documents import documents

from hypershift.kit import HypershiftError
from hypershift.oci import (
    Registry,
    RegistryDenied,
    RegistryUnavailable,
    Trust,
    parse,
    read_pull_secret,
)
from hypershift.oci import transport as transport_module
from hypershift.oci.limits import MIB
from hypershift.oci.spec import INDEX, MANIFEST
from hypershift.oci.trust import Guard, Reach, reach_of
from hypershift.release import InvalidRelease, Releases, lookup, read_release

IMAGE = "registry.example/k/release:1"
SECRET = "the body of an internal service"
PULL_SECRET = read_pull_secret(
    json.dumps({"auths": {"registry.example": {"username": "me", "password": "hunter2"}}})
)


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def descriptor(content: bytes, **other: object) -> dict[str, object]:
    return {"mediaType": "x", "digest": digest(content), "size": len(content), **other}


def a_layer(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def manifest(config: dict[str, object], layers: list[dict[str, object]]) -> bytes:
    shape = {"schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers}
    return json.dumps(shape).encode()


@dataclass
class Hostile:
    """Answers every path as a test says, and remembers who asked for what, with which headers."""

    answers: dict[str, Any] = field(default_factory=dict)
    seen: list[tuple[str, str, str]] = field(default_factory=list)
    url: str = ""

    async def serve(self, request: web.Request) -> web.StreamResponse:
        host, sent = request.headers.get("Host", ""), request.headers.get("Authorization", "")
        self.seen.append((host, request.path, sent))
        for part, answer in self.answers.items():
            if part in request.path:
                made = answer(request) if callable(answer) else answer
                if asyncio.iscoroutine(made):
                    made = await made
                return made if isinstance(made, web.StreamResponse) else web.Response(body=made)
        return web.Response(status=404)

    @property
    def paths(self) -> list[str]:
        return [path for _, path, _ in self.seen]

    def release(self, layer: bytes, size: int = -1) -> None:
        """Serve an image with one layer."""
        config = b"{}"
        wanted = descriptor(layer) | ({"size": size} if size >= 0 else {})
        document = manifest(descriptor(config), [wanted])
        self.answers |= {
            "/manifests/": lambda _: web.Response(body=document, content_type=MANIFEST),
            f"/blobs/{digest(config)}": lambda _: web.Response(body=config),
            f"/blobs/{digest(layer)}": lambda _: web.Response(body=layer),
        }


@pytest.fixture
async def hostile() -> AsyncIterator[Hostile]:
    made = Hostile()
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", made.serve)
    async with TestServer(app) as server:
        made.url = f"http://127.0.0.1:{server.port}"
        yield made


async def look_up(hostile: Hostile, tmp_path: Path) -> str:
    """What a lookup says in the end; it always fails with an error of ours."""
    releases = Releases(tmp_path, {"registry.example": hostile.url})
    with pytest.raises(HypershiftError) as caught:
        await releases.find(IMAGE, PULL_SECRET)
    assert SECRET not in str(caught.value)
    assert "hunter2" not in str(caught.value)
    return str(caught.value)


@contextmanager
def cost(megabytes: int, seconds: float) -> Iterator[None]:
    tracemalloc.start()
    begun = time.monotonic()
    try:
        yield
        assert tracemalloc.get_traced_memory()[1] < megabytes * MIB
        assert time.monotonic() - begun < seconds
    finally:
        tracemalloc.stop()


# What a foreign answer tells


@pytest.mark.parametrize("status", [400, 401, 403, 404, 418, 429, 500, 503])
async def test_no_body_of_an_answer_is_in_an_error(
    hostile: Hostile, tmp_path: Path, status: int
) -> None:
    hostile.answers["/"] = lambda _: web.Response(status=status, text=SECRET, reason=SECRET)
    assert str(status) in await look_up(hostile, tmp_path)


async def test_what_is_no_http_is_not_quoted(tmp_path: Path) -> None:
    async def speak(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(f"{SECRET}\r\n".encode())
        writer.close()

    server = await asyncio.start_server(speak, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        said = await look_up(Hostile(url=f"http://127.0.0.1:{port}"), tmp_path)
    assert "broken" in said


# Where a registry can lead


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data",
        "http://other.example/x",
        "file:///etc/passwd",
        "https://user:password@other.example/",
        "gopher://x",
    ],
)
async def test_a_redirect_never_leaves_https(hostile: Hostile, tmp_path: Path, target: str) -> None:
    hostile.answers["/"] = lambda _: web.Response(status=307, headers={"Location": target})
    assert "leads to" in await look_up(hostile, tmp_path)
    assert len(hostile.seen) == 1


async def test_redirects_end(hostile: Hostile, tmp_path: Path) -> None:
    hostile.answers["/"] = lambda _: web.Response(status=307, headers={"Location": "/again"})
    assert "too often" in await look_up(hostile, tmp_path)
    assert len(hostile.seen) < 10


PLACES = [
    ("https://127.0.0.1:1/v2/", Reach.ANYWHERE),
    ("https://[::1]/", Reach.ANYWHERE),
    ("https://localhost/", Reach.ANYWHERE),
    ("https://169.254.169.254/", Reach.ANYWHERE),
    ("https://[fe80::1]/", Reach.ANYWHERE),
    ("https://0.0.0.0/", Reach.ANYWHERE),
    ("https://[::ffff:127.0.0.1]/", Reach.ANYWHERE),
    ("https://[64:ff9b::7f00:1]/", Reach.ANYWHERE),
    ("https://10.96.0.1/", Reach.PRIVATE),
    ("https://192.168.0.1/", Reach.PRIVATE),
    ("https://100.64.0.1/", Reach.PRIVATE),
    ("https://[fd00::1]/", Reach.PRIVATE),
]


@pytest.mark.parametrize(("url", "needed"), PLACES)
async def test_a_registry_in_public_leads_to_no_private_address(url: str, needed: Reach) -> None:
    reference = parse("registry.example/k/release:1")
    order = transport_module.Order("GET", "https://registry.example/", reference)
    async with Registry() as registry:
        with pytest.raises(RegistryDenied):
            registry._client(order, "https://registry.example", url)  # noqa: SLF001
    assert needed > Reach.PUBLIC


@pytest.mark.parametrize("host", ["localhost:5000", "127.0.0.1:5000", "169.254.169.254", "[::1]"])
async def test_a_registry_on_this_host_is_the_operators_to_name(host: str) -> None:
    async with Registry() as registry:
        with pytest.raises(RegistryDenied):
            await registry.pull(parse(f"{host}/k/release:1"))


async def test_a_name_that_resolves_to_this_host_is_refused_when_it_is_connected_to(
    hostile: Hostile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: whatever the name resolved to before, the connection is what counts."""
    port = int(hostile.url.rpartition(":")[2])

    async def resolve(_loop: Any, _host: str, _port: int, **_: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.getaddrinfo", resolve)
    async with Registry() as registry:
        with pytest.raises(RegistryDenied, match="not allowed"):
            await registry.pull(parse(f"rebinding.example:{port}/k/release:1"))
    assert hostile.seen == []


def test_the_guard_sees_the_address_itself() -> None:
    info = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.1", 443))
    with pytest.raises(OSError, match="not allowed"):
        Guard(Reach.PUBLIC)(info)
    allowed = Guard(Reach.PRIVATE)
    allowed(info).close()
    assert allowed.farthest is Reach.PRIVATE


@given(st.ip_addresses())
def test_only_global_addresses_are_public(address: Any) -> None:
    if reach_of(str(address)) is Reach.PUBLIC:
        assert address.is_global
        assert not address.is_loopback


async def test_credentials_stay_with_the_registry(hostile: Hostile, tmp_path: Path) -> None:
    """A redirect to another port is another server; it gets the request without our token."""
    other = Hostile(answers={"/": lambda _: web.Response(status=404)})
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", other.serve)
    async with TestServer(app) as server:
        away = f"http://127.0.0.1:{server.port}/elsewhere"

        def answer(request: web.Request) -> web.Response:
            if "Authorization" not in request.headers:
                return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="x"'})
            return web.Response(status=307, headers={"Location": away})

        hostile.answers["/"] = answer
        await look_up(hostile, tmp_path)
    assert [sent for _, _, sent in hostile.seen][-1].startswith("Basic ")
    assert [sent for _, _, sent in other.seen] == [""]


async def test_an_upload_does_not_take_credentials_elsewhere(hostile: Hostile) -> None:
    def answer(request: web.Request) -> web.Response:
        if request.method == "HEAD":
            return web.Response(status=404)
        return web.Response(status=202, headers={"Location": "http://127.0.0.2:1/upload"})

    hostile.answers["/"] = answer
    async with Registry({"registry.example": hostile.url}, PULL_SECRET) as registry:
        with pytest.raises(RegistryDenied, match="not HTTPS"):
            await registry.push_blob(parse(IMAGE), digest(b"x"), b"x")


# Token services


@pytest.mark.parametrize(
    ("realm", "said"),
    [
        ("http://169.254.169.254/token", "not HTTPS"),
        ("https://169.254.169.254/token", "not of its domain"),
        ("https://kubernetes.default.svc/token", "not of its domain"),
        ("https://token.example/token", "not of its domain"),
        ("file:///etc/passwd", "not HTTPS"),
        ("", "not HTTPS"),
    ],
)
async def test_a_token_realm_is_of_the_registrys_own_trust(
    hostile: Hostile, tmp_path: Path, realm: str, said: str
) -> None:
    challenge = {"WWW-Authenticate": f'Bearer realm="{realm}",service="s"'}
    hostile.answers["/"] = lambda _: web.Response(status=401, headers=challenge)
    assert said in await look_up(hostile, tmp_path)
    assert len(hostile.seen) == 1


@pytest.mark.parametrize(
    ("registry", "realm", "fine"),
    [
        ("registry-1.docker.io", "auth.docker.io", True),
        ("quay.io", "quay.io", True),
        ("quay.io", "auth.quay.io", True),
        ("registry.gitlab.com", "gitlab.com", True),
        ("nvcr.io", "authn.nvidia.com", True),
        ("quay.io", "evil.io", False),
        ("quay.io", "evilquay.io", False),
        ("10.0.0.1:5000", "9.0.0.1", False),
        ("10.0.0.1:5000", "10.0.0.1:5001", True),
        ("registry.corp.example", "login.other.example", False),
        ("registry.corp.example", "sso.trusted.example", True),
    ],
)
def test_token_services_belong_to_their_registry(registry: str, realm: str, fine: bool) -> None:  # noqa: FBT001 - a column
    trust = Trust(hosts=frozenset({"sso.trusted.example"}))
    assert trust.gives_tokens(registry, realm) is fine


@pytest.mark.parametrize(
    "answer",
    [b"", b"[]", b"{}", b"[" * 60_000, b'{"token": 1}', b'{"token": "a\\r\\nb"}', b"x" * MIB],
)
async def test_a_token_is_a_small_word(hostile: Hostile, tmp_path: Path, answer: bytes) -> None:
    challenge = {"WWW-Authenticate": f'Bearer realm="{hostile.url}/token",service="s"'}
    hostile.answers["/token"] = lambda _: web.Response(body=answer)
    hostile.answers["/v2/"] = lambda _: web.Response(status=401, headers=challenge)
    await look_up(hostile, tmp_path)
    assert len(hostile.seen) == 2


async def test_a_token_service_does_not_redirect(hostile: Hostile, tmp_path: Path) -> None:
    challenge = {"WWW-Authenticate": f'Bearer realm="{hostile.url}/token",service="s"'}
    away = {"Location": f"{hostile.url}/internal"}
    hostile.answers |= {
        "/internal": lambda _: web.json_response({"access_token": SECRET}),
        "/token": lambda _: web.Response(status=302, headers=away),
        "/v2/": lambda _: web.Response(status=401, headers=challenge),
    }
    assert "302" in await look_up(hostile, tmp_path)
    assert "/internal" not in hostile.paths


# Sizes and times


async def endless(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    response.content_type = MANIFEST
    await response.prepare(request)
    while True:
        await response.write(bytes(MIB))


async def drip(request: web.Request) -> web.StreamResponse:
    response = web.StreamResponse()
    await response.prepare(request)
    while True:
        await response.write(b" ")
        await asyncio.sleep(0.05)


@pytest.mark.parametrize("path", ["/manifests/", "/blobs/"])
async def test_an_endless_answer_is_left(hostile: Hostile, tmp_path: Path, path: str) -> None:
    hostile.release(a_layer({"x": b"x"}))
    others = {part: answer for part, answer in hostile.answers.items() if part != path}
    hostile.answers = {path: endless, **others}
    with cost(megabytes=32, seconds=10):
        said = await look_up(hostile, tmp_path)
    assert "larger than" in said or "longer than" in said


async def test_a_slow_drip_ends_with_the_lookup(
    hostile: Hostile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "LOOKUP_SECONDS", 0.5)
    hostile.answers["/"] = drip
    with cost(megabytes=16, seconds=5):
        assert "within" in await look_up(hostile, tmp_path)


async def test_a_slow_drip_ends_with_the_request(hostile: Hostile) -> None:
    hostile.answers["/"] = drip
    async with Registry({"registry.example": hostile.url}) as registry:
        order = transport_module.Order("GET", hostile.url, parse(IMAGE), seconds=0.5)
        with pytest.raises(RegistryUnavailable, match="in time"):
            async with registry.send(order) as response:
                await response.read()


async def test_a_document_that_unpacks_to_gigabytes_is_refused(
    hostile: Hostile, tmp_path: Path
) -> None:
    member = tarfile.TarInfo("release-manifests/image-references")
    member.size = 512 * MIB
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb") as stream:
        stream.write(member.tobuf())
        for _ in range(512):
            stream.write(bytes(MIB))
    assert len(out.getvalue()) < MIB
    hostile.release(out.getvalue())
    with cost(megabytes=32, seconds=10):
        assert "larger than" in await look_up(hostile, tmp_path)


async def test_a_layer_is_as_long_as_its_descriptor_says(hostile: Hostile, tmp_path: Path) -> None:
    hostile.release(a_layer(documents()), size=10)
    assert "longer than 10 bytes" in await look_up(hostile, tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"digest": "sha256:../../../../etc/passwd"},
        {"digest": "md5:0"},
        {"digest": 1},
        {"size": -1},
        {"size": 1 << 50},
        {"size": "1"},
        {"mediaType": None},
    ],
)
async def test_a_descriptor_has_a_digest_and_a_size(
    hostile: Hostile, tmp_path: Path, change: dict[str, object]
) -> None:
    document = manifest(descriptor(b"{}"), [descriptor(b"") | change])
    hostile.answers["/manifests/"] = lambda _: web.Response(body=document, content_type=MANIFEST)
    assert "shape" in await look_up(hostile, tmp_path)


@pytest.mark.parametrize(
    "document",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b"[" * 100_000,
        b'{"schemaVersion":' + b"[" * 100_000,
        b'{"x":' * 100_000,
        manifest(descriptor(b"{}"), [descriptor(b"x")] * 600),
    ],
)
@pytest.mark.parametrize("kind", [MANIFEST, INDEX])
async def test_malformed_manifests_are_refused_in_our_words(
    hostile: Hostile, tmp_path: Path, document: bytes, kind: str
) -> None:
    hostile.answers["/manifests/"] = lambda _: web.Response(body=document, content_type=kind)
    assert "shape" in await look_up(hostile, tmp_path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("spec", "tags", "name", "from", "metadata", "product", "version", "previous")
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(JSON, JSON, JSON)
def test_any_documents_are_a_release_or_refused(
    references: Any, metadata: Any, configuration: Any
) -> None:
    found = documents(references, metadata) | {"configuration": json.dumps(configuration).encode()}
    try:
        release = read_release("x", found)
    except InvalidRelease:
        return
    assert isinstance(release.version, str)
    assert all(isinstance(image, str) for image in release.images.values())


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_boot_images_are_read_or_refused(content: bytes) -> None:
    name = "release-manifests/0000_50_installer_coreos-bootimages.yaml"
    with suppress(InvalidRelease):
        read_release("x", documents() | {name: content})


@pytest.mark.parametrize(
    "content",
    [b"data: {stream: '[]'}", b"data: {streams: '[1]'}", b"data: {streams: '{\"a\": 1}'}", b"- a"],
)
def test_boot_images_of_another_shape_are_refused(content: bytes) -> None:
    name = "release-manifests/0000_50_installer_coreos-bootimages.yaml"
    with pytest.raises(InvalidRelease, match="boot images"):
        read_release("x", documents() | {name: content})


async def test_documents_that_are_no_text_are_refused(hostile: Hostile, tmp_path: Path) -> None:
    hostile.release(a_layer(dict.fromkeys(documents(), b"\xff\xfe")))
    assert "not text" in await look_up(hostile, tmp_path)


# Allowed registries


@pytest.mark.parametrize(
    ("pattern", "image", "fine"),
    [
        ("quay.io", "quay.io/a/b:1", True),
        ("quay.io/a", "quay.io/a/b:1", True),
        ("quay.io/a/b", "quay.io/a/b:1", True),
        ("quay.io/a", "quay.io/ab/c:1", False),
        ("quay.io/a/*", "quay.io/a/b/c:1", True),
        ("*.example.com", "r.example.com/a:1", True),
        ("*.example.com", "example.com.evil/a:1", False),
        ("*.example.com", "evil/r.example.com/a:1", False),
        ("quay.io", "quay.io.evil.example/a:1", False),
        ("quay.io", "quay.io:444/a:1", False),
        ("QUAY.io", "quay.io/a:1", True),
        ("docker.io", "busybox", True),
    ],
)
def test_patterns_of_allowed_registries(pattern: str, image: str, fine: bool) -> None:  # noqa: FBT001 - a column
    trust = Trust((pattern,))
    if fine:
        trust.check(parse(image))
    else:
        with pytest.raises(RegistryDenied, match="--allowed-registries"):
            trust.check(parse(image))


async def test_a_registry_that_is_not_allowed_is_not_asked(
    hostile: Hostile, tmp_path: Path
) -> None:
    mirrors = {"registry.example": hostile.url}
    releases = Releases(tmp_path, mirrors, trust=Trust(("quay.io/openshift-release-dev/*",)))
    with pytest.raises(RegistryDenied, match="--allowed-registries"):
        await releases.find(IMAGE)
    with pytest.raises(RegistryDenied):
        await releases.labels(IMAGE)
    assert hostile.seen == []


async def test_what_an_override_leads_to_need_not_be_allowed(
    hostile: Hostile, tmp_path: Path
) -> None:
    hostile.release(a_layer(documents()))
    mirrors = {"registry.example": hostile.url}
    overrides = {"quay.io/a": "registry.example/k"}
    releases = Releases(tmp_path, mirrors, overrides, trust=Trust(("quay.io/a",)))
    assert (await releases.find("quay.io/a/release:1")).version == "1.35.8"
