"""What a hosted cluster gets from us, and what its nodes learn."""

import json
from dataclasses import replace
from datetime import timedelta
from importlib.resources import files
from itertools import chain
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import (
    NEW,
    NOW,
    OLD,
    TAGS,
    VALUES,
    WANTED,
    a_node,
    a_scope,
    named,
)

from hypershift import addons
from hypershift.api import HostedControlPlane, read
from hypershift.api.publishing import Exposure
from hypershift.kit import Manifest, rfc3339
from hypershift.kube import kinds
from hypershift.operators.guest_config import look, nodes, software, status
from hypershift.operators.guest_config.rules import catalog, pull_secret, succession
from hypershift.operators.guest_config.rules.version import software_image, version_status
from hypershift.runtime import Stop, Wait


def hosted(spec: dict[str, Any], status: dict[str, Any] | None = None) -> HostedControlPlane:
    return read(HostedControlPlane, {"spec": spec, "status": status or {}})


@pytest.mark.parametrize(
    ("served", "complete", "state", "left"),
    [
        ("False", "False", "Partial", 10),
        ("True", "False", "Partial", 7),
        ("True", "True", "Partial", 0),
        ("False", "False", "Completed", 0),
    ],
    ids=["starts", "comes up", "complete", "was complete once"],
)
def test_the_inside_waits_for_a_control_plane_that_comes_up(
    served: str, complete: str, state: str, left: int
) -> None:
    plane = a_plane(served, complete, state, timedelta(seconds=3))
    assert (look.until_complete(read(HostedControlPlane, plane), NOW) or timedelta()) == timedelta(
        seconds=left
    )


def test_the_inside_does_not_wait_for_ever() -> None:
    plane = a_plane("True", "False", "Partial", look.COMPLETION)
    assert look.until_complete(read(HostedControlPlane, plane), NOW) is None


def a_plane(served: str, complete: str, state: str, since: timedelta) -> Manifest:
    changed = rfc3339(NOW - since)
    kinds = {"KubeAPIServerAvailable": served, "Available": complete}
    conditions = [
        {"type": kind, "status": status, "lastTransitionTime": changed}
        for kind, status in kinds.items()
    ]
    history = {"history": [{"image": NEW, "state": state}]}
    return {"status": {"conditions": conditions, "controlPlaneVersion": history}}


def test_declared_assets_are_the_files_on_disk() -> None:
    folder = files("hypershift.operators.guest_config") / "assets"
    chosen = (*catalog.BY_PLATFORM.values(), *catalog.BY_IMAGE.values())
    declared = {*catalog.FIRST, *catalog.LAST, *chain.from_iterable(chosen)}
    declared |= {succession.NAME, pull_secret.ASSET}
    assert {one.name.removesuffix(".yaml") for one in folder.iterdir()} == declared


def test_every_object_is_marked_as_ours() -> None:
    for one in catalog.manifests(VALUES):
        assert one["metadata"]["labels"][catalog.MANAGED] == "true", one


def test_rendering_twice_gives_the_same_objects() -> None:
    assert catalog.manifests(VALUES) == catalog.manifests(VALUES)


def test_images_are_those_of_the_release() -> None:
    for one in catalog.manifests(VALUES):
        if one["kind"] in addons.WORKLOADS:
            for container in one["spec"]["template"]["spec"]["containers"]:
                assert container["image"].startswith("registry.example/")
    assert catalog.missing_images({"coredns": "x"}, VALUES) == sorted(set(TAGS) - {"coredns"})


def test_names_and_api_have_the_addresses_of_the_cluster() -> None:
    made = catalog.manifests(VALUES)
    assert named(made, "Service", "kube-dns")["spec"]["clusterIP"] == "172.31.0.10"
    endpoints = named(made, "Endpoints", "kubernetes")
    assert endpoints["subsets"][0]["addresses"] == [{"ip": "172.20.0.1"}]
    proxy = named(made, "DaemonSet", "kube-proxy")["spec"]["template"]["spec"]["containers"][0]
    assert {"name": "KUBERNETES_SERVICE_HOST", "value": "172.20.0.1"} in proxy["env"]
    config = json.loads(named(made, "ConfigMap", "kube-proxy")["data"]["config.json"])
    assert config["clusterCIDR"] == "10.132.0.0/14"


