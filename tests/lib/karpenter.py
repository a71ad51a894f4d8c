"""A control plane whose nodes Karpenter makes, its cluster, and somebody as Karpenter."""

import asyncio
from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import lru_cache, partial
from typing import Any

from tests.lib.aws import ROLES, routed
from tests.lib.sim.garbage import Garbage
from tests.lib.sim.server import SimServer
from tests.lib.sim.transport import SimTransport
from tests.lib.stage import Stage

from hypershift import pki
from hypershift.kit import Manifest, Secret, TransientError, annotations_of, deep_merge, rfc3339
from hypershift.kube import ApiError, Client, Resource, kinds
from hypershift.operators import karpenter
from hypershift.operators.hypershift import node_pool
from hypershift.operators.karpenter import names
from hypershift.release import BootImages, Product, Release
from hypershift.runtime import Controller

NAMESPACE = "clusters-demo"
IMAGE = "registry.example/release:4.20.0"
OLD_IMAGE = "registry.example/release:4.19.3"
REGION = "eu-west-1"
KINDS = (names.CLASS, names.EC2_CLASS, names.POOL, names.CLAIM)
TERMINATION = "karpenter.sh/termination"
EVICTED = "karpenter.k8s.aws/termination"
OPERATOR = "registry.example/hypershift:1"


def _stream(suffix: str) -> Manifest:
    def images(processor: str) -> Manifest:
        image = {"image": f"ami-{processor}{suffix}"}
        return {"images": {"aws": {"regions": {REGION: image}}}}

    return {"architectures": {"x86_64": images("amd64"), "aarch64": images("arm64")}}


class Releases:
    """A registry with two releases of OpenShift."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        if image not in (IMAGE, OLD_IMAGE):
            raise TransientError(f"{image} is not there")
        version = image.rpartition(":")[2]
        images = {"haproxy-router": "registry.example/haproxy:1"}
        boot = BootImages(_stream(f"-{version}"))
        return Release(version, Product.OPENSHIFT, images, image, boot_images=boot)


async def resolve(version: str, channel: str) -> str:
    """An update service that knows one version."""
    if version == "4.19.3":
        return OLD_IMAGE
    raise TransientError(
        f'version "{version}" not found in Cincinnati graph for channel "{channel}"'
    )


class Cloud:
    """EC2, as far as the approver asks."""

    def __init__(self) -> None:
        self.instances: dict[str, Any] = {}
        self.asked: list[tuple[str, ...]] = []

    async def __call__(self, section: Any, ids: Any) -> Mapping[str, Any]:
        assert section.aws.region == REGION
        self.asked.append(tuple(sorted(ids)))
        return {each: self.instances[each] for each in ids if each in self.instances}


def controllers(cloud: Cloud | None = None) -> tuple[Controller[Any], ...]:
    releases = Releases()
    environment = karpenter.Environment(
        releases=releases,
        publish=partial(node_pool.publish, node_pool.Environment(releases)),
        resolve=resolve,
        ignition_endpoint="ignition.example.com",
        image=OPERATOR,
    )
    return karpenter.controllers(environment, NAMESPACE, lambda _: cloud or Cloud())


@lru_cache
def _bootstrap_client() -> str:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    authority = pki.new_authority("root", now)
    leaf = pki.Leaf("system:node-bootstrapper", ("system:bootstrappers",))
    return authority.issue(leaf, now).certificate.decode()


def a_plane(**changes: Any) -> Manifest:
    """The HostedControlPlane, with `changes` of its spec merged in."""
    role = "arn:aws:iam::123456789012:role/karpenter"
    spec: dict[str, Any] = {
        "autoNode": {
            "provisionerConfig": {
                "name": "Karpenter",
                "karpenter": {"platform": "AWS", "aws": {"roleARN": role}},
            }
        },
        "controllerAvailabilityPolicy": "SingleReplica",
        "clusterID": "5ae8a1f2-0f3c-4c1e-9a55-000000000001",
        "dns": {"baseDomain": "example.org"},
        "etcd": {"managementType": "Managed", "managed": {"storage": {"type": "PersistentVolume"}}},
        "issuerURL": "https://kubernetes.default.svc",
        "infraID": "demo-7x2kf",
        "networking": {
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
            "networkType": "OVNKubernetes",
        },
        "platform": {"type": "AWS", "aws": {"region": REGION, "rolesRef": ROLES}},
        "pullSecret": {"name": "pull-secret"},
        "releaseImage": IMAGE,
        "services": routed("demo"),
        "sshKey": {"name": ""},
    }
    return {
        "apiVersion": kinds.HOSTED_CONTROL_PLANE.api_version,
        "kind": "HostedControlPlane",
        "metadata": {"name": "demo", "namespace": NAMESPACE},
        "spec": deep_merge(spec, changes),
    }


def status_of_plane() -> Manifest:
    started = "2030-01-01T00:00:00Z"
    update = {"image": IMAGE, "version": "4.20.0", "state": "Completed", "startedTime": started}
    return {
        "conditions": [
            {
                "type": "KubeAPIServerAvailable",
                "status": "True",
                "reason": "AsExpected",
                "message": "",
                "lastTransitionTime": started,
            }
        ],
        "controlPlaneVersion": {
            "desired": {"image": IMAGE, "version": "4.20.0"},
            "history": [update | {"completionTime": started}],
        },
        "kubeConfig": {"name": "admin-kubeconfig", "key": "kubeconfig"},
        "ready": True,
        "initialized": True,
        "externalManagedControlPlane": True,
    }


def _kubeconfig() -> str:
    return (
        "apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster:\n"
        "    server: https://api.example.com:6443\ncontexts: []\nusers: []\n"
    )


SECRETS = {
    "pull-secret": {".dockerconfigjson": "{}"},
    "hcco-kubeconfig": {"kubeconfig": "guest"},
    "admin-kubeconfig": {"kubeconfig": _kubeconfig()},
    "demo-7x2kf-kubeconfig": {"value": "guest"},
    "ignition-server-ca-cert": {"tls.crt": "authority"},
}


async def prepare(user: Client, **changes: Any) -> None:
    """Everything that stands in the namespace before Karpenter's operator comes."""
    space = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
    await user.create(space)
    for name, data in (
        SECRETS | {"kas-bootstrap-client": {"tls.crt": _bootstrap_client()}}
    ).items():
        secret = {
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": name, "namespace": NAMESPACE},
            "data": {key: b64encode(text.encode()).decode() for key, text in data.items()},
        }
        await user.create(secret)
    for name in ("ignition-config-fips", "ignition-config-worker-ssh"):
        await user.create(_core(name))
    await user.create(a_plane(**changes))
    patch = {"status": status_of_plane()}
    await user.patch(kinds.HOSTED_CONTROL_PLANE, "demo", patch, NAMESPACE, subresource="status")


