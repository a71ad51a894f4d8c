"""The user of node pools, the cluster they belong to, and the ignition server beside them."""

import asyncio
import random
from base64 import b64encode
from contextlib import suppress
from typing import Any

from tests.lib.sim.server import SimServer

from hypershift.ignition import token
from hypershift.kit import Manifest, Secret, annotations_of, key_of
from hypershift.kube import ApiError, Client, kinds
from hypershift.operators.hypershift import ownership
from hypershift.operators.hypershift.ownership import Owner
from hypershift.release import Product, Release

NAMESPACE, PLANE = "clusters", "clusters-demo"
VERSIONS = ("1.35.7", "1.35.8")
POOLS = {"replace": "Replace", "steady": "InPlace", "careful": "Replace"}
_KUBECONFIG = "clusters: [{name: c, cluster: {server: 'https://192.0.2.1:6443'}}]\n"
_IMAGE = "registry.example/release"
_LIMITS: dict[str, Manifest] = {
    "replace": {"maxSurge": 1, "maxUnavailable": 0},
    "careful": {"maxSurge": "0%", "maxUnavailable": 1},
}


class Releases:
    """Every release is there."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        """What it contains."""
        del pull_secret
        images = {name: f"registry.example/{name}:1" for name in ("haproxy", "pause", "machine-os")}
        return Release(image.rpartition(":")[2], Product.KUBERNETES, images, image)


def _secret(name: str, namespace: str, data: dict[str, str]) -> Manifest:
    coded = {key: b64encode(text.encode()).decode() for key, text in data.items()}
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": coded}


def _config_map(name: str) -> Manifest:
    document = (
        "apiVersion: machineconfiguration.openshift.io/v1\nkind: KubeletConfig\n"
        f"metadata: {{name: {name}}}\nspec: {{kubeletConfig: {{maxPods: 9}}}}\n"
    )
    metadata = {"name": name, "namespace": NAMESPACE}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata,
        "data": {"config": document},
    }


CLUSTER: Manifest = {
    "apiVersion": kinds.HOSTED_CLUSTER.api_version,
    "kind": "HostedCluster",
    "metadata": {"name": "demo", "namespace": NAMESPACE},
    "spec": {
        "infraID": "demo-7x2kq",
        "release": {"image": f"{_IMAGE}:{VERSIONS[-1]}"},
        "pullSecret": {"name": "pull"},
        "networking": {
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
        },
        "platform": {"type": "Local"},
    },
}
_STATUS: Manifest = {
    "ignitionEndpoint": "192.0.2.1",
    "kubeconfig": {"name": "demo-admin-kubeconfig"},
    "version": {
        "history": [
            {
                "state": "Completed",
                "version": VERSIONS[-1],
                "completionTime": "2030-01-01T00:00:00Z",
            }
        ]
    },
}


def pool(name: str, replicas: int) -> Manifest:
    """A pool as a user writes it."""
    management: Manifest = {"upgradeType": POOLS[name], "autoRepair": False}
    if POOLS[name] == "Replace":
        management["replace"] = {"strategy": "RollingUpdate", "rollingUpdate": _LIMITS[name]}
    return {
        "apiVersion": kinds.NODE_POOL.api_version,
        "kind": "NodePool",
        "metadata": {"name": name, "namespace": NAMESPACE},
        "spec": {
            "clusterName": "demo",
            "release": {"image": f"{_IMAGE}:{VERSIONS[0]}"},
            "replicas": replicas,
            "arch": "amd64",
            "management": management,
            "platform": {"type": "Local", "local": {"cpu": 2}},
        },
    }


class User:
    """Makes pools, changes them in every way that may or may not roll nodes, and deletes them."""

    def __init__(self, client: Client, rng: random.Random) -> None:
        """Act through `client`."""
        self._client, self._rng = client, rng

    async def prepare(self) -> None:
        """Make the cluster and what pools refer to."""
        for name in (NAMESPACE, PLANE):
            namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
            await self._client.create(namespace)
        for manifest in (
            _secret("pull", NAMESPACE, {".dockerconfigjson": '{"auths":{}}'}),
            _secret("demo-admin-kubeconfig", NAMESPACE, {"kubeconfig": _KUBECONFIG}),
            _secret("ignition-server-ca-cert", PLANE, {"tls.crt": "CA"}),
            _config_map("pods"),
            CLUSTER,
        ):
            await self._client.create(manifest)
        cluster = await self._client.get(kinds.HOSTED_CLUSTER, "demo", NAMESPACE)
        mark = ownership.mark(Owner(key_of(cluster), cluster["metadata"]["uid"]))
        await self._client.patch(kinds.NAMESPACE, PLANE, {"metadata": {"annotations": mark}})
        await self._client.patch(
            kinds.HOSTED_CLUSTER, "demo", {"status": _STATUS}, NAMESPACE, subresource="status"
        )

    async def live(self, until: float, acts: int) -> None:
        """Do `acts` things before that time."""
        for moment in sorted(self._rng.uniform(0.0, until) for _ in range(acts)):
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            with suppress(ApiError):
                await self._act(self._rng.choice(tuple(POOLS)))

    async def _act(self, name: str) -> None:
        found = await self._client.find(kinds.NODE_POOL, name, NAMESPACE)
        if found is None:
            await self._client.create(pool(name, self._rng.randint(0, 4)))
            return
        if self._rng.random() < 0.07:
            await self._client.delete(kinds.NODE_POOL, name, NAMESPACE)
            return
        await self._client.patch(kinds.NODE_POOL, name, {"spec": self._change()}, NAMESPACE)

    def _change(self) -> dict[str, Any]:
        rng = self._rng
        return rng.choice(
            (
                {"replicas": rng.randint(0, 4), "autoScaling": None},
                {"replicas": None, "autoScaling": {"min": rng.randint(0, 2), "max": 3}},
                {"release": {"image": f"{_IMAGE}:{rng.choice(VERSIONS)}"}},
                {"config": rng.choice(([], [{"name": "pods"}], [{"name": "missing"}]))},
                {"platform": {"local": {"cpu": rng.randint(1, 3)}}},
                {"nodeLabels": {"team": rng.choice("ab")}},
                {"nodeDrainTimeout": rng.choice(("1m0s", "2m0s"))},
                {"pausedUntil": rng.choice(("true", "false", None))},
                {"management": {"autoRepair": rng.random() < 0.5}},
            )
        )

    async def agree(self) -> None:
        """End with something that can come true: nothing paused, nothing missing."""
        for found in await self._client.list(kinds.NODE_POOL, NAMESPACE):
            patch: Manifest = {"spec": {"pausedUntil": None, "config": []}}
            with suppress(ApiError):
                await self._client.patch(
                    kinds.NODE_POOL, found["metadata"]["name"], patch, NAMESPACE
                )

    async def delete_all(self) -> None:
        """Delete every pool."""
        for found in await self._client.list(kinds.NODE_POOL, NAMESPACE):
            await self._client.delete(kinds.NODE_POOL, found["metadata"]["name"], NAMESPACE)


async def ignite(server: SimServer, kube: Client, rng: random.Random) -> None:
    """What the ignition server writes into tokens: the payload is good, a machine was here."""
    data = {"reason": token.AS_EXPECTED, "message": token.GENERATED}
    coded = {key: b64encode(text.encode()).decode() for key, text in data.items()}
    while True:
        await asyncio.sleep(rng.uniform(0.5, 2.0))
        for secret in server.all(kinds.SECRET):
            marks = annotations_of(secret)
            if token.IGNITION_CONFIG in marks and token.REACHED not in marks:
                patch = {"data": coded, "metadata": {"annotations": {token.REACHED: "True"}}}
                metadata = secret["metadata"]
                with suppress(ApiError):
                    await kube.patch(kinds.SECRET, metadata["name"], patch, metadata["namespace"])
