"""Operators that share hosted clusters on a real API server."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import TYPE_CHECKING

import pytest

from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.runtime import Manager
from hypershift.runtime.sharding import BUCKETS

if TYPE_CHECKING:
    from tests.integration.operators.running import Replicas

pytestmark = pytest.mark.integration
Make = Callable[..., Manifest]


def held(manager: Manager) -> int:
    assert manager.shards is not None
    return len(manager.shards.owned.held)


def names_of(manager: Manager) -> Iterator[str]:
    """Names of clusters whose control planes are this replica's."""
    assert manager.shards is not None
    for number in count():
        if manager.shards.owned.covers(f"clusters-shared{number}"):
            yield f"shared{number}"


def touched(replicas: "Replicas", replica: str, cluster: str) -> bool:
    """Whether a replica wrote anything of a cluster or of its control plane."""
    places = (f"/hostedclusters/{cluster}/", f"/namespaces/clusters-{cluster}/")
    return any(place in f"{path}/" for path in replicas.wrote[replica] for place in places)


async def test_each_cluster_is_one_replicas_work_and_goes_on_when_that_one_leaves(
    replicas: "Replicas", cluster: Make
) -> None:
    one, two = await replicas.start("one"), await replicas.start("two")

    async def even() -> bool:
        return held(one) == held(two) == BUCKETS // 2

    await replicas.world.until(even)
    first, second = next(names_of(one)), next(names_of(two))
    for name in (first, second):
        await replicas.world.client.create(cluster(name))
    for name in (first, second):
        await replicas.world.condition(name, "Available", "True")
    assert touched(replicas, "one", first)
    assert touched(replicas, "two", second)
    assert not touched(replicas, "one", second)
    assert not touched(replicas, "two", first)
    await replicas.stop("one")

    async def whole() -> bool:
        return held(two) == BUCKETS

    await replicas.world.until(whole)
    patch = {"spec": {"pausedUntil": "true"}}
    await replicas.world.client.patch(kinds.HOSTED_CLUSTER, first, patch, "clusters")
    await replicas.world.condition(first, "ReconciliationActive", "False")
    assert touched(replicas, "two", first)
    unpause = {"spec": {"pausedUntil": None}}
    await replicas.world.client.patch(kinds.HOSTED_CLUSTER, first, unpause, "clusters")
    await replicas.world.condition(first, "ReconciliationActive", "True")
