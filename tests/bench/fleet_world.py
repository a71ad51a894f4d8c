"""Nodes and a cloud as far as a large fleet needs them: what is written is ready at once."""

import asyncio
from contextlib import aclosing, suppress

from tests.integration.operators.world import ready_status

from hypershift.kit import Manifest
from hypershift.kube import Client, NotFound, Resource, kinds

ADDRESS: Manifest = {"loadBalancer": {"ingress": [{"ip": "192.0.2.7"}]}}


async def play(client: Client) -> None:
    """Follow workloads and Services for ever; each change is answered once."""
    async with asyncio.TaskGroup() as tasks:
        for resource in (kinds.STATEFUL_SET, kinds.DEPLOYMENT, kinds.SERVICE):
            tasks.create_task(_follow(client, resource))


async def _follow(client: Client, resource: Resource) -> None:
    while True:  # a watch ends when its server says so
        async with aclosing(client.watch(resource, "")) as events:
            async for event in events:
                if event.type != "DELETED":
                    await _answer(client, resource, event.object)


async def _answer(client: Client, resource: Resource, found: Manifest) -> None:
    wanted = _wanted(resource, found)
    known = found.get("status") or {}
    if all(known.get(name) == value for name, value in wanted.items()):
        return
    name, namespace = found["metadata"]["name"], found["metadata"]["namespace"]
    with suppress(NotFound):
        await client.patch(resource, name, {"status": wanted}, namespace, subresource="status")


def _wanted(resource: Resource, found: Manifest) -> Manifest:
    if resource is not kinds.SERVICE:
        return ready_status(found)
    return ADDRESS if found["spec"].get("type") == "LoadBalancer" else {}
