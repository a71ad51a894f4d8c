"""Which Routes the management cluster's own router is left."""

from typing import Any

import pytest
from tests.lib.memory import MemoryClient

from hypershift.kit import Manifest
from hypershift.kube import Client, Forbidden
from hypershift.operators.hypershift.default_router import (
    INGRESS_CONTROLLER,
    NAME,
    NAMESPACE,
    leave_our_routes,
)

OURS = {"key": "hypershift.openshift.io/hosted-control-plane", "operator": "DoesNotExist"}
THEIRS = {"key": "example.com/shard", "operator": "Exists"}


def a_controller(**spec: Any) -> Manifest:
    return {
        "apiVersion": INGRESS_CONTROLLER.api_version,
        "kind": INGRESS_CONTROLLER.kind,
        "metadata": {"name": NAME, "namespace": NAMESPACE},
        "spec": spec,
    }


async def expressions(client: Client) -> list[Manifest]:
    found = await client.get(INGRESS_CONTROLLER, NAME, NAMESPACE)
    selected: list[Manifest] = found["spec"]["routeSelector"]["matchExpressions"]
    return selected


async def test_routes_of_control_planes_are_left_out_once() -> None:
    client = MemoryClient(a_controller())
    assert await leave_our_routes(client)
    assert await expressions(client) == [OURS]
    assert not await leave_our_routes(client)


async def test_what_an_administrator_selects_stays() -> None:
    selector = {"matchLabels": {"type": "public"}, "matchExpressions": [THEIRS]}
    client = MemoryClient(a_controller(routeSelector=selector))
    assert await leave_our_routes(client)
    assert await expressions(client) == [THEIRS, OURS]
    found = await client.get(INGRESS_CONTROLLER, NAME, NAMESPACE)
    assert found["spec"]["routeSelector"]["matchLabels"] == {"type": "public"}


async def test_without_the_object_or_the_right_nothing_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = MemoryClient()
    assert not await leave_our_routes(client)

    async def refuse(*_: Any) -> None:
        raise Forbidden(403, "Forbidden", "no")

    monkeypatch.setattr(client, "find", refuse)
    assert not await leave_our_routes(client)
