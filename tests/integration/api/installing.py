"""Installs definitions and waits until their kinds are served."""

import asyncio
from collections.abc import Iterable

from hypershift.kit import Manifest
from hypershift.kube import Client, Resource, kinds


async def install(client: Client, definitions: Iterable[Manifest]) -> None:
    """Apply definitions and wait until the server serves each."""
    names = []
    for definition in definitions:
        await client.apply(definition)
        names.append(definition["metadata"]["name"])
    await asyncio.gather(*(_served(client, name) for name in names))


async def remove(client: Client, definitions: Iterable[Manifest]) -> None:
    """Delete definitions with their objects and wait until they are gone.

    The storage of a kind is made at its first use. A deletion that comes first finds it half made
    and fails, and the server may not try again for minutes: so look at the objects before.
    """
    names = [definition["metadata"]["name"] for definition in definitions]
    for name in names:
        found = await client.find(kinds.CUSTOM_RESOURCE_DEFINITION, name)
        if found is not None:
            await client.list(_resource(found))
        await client.delete(kinds.CUSTOM_RESOURCE_DEFINITION, name)
    for name in names:
        while await client.find(kinds.CUSTOM_RESOURCE_DEFINITION, name):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.1)


def _resource(definition: Manifest) -> Resource:
    spec = definition["spec"]
    served = next(each["name"] for each in spec["versions"] if each["served"])
    return Resource(spec["group"], served, spec["names"]["plural"], spec["names"]["kind"])


async def _served(client: Client, name: str) -> None:
    while True:
        found = await client.get(kinds.CUSTOM_RESOURCE_DEFINITION, name)
        known = (found.get("status") or {}).get("conditions") or ()
        stated = {each["type"]: each for each in known}
        if stated.get("NonStructuralSchema", {}).get("status") == "True":
            raise AssertionError(stated["NonStructuralSchema"]["message"])
        if stated.get("Established", {}).get("status") == "True":
            return
        await asyncio.sleep(0.1)
