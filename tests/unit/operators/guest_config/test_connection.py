"""Whether control plane and nodes reach each other, as the conditions tell it."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from tests.lib.memory import MemoryClient
from tests.unit.operators.guest_config.scopes import NOW, VALUES, a_node, a_scope, named

from hypershift.kit import Manifest, rfc3339
from hypershift.kube import Unavailable, kinds
from hypershift.kube.cache import Change
from hypershift.operators.guest_config import connection, software
from hypershift.operators.guest_config.in_place.drain import must_leave
from hypershift.operators.guest_config.rules import catalog
from hypershift.operators.guest_config.rules import connection as rules


async def test_without_nodes_the_tunnel_is_unknown() -> None:
    scope = a_scope(MemoryClient(), MemoryClient())
    await connection.probe_tunnel(scope)
    condition = scope.conditions.get("DataPlaneConnectionAvailable") or {}
    assert condition["status"] == "Unknown"


def an_agent(phase: str) -> Manifest:
    metadata = {"name": "agent-x", "namespace": "kube-system", "labels": {"app": connection.AGENT}}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "status": {"phase": phase}}


async def told_of_tunnel(guest: MemoryClient) -> tuple[str, str]:
    scope = a_scope(MemoryClient(), guest, a_node())
    await connection.probe_tunnel(scope)
    found = scope.conditions.get("DataPlaneConnectionAvailable") or {}
    return found["status"], found["message"]


async def test_without_a_running_agent_the_tunnel_is_broken() -> None:
    status, message = await told_of_tunnel(MemoryClient(an_agent("Pending")))
    assert status == "False"
    assert message == "Couldn't find any konnectivity-agent running in data plane"


async def test_a_log_that_cannot_be_read_tells_why() -> None:
    class Broken(MemoryClient):
        async def logs(self, *_: Any, **__: Any) -> str:
            raise Unavailable(500, message='Get "https://10.0.0.1:10250/x": no agent available')

    status, message = await told_of_tunnel(Broken(an_agent("Running")))
    assert status == "False"
    assert message == (
        "failed to read konnectivity-agent logs from data plane: agent-x: no agent available"
    )


async def test_a_log_that_is_read_proves_the_tunnel() -> None:
    class Fine(MemoryClient):
        async def logs(self, *_: Any, **__: Any) -> str:
            return "a line"

    assert await told_of_tunnel(Fine(an_agent("Running"))) == ("True", "All is well")


def a_record(told: str | None) -> Manifest:
    metadata = {"name": rules.RECORD, "namespace": "kube-system"}
    record: Manifest = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}
    return record if told is None else record | {"data": {"lastSucceeded": told}}


@pytest.mark.parametrize(
    ("nodes", "record", "status", "reason"),
    [
        (0, a_record(rfc3339(NOW)), "Unknown", "NoWorkerNodesAvailable"),
        (1, None, "Unknown", "ConfigMapNotFound"),
        (1, a_record(None), "False", "KASAccessFailed"),
        (1, a_record(""), "False", "KASAccessFailed"),
        (1, a_record("yesterday"), "False", "KASAccessFailed"),
        (1, a_record("2026-01-01T00:00:00"), "False", "KASAccessFailed"),
        (1, a_record(rfc3339(NOW - timedelta(seconds=299))), "True", "AsExpected"),
        (1, a_record(rfc3339(NOW - timedelta(seconds=301))), "False", "ConnectionCheckStale"),
    ],
)
def test_the_way_from_nodes_is_what_their_pods_recorded(
    nodes: int, record: Manifest | None, status: str, reason: str
) -> None:
    found = rules.control_plane_connection([a_node()] * nodes, record, NOW)
    assert (found.status, found.reason) == (status, reason)


def test_what_a_guest_recorded_does_not_fill_the_condition() -> None:
    found = rules.control_plane_connection([a_node()], a_record("x" * 100000), NOW)
    assert len(found.message) < 300


async def test_a_pass_creates_the_record_and_keeps_what_pods_wrote_into_it() -> None:
    guest = MemoryClient()
    scope = a_scope(MemoryClient(), guest, a_node())
    await software.apply_software(scope)
    await connection.read_connection_record(scope)
    found = scope.conditions.get("ControlPlaneConnectionAvailable") or {}
    assert (found["status"], found["reason"]) == ("False", "KASAccessFailed")
    await guest.patch(*a_patch(rfc3339(NOW)))
    await software.apply_software(scope)
    await connection.read_connection_record(scope)
    assert scope.conditions.is_true("ControlPlaneConnectionAvailable")


def a_patch(told: str) -> tuple[Any, ...]:
    return (kinds.CONFIG_MAP, rules.RECORD, {"data": {"lastSucceeded": told}}, "kube-system")


async def test_a_release_without_the_image_has_no_checker_and_no_answer() -> None:
    guest = MemoryClient()
    scope = a_scope(MemoryClient(), guest, a_node())
    images = {tag: image for tag, image in VALUES.images.items() if tag != "cli"}
    scope.values = replace(VALUES, images=images)
    assert catalog.missing_images(images, scope.values) == []
    await software.apply_software(scope)
    await connection.read_connection_record(scope)
    found = scope.conditions.get("ControlPlaneConnectionAvailable") or {}
    assert (found["status"], found["reason"]) == ("Unknown", "ConfigMapNotFound")


@pytest.mark.parametrize(("nodes", "replicas"), [(0, 1), (1, 1), (2, 2), (9, 3)])
def test_there_are_as_many_checkers_as_nodes_up_to_three(nodes: int, replicas: int) -> None:
    made = catalog.manifests(replace(VALUES, nodes=nodes))
    checker = named(made, "Deployment", "kas-connection-checker")
    assert checker["spec"]["replicas"] == replicas


def test_a_checker_that_tolerates_a_cordon_is_never_sent_away_by_a_drain() -> None:
    """Evicted, it would come back to the node that is drained, and the drain would never end."""
    pod = named(catalog.manifests(VALUES), "Deployment", "kas-connection-checker")["spec"][
        "template"
    ]
    assert {"operator": "Exists", "effect": "NoSchedule"} in pod["spec"]["tolerations"]
    assert pod["metadata"]["labels"]["cluster.x-k8s.io/drain"] == "skip"
    assert not must_leave(pod)


def test_a_newer_record_wakes_nobody_and_the_first_one_does() -> None:
    empty = a_record(None)
    old, new = a_record(rfc3339(NOW)), a_record(rfc3339(NOW + timedelta(minutes=1)))
    assert not rules.is_news(Change(old, new))
    assert rules.is_news(Change(empty, new))
    assert rules.is_news(Change(old, empty))
    assert rules.is_news(Change(old, None))
    other = a_record(None)
    other["metadata"]["name"] = "kube-proxy"
    assert rules.is_news(Change(other, other))
