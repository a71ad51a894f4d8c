"""A real API server that serves OpenShift's own kinds, as a hosted cluster's does."""

import asyncio
from collections.abc import Iterator

import pytest
from tests.lib.server import RealServer, available, real_server
from tests.unit.operators.guest_config.openshift.guests import a_guest

from hypershift import parts
from hypershift.kit import Manifest, annotations_of, documents
from hypershift.kube import Client, kinds
from hypershift.operators.guest_config.openshift.rules import catalog, observed
from hypershift.payload.openshift.archive import members

ARCHIVE = "openshift-api-manifests.tar"
FOLDERS = (
    "payload-manifests/crds",
    *(
        f"{group}/v1/zz_generated.crd-manifests"
        for group in ("config", "operator", "imageregistry")
    ),
)
FEATURES = "release.openshift.io/feature-set"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available() or parts.missing((ARCHIVE,)):
        pytest.skip(f"etcd, kube-apiserver or {ARCHIVE} is not here (parts fetch {ARCHIVE})")
    with real_server(tmp_path_factory.mktemp("hosted")) as started:
        asyncio.run(serve_openshift(started))
        yield started


def definitions() -> list[Manifest]:
    """The definitions of what is written inside, with the default features, each once."""
    found: dict[str, Manifest] = {}
    guest = a_guest()
    written = {made["kind"] for made in (*catalog.manifests(guest), *catalog.at_first(guest))}
    read = {source.kind for source in observed.SOURCES}
    wanted = written | read | {"ClusterVersion", "ClusterOperator"}
    for folder in FOLDERS:
        for name, content in members(parts.path(ARCHIVE), folder):
            if not name.endswith(".yaml"):
                continue
            made = documents.loaded(content.decode())
            default = "Default" in annotations_of(made).get(FEATURES, "Default").split(",")
            if default and made["spec"]["names"]["kind"] in wanted:
                found.setdefault(made["metadata"]["name"], made)
    return [found[name] for name in sorted(found)]


async def serve_openshift(server: RealServer) -> None:
    async with server.client() as client:
        made = definitions()
        for definition in made:
            await client.create(definition)
        for definition in made:
            await served(client, definition["metadata"]["name"])
        await client.apply(VERSION)
        await client.apply(INGRESS)


async def served(client: Client, name: str) -> None:
    """Wait until a definition is established."""
    async with asyncio.timeout(60):
        while True:
            found = await client.get(kinds.CUSTOM_RESOURCE_DEFINITION, name)
            conditions = (found.get("status") or {}).get("conditions") or ()
            if any(one["type"] == "Established" and one["status"] == "True" for one in conditions):
                return
            await asyncio.sleep(0.1)


INGRESS: Manifest = {
    "apiVersion": "v1",
    "kind": "Namespace",
    "metadata": {"name": "openshift-ingress-operator"},
}
#: The version operator's Deployment makes it, and the operator the namespace.
VERSION: Manifest = {
    "apiVersion": "config.openshift.io/v1",
    "kind": "ClusterVersion",
    "metadata": {"name": "version"},
    "spec": {"clusterID": "5ae8a1f2-0f3c-4c1e-9a55-000000000001"},
}
