"""A control plane's credentials wake the cluster that publishes them, and nobody else."""

from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.lib.memory import MemoryClient
from tests.lib.planes import Releases, a_cluster

from hypershift.kit import Key, Manifest, SystemClock
from hypershift.kube import kinds
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.operators.hypershift.hosted_cluster.controller import BY_PLANE


def secret(namespace: str, key: str) -> Manifest:
    metadata = {"name": "renewed", "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": {key: "eA=="}}


@pytest.mark.parametrize(
    ("renewed", "woken"),
    [
        (secret("clusters-demo", "kubeconfig"), {Key("clusters", "demo")}),
        (secret("clusters-demo", "password"), {Key("clusters", "demo")}),
        (secret("clusters-demo", "tls.crt"), set()),
        (secret("elsewhere", "kubeconfig"), set()),
    ],
)
def test_what_is_renewed_is_copied(renewed: Manifest, woken: set[Key]) -> None:
    made = hosted_cluster.controller(hosted_cluster.Environment(Settings(), Releases()))
    kube = MemoryClient()
    context = SimpleNamespace(clock=SystemClock(), kube=kube, live=kube, rng=None, writer=None)
    made.scope(a_cluster("demo"), cast(Any, context))  # a pass has seen the cluster
    watches = [watch for watch in made.watches if watch.resource == kinds.SECRET]
    places = {value: Key("clusters", "demo") for value in BY_PLANE.values(a_cluster("demo"))}
    found = {
        places.get(str(key)) if watch.through else key
        for watch in watches
        for key in watch.keys(renewed)
    }
    assert found - {None} == woken
