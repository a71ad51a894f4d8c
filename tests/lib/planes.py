"""Both controllers of a hosted cluster in a simulated world, and the people around them."""

from base64 import b64encode
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from tests.lib.sim.transport import Calm, SimTransport
from tests.lib.sim.world import LATENCY, PATIENCE, Process
from tests.lib.stage import Stage
from tests.lib.workloads import Workloads

from hypershift.cloud.stores import Documents
from hypershift.controlplane import catalog
from hypershift.controlplane.etcd import Defragmenter, DiskWatch
from hypershift.kit import Manifest, Secret, TerminalError, deep_merge
from hypershift.kube import Client, kinds
from hypershift.operators import controlplane
from hypershift.operators.controlplane.scope import Beginning
from hypershift.operators.hypershift import Settings, hosted_cluster
from hypershift.pki import Algorithm, PrivateKey, Wanted, new_key, reconcile
from hypershift.release import Lookup, Product, Release
from hypershift.runtime import Controller, Manager
from hypershift.runtime.remotes import Factory, client_of

OLD, NEW = "registry.example/release:1.34.9", "registry.example/release:1.35.8"
DIGESTS = {
    OLD: f"registry.example/release@sha256:{'1' * 64}",
    NEW: f"registry.example/release@sha256:{'2' * 64}",
}
TAGS = (
    "etcd",
    "kube-apiserver",
    "kube-controller-manager",
    "kube-scheduler",
    "haproxy",
    "konnectivity-server",
    "konnectivity-agent",
    "cluster-api",
)


class Releases:
    """A registry with two releases; every other image is not there."""

    async def lookup(self, image: str, pull_secret: Secret[bytes]) -> Release:
        del pull_secret
        if image not in (OLD, NEW):
            raise TerminalError(f"{image} is not there")
        version = image.rpartition(":")[2]
        images = {tag: f"registry.example/{tag}:{version}" for tag in TAGS}
        return Release(version, Product.KUBERNETES, images, image, DIGESTS[image])


@lru_cache
def key(algorithm: Algorithm) -> PrivateKey:
    """One key for all: the stories are about the order of things, not about secrets."""
    return new_key(algorithm)


async def issue(
    existing: Mapping[tuple[str, str], Manifest], plan: Wanted, now: datetime
) -> list[Manifest]:
    return reconcile(existing, plan, now, keys=key)


async def begin(beginning: Beginning, now: datetime) -> dict[str, str]:
    """Make successors at once: there are no threads in a story."""
    return beginning.data(now)


async def resolvable(_host: str) -> str:
    return ""


async def reachable(host: str, port: int, authority: str, name: str) -> str:
    del host, port, authority, name
    return ""


async def silent(host: str, port: int) -> str:
    raise OSError(f"nobody at {host}:{port}")


class NoDefragmenter(Defragmenter):
    """There are no files to defragment."""

    async def visit(self, *_: Any, **__: Any) -> str:
        return ""


def controllers(
    settings: Settings | None = None,
    *,
    releases: Lookup | None = None,
    documents: Documents | None = None,
    routes: bool = False,
    **plane: Any,
) -> list[Controller[Any]]:
    """Both, and those of private links; with `routes` the management cluster knows Routes.

    What else is named replaces a field of the control plane operator's environment.
    """
    releases = releases or Releases()
    clusters = hosted_cluster.Environment(
        settings or Settings(), releases, routes=routes, documents=documents
    )
    planes = controlplane.Environment(
        controlplane.Settings(),
        releases,
        catalog,
        frozenset({"route.openshift.io"} if routes else ()),
        check=reachable,
        resolve=resolvable,
        issue=issue,
        begin=begin,
        defragmenter=NoDefragmenter(),
        disks=DiskWatch(silent),
    )
    planes = replace(planes, **plane)
    return [hosted_cluster.controller(clusters), *controlplane.controllers(planes)]


