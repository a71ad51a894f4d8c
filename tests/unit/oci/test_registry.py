"""The client against a small registry that misbehaves on request; integration has the real one."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from hypershift.oci import (
    ImageNotFound,
    InvalidImage,
    Layout,
    Reference,
    Registry,
    RegistryDenied,
    RegistryUnavailable,
    Settings,
    Tree,
    Trust,
    assemble,
    file,
    parse,
    pull_image,
    push_image,
    read_files,
    read_pull_secret,
)
from hypershift.oci.spec import INDEX, MANIFEST

REFERENCE = parse("registry.example/app:1")


@dataclass
class Store:
    """A registry in memory, with a door and a memory of what was asked."""

    manifests: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    door: str = "open"
    broken: int = 0

    async def answer(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(f"{request.method} {request.path}")
        if request.path == "/token":
            return self.token(request)
        if refusal := self.refusal(request):
            return refusal
        if self.broken:
            return web.Response(status=self.broken)
        kind, name = request.path.split("/")[3:5]
        if kind == "manifests":
            return await self.manifest(request, name)
        return await self.blob(request, name)

    def token(self, request: web.Request) -> web.Response:
        wanted = f"Basic {base64.b64encode(b'me:secret').decode()}"
        if request.headers.get("Authorization") != wanted:
            return web.Response(status=403)
        return web.json_response({"token": request.query["scope"]})

    def refusal(self, request: web.Request) -> web.Response | None:
        given = request.headers.get("Authorization", "")
        if self.door == "basic" and given != f"Basic {base64.b64encode(b'me:secret').decode()}":
            return web.Response(status=401, headers={"WWW-Authenticate": 'Basic realm="x"'})
        action = "pull" if request.method in {"GET", "HEAD"} else "pull,push"
        if self.door == "bearer" and action not in given:
            realm = str(request.url.with_path("/token").with_query(None))
            value = f'Bearer realm="{realm}",service="s",scope="repository:app:{action}"'
            return web.Response(status=401, headers={"WWW-Authenticate": value})
        return None

    async def manifest(self, request: web.Request, name: str) -> web.Response:
        if request.method == "PUT":
            body = await request.read()
            digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
            self.manifests[name] = self.manifests[digest] = (request.content_type, body)
            return web.Response(status=201)
        if name not in self.manifests:
            return web.Response(status=404)
        media_type, body = self.manifests[name]
        digest = f"sha256:{hashlib.sha256(body).hexdigest()}"
        headers = {"Docker-Content-Digest": digest, "Content-Type": media_type}
        return web.Response(body=body, headers=headers)

    async def blob(self, request: web.Request, name: str) -> web.Response:
        if request.method == "POST":
            return web.Response(status=202, headers={"Location": "/v2/app/blobs/upload?state=1"})
        if request.method == "PUT":
            self.blobs[request.query["digest"]] = await request.read()
            return web.Response(status=201)
        if name not in self.blobs:
            return web.Response(status=404)
        return web.Response(body=self.blobs[name])


@pytest.fixture
async def store() -> AsyncIterator[tuple[Store, dict[str, str]]]:
    held = Store()
    app = web.Application(client_max_size=1 << 24)
    app.router.add_route("*", "/{path:.*}", held.answer)
    async with TestServer(app) as server:
        yield held, {"registry.example": str(server.make_url("")).rstrip("/")}


def secret(password: str) -> Any:
    return read_pull_secret(
        json.dumps({"auths": {"registry.example": {"username": "me", "password": password}}})
    )


def an_image(directory: Path, **files: str) -> tuple[Layout, Any]:
    layout = Layout(directory)
    layers = [layout.put_layer(Tree().add(name, file(text))) for name, text in files.items()]
    image = assemble(layers, Settings(), "amd64")
    layout.put_image(image)
    return layout, image.descriptor


@pytest.mark.parametrize("door", ["open", "basic", "bearer"])
async def test_an_image_goes_up_and_comes_down_unchanged(
    store: tuple[Store, dict[str, str]], tmp_path: Path, door: str
) -> None:
    held, mirrors = store
    held.door = door
    layout, image = an_image(tmp_path / "up", a="one", b="two")
    async with Registry(mirrors, secret("secret")) as registry:
        await push_image(registry, layout, image, REFERENCE)
        down = Layout(tmp_path / "down")
        assert (await pull_image(registry, REFERENCE, down)).digest == image.digest
    assert down.manifest(image.digest) == layout.manifest(image.digest)


async def test_what_the_registry_has_is_not_sent_again(
    store: tuple[Store, dict[str, str]], tmp_path: Path
) -> None:
    held, mirrors = store
    layout, image = an_image(tmp_path, a="one")
    async with Registry(mirrors) as registry:
        await push_image(registry, layout, image, REFERENCE)
        held.asked.clear()
        await push_image(registry, layout, image, REFERENCE)
        assert held.asked == ["HEAD /v2/app/manifests/1"]
        await push_image(registry, layout, image, Reference("registry.example", "app", "2"))
    assert [each for each in held.asked if each.startswith(("POST", "PUT"))] == [
        "PUT /v2/app/manifests/2"
    ]


async def test_an_index_leads_to_the_image_of_the_architecture(
    store: tuple[Store, dict[str, str]], tmp_path: Path
) -> None:
    held, mirrors = store
    layout, image = an_image(tmp_path, a="one")
    platform = {"architecture": "amd64", "os": "linux"}
    entry = {"mediaType": MANIFEST, "digest": image.digest, "size": image.size}
    index = {"schemaVersion": 2, "mediaType": INDEX, "manifests": [{**entry, "platform": platform}]}
    held.manifests = {
        "1": (INDEX, json.dumps(index).encode()),
        image.digest: (MANIFEST, layout.read(image.digest)),
    }
    async with Registry(mirrors) as registry:
        assert (await registry.locate(REFERENCE)).descriptor.digest == image.digest
        with pytest.raises(ImageNotFound, match="no image for linux/arm64"):
            await registry.locate(REFERENCE, "arm64")


async def test_files_are_read_as_the_topmost_layer_has_them(
    store: tuple[Store, dict[str, str]], tmp_path: Path
) -> None:
    _, mirrors = store
    layout = Layout(tmp_path)
    trees = (
        Tree().add("m/a", file("old")).add("m/b", file("gone")).add("other", file("x")),
        Tree().add("m/a", file("new")).add("m/.wh.b", file("")),
    )
    image = assemble([layout.put_layer(tree) for tree in trees], Settings(), "amd64")
    layout.put_image(image)
    async with Registry(mirrors) as registry:
        await push_image(registry, layout, image.descriptor, REFERENCE)
        found = await read_files(registry, REFERENCE, lambda path: path.startswith("m/"))
    assert found == {"m/a": b"new"}


async def test_content_that_is_not_its_digest_is_refused(
    store: tuple[Store, dict[str, str]], tmp_path: Path
) -> None:
    held, mirrors = store
    layout, image = an_image(tmp_path / "up", a="one")
    async with Registry(mirrors) as registry:
        await push_image(registry, layout, image, REFERENCE)
        held.blobs = dict.fromkeys(held.blobs, b"evil")
        with pytest.raises(InvalidImage, match="wrong content"):
            await pull_image(registry, REFERENCE, Layout(tmp_path / "down"))
        held.manifests[image.digest] = (MANIFEST, b"{}")
        with pytest.raises(InvalidImage, match="content of digest"):
            await registry.pull(REFERENCE.pinned(image.digest))


async def test_wrong_credentials_are_denied_and_not_shown(
    store: tuple[Store, dict[str, str]],
) -> None:
    held, mirrors = store
    for door in ("basic", "bearer"):
        held.door = door
        async with Registry(mirrors, secret("hunter2")) as registry:
            with pytest.raises(RegistryDenied) as caught:
                await registry.pull(REFERENCE)
        assert "hunter2" not in str(caught.value)


async def test_errors_say_who_was_asked_for_what(store: tuple[Store, dict[str, str]]) -> None:
    held, mirrors = store
    async with Registry(mirrors) as registry:
        with pytest.raises(ImageNotFound, match=r"registry\.example/app:1: 404"):
            await registry.pull(REFERENCE)
        held.broken = 503
        with pytest.raises(RegistryUnavailable, match="503"):
            await registry.pull(REFERENCE)
    async with Registry({"registry.example": "http://127.0.0.1:1"}) as registry:
        with pytest.raises(RegistryUnavailable, match=r"GET http://127\.0\.0\.1:1/v2/app"):
            await registry.pull(REFERENCE)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("quay.io", "https://quay.io"),
        ("docker.io", "https://registry-1.docker.io"),
        ("localhost:5000", "http://localhost:5000"),
        ("mirrored.example", "http://10.0.0.1:5000"),
    ],
)
def test_registries_are_asked_where_they_are(host: str, expected: str) -> None:
    registry = Registry({"mirrored.example": "http://10.0.0.1:5000/"}, trust=Trust(loopback=True))
    assert registry.address(host) == expected


def test_localhost_by_plain_http_is_for_commands_alone() -> None:
    assert Registry().address("localhost:5000") == "https://localhost:5000"