def _core(name: str) -> Manifest:
    config = (
        "apiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfig\nmetadata:\n"
        "  labels:\n    machineconfiguration.openshift.io/role: worker\n"
        f"  name: {name}\nspec: {{}}\n"
    )
    labels = {"hypershift.openshift.io/core-ignition-config": "true"}
    metadata = {"name": name, "namespace": NAMESPACE, "labels": labels}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": metadata,
        "data": {"config": config},
    }


class Inside:
    """The hosted cluster: its server, a user of it, and Karpenter at work."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.server = SimServer(rng=stage.rng, now=lambda: rfc3339(stage.clock.now()))
        for resource in KINDS:
            self.server.catalog.add(resource)
        self.user = Client(SimTransport(self.server, name="guest"), manager="guest", rng=stage.rng)
        self.blocked = False
        self._tasks = [
            asyncio.create_task(self._karpenter()),
            asyncio.create_task(Garbage(self.server, rng=stage.rng).run()),
        ]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def all(self, resource: Resource) -> dict[str, Manifest]:
        return {one["metadata"]["name"]: one for one in self.server.all(resource)}

    async def create(self, resource: Resource, name: str, **fields: Any) -> Manifest:
        identity = {"apiVersion": resource.api_version, "kind": resource.kind}
        metadata = {"name": name, **fields.pop("metadata", {})}
        return await self.user.create(identity | {"metadata": metadata} | fields)

    async def _karpenter(self) -> None:
        while True:
            with suppress(ApiError):
                await self._work()
            await asyncio.sleep(1)

    async def _work(self) -> None:
        claims = self.all(names.CLAIM)
        for found in self.all(names.EC2_CLASS).values():
            await self._class(found, used=bool(claims) and found["metadata"]["name"] == "default")
        for name, pool in self.all(names.POOL).items():
            if not pool["metadata"].get("deletionTimestamp") and f"{name}-0" not in claims:
                await self._claim(name, pool)
        for claim in claims.values():
            if claim["metadata"].get("deletionTimestamp"):
                await self._end(claim)

    async def _class(self, found: Manifest, *, used: bool) -> None:
        metadata, name = found["metadata"], found["metadata"]["name"]
        if metadata.get("deletionTimestamp"):
            if not used:
                await self._release(names.EC2_CLASS, name)
            return
        if EVICTED not in (metadata.get("finalizers") or ()):
            patch = {"metadata": {"finalizers": [EVICTED]}}
            await self.user.patch(names.EC2_CLASS, name, patch)
        if "status" not in found:
            ready = {
                "type": "Ready",
                "status": "True",
                "reason": "Ready",
                "message": "",
                "lastTransitionTime": rfc3339(self.stage.clock.now()),
            }
            status: Manifest = {
                "conditions": [ready],
                "subnets": [{"id": f"subnet-{name}", "zone": f"{REGION}a", "zoneID": "euw1-az1"}],
                "securityGroups": [{"id": "sg-1", "name": "workers"}],
            }
            patch = {"status": status}
            await self.user.patch(names.EC2_CLASS, name, patch, subresource="status")

    async def _claim(self, name: str, pool: Manifest) -> None:
        owner = {
            "apiVersion": names.POOL.api_version,
            "kind": names.POOL.kind,
            "name": name,
            "uid": pool["metadata"]["uid"],
            "blockOwnerDeletion": True,
        }
        metadata: Manifest = {"finalizers": [TERMINATION], "ownerReferences": [owner]}
        claim = f"{name}-0"
        await self.create(names.CLAIM, claim, metadata=metadata, spec={})
        node = f"ip-10-0-0-1-{name}.{REGION}.compute.internal"
        status = {
            "nodeName": node,
            "providerID": f"aws:///{REGION}a/i-0123456789abcdef0",
            "capacity": {"cpu": "3900m"},
        }
        await self.user.patch(names.CLAIM, claim, {"status": status}, subresource="status")
        await self.create(kinds.NODE, node, metadata={"labels": {names.NODE_POOL_LABEL: name}})

    async def _end(self, claim: Manifest) -> None:
        if self.blocked and not annotations_of(claim).get(names.TERMINATE_AT):
            return
        if node := (claim.get("status") or {}).get("nodeName"):
            await self.user.delete(kinds.NODE, node)
        await self._release(names.CLAIM, claim["metadata"]["name"])

    async def _release(self, resource: Resource, name: str) -> None:
        await self.user.patch(resource, name, {"metadata": {"finalizers": []}})
