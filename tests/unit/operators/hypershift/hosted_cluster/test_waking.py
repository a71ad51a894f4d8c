"""What wakes a cluster, by the indexes of the controller's cache."""

from types import SimpleNamespace
from typing import Any

import pytest
from tests.lib.waking import woken

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds
from hypershift.operators.hypershift.hosted_cluster import access
from hypershift.operators.hypershift.hosted_cluster.controller import controller
from hypershift.operators.hypershift.settings import Settings

CLUSTER = {"metadata": {"namespace": "clusters", "name": "demo"}, "spec": {}}
#: Another cluster whose control plane would be in the same namespace.
RIVAL = {"metadata": {"namespace": "clusters-demo", "name": "x"}, "spec": {}}
KEY = Key("clusters", "demo")
ACCESS = {"data": dict.fromkeys(access.KEYS, "")}


def an_object(namespace: str, name: str, **rest: Any) -> Manifest:
    return {"metadata": {"namespace": namespace, "name": name}, **rest}


def keys(resource: Resource, change: Manifest, *clusters: Manifest) -> list[Key]:
    ranges = SimpleNamespace(cover=lambda _node: False)
    settings = Settings(metrics_set="SRE")
    environment: Any = SimpleNamespace(settings=settings, openshift=False, ranges=ranges)
    return woken(controller(environment), resource, change, clusters or (CLUSTER,))


@pytest.mark.parametrize(
    ("resource", "change"),
    [
        (kinds.SECRET, an_object("clusters-demo", "admin-kubeconfig", **ACCESS)),
        (kinds.CONFIG_MAP, an_object("hypershift", "sre-metric-set")),
        (kinds.ENDPOINT_SLICE, an_object("default", "kubernetes")),
        (kinds.NODE, {"metadata": {"name": "node"}}),
        (kinds.NODE_POOL, an_object("clusters", "workers", spec={"clusterName": "demo"})),
    ],
)
def test_a_cluster_wakes_with_what_it_is_made_of(resource: Resource, change: Manifest) -> None:
    assert keys(resource, change) == [KEY]


@pytest.mark.parametrize(
    ("resource", "change"),
    [
        (kinds.SECRET, an_object("clusters-other", "admin-kubeconfig", **ACCESS)),
        (kinds.SECRET, an_object("clusters-demo", "pull-secret", data={"x": ""})),
        (kinds.CONFIG_MAP, an_object("clusters", "sre-metric-set")),
    ],
)
def test_a_cluster_sleeps_when_others_change(resource: Resource, change: Manifest) -> None:
    assert keys(resource, change) == []


def test_a_changed_api_address_wakes_every_cluster() -> None:
    found = keys(kinds.ENDPOINT_SLICE, an_object("default", "kubernetes"), CLUSTER, RIVAL)
    assert found == [KEY, Key("clusters-demo", "x")]
