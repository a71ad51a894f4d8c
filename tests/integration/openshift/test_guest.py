"""The inside of an OpenShift cluster on a real API server with OpenShift's own definitions."""

import json
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
import structlog
from tests.lib.memory import MemoryClient
from tests.lib.server import RealServer
from tests.unit.component.clusters import a_hosted_control_plane
from tests.unit.operators.guest_config.openshift.guests import IMAGES, OIDC, a_guest

from hypershift.api.conditions import ControlPlaneCondition
from hypershift.kit import Manifest, SystemClock
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.guest_config import Environment
from hypershift.operators.guest_config.openshift import configure as openshift
from hypershift.operators.guest_config.openshift.rules import catalog
from hypershift.operators.guest_config.openshift.rules.guest import VERSION
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.operators.guest_config.status import report_version
from hypershift.release import Product, Release
from hypershift.runtime import Context, Done, Wait

pytestmark = pytest.mark.integration
IMAGE = "registry.example/openshift/release:4.22.0"
#: Operators whose kinds this server does not have.
ABSENT = {"operator-lifecycle-manager", "cluster-monitoring-operator"}
RELEASE = Release(
    "4.22.0",
    Product.OPENSHIFT,
    {name: f"registry.example/{name}:1" for name in IMAGES if name not in ABSENT},
    IMAGE,
    components={"kubernetes": "1.35.1"},
)
NAMESPACE = "clusters-demo"
PREFIX = "hypershift.openshift.io"


def by_token(server: RealServer, token: str) -> Client:
    kubeconfig = {**server.kubeconfig, "users": [{"name": "admin", "user": {"token": token}}]}
    kubeconfig["contexts"] = [
        {**one, "context": {**one["context"], "user": "admin"}} for one in kubeconfig["contexts"]
    ]
    return Client.from_kubeconfig_dict(kubeconfig, manager="test")


@pytest.fixture
async def inside(server: RealServer) -> AsyncIterator[Client]:
    """The cluster as the guest configuration sees it."""
    async with by_token(server, "configurer") as client:
        yield client


def a_scope(inside: Client, **spec: Any) -> GuestScope:
    nothing: Any = None
    kube = MemoryClient()
    for name in ("openshift-apiserver", "openshift-oauth-apiserver"):
        kube.put(
            {
                "apiVersion": "v1",
                "kind": "Service",
                "metadata": {"name": name, "namespace": NAMESPACE},
                "spec": {"clusterIP": "10.96.0.11"},
            }
        )
    context = Context(
        kube=kube, live=kube, clock=SystemClock(), events=nothing, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    plane = a_hosted_control_plane(releaseImage=IMAGE, **OIDC, **spec)
    plane["metadata"]["generation"] = 1
    plane["status"] = {"controlPlaneEndpoint": {"host": "api.example.org", "port": 6443}}
    scope = GuestScope(plane, context, Environment(nothing))
    scope.guest, scope.release, scope.plane = inside, RELEASE, RELEASE
    scope.values = nothing
    return scope


async def configured(inside: Client, **spec: Any) -> GuestScope:
    """One pass, which must succeed."""
    scope = a_scope(inside, **spec)
    outcome = await openshift.configure(scope, RELEASE)
    succeeded = scope.conditions.get(ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED)
    assert isinstance(outcome, Done), succeeded
    return scope


async def one(client: Client, kind: str, name: str = "cluster") -> Manifest:
    return await client.get(await client.resource(VERSION, kind), name)


async def test_every_object_is_accepted_and_stays(inside: Client) -> None:
    """The API server knows every field that we write, and a second pass changes nothing."""
    await configured(inside)
    kinds = ("Infrastructure", "DNS", "Image", "Ingress", "Network", "Proxy", "Authentication")
    before = {kind: (await one(inside, kind))["metadata"]["resourceVersion"] for kind in kinds}
    operators = [("ClusterOperator", name) for name in ("kube-apiserver", "openshift-apiserver")]
    states = [await one(inside, *operator) for operator in operators]
    await configured(inside)
    assert before == {
        kind: (await one(inside, kind))["metadata"]["resourceVersion"] for kind in kinds
    }
    assert states == [await one(inside, *operator) for operator in operators]


async def test_programs_inside_read_where_they_are(inside: Client) -> None:
    await configured(inside)
    status = (await one(inside, "Infrastructure"))["status"]
    assert status["controlPlaneTopology"] == "External"
    assert status["infrastructureName"] == "demo-7x2kf"
    operator = await one(inside, "ClusterOperator", "kube-apiserver")
    assert {"name": "kube-apiserver", "version": "1.35.1"} in operator["status"]["versions"]


async def test_what_kubelets_are_told_is_copied_until_its_pool_is_gone(inside: Client) -> None:
    marks = {f"{PREFIX}/kubeletconfig-config": "true", f"{PREFIX}/nodePool": "workers"}
    original = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "pods-workers", "namespace": NAMESPACE, "labels": marks},
        "data": {"config": "kind: KubeletConfig"},
    }
    scope = a_scope(inside)
    memory = scope.kube
    assert isinstance(memory, MemoryClient)
    memory.put(original)
    place = ("pods-workers", "openshift-config-managed")
    for _ in range(2):
        assert isinstance(await openshift.configure(scope, RELEASE), Done)
        copy = await inside.get(kinds.CONFIG_MAP, *place)
        assert copy["data"] == original["data"]
    await memory.delete(kinds.CONFIG_MAP, "pods-workers", NAMESPACE)
    await openshift.configure(scope, RELEASE)
    assert await inside.find(kinds.CONFIG_MAP, *place) is None


