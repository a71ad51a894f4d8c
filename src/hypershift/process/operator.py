"""The process of the HyperShift operator: its controllers, and the roles that it hosts."""

import socket
from collections.abc import Iterable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from typing import Any

from hypershift.kube import Client, kinds
from hypershift.operators.hypershift import (
    announcement,
    audit_logs,
    default_router,
    etcd_backup,
    hosted_cluster,
    private_link,
    shared_ingress,
)
from hypershift.operators.hypershift.fleet_metrics import FleetCollector
from hypershift.operators.hypershift.hosted_cluster.rules import cluster_api, dedicated
from hypershift.operators.hypershift.operator_image import Images
from hypershift.operators.hypershift.settings import Mode, Settings
from hypershift.process.bench import (
    ELECTION,
    ROUTES,
    Workbench,
    served_groups,
    served_links,
    serves,
)
from hypershift.process.shared import DEDICATED_ROLES, SHARED_ROLES, SHARED_SERVICES
from hypershift.release import Lookup
from hypershift.runtime import Controller, Leadership, Manager, Sharding, run_until_signal

LEASE = "hypershift-operator-leader-elect"
SHARDS = "hypershift-operator-shards"
EVERYWHERE = "0.0.0.0"  # noqa: S104 - probes come from the node, metrics from any pod


def hosted_clusters(bench: Workbench) -> Iterable[Controller[Any]]:
    """The operator's own roles: hosted clusters, and the list of versions that it can host."""
    environment = hosted_cluster.Environment(
        settings=bench.settings,
        releases=bench.releases,
        openshift=bench.openshift,
        routes=bench.has_routes,
        images=bench.images,
        documents=bench.settings.documents,
    )
    yield hosted_cluster.controller(environment)
    yield announcement.controller(bench.settings.namespace)
    if bench.settings.shared_ingress_image:
        yield shared_ingress.controller(shared_ingress.Environment(bench.settings, bench.openshift))
    if bench.audit_logs:
        yield from audit_logs.controllers()
    yield from private_link.controllers(private_link.Environment(bench.links))
    if bench.backups:
        yield from etcd_backup.controllers(
            etcd_backup.Environment(bench.settings, bench.releases, bench.openshift)
        )


async def run(settings: Settings, releases: Lookup, *, images: Images | None = None) -> None:
    """Run the HyperShift operator until a signal ends it.

    In Shared mode the process hosts every role of every cluster, else the operator's own alone.
    Without `images` every control plane operator counts as able as this one.
    """
    is_shared = settings.mode is Mode.SHARED
    roles = SHARED_ROLES if is_shared else DEDICATED_ROLES
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            Client.connect(settings.kubeconfig, manager="hypershift-operator")
        )
        settings = await with_own_image(client, settings)
        await ensure_cluster_roles(client, settings)
        groups = await served_groups(client)
        if ROUTES in groups:
            await default_router.leave_our_routes(client)
        backups = await serves(client, kinds.HCP_ETCD_BACKUP)
        logs = settings.audit_logs and await serves(client, kinds.AUDIT_LOG_PERSISTENCE_CONFIG)
        links = await served_links(client)
        bench = Workbench(settings, client, releases, groups, images, backups, logs, links)
        controllers = [one for role in (hosted_clusters, *roles) for one in role(bench)]
        made = manager(settings, client, controllers)
        for service in SHARED_SERVICES if is_shared else ():
            await stack.enter_async_context(service(bench, made))
        await run_until_signal(made)


async def with_own_image(client: Client, settings: Settings) -> Settings:
    """The settings with the image of the pod that this process runs in, when none was given."""
    if settings.image or not settings.name:
        return settings
    pod = await client.find(kinds.POD, settings.name, settings.namespace)
    if pod is None:
        return settings
    return replace(settings, image=pod["spec"]["containers"][0]["image"])


async def ensure_cluster_roles(client: Client, settings: Settings) -> None:
    """Make what roles of Dedicated clusters are bound to, where the installation did not."""
    if settings.mode is not Mode.DEDICATED:
        return
    for wanted in (dedicated.cluster_role(), cluster_api.cluster_role()):
        if await client.find(kinds.CLUSTER_ROLE, wanted["metadata"]["name"]) is None:
            await client.apply(wanted)


def manager(settings: Settings, client: Client, controllers: Sequence[Controller[Any]]) -> Manager:
    """The manager of this process, which takes the lease before it works unless it runs alone.

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


def _probes(settings: Settings) -> tuple[str, int] | None:
    host, _, port = settings.health_address.rpartition(":")
    return (host or EVERYWHERE, int(port)) if port else None
