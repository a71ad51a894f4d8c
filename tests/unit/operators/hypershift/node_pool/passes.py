"""Passes over a pool with the API in memory: the ordinary pool, and one pass after the other."""

import base64
import random
from datetime import UTC, datetime
from typing import Any

import structlog
from tests.lib.memory import MemoryClient

from hypershift.kit import Key, Manifest, Secret, SystemClock, TransientError, deep_merge
from hypershift.kube import kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.node_pool import Environment, PoolScope, names
from hypershift.operators.hypershift.node_pool.controller import NORMAL
from hypershift.operators.hypershift.ownership import Owner
from hypershift.release import Product, Release
from hypershift.runtime import Context
from hypershift.runtime.phases import Report, run

NOW = datetime(2026, 1, 1, tzinfo=UTC)
IMAGE = "registry.example/release:1.35.8"
KUBECONFIG = """
clusters: [{name: c, cluster: {server: "https://10.80.32.5:6443"}}]
"""


class Releases:
    version = "1.35.8"

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        if "broken" in image:
            raise TransientError("unable to lookup release image")
        images = {name: f"registry.example/{name}:1" for name in ("haproxy", "pause", "machine-os")}
        return Release(image.rsplit(":", 1)[1], Product.KUBERNETES, images, image)


class Clock(SystemClock):
    def now(self) -> datetime:
        return NOW


class Events:
    def __init__(self) -> None:
        self.told: list[str] = []

    async def warning(self, reason: str, message: str) -> None:
        self.told.append(f"{reason} {message}")

    async def normal(self, reason: str, message: str) -> None:
        self.told.append(f"{reason} {message}")


def a_pool(**spec: Any) -> Manifest:
    usual: Manifest = {
        "clusterName": "demo",
        "release": {"image": IMAGE},
        "replicas": 2,
        "arch": "amd64",
        "management": {
            "upgradeType": "Replace",
            "autoRepair": False,
            "replace": {
                "strategy": "RollingUpdate",
                "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0},
            },
        },
        "platform": {"type": "Local", "local": {"cpu": "2", "memory": "2Gi"}},
    }
    return {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "NodePool",
        "metadata": {"name": "workers", "namespace": "clusters", "generation": 1},
        "spec": usual | spec,
    }


def a_cluster(**changes: Any) -> Manifest:
    usual: Manifest = {
        "apiVersion": "hypershift.openshift.io/v1beta1",
        "kind": "HostedCluster",
        "metadata": {"name": "demo", "namespace": "clusters", "uid": "hc"},
        "spec": {
            "infraID": "demo-7x2kq",
            "pullSecret": {"name": "pull"},
            "networking": {
                "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
                "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            },
            "platform": {"type": "Local"},
        },
        "status": {
            "ignitionEndpoint": "10.80.32.1",
            "kubeconfig": {"name": "demo-admin-kubeconfig"},
            "version": {
                "history": [
                    {
                        "state": "Completed",
                        "version": "1.35.8",
                        "completionTime": "2026-01-01T00:00:00Z",
                    }
                ]
            },
        },
    }
    merged: Manifest = deep_merge(usual, changes)
    return merged


def a_secret(name: str, namespace: str, **data: str) -> Manifest:
    encoded = {
        key.replace("__", "."): base64.b64encode(value.encode()).decode()
        for key, value in data.items()
    }
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": encoded}


def a_namespace() -> Manifest:
    """The control plane namespace, with the mark of the ordinary cluster."""
    marks = ownership.mark(Owner(Key("clusters", "demo"), "hc"))
    metadata = {"name": "clusters-demo", "annotations": marks}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}


def a_world(pool: Manifest, cluster: Manifest | None = None) -> MemoryClient:
    return MemoryClient(
        pool,
        a_namespace(),
        cluster or a_cluster(),
        a_secret("pull", "clusters", __dockerconfigjson='{"auths":{}}'),
        a_secret("demo-admin-kubeconfig", "clusters", kubeconfig=KUBECONFIG),
        a_secret(names.IGNITION_CA, "clusters-demo", tls__crt="CA"),
    )


async def one_pass(kube: MemoryClient, phases: Any = NORMAL) -> tuple[PoolScope, Report]:
    pool = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    events: Any = Events()
    nothing: Any = None
    context = Context(
        kube=kube, live=kube, clock=Clock(), events=events, log=structlog.get_logger(),
        remotes=nothing, rng=random.Random(1),  # noqa: S311 - nothing secret
    )  # fmt: skip
    scope = PoolScope(pool, context, Environment(Releases()))
    report = await run(phases, scope, stop_on_error=True)
    stored = await kube.get(kinds.NODE_POOL, "workers", "clusters")
    kube.put(stored | {"status": scope.status})
    return scope, report


def condition(scope: PoolScope, kind: str) -> tuple[str, str, str] | None:
    found = scope.conditions.get(kind)
    return (found["status"], found["reason"], found["message"]) if found else None


async def deployment(kube: MemoryClient) -> Manifest:
    return await kube.get(kinds.MACHINE_DEPLOYMENT, "workers", "clusters-demo")


async def roll_out(kube: MemoryClient) -> None:
    """What Cluster API does, in one step."""
    live = await deployment(kube)
    count = live["spec"]["replicas"]
    status = {
        **dict.fromkeys(("replicas", "upToDateReplicas", "availableReplicas"), count),
        "conditions": [{"type": "Available", "status": "True", "reason": "Available"}],
    }
    kube.put(live | {"status": status})
