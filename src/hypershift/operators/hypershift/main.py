"""Runs the HyperShift operator: its controllers, and those roles that it hosts for clusters."""

import json
import socket
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from dataclasses import dataclass, replace
from typing import Any

from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import announcement, hosted_cluster
from hypershift.operators.hypershift.fleet_metrics import FleetCollector
from hypershift.operators.hypershift.hosted_cluster import dedicated
from hypershift.operators.hypershift.operator_image import Images
from hypershift.operators.hypershift.settings import Mode, Settings
from hypershift.release import Lookup
from hypershift.runtime import Controller, Leadership, Manager, Sharding, run_until_signal

LEASE = "hypershift-operator-leader-elect"
SHARDS = "hypershift-operator-shards"
OPENSHIFT = "config.openshift.io"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - probes come from the node, metrics from any pod
#: Seconds that a lease lasts, is renewed within, and between attempts: a management cluster that
#: is short of processor must not lose its leader for that.
ELECTION = (60.0, 40.0, 10.0)


@dataclass(frozen=True)
class Workbench:
    """What every role that runs in this process is given."""

    settings: Settings
    client: Client
    releases: Lookup
    groups: frozenset[str]  # the API groups that the management cluster serves
    images: Images | None = None  # where the labels of images are read

    @property
    def openshift(self) -> bool:
        """Whether the management cluster is OpenShift."""
        return OPENSHIFT in self.groups


Role = Callable[[Workbench], Iterable[Controller[Any]]]
Service = Callable[[Workbench], AbstractAsyncContextManager[Any]]


def hosted_clusters(bench: Workbench) -> Iterable[Controller[Any]]:
    """The roles that are the operator's own: hosted clusters, and telling which it can host."""
    environment = hosted_cluster.Environment(
        settings=bench.settings,
        releases=bench.releases,
        openshift=bench.openshift,
        images=bench.images,
    )
    yield hosted_cluster.controller(environment)
    yield announcement.controller(bench.settings.namespace)


async def run(
    settings: Settings,
    releases: Lookup,
    roles: Sequence[Role] = (),
    services: Sequence[Service] = (),
    *,
    images: Images | None = None,
) -> None:
    """Run until a signal asks for the end.

    `roles` are controllers of other operators that this process hosts, `services` are servers
    that live as long as it does. Without `images` every control plane operator is as able as we.
    """
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            Client.connect(settings.kubeconfig, manager="hypershift-operator")
        )
        settings = await with_own_image(client, settings)
        await ensure_cluster_role(client, settings)
        groups = await served_groups(client)
        bench = Workbench(settings, client, releases, groups, images)
        for service in services:
            await stack.enter_async_context(service(bench))
        controllers = [one for role in (hosted_clusters, *roles) for one in role(bench)]
        await run_until_signal(manager(settings, client, controllers))


async def with_own_image(client: Client, settings: Settings) -> Settings:
    """The settings with the image of the pod that this process runs in, when none was given."""
    if settings.image or not settings.name:
        return settings
    pod = await client.find(kinds.POD, settings.name, settings.namespace)
    if pod is None:
        return settings
    return replace(settings, image=pod["spec"]["containers"][0]["image"])


async def ensure_cluster_role(client: Client, settings: Settings) -> None:
    """Make what control plane operators are bound to, where the installation did not bring it."""
    wanted = dedicated.cluster_role()
    name = wanted["metadata"]["name"]
    if settings.mode is Mode.DEDICATED and await client.find(kinds.CLUSTER_ROLE, name) is None:
        await client.apply(wanted)


def manager(settings: Settings, client: Client, controllers: Sequence[Controller[Any]]) -> Manager:
    """The manager of this process, which leads before it works unless it is told to be alone.

    With `sharding` it works beside the other replicas instead, each on clusters of its own.
    """
    identity = settings.name or socket.gethostname()
    leadership, sharding = None, None
    if settings.sharding:
        sharding = Sharding(SHARDS, settings.namespace, identity, *ELECTION, crew=LEASE)
    elif settings.leader_election:
        leadership = Leadership(LEASE, settings.namespace, identity, *ELECTION)
    made = Manager(
        client, controllers, leadership=leadership, sharding=sharding, probes=_probes(settings)
    )
    made.metrics.registry.register(FleetCollector(made, settings.image))
    return made


async def served_groups(client: Client) -> frozenset[str]:
    """The API groups that a cluster serves."""
    answer = json.loads(await client.raw("GET", "/apis"))
    return frozenset(group["name"] for group in answer.get("groups") or ())


def _probes(settings: Settings) -> tuple[str, int] | None:
    host, _, port = settings.health_address.rpartition(":")
    return (host or EVERYWHERE, int(port)) if port else None
