"""What wakes a pool, by the indexes of the controller's cache."""

from typing import Any

import pytest
from tests.lib.waking import woken
from tests.unit.operators.hypershift.node_pool.passes import a_pool

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.cache import Cache
from hypershift.operators.hypershift.node_pool import Environment, controller, names
from hypershift.operators.hypershift.node_pool.indexes import BY_CLUSTER, BY_CONFIG, BY_PLANE

POOL = Key("clusters", "workers")
NOTHING: Any = None


def an_object(namespace: str, name: str, **metadata: Any) -> Manifest:
    return {"metadata": {"namespace": namespace, "name": name, **metadata}}


def keys(resource: Resource, change: Manifest, *pools: Manifest) -> list[Key]:
    return woken(controller(Environment(NOTHING)), resource, change, pools)


@pytest.mark.parametrize(
    ("resource", "change"),
    [
        (kinds.HOSTED_CLUSTER, an_object("clusters", "demo")),
        (kinds.NAMESPACE, {"metadata": {"name": "clusters-demo"}}),
        (kinds.SECRET, an_object("clusters-demo", names.IGNITION_CA)),
        (kinds.CONFIG_MAP, an_object("clusters", "kubelet")),
        (kinds.CONFIG_MAP, an_object("clusters", "tuned")),
        (kinds.CONFIG_MAP, an_object("clusters-demo", "core", labels={names.CORE_CONFIG: ""})),
        (kinds.CONFIG_MAP, an_object("clusters-demo", "x", labels={names.NODE_POOL: "workers"})),
    ],
)
def test_a_pool_wakes_with_what_it_is_made_of(resource: Resource, change: Manifest) -> None:
    pool = a_pool(config=[{"name": "kubelet"}], tuningConfig=[{"name": "tuned"}])
    assert keys(resource, change, pool) == [POOL]


@pytest.mark.parametrize(
    ("resource", "change"),
    [
        (kinds.HOSTED_CLUSTER, an_object("clusters", "other")),
        (kinds.NAMESPACE, {"metadata": {"name": "clusters"}}),
        (kinds.SECRET, an_object("clusters-demo", "pull-secret")),
        (kinds.CONFIG_MAP, an_object("others", "kubelet")),
        (kinds.CONFIG_MAP, an_object("clusters-demo", "x", labels={names.NODE_POOL: "other"})),
    ],
)
def test_a_pool_sleeps_when_others_change(resource: Resource, change: Manifest) -> None:
    assert keys(resource, change, a_pool(config=[{"name": "kubelet"}])) == []


def test_a_pool_that_cannot_be_read_is_in_no_index() -> None:
    pool = a_pool()
    pool["spec"]["config"] = "no list"
    for index in (BY_CLUSTER, BY_PLANE, BY_CONFIG):
        assert list(index.values(pool)) == []


def test_indexes_forget_a_deleted_pool() -> None:
    cache = Cache((BY_CLUSTER, BY_PLANE, BY_CONFIG))
    pool = a_pool(config=[{"name": "kubelet"}])
    pool["metadata"]["resourceVersion"] = "1"
    cache.upsert(pool)
    assert len(list(cache.by_index(BY_PLANE.name, "clusters-demo/workers"))) == 1
    cache.remove(pool)
    assert list(cache.by_index(BY_PLANE.name, "clusters-demo/workers")) == []
