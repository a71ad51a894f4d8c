"""Nodes of another architecture than the management cluster's need a release that has both."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer
from tests.lib.memory import MemoryClient

from hypershift.cli.cluster import checks, create
from hypershift.cli.cluster.architecture import check_architecture
from hypershift.cli.cluster.none import PLATFORM
from hypershift.cli.cluster.options import ClusterOptions
from hypershift.cli.command import understand
from hypershift.cli.main import HYPERSHIFT, execute
from hypershift.cli.typed import options
from hypershift.kit import UsageError
from hypershift.kube import Client
from hypershift.oci.spec import INDEX, MANIFEST

REFUSAL = (
    "multi-arch hosted cluster is not enabled and management cluster and nodepool cpu "
    "architectures do not match; please use a multi-arch release image or a multi-arch release "
    "stream - management cluster cpu arch: amd64, nodepool cpu arch: arm64"
)


class Management(MemoryClient):
    """A management cluster on machines of one architecture."""

    def __init__(self, platform: str) -> None:
        """Start without objects."""
        super().__init__()
        self.platform = platform

    async def raw(
        self, method: str, path: str, *, body: object = None, query: dict[str, str] | None = None
    ) -> bytes:
        assert (method, path, body, query) == ("GET", "/version", None, None)
        return json.dumps({"platform": self.platform}).encode()


def wanted(*words: str) -> ClusterOptions:
    line = ["create", "cluster", "none", "--name=demo", *words]
    return options(PLATFORM.options, understand(HYPERSHIFT, line).values)


@pytest.fixture
def secret(tmp_path: Path) -> str:
    path = tmp_path / "pull-secret.json"
    path.write_text("{}")
    return f"--pull-secret={path}"


@pytest.fixture
async def release() -> AsyncIterator[str]:
    """Release images `one` for a single architecture and `several` for two."""
    listed = [{"platform": {"os": "linux", "architecture": each}} for each in ("amd64", "arm64")]
    described = {"mediaType": MANIFEST, "digest": f"sha256:{'0' * 64}", "size": 1}
    documents = {
        "one": (MANIFEST, {"schemaVersion": 2, "config": described, "layers": []}),
        "several": (
            INDEX,
            {"schemaVersion": 2, "manifests": [described | each for each in listed]},
        ),
    }

    async def answer(request: web.Request) -> web.Response:
        if found := documents.get(request.path.rpartition("/")[2]):
            return web.json_response(found[1], content_type=found[0])
        return web.Response(status=404)

    application = web.Application()
    application.router.add_get("/{path:.*}", answer)
    async with TestServer(application) as server:
        yield f"--release-image=127.0.0.1:{server.port}/release"


async def test_nodes_like_the_management_clusters_need_no_look_at_the_release() -> None:
    words = ("--release-image=registry.invalid/release:1", "--arch=ARM64")
    await check_architecture(Management("linux/arm64"), wanted(*words))


async def test_a_release_for_one_architecture_has_no_nodes_of_another(
    release: str, secret: str
) -> None:
    words = (f"{release}:one", secret, "--arch=arm64")
    with pytest.raises(UsageError) as error:
        await check_architecture(Management("linux/amd64"), wanted(*words))
    assert str(error.value) == REFUSAL


async def test_a_release_for_several_has_nodes_of_each(release: str, secret: str) -> None:
    words = (f"{release}:several", secret, "--arch=arm64")
    await check_architecture(Management("linux/amd64"), wanted(*words))


async def test_a_release_that_nobody_can_read_is_not_looked_at(
    release: str, secret: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = (f"{release}:absent", secret, "--arch=arm64")
    await check_architecture(Management("linux/amd64"), wanted(*words))
    skipped = "WARNING: Unable to access the payload, skipping the Architectures check."
    assert capsys.readouterr().err.startswith(skipped)


async def test_without_a_release_the_stream_decides() -> None:
    await check_architecture(
        Management("linux/amd64"), wanted("--arch=arm64", "--release-stream=4-stable-multi")
    )
    with pytest.raises(UsageError):
        await check_architecture(
            Management("linux/amd64"), wanted("--arch=arm64", "--release-stream=4-stable")
        )


async def test_a_server_that_does_not_say_its_platform_is_refused() -> None:
    with pytest.raises(UsageError, match="failed to extract the cpu arch"):
        await check_architecture(Management("linux"), wanted())


def test_nothing_is_made_before_the_look(
    secret: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @asynccontextmanager
    async def management(_kubeconfig: str) -> AsyncIterator[Client]:
        yield Management("linux/amd64")

    monkeypatch.setattr(create, "management", management)
    monkeypatch.setattr(checks, "require_management", lambda _: None)
    words = ["--name=demo", secret, "--external-api-server-address=a", "--arch=arm64"]
    assert execute(HYPERSHIFT, ["create", "cluster", "none", *words]) == 1
    assert capsys.readouterr().err == f"{REFUSAL}\n"
