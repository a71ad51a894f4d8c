"""Copy out of an OpenShift cluster what its administrators configure for the control plane."""

from contextlib import suppress

from hypershift.kube import NotFound, kinds
from hypershift.operators.guest_config.openshift.rules import observed
from hypershift.operators.guest_config.openshift.rules.guest import CLUSTER, Guest
from hypershift.operators.guest_config.openshift.writer import Writer
from hypershift.operators.guest_config.scope import GuestScope


async def copy_out(scope: GuestScope, writer: Writer, guest: Guest) -> None:
    """Keep a copy of each source; a source that is gone takes its copy along."""
    for source in observed.SOURCES:
        before = len(writer.failures)
        live = None
        if observed.is_served(source, guest):
            live = await writer.find(source.kind, CLUSTER, source.api_version)
        if writer.broken or len(writer.failures) > before:
            continue  # what cannot be read may well be there
        if live is None:
            await _drop(scope, source)
            continue
        with writer.part():
            await scope.kube.apply(observed.copy(source, live, scope.hosted))


async def _drop(scope: GuestScope, source: observed.Source) -> None:
    if await scope.kube.find(kinds.CONFIG_MAP, source.copy, scope.namespace) is not None:
        with suppress(NotFound):
            await scope.kube.delete(kinds.CONFIG_MAP, source.copy, scope.namespace)
