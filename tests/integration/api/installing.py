"""Installs definitions and waits until their kinds are served."""

import asyncio
from collections.abc import Iterable

from hypershift.kit import Manifest
from hypershift.kube import Client, kinds


async def install(client: Client, definitions: Iterable[Manifest]) -> None:
    """Apply definitions and wait until the server serves each."""
    names = []
    for definition in definitions:
        await client.apply(definition)
        names.append(definition["metadata"]["name"])
    await asyncio.gather(*(_served(client, name) for name in names))


async def remove(client: Client, definitions: Iterable[Manifest]) -> None:
    """Delete definitions with their objects and wait until they are gone."""
    names = [definition["metadata"]["name"] for definition in definitions]
    for name in names:
        await client.delete(kinds.CUSTOM_RESOURCE_DEFINITION, name)
    for name in names:
        while await client.find(kinds.CUSTOM_RESOURCE_DEFINITION, name):  # noqa: ASYNC110 - no event
            await asyncio.sleep(0.1)


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