class Operator(Process):
    """A process with both controllers."""

    remote_client: Factory = staticmethod(client_of)
    #: What each life of this process runs.
    make: Callable[[], list[Controller[Any]]] = staticmethod(controllers)

    async def _manage(self) -> None:
        world = self._world
        self._transport = SimTransport(
            world.server,
            name=self.name,
            rng=self._rng,
            latency=LATENCY,
            interference=Calm() if self.calm else self.network,
            trace=world.trace,
        )
        client = Client(self._transport, manager="operator", rng=self._rng)
        self._manager = Manager(
            client,
            self.make(),
            remote_client=self.remote_client,
            clock=world.clock,
            rng=self._rng,
            patience=PATIENCE,
            grace=0.0,
        )
        await self._manager.run()


def a_cluster(name: str, **spec: Any) -> Manifest:
    ways = [
        {"service": service, "servicePublishingStrategy": {"type": "LoadBalancer"}}
        for service in ("APIServer", "Konnectivity", "Ignition", "OAuthServer")
    ]
    ordinary: dict[str, Any] = {
        "release": {"image": OLD},
        "pullSecret": {"name": "pull"},
        "controllerAvailabilityPolicy": "SingleReplica",
        "etcd": {
            "managementType": "Managed",
            "managed": {"storage": {"type": "PersistentVolume"}},
        },
        "platform": {"type": "Local"},
        "networking": {
            "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
            "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
        },
        "services": ways,
        "dns": {"baseDomain": "example.com"},
    }
    return {
        "apiVersion": kinds.HOSTED_CLUSTER.api_version,
        "kind": kinds.HOSTED_CLUSTER.kind,
        "metadata": {"name": name, "namespace": "clusters"},
        "spec": deep_merge(ordinary, spec),
    }


def annotated(cluster: Manifest, **annotations: str) -> Manifest:
    """A cluster with annotations of ours, `_` for `-`."""
    marks = {
        f"hypershift.openshift.io/{name.replace('_', '-')}": value
        for name, value in annotations.items()
    }
    made: Manifest = deep_merge(cluster, {"metadata": {"annotations": marks}})
    return made


def named(name: str, domain: str = "example.com") -> list[Manifest]:
    """Services that are published by names below a domain."""
    prefixes = {"APIServer": "api", "Konnectivity": "konnectivity", "Ignition": "ignition"}
    return [
        {
            "service": service,
            "servicePublishingStrategy": {
                "type": "Route",
                "route": {"hostname": f"{prefix}-{name}.{domain}"},
            },
        }
        for service, prefix in prefixes.items()
    ]


def a_secret(name: str, **data: bytes) -> Manifest:
    content = {key: b64encode(value).decode() for key, value in data.items()}
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": name, "namespace": "clusters"},
        "data": content,
    }


def encrypted(letter: str) -> Manifest:
    """A spec that encrypts with one of the keys that `prepare` makes."""
    return {"type": "aescbc", "aescbc": {"activeKey": {"name": f"key-{letter}"}}}


async def prepare(client: Client) -> None:
    """Make what users and the management cluster bring."""
    for name in ("clusters", "hypershift"):
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
        await client.create(namespace)
    await client.create(a_secret("pull", **{".dockerconfigjson": b"{}"}))
    for letter in "abc":
        await client.create(a_secret(f"key-{letter}", key=letter.encode() * 32))
    await client.create(
        {
            "apiVersion": "discovery.k8s.io/v1",
            "kind": "EndpointSlice",
            "metadata": {
                "name": "kubernetes",
                "namespace": "default",
                "labels": {"kubernetes.io/service-name": "kubernetes"},
            },
            "addressType": "IPv4",
            "endpoints": [{"addresses": ["192.0.2.100"]}],
        }
    )


async def furnish(stage: Stage, workloads: Workloads | None = None, *, names: bool = False) -> None:
    """Make what users and the management cluster bring, and let workloads run.

    With `names`, load balancers have names as on AWS.
    """
    await prepare(stage.user)
    stage.spawn((workloads or Workloads(stage.user, names=names)).run())


#: Long enough for a cluster to come up, or to be looked at again.
SOON, LATER = timedelta(seconds=90), timedelta(minutes=3)
