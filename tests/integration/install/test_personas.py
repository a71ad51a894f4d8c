"""What each persona can and cannot do on the management cluster."""

import asyncio
import copy
from collections.abc import AsyncIterator

import pytest
from tests.integration.api.installing import install
from tests.integration.api.test_server import a_cluster, a_pool
from tests.lib.command_line import install_options
from tests.lib.server import RealServer

from hypershift.api.schema import crds
from hypershift.cli.install.assets import load
from hypershift.cli.install.containment import containment
from hypershift.kit import Manifest
from hypershift.kube import ApiError, Client, Forbidden

pytestmark = pytest.mark.integration

#: Where clusters are ordered, where one's control plane lives, and where another team is.
TEAM, PLANE, OTHER = "team-a", "team-a-demo", "team-b"
NONE = {"type": "None"}
EVERYWHERE = ""

#: Persona, verb, resource, namespace, and whether it is allowed.
TABLE = [
    ("provider", "patch", "hostedclusters.hypershift.openshift.io", TEAM, True),
    ("provider", "update", "hostedclusters.hypershift.openshift.io/release", TEAM, True),
    ("provider", "delete", "nodepools.hypershift.openshift.io", OTHER, True),
    ("provider", "list", "hostedcontrolplanes.hypershift.openshift.io", PLANE, True),
    ("provider", "get", "pods/log", PLANE, True),
    ("provider", "get", "secrets", PLANE, False),
    ("provider", "list", "secrets", EVERYWHERE, False),
    ("provider", "patch", "secrets", PLANE, False),
    ("provider", "create", "secrets", EVERYWHERE, False),
    ("provider", "update", "hostedclusters.hypershift.openshift.io/placement", TEAM, True),
    ("provider", "update", "hostedclusters.hypershift.openshift.io/override", TEAM, False),
    ("provider", "create", "pods/exec", PLANE, False),
    ("provider", "patch", "hostedcontrolplanes.hypershift.openshift.io", PLANE, False),
    ("provider", "create", "clusterrolebindings.rbac.authorization.k8s.io", EVERYWHERE, False),
    ("consumer", "create", "hostedclusters.hypershift.openshift.io", TEAM, True),
    ("consumer", "patch", "nodepools.hypershift.openshift.io", TEAM, True),
    ("consumer", "update", "nodepools.hypershift.openshift.io/scale", TEAM, True),
    ("consumer", "get", "secrets", TEAM, True),
    ("consumer", "update", "hostedclusters.hypershift.openshift.io/release", TEAM, False),
    ("consumer", "update", "hostedclusters.hypershift.openshift.io/placement", TEAM, False),
    ("consumer", "update", "hostedclusters.hypershift.openshift.io/override", TEAM, False),
    ("consumer", "get", "secrets", PLANE, False),
    ("consumer", "list", "pods", PLANE, False),
    ("consumer", "list", "hostedcontrolplanes.hypershift.openshift.io", PLANE, False),
    ("consumer", "get", "hostedclusters.hypershift.openshift.io", OTHER, False),
    ("consumer", "list", "nodes", EVERYWHERE, False),
    ("consumer", "create", "resourcequotas", TEAM, False),
    ("admin", "get", "hostedclusters.hypershift.openshift.io", TEAM, True),
    ("admin", "list", "nodepools.hypershift.openshift.io", TEAM, True),
    ("admin", "patch", "hostedclusters.hypershift.openshift.io", TEAM, False),
    ("admin", "patch", "nodepools.hypershift.openshift.io", TEAM, False),
    ("admin", "get", "secrets", TEAM, False),
    ("admin", "list", "pods", PLANE, False),
    ("user", "get", "hostedclusters.hypershift.openshift.io", TEAM, True),
    ("user", "list", "hostedclusters.hypershift.openshift.io", TEAM, False),
    ("user", "get", "nodepools.hypershift.openshift.io", TEAM, False),
    ("user", "get", "secrets", TEAM, False),
    ("stranger", "get", "hostedclusters.hypershift.openshift.io", TEAM, False),
]


