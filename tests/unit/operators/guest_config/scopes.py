"""One pass over a hosted cluster's inside, with everything in memory."""

import random
from datetime import UTC, datetime
from typing import Any

import structlog
from tests.lib.memory import MemoryClient

from hypershift.kit import Manifest, Secret, SystemClock
from hypershift.kube.shape import projected
from hypershift.operators.guest_config import Environment
from hypershift.operators.guest_config.look import NODE_FIELDS
from hypershift.operators.guest_config.rules import catalog
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.release import Product, Release
from hypershift.runtime import Context

OLD, NEW = "registry.example/release:1.34.10", "registry.example/release:1.35.8"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
TAGS = ("kube-proxy", "kube-router", "coredns", "konnectivity-agent")
OPTIONAL_TAGS = ("cli",)
WANTED = Release(
    "1.35.8", Product.KUBERNETES, image=NEW, resolved=f"registry.example/release@sha256:{'0' * 64}"
)
VALUES = catalog.Values(
    images={tag: f"registry.example/{tag}:1" for tag in (*TAGS, *OPTIONAL_TAGS)},
    cluster_networks=("10.132.0.0/14",),
    service_networks=("172.31.0.0/16",),
    network_type="",
    api_address="172.20.0.1",
    api_port=6443,
    konnectivity_host="10.80.32.7",
    konnectivity_port=8091,
    konnectivity_ca="CA",
    konnectivity_cert=b"cert",
    konnectivity_key=b"key",
)


class Releases:
    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        return Release("1.35.8", Product.KUBERNETES, VALUES.images, image)


class Clock(SystemClock):
    def now(self) -> datetime:
        return NOW


def named(made: list[Manifest], kind: str, name: str) -> Manifest:
    return next(one for one in made if (one["kind"], one["metadata"]["name"]) == (kind, name))


def a_scope(kube: MemoryClient, guest: MemoryClient, *nodes: Manifest) -> GuestScope:
    nothing: Any = None
    context = Context(
        kube=kube, live=kube, clock=Clock(), events=nothing, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    plane: Manifest = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedControlPlane",
        "metadata": {"name": "demo", "namespace": "clusters-demo", "generation": 1},
        "spec": {"releaseImage": NEW},
        "status": {"controlPlaneVersion": {"history": [{"image": NEW, "state": "Completed"}]}},
    }
    scope = GuestScope(plane, context, Environment(Releases()))
    scope.guest, scope.values = guest, VALUES
    scope.nodes = [projected(node, NODE_FIELDS) for node in nodes]
    scope.release = scope.plane = Release("1.35.8", Product.KUBERNETES, VALUES.images, NEW)
    return scope


def a_node(**metadata: Any) -> Manifest:
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"} | metadata}