def test_agents_dial_the_published_tunnel() -> None:
    agent = named(catalog.manifests(VALUES), "DaemonSet", "konnectivity-agent")
    args = agent["spec"]["template"]["spec"]["containers"][0]["args"]
    assert "--proxy-server-host=10.80.32.7" in args
    assert "--proxy-server-port=8091" in args


def test_agents_go_out_through_the_proxy_of_the_cluster() -> None:
    proxy = {"HTTPS_PROXY": "http://p:3128", "NO_PROXY": ".svc"}
    made = catalog.manifests(replace(VALUES, proxy=proxy))
    agent = named(made, "DaemonSet", "konnectivity-agent")
    told = {"name": "HTTPS_PROXY", "value": "http://p:3128"}
    assert told in agent["spec"]["template"]["spec"]["containers"][0]["env"]


def test_a_user_who_brings_a_network_gets_none_of_ours() -> None:
    made = catalog.manifests(replace(VALUES, network_type="Other"))
    assert not [one for one in made if "kube-router" in one["metadata"]["name"]]


def test_keys_do_not_show_in_the_values() -> None:
    assert "key'" not in repr(VALUES).replace("konnectivity_key", "")


async def test_what_was_deleted_comes_back_and_a_second_pass_writes_nothing() -> None:
    guest = MemoryClient()
    scope = a_scope(MemoryClient(), guest)
    await software.apply_software(scope)
    assert scope.conditions.is_true("ConfigOperatorReconciliationSucceeded")
    guest.writes.clear()
    await software.apply_software(scope)
    assert guest.writes == []
    await guest.delete(kinds.DAEMON_SET, "kube-proxy", "kube-system")
    await software.apply_software(scope)
    assert await guest.find(kinds.DAEMON_SET, "kube-proxy", "kube-system")


def a_machine() -> Manifest:
    return {
        "apiVersion": "cluster.x-k8s.io/v1beta2",
        "kind": "Machine",
        "metadata": {
            "name": "m",
            "namespace": "clusters-demo",
            "labels": {"managed.hypershift.openshift.io.team": "a", "other": "x"},
            "annotations": {
                nodes.NODE_POOL: "clusters/workers",
                nodes.TAINTS: '[{"key":"x","effect":"NoSchedule"}]',
            },
        },
        "status": {"nodeRef": {"name": "n1"}},
    }


async def test_a_node_gets_labels_and_taints_of_its_pool_once() -> None:
    guest = MemoryClient(a_node())
    node = await guest.get(kinds.NODE, "n1")
    scope = a_scope(MemoryClient(a_machine()), guest, node)
    await nodes.sync_nodes(scope)
    synced = await guest.get(kinds.NODE, "n1")
    assert synced["metadata"]["labels"] == {"team": "a", nodes.NODE_POOL: "workers"}
    assert synced["spec"]["taints"] == [{"key": "x", "effect": "NoSchedule"}]
    guest.writes.clear()
    scope.nodes = [synced]
    await nodes.sync_nodes(scope)
    assert guest.writes == []


async def test_a_node_without_a_machine_is_looked_at_again() -> None:
    guest = MemoryClient(a_node())
    machine = a_machine()
    machine["status"] = {}
    scope = a_scope(MemoryClient(machine), guest, await guest.get(kinds.NODE, "n1"))
    assert isinstance(await nodes.sync_nodes(scope), Wait)
    assert guest.writes == []


async def test_a_release_is_complete_once_its_software_runs() -> None:
    guest = MemoryClient()
    scope = a_scope(MemoryClient(), guest, a_node())
    await software.apply_software(scope)
    await status.report_version(scope)
    assert scope.status["versionStatus"]["history"][0]["state"] == "Partial"
    for one in scope.applied:
        if one["kind"] == "Deployment":
            one["status"] = {"updatedReplicas": 1, "availableReplicas": 1}
    await status.report_version(scope)
    newest = scope.status["versionStatus"]["history"][0]
    assert (newest["state"], newest["version"]) == ("Completed", "1.35.8")