def binding(user: str, persona: str, namespace: str) -> Manifest:
    kind = "RoleBinding" if namespace else "ClusterRoleBinding"
    role = f"hypershift-{persona}"
    group = "rbac.authorization.k8s.io"
    return {
        "apiVersion": f"{group}/v1",
        "kind": kind,
        "metadata": {
            "name": f"{user}-{persona}",
            **({"namespace": namespace} if namespace else {}),
        },
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": role},
        "subjects": [{"apiGroup": group, "kind": "User", "name": user}],
    }


def personas() -> list[Manifest]:
    options = install_options("--personas", "--offered-release=registry.example.com/*")
    return [*load("personas.yaml", "hypershift"), *containment(options)]


@pytest.fixture
async def administrator(server: RealServer) -> AsyncIterator[Client]:
    async with server.client() as client:
        wanted = ("hostedclusters", "nodepools", "hostedcontrolplanes")
        await install(client, [e for e in crds() if e["spec"]["names"]["plural"] in wanted])
        for name in (TEAM, PLANE, OTHER, "hypershift"):
            await client.apply(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )
        for each in personas():
            await client.apply(each)
        for user, persona in (
            ("consumer", "service-consumer"),
            ("admin", "instance-admin"),
            ("user", "instance-user"),
        ):
            await client.apply(binding(user, persona, TEAM))
        await client.apply(binding("provider", "service-provider", EVERYWHERE))
        await has_heard(client)
        yield client


async def has_heard(client: Client) -> None:
    """Wait until the API server knows every binding: rights reach it a moment after the write."""
    rows = {row[0]: row for row in TABLE if row[4]}.values()
    for _ in range(300):
        if all([await allowed(client, row) for row in rows]):
            return
        await asyncio.sleep(0.1)
    raise TimeoutError("the API server does not know all bindings")


async def allowed(client: Client, row: tuple[str, str, str, str, bool]) -> bool:
    answer = await client.create(question(*row[:4]))
    return bool(answer["status"].get("allowed"))


def question(who: str, verb: str, resource: str, namespace: str) -> Manifest:
    path, _, subresource = resource.partition("/")
    plural, _, group = path.partition(".")
    asked = {"verb": verb, "group": group, "resource": plural, "subresource": subresource}
    return {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SubjectAccessReview",
        "spec": {"user": who, "resourceAttributes": {**asked, "namespace": namespace}},
    }


async def test_every_persona_may_do_its_work_and_nothing_else(administrator: Client) -> None:
    wrong = [row for row in TABLE if await allowed(administrator, row) is not row[4]]
    assert wrong == []


def as_guest(server: RealServer) -> Client:
    document = copy.deepcopy(server.kubeconfig)
    document["users"][0]["user"] = {"token": "guest"}
    return Client.from_kubeconfig_dict(document)


def released(manifest: Manifest, image: str) -> Manifest:
    changed = copy.deepcopy(manifest)
    changed["metadata"]["namespace"] = TEAM
    changed["spec"]["release"]["image"] = image
    return changed


async def settled(client: Client, manifest: Manifest) -> None:
    """Rights reach the API server a moment after they were written."""
    for _ in range(50):
        try:
            await client.apply(manifest)
        except Forbidden:
            await asyncio.sleep(0.1)
        else:
            return
    await client.apply(manifest)


async def in_force(client: Client, manifest: Manifest) -> None:
    """Policies reach it later still: it looks for new ones once a second."""
    for _ in range(300):
        try:
            await client.apply(manifest, dry_run=True)
        except ApiError:
            return
        await asyncio.sleep(0.1)
    raise TimeoutError("the API server does not know the policy")


async def test_a_consumer_moves_pools_to_a_release_and_a_provider_moves_clusters(
    administrator: Client, server: RealServer
) -> None:
    cluster, pool = a_cluster("demo", NONE), a_pool("workers", NONE)
    await administrator.apply(binding("guest", "service-consumer", TEAM))
    async with as_guest(server) as guest:
        await settled(guest, released(cluster, "registry.example.com/release:1"))
        await guest.apply(released(pool, "registry.example.com/release:1"))
        await guest.apply(released(pool, "registry.example.com/release:2"))
        await in_force(guest, released(cluster, "registry.example.com/release:2"))
        with pytest.raises(ApiError, match="the release of a hosted cluster is the service provid"):
            await guest.apply(released(cluster, "registry.example.com/release:2"))
        await administrator.apply(binding("guest", "service-provider", EVERYWHERE))
        await settled(guest, released(cluster, "registry.example.com/release:2"))
