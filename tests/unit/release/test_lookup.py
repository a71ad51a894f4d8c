"""Releases are found in registries, once, and only their upper layers are fetched."""

import hashlib
import io
import json
import tarfile
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.unit.release.test_documents import documents

from hypershift.oci import ImageNotFound, RegistryUnavailable, read_pull_secret
from hypershift.release import Releases, lookup

INDEX = "application/vnd.oci.image.index.v1+json"


class Hours:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def now(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)

    def monotonic(self) -> float:
        return self.seconds

    async def sleep(self, seconds: float) -> None:
        self.seconds += seconds


def digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def layer(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


class FakeRegistry:
    """Serves one release image and counts what is asked of it."""

    def __init__(self) -> None:
        base, top = layer({"bin/large": b"x" * 1000}), layer(documents())
        config = b'{"architecture": "amd64", "config": {"Labels": {"able": "true"}}}'
        self.blobs = {digest(content): content for content in (base, top, config)}
        self.base = digest(base)
        self.asked: list[str] = []
        self.away = False
        self.manifest = json.dumps(
            {
                "schemaVersion": 2,
                "mediaType": "application/vnd.oci.image.manifest.v1+json",
                "config": {"mediaType": "c", "digest": digest(config), "size": len(config)},
                "layers": [
                    {"mediaType": "l", "digest": digest(content), "size": len(content)}
                    for content in (base, top)
                ],
            }
        ).encode()

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_get("/v2/k/release/manifests/{tag}", self.serve_manifest)
        app.router.add_get("/v2/k/release/blobs/{digest}", self.serve_blob)
        return app

    def index(self) -> bytes:
        """A list of manifests, one for each architecture; ours is the second."""
        kind = "application/vnd.oci.image.manifest.v1+json"
        entries = [
            {
                "mediaType": kind,
                "digest": content,
                "size": 1,
                "platform": {"architecture": architecture, "os": "linux"},
            }
            for architecture, content in (
                ("s390x", f"sha256:{'0' * 64}"),
                ("amd64", digest(self.manifest)),
            )
        ]
        return json.dumps({"schemaVersion": 2, "mediaType": INDEX, "manifests": entries}).encode()

    async def serve_manifest(self, request: web.Request) -> web.Response:
        self.asked.append("manifest")
        if request.match_info["tag"] == "absent":
            raise web.HTTPNotFound
        if self.away:
            raise web.HTTPServiceUnavailable
        if request.match_info["tag"] == "multi":
            return web.Response(body=self.index(), content_type=INDEX)
        return web.Response(
            body=self.manifest, content_type="application/vnd.oci.image.manifest.v1+json"
        )

    async def serve_blob(self, request: web.Request) -> web.Response:
        self.asked.append(request.match_info["digest"])
        return web.Response(body=self.blobs[request.match_info["digest"]])


@pytest.fixture
async def registry() -> AsyncIterator[tuple[FakeRegistry, str]]:
    fake = FakeRegistry()
    async with TestServer(fake.app()) as server:
        yield fake, f"http://127.0.0.1:{server.port}"


async def test_a_release_is_looked_up_through_a_mirror(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    releases = Releases(tmp_path, {"registry.example": address})
    release = await releases.find("registry.example/k/release:1.35.8")
    assert release.version == "1.35.8"
    assert release.architecture == "amd64"
    assert release.resolved == f"registry.example/k/release@{digest(fake.manifest)}"
    assert fake.base not in fake.asked


async def test_labels_are_read_from_the_configuration_and_no_layer_is_fetched(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    releases = Releases(tmp_path, {"registry.example": address})
    assert await releases.labels("registry.example/k/release:multi") == {"able": "true"}
    assert len(fake.asked) == 3, "the index, the manifest, the configuration"
    await releases.labels("registry.example/k/release:multi")
    assert len(fake.asked) == 3
    with pytest.raises(ImageNotFound):
        await releases.labels("registry.example/k/release:absent")


async def test_a_second_look_asks_nobody(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    releases = Releases(tmp_path, {"registry.example": address})
    first = await releases.find("registry.example/k/release:1.35.8")
    asked = len(fake.asked)
    assert await releases.find("registry.example/k/release:1.35.8") is first
    assert len(fake.asked) == asked


async def test_what_one_tenant_read_another_has_to_ask_for(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    releases = Releases(tmp_path, {"registry.example": address})
    mine = read_pull_secret('{"auths": {"registry.example": {"auth": "bWU6cGFzcw=="}}}')
    await releases.find("registry.example/k/release:1.35.8", mine)
    before = fake.asked.count("manifest")
    await releases.find("registry.example/k/release:1.35.8", mine)
    assert fake.asked.count("manifest") == before
    await releases.find("registry.example/k/release:1.35.8")
    assert fake.asked.count("manifest") == before + 1


async def test_another_process_finds_the_documents_on_disk(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    await Releases(tmp_path, {"registry.example": address}).find("registry.example/k/release:1")
    fake.asked.clear()
    await Releases(tmp_path, {"registry.example": address}).find("registry.example/k/release:1")
    assert fake.asked == ["manifest"]


async def test_overrides_replace_the_place_and_keep_the_name(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    _, address = registry
    releases = Releases(
        tmp_path, {"registry.example": address}, {"quay.io/ocp": "registry.example/k"}
    )
    release = await releases.find("quay.io/ocp/release:1")
    assert release.image == "quay.io/ocp/release:1"


async def test_an_absent_release_is_an_error_that_names_it(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    _, address = registry
    releases = Releases(tmp_path, {"registry.example": address})
    with pytest.raises(ImageNotFound, match="absent"):
        await releases.find("registry.example/k/release:absent")


async def test_a_list_of_manifests_leads_to_the_one_for_this_machine(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    releases = Releases(tmp_path, {"registry.example": address}, architecture="amd64")
    release = await releases.find("registry.example/k/release:multi")
    assert release.version == "1.35.8"
    assert release.architecture == "multi"
    assert release.resolved == f"registry.example/k/release@{digest(fake.index())}"


async def test_a_tag_is_asked_for_again_after_a_while_and_a_digest_never(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    clock = Hours()
    releases = Releases(tmp_path, {"registry.example": address}, clock=clock)
    by_tag = "registry.example/k/release:1.35.8"
    by_digest = f"registry.example/k/release@{digest(fake.manifest)}"
    for image in (by_tag, by_digest):
        await releases.find(image)
    clock.seconds = 3600.0
    fake.asked.clear()
    await releases.find(by_digest)
    assert fake.asked == []
    await releases.find(by_tag)
    assert fake.asked == ["manifest"]


async def test_a_registry_that_is_away_does_not_take_back_what_it_said(
    registry: tuple[FakeRegistry, str], tmp_path: Path
) -> None:
    fake, address = registry
    clock = Hours()
    releases = Releases(tmp_path, {"registry.example": address}, clock=clock)
    by_tag = "registry.example/k/release:1.35.8"
    first = await releases.find(by_tag)
    clock.seconds, fake.away = 3600.0, True
    assert await releases.find(by_tag) is first
    with pytest.raises(RegistryUnavailable):
        await releases.find("registry.example/k/release:other")


async def test_what_was_not_asked_for_in_a_long_time_is_forgotten(
    registry: tuple[FakeRegistry, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lookup, "MOST_KNOWN", 2)
    fake, address = registry
    names = [f"registry.example/{name}/release:1.35.8" for name in ("k", "l", "m")]
    overrides = {f"registry.example/{name}": "registry.example/k" for name in ("l", "m")}
    releases = Releases(tmp_path, {"registry.example": address}, overrides)
    for image in (names[0], names[1], names[0], names[2]):
        await releases.find(image)
    fake.asked.clear()
    for image in (names[0], names[2]):
        await releases.find(image)
    assert fake.asked == []
    await releases.find(names[1])
    assert fake.asked == ["manifest"]