async def test_what_is_configured_inside_is_copied_beside_the_api_server(inside: Client) -> None:
    scope = a_scope(inside)
    project = {"apiVersion": VERSION, "kind": "Project", "metadata": {"name": "cluster"}}
    await inside.apply({**project, "spec": {"projectRequestMessage": "ask us"}})
    for _ in range(2):
        assert isinstance(await openshift.configure(scope, RELEASE), Done)
    copies = {
        name: await scope.kube.find(kinds.CONFIG_MAP, f"observed-config-{name}", NAMESPACE)
        for name in ("project", "registry")
    }
    told = {name: json.loads(copy["data"]["config"]) for name, copy in copies.items() if copy}
    assert told["project"]["spec"]["projectRequestMessage"] == "ask us"
    assert told["registry"]["spec"] == {"managementState": "Managed"}
    await inside.delete(await inside.resource(VERSION, "Project"), "cluster")
    await openshift.configure(scope, RELEASE)
    assert await scope.kube.find(kinds.CONFIG_MAP, "observed-config-project", NAMESPACE) is None


@pytest.mark.parametrize("kind", ["APIServer", "Authentication", "Image", "Network", "Proxy"])
async def test_an_administrator_inside_reads_configuration_alone(
    server: RealServer, inside: Client, kind: str
) -> None:
    await configured(inside)
    async with by_token(server, "administrator") as admin:
        resource = await admin.resource(VERSION, kind)
        with pytest.raises(ApiError, match="Please ask your administrator"):
            await admin.delete(resource, "cluster")
        # Labels are the cluster's own business.
        await admin.patch(resource, "cluster", {"metadata": {"labels": {"seen": "yes"}}})


async def test_the_spec_of_the_network_belongs_to_the_hosted_cluster(
    server: RealServer, inside: Client
) -> None:
    await configured(inside)
    async with by_token(server, "administrator") as admin:
        resource = await admin.resource(VERSION, "Network")
        with pytest.raises(ApiError, match="HostedCluster object"):
            await admin.patch(resource, "cluster", {"spec": {"networkType": "Mine"}})


async def test_what_users_own_is_seeded_once(server: RealServer, inside: Client) -> None:
    await configured(inside)
    async with by_token(server, "administrator") as admin:
        resource = await admin.resource("imageregistry.operator.openshift.io/v1", "Config")
        await admin.patch(resource, "cluster", {"spec": {"replicas": 5}})
        await configured(inside)
        assert (await admin.get(resource, "cluster"))["spec"]["replicas"] == 5


async def test_the_version_of_the_cluster_is_reported(server: RealServer, inside: Client) -> None:
    scope = await configured(inside)
    assert isinstance(await report_version(scope), Wait)
    assert "versionStatus" not in scope.status
    desired = {"version": "4.22.0", "image": IMAGE}
    entry = {
        **desired,
        "state": "Completed",
        "startedTime": "2026-01-01T00:00:00Z",
        "completionTime": "2026-01-01T00:10:00Z",
        "verified": False,
    }
    now = "2026-01-01T00:10:00Z"
    status = {
        "desired": desired,
        "history": [entry],
        "observedGeneration": 1,
        "versionHash": "x",
        "availableUpdates": None,
        "conditions": [{"type": "Available", "status": "True", "lastTransitionTime": now}],
    }
    async with by_token(server, "administrator") as admin:
        live = await one(admin, "ClusterVersion", "version")
        await admin.replace_status({**live, "status": status})
        await report_version(scope)
    assert scope.status["versionStatus"]["history"][0]["state"] == "Completed"
    available = scope.conditions.get(ControlPlaneCondition.CLUSTER_VERSION_AVAILABLE)
    assert available is not None


async def test_an_api_that_is_not_served_costs_its_own_objects_alone(inside: Client) -> None:
    """Catalogs need a kind of the lifecycle manager, which this server does not have."""
    scope = a_scope(inside, olmCatalogPlacement="management")
    lifecycle = {**RELEASE.images, "operator-lifecycle-manager": "registry.example/olm:1"}
    assert isinstance(await openshift.configure(scope, replace(RELEASE, images=lifecycle)), Wait)
    assert (await one(inside, "OperatorHub"))["spec"] == {}


def test_there_is_an_object_of_every_group() -> None:
    groups = {made["apiVersion"].partition("/")[0] for made in catalog.manifests(a_guest())}
    assert {"config.openshift.io", "operator.openshift.io", "apiregistration.k8s.io"} <= groups
