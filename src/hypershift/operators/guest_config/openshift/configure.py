"""Write what is inside an OpenShift cluster."""

from collections.abc import AsyncIterator
from datetime import timedelta

from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, false, true
from hypershift.api.values import Capability
from hypershift.kit import Manifest
from hypershift.kube import kinds
from hypershift.operators.guest_config.openshift.copy_out import copy_out
from hypershift.operators.guest_config.openshift.look import read_guest
from hypershift.operators.guest_config.openshift.rules import (
    catalog,
    kubelet,
    lifecycle,
    operators,
    version,
)
from hypershift.operators.guest_config.openshift.rules.guest import (
    CLUSTER,
    Guest,
)
from hypershift.operators.guest_config.openshift.writer import Writer
from hypershift.operators.guest_config.rules.catalog import connection
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.release import Release
from hypershift.runtime import Done, Outcome, Wait

RETRY = timedelta(seconds=10)
VERSION_NAME = "version"


async def configure(scope: GuestScope, release: Release) -> Outcome:
    """Write every object of ours; what a user changed or deleted is restored."""
    guest = await read_guest(scope, release)
    writer = Writer(scope)
    if scope.values is not None:
        for manifest in connection(scope.values):
            await writer.apply(manifest)
    for part in catalog.PARTS:
        with writer.part():
            for manifest in part(guest):
                await writer.apply(catalog.managed(manifest))
    for manifest in catalog.at_first(guest):
        await writer.create(manifest)
    async for manifest in _following(writer, guest):
        await writer.apply(manifest)
    for manifest in catalog.unwanted(guest):
        await writer.drop(manifest)
    await _kubelets(scope, writer)
    await copy_out(scope, writer, guest)
    await _versions(scope, writer, guest)
    kind = ControlPlaneCondition.CONFIG_OPERATOR_SUCCEEDED
    if writer.failures:
        text = "; ".join(writer.failures)[:1000]
        scope.conditions.set(false(kind, ControlPlaneReason.RECONCILE_ERROR, text))
        return Wait("ApplyFailed", after=RETRY)
    scope.conditions.set(true(kind))
    return Done()


async def _following(writer: Writer, guest: Guest) -> AsyncIterator[Manifest]:
    """Yield what follows what the cluster holds already."""
    live = await writer.find("Network", CLUSTER, operators.OPERATOR)
    yield catalog.managed(operators.network(guest, live))
    hub = await writer.find("OperatorHub", CLUSTER)
    for source in lifecycle.sources(guest, hub):
        yield catalog.managed(source)
    if lifecycle.LIFECYCLE in guest.images:
        for source in lifecycle.unwanted(hub):
            await writer.drop(source)
    if guest.has_capability(Capability.IMAGE_REGISTRY):
        registry = await writer.find("Config", CLUSTER, operators.REGISTRY)
        if registry and (mended := operators.registry_mended(guest, registry)):
            yield mended


async def _kubelets(scope: GuestScope, writer: Writer) -> None:
    """Let the cluster's operators read the configuration of kubelets."""
    originals = await scope.kube.list(kinds.CONFIG_MAP, scope.namespace, labels=kubelet.SELECTOR)
    for manifest in kubelet.copies(originals):
        await writer.apply(catalog.managed(manifest))
    for manifest in kubelet.unwanted(originals, await writer.copies_of_kubelets()):
        await writer.drop(manifest)


async def _versions(scope: GuestScope, writer: Writer, guest: Guest) -> None:
    live = await writer.find("ClusterVersion", VERSION_NAME)
    if live is not None:  # its Deployment makes it, with a status that the API insists on
        known = version.known_capabilities(live)
        await writer.apply(version.cluster_version(guest, known))
    for operator in version.OPERATORS:
        found = await writer.find("ClusterOperator", operator.name)
        await writer.apply(version.cluster_operator(guest, operator, found, scope.clock.now()))