async def test_a_release_is_not_complete_while_the_control_plane_tells_of_an_older_one() -> None:
    scope = a_scope(MemoryClient(), MemoryClient())
    scope.object["status"]["controlPlaneVersion"]["history"][0]["image"] = OLD
    await software.apply_software(scope)
    await status.report_version(scope)
    assert scope.status["versionStatus"]["history"][0]["state"] == "Partial"


@pytest.mark.parametrize(
    ("plane", "image"),
    [
        ((NEW, "Completed"), NEW),
        ((WANTED.resolved, "Completed"), NEW),
        ((NEW, "Partial"), OLD),
        ((OLD, "Completed"), OLD),  # the control plane has not looked at the new release yet
    ],
)
def test_software_follows_the_control_plane(plane: tuple[str, str], image: str) -> None:
    status = {
        "controlPlaneVersion": {"history": [{"image": plane[0], "state": plane[1]}]},
        "versionStatus": {
            "history": [{"image": NEW, "state": "Partial"}, {"image": OLD, "state": "Completed"}]
        },
    }
    assert software_image(hosted({"releaseImage": NEW}, status), WANTED) == image


def test_a_new_cluster_has_no_older_software() -> None:
    assert software_image(hosted({"releaseImage": NEW}), WANTED) == NEW


def test_a_release_of_the_management_side_alone_leaves_software_alone() -> None:
    spec = {"releaseImage": OLD, "controlPlaneReleaseImage": NEW}
    plane = {"history": [{"image": NEW, "state": "Partial"}]}
    done = {"history": [{"image": OLD, "state": "Completed"}]}
    status = {"controlPlaneVersion": plane, "versionStatus": done}
    assert software_image(hosted(spec, status), WANTED) == OLD
    plane["history"][0]["state"] = "Completed"
    assert software_image(hosted(spec, status), WANTED) == OLD


def test_a_new_release_closes_the_entry_before_it() -> None:
    first = version_status(None, "a", "1.34.0", 1, NOW, complete=False)
    second = version_status(first, "b", "1.35.0", 2, NOW, complete=False)
    assert [one["image"] for one in second["history"]] == ["b", "a"]
    assert second["history"][1]["completionTime"] == "2026-01-01T00:00:00Z"


def test_the_tunnel_address_follows_the_way_of_publishing() -> None:
    ports = [{"port": 8091, "nodePort": 30091}]
    service: Manifest = {"spec": {"ports": ports}, "status": {}}
    assert look.tunnel_address(read(Exposure, {}), None) == ("", 0)
    assert look.tunnel_address(read(Exposure, {}), service) == ("", 0)
    service["status"] = {"loadBalancer": {"ingress": [{"ip": "10.80.32.7"}]}}
    assert look.tunnel_address(read(Exposure, {}), service) == ("10.80.32.7", 8091)
    way = {"type": "NodePort", "nodePort": {"address": "192.0.2.1"}}
    spec = {"services": [{"service": "Konnectivity", "servicePublishingStrategy": way}]}
    assert look.tunnel_address(read(Exposure, spec), service) == ("192.0.2.1", 30091)


async def test_a_cluster_over_its_limits_is_reported_and_left_alone() -> None:
    class Exceeded:
        async def connect(self, *_: Any) -> MemoryClient:
            return MemoryClient()

        def problem(self, name: str) -> str:
            return f"nodes of {name}: more than 16 MiB"

    kube = MemoryClient(
        {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": "hcco-kubeconfig", "namespace": "clusters-demo"},
            "data": {"kubeconfig": ""},
        }
    )
    scope = a_scope(kube, MemoryClient())
    remotes: Any = Exceeded()
    scope.context = replace(scope.context, remotes=remotes)
    scope.object = scope.object | a_plane("True", "True", "Completed", timedelta())
    outcome = await look.connect(scope)
    assert isinstance(outcome, Stop)
    assert outcome.reason == "GuestLimitExceeded"
    told = scope.conditions.get("ConfigOperatorReconciliationSucceeded") or {}
    assert told["reason"] == "GuestLimitExceeded"
    assert "nodes of clusters-demo: more than 16 MiB" in told["message"]


def test_names_inside_a_cluster_end_with_its_domain() -> None:
    config = named(catalog.manifests(replace(VALUES, cluster_domain="a.b")), "ConfigMap", "coredns")
    assert "kubernetes a.b in-addr.arpa" in config["data"]["Corefile"]
