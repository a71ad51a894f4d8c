"""Which hosted clusters an embedded cluster carries."""

import asyncio

from hypershift.kit import HypershiftError
from hypershift.kube import ApiError, Client, kinds
from hypershift.local.cluster.state import Layout

PATIENCE = 3.0


async def hosted_clusters(where: Layout) -> list[str]:
    """Their namespaces and names; none when the API server does not answer."""
    if not where.admin.exists():
        return []
    try:
        async with asyncio.timeout(PATIENCE), Client.connect(where.admin) as client:
            found = await client.list(kinds.HOSTED_CLUSTER)
    except (ApiError, HypershiftError, OSError, TimeoutError):
        return []
    return sorted(f"{each['metadata']['namespace']}/{each['metadata']['name']}" for each in found)
