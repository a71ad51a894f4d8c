"""The processes of one control plane namespace: each role alone, with rights there alone."""

import socket
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from hypershift.cloud.update_service import UpdateService
from hypershift.component.infra import OPTIONAL_GROUPS
from hypershift.controlplane import catalog
from hypershift.kube import Client
from hypershift.operators import controlplane, guest_config, karpenter, machine_approver, pki
from hypershift.operators.hypershift import Settings, node_pool
from hypershift.operators.hypershift.operator_image import OperatorImages
from hypershift.process.bench import ELECTION, served_groups, served_links
from hypershift.release import Lookup
from hypershift.runtime import Controller, Leadership, Manager, run_until_signal
from hypershift.servers import ignition


@dataclass(frozen=True, slots=True)
class Place:
    """Where a role runs: its control plane namespace, and how its process takes part there."""

    namespace: str
    releases: Lookup
    kubeconfig: Path | None = None  # None: the pod's own account
    replica: str = ""  # the name of this replica; empty: the host's
    leader_election: bool = True
    health_address: str = "0.0.0.0:6060"

    def leadership(self, role: str) -> Leadership | None:
        """The lease that a replica holds before it works."""
        if not self.leader_election:
            return None
        identity = self.replica or socket.gethostname()
        return Leadership(f"{role}-leader-elect", self.namespace, identity, *ELECTION)

    @property
    def probes(self) -> tuple[str, int]:
        """Host and port of health and metrics."""
        host, _, port = self.health_address.rpartition(":")
        return host, int(port)


async def run_control_plane_operator(place: Place, settings: controlplane.Settings) -> None:
    """Run the operator of one control plane until a signal ends it."""

    async def controllers(client: Client) -> Iterable[Controller[Any]]:
        groups = await served_groups(client)
        links = await served_links(client, place.namespace)
        environment = controlplane.Environment(
            settings, place.releases, catalog, groups, links=links
        )
        return tuple(controlplane.controllers(environment))

    await _run(place, "control-plane-operator", controllers)


async def run_guest_config(place: Place, image: str = "") -> None:
    """Run the guest configuration of one control plane until a signal ends it."""
    found = guest_config.controllers(place.releases, place.namespace, image=image)
    await _run(place, "hosted-cluster-config-operator", _always(found))


async def run_machine_approver(place: Place) -> None:
    """Run the machine approver of one control plane until a signal ends it."""
    found = machine_approver.controllers(place.namespace)
    await _run(place, "machine-approver", _always(found))


async def run_pki_operator(place: Place, lifetimes: pki.Lifetimes) -> None:
    """Run the PKI operator of one control plane until a signal ends it."""
    found = pki.controllers(pki.Environment(lifetimes), place.namespace)
    await _run(place, "control-plane-pki-operator", _always(found))


@dataclass(frozen=True, slots=True)
class NodesOnDemand:
    """How Karpenter's operator is started."""

    control_plane_image: str = ""  # of the cluster's own operators, whose helpers run beside pods
    ignition_endpoint: str = ""
    registry_overrides: Mapping[str, str] = field(default_factory=dict)
    proxy: Mapping[str, str] = field(default_factory=dict)


async def run_karpenter_operator(place: Place, wanted: NodesOnDemand) -> None:
    """Run Karpenter's operator of one control plane until a signal ends it."""
    settings = Settings(image=wanted.control_plane_image)
    pools = node_pool.Environment(
        place.releases,
        operators=OperatorImages(settings),
        registry_overrides=wanted.registry_overrides,
    )
    updates = UpdateService()

    async def controllers(client: Client) -> Iterable[Controller[Any]]:
        environment = karpenter.Environment(
            releases=place.releases,
            publish=partial(node_pool.publish, pools),
            resolve=updates.resolve,
            ignition_endpoint=wanted.ignition_endpoint,
            image=wanted.control_plane_image,
            groups=frozenset(await served_groups(client) & OPTIONAL_GROUPS),
            proxy=wanted.proxy,
        )
        return karpenter.controllers(environment, place.namespace)

    await _run(place, "karpenter-operator", controllers)


async def run_ignition_server(place: Place, settings: ignition.Settings) -> None:
    """Run the ignition server of one control plane until a signal ends it."""

    def server(manager: Manager) -> AbstractAsyncContextManager[Any]:
        return ignition.running(manager.reader("ignition-server"), place.releases, settings)

    found = ignition.controllers(settings, place.releases)
    await _run(place, "ignition-server", _always(found), server)


def confined(controller: Controller[Any], namespace: str) -> Controller[Any]:
    """The controller, looking at one namespace alone: a namespaced Role is all that it has.

    Kinds without a namespace are watched as they are, as signing requests.
    """
    watches = tuple(
        replace(watch, namespace=namespace) if watch.resource.namespaced else watch
        for watch in controller.watches
    )
    return replace(controller, namespace=namespace, watches=watches)


_Controllers = Callable[[Client], Awaitable[Iterable[Controller[Any]]]]
_Server = Callable[[Manager], AbstractAsyncContextManager[Any]]


def _always(controllers: Iterable[Controller[Any]]) -> _Controllers:
    async def made(client: Client) -> Iterable[Controller[Any]]:
        del client
        return controllers

    return made


async def _run(
    place: Place,
    role: str,
    controllers: _Controllers,
    server: _Server = lambda _manager: nullcontext(),
) -> None:
    """Run one role, as its leader when there are several replicas."""
    async with Client.connect(place.kubeconfig, manager=role) as client:
        wanted = [confined(one, place.namespace) for one in await controllers(client)]
        leadership = place.leadership(role)
        manager = Manager(client, wanted, leadership=leadership, probes=place.probes)
        async with server(manager):
            await run_until_signal(manager)
