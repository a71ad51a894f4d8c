"""Wait for what a server tells: asking it again and again would cost more than it is about."""

from collections.abc import Iterable
from contextlib import aclosing

from hypershift.kube import Client, Resource
from hypershift.runtime import is_true


async def until_true(
    client: Client, resource: Resource, names: Iterable[str], namespace: str, condition: str
) -> None:
    """Return when each of these objects was seen with a condition that is true."""
    left = set(names)
    while left:
        async with aclosing(client.watch(resource, namespace)) as events:
            async for event in events:
                if is_true(event.object, condition):
                    left.discard(event.object["metadata"]["name"])
                if not left:
                    return
