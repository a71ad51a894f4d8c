"""What `local up` puts into the cluster: kinds, add-ons and nodes, all at the same time."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hypershift import parts
from hypershift.api.conditions import NodeCondition
from hypershift.api.policies import policies
from hypershift.api.schema import LOCAL_PLATFORM, FeatureSet, crds
from hypershift.ignition import encode
from hypershift.kit import Manifest, Secret, TransientError
from hypershift.kube import Client, kinds
from hypershift.local import addons
from hypershift.local.addons import cluster_api
from hypershift.local.addons.install import apply_together
from hypershift.local.cluster import node
from hypershift.local.cluster.plan import node_name
from hypershift.local.cluster.settings import Settings
from hypershift.local.cluster.state import Layout, Spec
from hypershift.local.cluster.tenants import Tenants
from hypershift.local.down import scope
from hypershift.local.host.shared import socket_path
from hypershift.local.images.prepare import Published
from hypershift.local.machine import Attachment, Machine, MachineSpec, Metadata, users
from hypershift.local.progress import Progress
from hypershift.local.supervise import control
from hypershift.runtime import is_true

#: Beside the default set: our own platform, backups and shards of etcd, so that users can try them.
GATES = (LOCAL_PLATFORM, "HCPEtcdBackup", "EtcdSharding")
NODE_PATIENCE = 240.0
ADDON_PATIENCE = 300.0
INTERVAL = 0.1


@dataclass(frozen=True, slots=True)
class Site:
    """One cluster, with everything that was decided about it."""

    where: Layout
    spec: Spec
    settings: Settings
    made: Published


async def prepare(client: Client) -> None:
    """Rights, which need no image: tasks that wait for them can continue."""
    await addons.apply_all(client, addons.access())


async def _kinds(client: Client) -> None:
    """The definitions of our own kinds and of Cluster API's."""
    own = crds(FeatureSet.DEFAULT, GATES)
    theirs = [cluster_api.one_version(each) for each in await parts.cluster_api_crds()]
    await apply_together(client, [*own, *policies(), *theirs])


async def install(client: Client, site: Site, say: Progress, tenants: Tenants) -> None:
    """Return when every node is ready and every add-on and tenant available.

    What a node waits for comes first and alone: a node is of use as soon as it is ready, and many
    definitions keep an API server busy for seconds.
    """
    spec = site.spec
    values = addons.Values(spec.plan, spec.nodes, site.made.images)
    stages = addons.addons(values)
    ready = asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(await_nodes(client, node.names(spec), say, ready))
        await addons.apply_all(client, stages.network)
        await ready.wait()
        await addons.apply_all(client, stages.basics)
        await _kinds(client)
        more = [*stages.controllers, *tenants(spec, site.made)]
        await asyncio.gather(addons.apply_all(client, more), _certificates(client))
    workloads = addons.workloads([*stages.network, *stages.basics, *more])
    await addons.await_workloads(client, workloads, ADDON_PATIENCE)
    say("network, DNS and Cluster API are available")


async def boot(site: Site) -> None:
    """Write the machines down and let the supervisor switch them on."""
    for number in range(site.spec.nodes):
        await asyncio.to_thread(make_machine, site, number)
    await control.ask(socket_path(site.spec.index), "adopt")


def make_machine(site: Site, number: int) -> None:
    """The machine of a node; one that runs keeps running, and boots the new way next time."""
    spec, plan = site.spec, site.spec.plan
    name = node_name(spec.name, number)
    gateway = str(plan.gateway)
    machine = Machine(
        MachineSpec(
            name=name,
            scope=scope(spec),
            os_tree=Path(site.made.os_tree),
            directory=site.where.machines / name,
            network=Attachment(
                bridge=plan.bridge,
                address=f"{plan.machine(number)}/{plan.machines.prefixlen}",
                gateway=gateway,
                mtu=site.settings.mtu,
                resolvers=(gateway,),
            ),
            metadata=Metadata(
                hostname=name,
                instance_id=name,
                provider_id=f"local://{spec.name}/{name}",
                zone=node.zone_of(spec, number),
                region="local",
            ),
            ids=_ids(spec, site.where.machines, name),
        )
    )
    config = node.user_data(site.where, spec, number, site.made.images, datetime.now(UTC))
    machine.create(Secret(encode(config)))


def _ids(spec: Spec, machines: Path, name: str) -> int | None:
    """The users of a node's machine: one whose disk was made without, stays without."""
    try:
        return Machine.load(machines / name).spec.ids
    except FileNotFoundError:
        return users.ids(scope(spec), name, machines)


async def _certificates(client: Client) -> None:
    """A pair for the webhook server, made once: a new one would restart nothing but confuse."""
    place = cluster_api.CERTIFICATES, cluster_api.NAMESPACE
    if await client.find(kinds.SECRET, *place) is None:
        await addons.apply_all(client, [cluster_api.webhook_certificates(datetime.now(UTC))])


async def await_nodes(
    client: Client, names: Iterable[str], say: Progress, first: asyncio.Event
) -> None:
    """Return when all are Ready, saying each as it comes; the first one sets the event."""
    waiting = set(names)
    try:
        async with asyncio.timeout(NODE_PATIENCE):
            while waiting:
                ready = {
                    each["metadata"]["name"]
                    for each in await client.list(kinds.NODE)
                    if is_ready(each)
                }
                for name in sorted(waiting & ready):
                    say(f"node {name} ready")
                    first.set()
                waiting -= ready
                await asyncio.sleep(INTERVAL if waiting else 0)
    except TimeoutError as error:
        late = ", ".join(sorted(waiting))
        raise TransientError(
            f"not Ready after {NODE_PATIENCE:.0f} s: {late}; "
            "see `hypershift local logs NODE` and `hypershift kubectl -- describe nodes`"
        ) from error


def is_ready(found: Manifest) -> bool:
    """Whether a node is Ready."""
    return is_true(found, NodeCondition.READY)
