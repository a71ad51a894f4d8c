"""Personas try to leave their role with real requests (C3, H8).

The consumer, the provider and the instance's admin and user ask a real API server, as themselves,
for what their role says that they do not get.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from importlib.resources import files
from typing import Any

import pytest
import yaml
from tests.adversary.personas import (
    ATTEMPTS,
    BINDINGS,
    EVIL,
    GATES,
    OFFERED,
    PLANE,
    PREFIX,
    SECRET,
    TEAM,
    WANTED,
    annotated,
    binding,
    client_of,
    cluster,
    in_force,
    installed,
    pool,
    said,
    status_of,
)
from tests.integration.api.installing import install
from tests.lib.server import RealServer, available, real_server

from hypershift.api import annotations, labels, rights
from hypershift.api.schema import crds
from hypershift.kit import Manifest
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.hosted_cluster.rules import dedicated

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    if not available():
        pytest.skip("the parts etcd and kube-apiserver are not here")
    with real_server(tmp_path_factory.mktemp("personas")) as running:
        yield running


@pytest.fixture
async def administrator(server: RealServer) -> AsyncIterator[Client]:
    async with server.client() as client:
        every = crds(gates=GATES)
        await install(client, [e for e in every if e["spec"]["names"]["plural"] in WANTED])
        for name in (TEAM, PLANE, "hypershift", "kube-system"):
            await client.apply(
                {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            )
        for each in (*installed(), *(binding(*row) for row in BINDINGS)):
            await client.apply(each)
        await in_force(server)
        yield client


PROTECTED = sorted(
    [key for key, access in rights.ANNOTATIONS.items() if access.subresource]
    + [f"{key}x" for key, access in rights.PREFIXES.items() if access.subresource]
    # Nobody declared these: what comes later is closed too.
    + [f"{PREFIX}a-later-image", "later.hypershift.openshift.io/x", "a.b.hypershift.openshift.io/y"]
)


async def test_a_consumer_sets_no_protected_annotation_on_create_or_update(
    administrator: Client, server: RealServer
) -> None:
    await administrator.apply(cluster("standing"))
    await administrator.apply(pool("standing"))
    passed = []
    async with client_of(server, "consumer") as consumer:
        for key in PROTECTED:
            marks = {"annotations": {key: "true"}}
            for manifest in (cluster("new"), pool("new"), cluster("standing"), pool("standing")):
                answer = await said(consumer.apply(annotated(manifest, **marks), dry_run=True))
                if "takes the right to update" not in answer:
                    passed.append((key, manifest["kind"], manifest["metadata"]["name"], answer))
    assert passed == []


async def test_a_consumer_sets_every_annotation_of_their_own(
    administrator: Client, server: RealServer
) -> None:
    del administrator
    own = {key: "true" for key, access in rights.ANNOTATIONS.items() if not access.subresource}
    own |= {f"{annotations.IDP_OVERRIDES_PREFIX}okta": "{}", "example.com/team": "red"}
    async with client_of(server, "consumer") as consumer:
        for manifest in (cluster("own"), pool("own")):
            assert not await said(consumer.create(annotated(manifest, annotations=own)))


EVERYWHERE = {"tolerations": [{"operator": "Exists"}]}
SHARD = {
    "name": "events",
    "replicas": 3,
    "resources": [{"apiGroup": "", "resource": "events"}],
    "storage": {"type": "PersistentVolume"},
}


def etcd(**more: Any) -> Manifest:
    managed = {"storage": {"type": "PersistentVolume"}, **more}
    return {"managementType": "Managed", "managed": managed}


@pytest.mark.parametrize(
    ("spec", "right"),
    [
        ({"nodeSelector": {"node-role.kubernetes.io/control-plane": ""}}, "placement"),
        ({"tolerations": [{"operator": "Exists"}]}, "placement"),
        ({"etcd": etcd(scheduling=EVERYWHERE)}, "placement"),
        ({"controlPlaneRelease": {"image": EVIL}}, "release"),
        ({"labels": {"hypershift.openshift.io/need-management-kas-access": "true"}}, "override"),
        ({"labels": {"app": "kube-apiserver"}}, "override"),
        ({"labels": {"pod-security.kubernetes.io/enforce": "privileged"}}, "override"),
    ],
)
async def test_a_consumer_sets_no_field_that_lifts_the_containment(
    administrator: Client, server: RealServer, spec: dict[str, Any], right: str
) -> None:
    await administrator.apply(cluster("fields"))
    async with client_of(server, "consumer") as consumer:
        for name in ("fields", "fresh"):
            answer = await said(consumer.apply(cluster(name, **spec), dry_run=True))
            assert f"takes the right to update hostedclusters/{right}" in answer


@pytest.mark.parametrize("scheduling", [{}, {"scheduling": EVERYWHERE}])
async def test_a_consumer_has_no_more_of_the_management_cluster_by_shards(
    administrator: Client, server: RealServer, scheduling: dict[str, Any]
) -> None:
    wanted = cluster("sharded", etcd=etcd(shards=[SHARD | scheduling]))
    assert not await said(administrator.create(wanted, dry_run=True))
    async with client_of(server, "consumer") as consumer:
        answer = await said(consumer.create(wanted, dry_run=True))
        assert "takes the right to update hostedclusters/placement" in answer


#: What operators of a Dedicated cluster would say of their control plane, so that the operator or
#: the shared ingress does it for them.
FORGED: tuple[Manifest, ...] = (
    {"spec": {"releaseImage": EVIL}},
    {"spec": {"tolerations": [{"operator": "Exists"}]}},
    {"metadata": {"annotations": {annotations.MODE: "Shared"}}},
    {"metadata": {"annotations": {annotations.CLUSTER: "team-b/blue"}}},
    {"metadata": {"annotations": {annotations.HAPROXY_IMAGE: "x"}}},
    {"metadata": {"annotations": None}},
    {"metadata": {"labels": {f"{PREFIX}a": "b"}}},
)


async def test_operators_of_a_dedicated_cluster_do_not_say_what_it_is(
    administrator: Client, server: RealServer
) -> None:
    text = (files(dedicated) / "assets/control-plane-operator.yaml").read_text()
    role = next(each for each in yaml.safe_load_all(text) if each["kind"] == "Role")
    name = role["metadata"]["name"]
    await administrator.apply(role | {"metadata": {"name": name, "namespace": PLANE}})
    bound = binding("plane-operator", name, PLANE)
    bound["roleRef"]["kind"] = "Role"
    await administrator.apply(bound)
    whole = await administrator.create(cluster("filled"), dry_run=True)
    await administrator.apply(plane(whole["spec"]))
    what = (kinds.HOSTED_CONTROL_PLANE, "demo")
    async with client_of(server, "plane-operator") as operator:
        for patch in FORGED:
            answer = await said(operator.patch(*what, patch, PLANE))
            assert "hostedcontrolplanes/override" in answer, (patch, answer)
        own = {"metadata": {"finalizers": ["hypershift.openshift.io/own"]}}
        assert not await said(operator.patch(*what, own, PLANE))
        ready = {"status": {"ready": False, "initialized": True}}
        assert not await said(operator.patch(*what, ready, PLANE, subresource="status"))
        assert not await said(operator.patch(*what, {"metadata": {"finalizers": None}}, PLANE))
        # What Cluster API's manager writes to the control plane of a Cluster.
        owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "y", "uid": "z"}
        label = {"cluster.x-k8s.io/cluster-name": "demo"}
        adopts = {"metadata": {"ownerReferences": [owner], "labels": label}}
        assert not await said(operator.patch(*what, adopts, PLANE))


def plane(cluster_spec: Manifest) -> Manifest:
    """A HostedControlPlane as the operator derives it."""
    copied = ("networking", "platform", "services", "etcd", "controllerAvailabilityPolicy")
    spec = {name: cluster_spec[name] for name in copied if name in cluster_spec}
    owner = {"apiVersion": "v1", "kind": "ConfigMap", "name": "x", "uid": "y"}
    return {
        "apiVersion": kinds.HOSTED_CONTROL_PLANE.api_version,
        "kind": "HostedControlPlane",
        "metadata": {
            "name": "demo",
            "namespace": PLANE,
            "annotations": {annotations.CLUSTER: f"{TEAM}/demo", annotations.MODE: "Dedicated"},
            "ownerReferences": [owner],
        },
        "spec": {
            "infraID": "demo",
            "issuerURL": "https://kubernetes.default.svc",
            "dns": {"baseDomain": "example.com"},
            **spec,
            "pullSecret": {"name": "pull-secret"},
            "sshKey": {"name": ""},
            "releaseImage": OFFERED,
        },
    }


async def test_no_service_beside_a_control_plane_takes_the_traffic_of_others(
    administrator: Client,
) -> None:
    """Operators of a Dedicated cluster write Services; nobody there may name addresses."""
    mark = {"metadata": {"labels": {labels.HOSTED_CONTROL_PLANE: "true"}}}
    await administrator.patch(kinds.NAMESPACE, PLANE, mark)
    spec = {"ports": [{"port": 443}], "externalIPs": ["192.0.2.7"]}
    forged = {"apiVersion": "v1", "kind": "Service", "spec": spec}
    for _ in range(300):
        there = annotated(forged | {"metadata": {}}, name="taker", namespace=PLANE)
        answer = await said(administrator.create(there, dry_run=True))
        if answer:
            break
        await asyncio.sleep(0.1)
    assert "may be another tenant's" in answer
    honest = annotated(forged | {"metadata": {}}, name="honest", namespace=PLANE)
    honest["spec"] = {"ports": [{"port": 443}]}
    assert not await said(administrator.apply(honest))
    later = {"spec": {"externalIPs": ["192.0.2.7"]}}
    answer = await said(administrator.patch(kinds.SERVICE, "honest", later, PLANE))
    assert "may be another tenant's" in answer
    elsewhere = annotated(forged | {"metadata": {}}, name="own", namespace=TEAM)
    assert not await said(administrator.create(elsewhere, dry_run=True))


async def test_a_consumer_labels_pods_with_words_of_their_own(
    administrator: Client, server: RealServer
) -> None:
    del administrator
    async with client_of(server, "consumer") as consumer:
        mine = cluster("labelled", labels={"team": "red", "example.com/cost": "7"})
        assert not await said(consumer.create(mine, dry_run=True))


async def test_a_consumer_does_not_label_a_cluster_with_a_size(
    administrator: Client, server: RealServer
) -> None:
    del administrator
    sized = annotated(cluster("sized"), labels={f"{PREFIX}hosted-cluster-size": "xxl"})
    async with client_of(server, "consumer") as consumer:
        assert "hostedclusters/override" in await said(consumer.create(sized, dry_run=True))


async def test_what_a_provider_set_stays_and_a_consumer_applies_the_rest_again(
    administrator: Client, server: RealServer
) -> None:
    marks = {annotations.MODE: "Dedicated", annotations.TOPOLOGY: "x"}
    set_up = annotated(cluster("shared", tolerations=[{"operator": "Exists"}]), annotations=marks)
    await administrator.apply(set_up)
    resource = kinds.HOSTED_CLUSTER
    async with client_of(server, "consumer") as consumer:
        again = {"metadata": {"annotations": marks}, "spec": {"pausedUntil": "true"}}
        assert not await said(consumer.patch(resource, "shared", again, TEAM))
        for key in marks:
            for value in (None, "other"):
                patch = {"metadata": {"annotations": {key: value}}}
                answer = await said(consumer.patch(resource, "shared", patch, TEAM))
                assert key in answer
                assert "takes the right to update hostedclusters/" in answer
        gone = await said(consumer.patch(resource, "shared", {"spec": {"tolerations": None}}, TEAM))
        assert "hostedclusters/placement" in gone


async def test_a_consumer_creates_clusters_with_offered_releases_alone(
    administrator: Client, server: RealServer
) -> None:
    await administrator.apply(cluster("stays"))
    async with client_of(server, "consumer") as consumer:
        for image in (OFFERED, "registry.example.com/line/ocp:4"):
            assert not await said(consumer.create(cluster("order", image), dry_run=True))
        for image in (EVIL, f"{OFFERED}-evil", "registry.example.com/line-evil/ocp:4"):
            answer = await said(consumer.create(cluster("order", image), dry_run=True))
            assert "this release is not offered" in answer
        moved = await said(consumer.apply(cluster("stays", "registry.example.com/line/ocp:4")))
        assert "the release of a hosted cluster is the service provider's" in moved


async def test_a_provider_drives_release_and_placement_but_replaces_no_image(
    administrator: Client, server: RealServer
) -> None:
    del administrator
    async with client_of(server, "provider") as provider:
        wanted = cluster("driven", EVIL, nodeSelector={"pool": "control"})
        assert not await said(provider.create(wanted, dry_run=True))
        image = {annotations.CONTROL_PLANE_OPERATOR_IMAGE: EVIL}
        answer = await said(provider.create(annotated(wanted, annotations=image), dry_run=True))
        assert "hostedclusters/override" in answer


async def test_an_administrator_of_the_cluster_passes_every_policy(administrator: Client) -> None:
    marks = dict.fromkeys(PROTECTED, "true")
    wanted = cluster("all", EVIL, nodeSelector={"a": "b"}, labels={"app": "mine"})
    assert not await said(administrator.create(annotated(wanted, annotations=marks), dry_run=True))
    assert not await said(administrator.create(annotated(pool("all"), annotations=marks)))


@pytest.mark.parametrize("who", ["provider", "consumer", "instance-admin", "instance-user"])
async def test_no_persona_finds_a_way_to_the_secrets_of_a_control_plane(
    administrator: Client, server: RealServer, who: str
) -> None:
    key = {"name": "key", "namespace": PLANE}
    data = {"key": "dG9wc2VjcmV0"}
    await administrator.apply({"apiVersion": "v1", "kind": "Secret", "metadata": key, "data": data})
    async with client_of(server, who) as client:
        found = {
            (method, path): await status_of(client, method, path.format(PLANE), body)
            for method, path, body in ATTEMPTS
        }
        assert {place: code for place, code in found.items() if code != 403} == {}
    assert (await administrator.get(kinds.SECRET, "key", PLANE))["data"] == data


async def test_a_provider_creates_secrets_where_clusters_are_ordered_and_nowhere_else(
    administrator: Client, server: RealServer
) -> None:
    del administrator

    def secret(namespace: str) -> Manifest:
        metadata = {"name": "bootstrap-token-abcdef", "namespace": namespace}
        kind = "bootstrap.kubernetes.io/token"
        return {"apiVersion": "v1", "kind": "Secret", "type": kind, "metadata": metadata}

    async with client_of(server, "provider") as provider:
        assert "secrets" in await said(provider.create(secret("kube-system")))
        assert "secrets" in await said(provider.create(secret(PLANE)))
        assert not await said(provider.create(secret(TEAM)))
        assert await status_of(provider, "PATCH", SECRET.format(TEAM) + "/pull", {}) == 403


async def test_nobody_but_the_provider_and_the_operator_holds_the_made_up_rights() -> None:
    roles = {each["metadata"]["name"]: each for each in installed() if "rules" in each}
    holders = {
        name
        for name, role in roles.items()
        for rule in role["rules"]
        for resource in rule["resources"]
        if resource.partition("/")[2] in rights.SUBRESOURCES
        or (resource == "*" and {"update", "*"} & set(rule["verbs"]))
    }
    assert holders - {"hypershift-operator"} == {
        "hypershift-service-provider",
        "hypershift-override",
    }
