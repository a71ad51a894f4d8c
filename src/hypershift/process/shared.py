"""Which controllers and servers the operator hosts: every role in Shared mode, else its own."""

from collections.abc import Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

from hypershift.component.infra import OPTIONAL_GROUPS
from hypershift.controlplane import catalog
from hypershift.kit import Key, annotations_of
from hypershift.kube import kinds
from hypershift.operators import controlplane, guest_config, machine_approver, pki
from hypershift.operators.hypershift import Mode, Settings, node_pool
from hypershift.operators.hypershift.operator_image import MODE, OperatorImages
from hypershift.process.bench import Role, Service, Workbench
from hypershift.runtime import Controller, Done, Manager, Outcome, Scope, Stop
from hypershift.servers import ignition


def control_planes(bench: Workbench) -> Iterable[Controller[Any]]:
    """HostedControlPlanes of every namespace, in the operator's own process."""
    given = bench.settings
    settings = controlplane.Settings(
        image=given.image,
        registry_overrides=given.registry_overrides,
        proxy=given.proxy,
        shared_ignition=Key(given.namespace, given.ignition_service),
        metrics_set=given.metrics_set,
        workers=given.workers,
    )
    groups = frozenset(bench.groups & OPTIONAL_GROUPS)
    yield from controlplane.controllers(
        controlplane.Environment(settings, bench.releases, catalog, groups, links=bench.links)
    )


def node_pools(bench: Workbench) -> Iterable[Controller[Any]]:
    """NodePools of every cluster."""
    environment = node_pool.Environment(
        bench.releases,
        operators=OperatorImages(bench.settings, bench.images),
        shared_ingress_image=bench.settings.shared_ingress_image if bench.openshift else "",
        registry_overrides=bench.settings.registry_overrides,
    )
    return node_pool.controllers(environment)


def guests(bench: Workbench) -> Iterable[Controller[Any]]:
    """What hosted clusters hold of ours."""
    return guest_config.controllers(bench.releases, image=bench.settings.image)


def approvals(bench: Workbench) -> Iterable[Controller[Any]]:
    """Certificates of machines."""
    del bench
    return machine_approver.controllers()


def signers(bench: Workbench) -> Iterable[Controller[Any]]:
    """Break-glass signers, their certificates and revocations."""
    del bench
    return pki.controllers()


def ignition_settings(settings: Settings) -> ignition.Settings:
    """The one ignition server of all clusters."""
    return ignition.Settings(
        namespace=settings.namespace,
        service=settings.ignition_service,
        port=settings.ignition_port,
        metrics_port=ignition.METRICS_PORT,
        registry_mirrors=settings.registry_mirrors,
    )


def ignition_tokens(bench: Workbench) -> Iterable[Controller[Any]]:
    """Tokens and payloads of machines."""
    return ignition.controllers(ignition_settings(bench.settings), bench.releases)


def ignition_server(bench: Workbench, manager: Manager) -> AbstractAsyncContextManager[Any]:
    """The server that machines fetch their configuration from, in every replica."""
    reader = manager.reader("ignition-server")
    return ignition.running(reader, bench.releases, ignition_settings(bench.settings))


async def leave_dedicated(scope: Scope) -> Outcome:
    """What belongs to a control plane with roles of its own is not touched from here."""
    planes = [scope.object]
    if scope.object.get("kind") != kinds.HOSTED_CONTROL_PLANE.kind:
        planes = await scope.kube.list(kinds.HOSTED_CONTROL_PLANE, scope.key.namespace)
    if any(annotations_of(plane).get(MODE) == Mode.DEDICATED for plane in planes):
        return Stop("Dedicated", "its own operators look after this control plane")
    return Done()


def shared(role: Role) -> Role:
    """The role, without the control planes that have one of their own."""

    def controllers(bench: Workbench) -> Iterable[Controller[Any]]:
        for one in role(bench):
            yield replace(
                one,
                normal=(leave_dedicated, *one.normal),
                delete=(leave_dedicated, *one.delete),
                paused=(leave_dedicated, *one.paused),
            )

    return controllers


SHARED_ROLES: tuple[Role, ...] = (
    shared(control_planes),
    node_pools,
    shared(guests),
    shared(approvals),
    shared(signers),
    shared(ignition_tokens),
)
SHARED_SERVICES: tuple[Service, ...] = (ignition_server,)
DEDICATED_ROLES: tuple[Role, ...] = (node_pools,)
