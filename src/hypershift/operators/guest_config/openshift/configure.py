"""Write what is inside an OpenShift cluster."""

from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from datetime import timedelta

from hypershift.api import labels
from hypershift.api.conditions import ControlPlaneCondition, ControlPlaneReason, false, true
from hypershift.api.values import Capability
from hypershift.kit import InvalidSpec, Manifest, labels_of
from hypershift.kube import ApiError, NotFound, Unavailable
from hypershift.operators.guest_config.openshift.look import read_guest
from hypershift.operators.guest_config.openshift.rules import (
    catalog,
    lifecycle,
    operators,
    version,
)
from hypershift.operators.guest_config.openshift.rules.guest import CLUSTER, VERSION, Guest
from hypershift.operators.guest_config.rules.catalog import connection
from hypershift.operators.guest_config.scope import GuestScope
from hypershift.release import Release
from hypershift.runtime import Done, Outcome, Wait

RETRY = timedelta(seconds=10)
VERSION_NAME = "version"


class Writer:
    """Writes objects one by one and remembers what failed: one object never stops the others."""

    def __init__(self, scope: GuestScope) -> None:
        self.scope = scope
        self.failures: list[str] = []
        self.broken = False

    async def apply(self, manifest: Manifest) -> None:
        """Bring one object, and its status where it is ours too, to what it should be."""
        if self.broken:
            return
        inside = self.scope.inside
        try:
            if state := manifest.get("status"):
                bare = {name: value for name, value in manifest.items() if name != "status"}
                await inside.apply(bare)
                named = {"name": manifest["metadata"]["name"]}
                only = {key: manifest[key] for key in ("apiVersion", "kind")}
                await inside.apply(
                    {**only, "metadata": named, "status": state}, subresource="status"
                )
            else:
                await inside.apply(manifest)
        except ApiError as error:
            self._remember(manifest, error)

    async def create(self, manifest: Manifest) -> None:
        """Make an object that is not there; one that is there is somebody's own."""
        if self.broken:
            return
        try:
            if await self._find(manifest) is None:
                await self.scope.inside.create(manifest)
        except ApiError as error:
            self._remember(manifest, error)

    async def drop(self, manifest: Manifest) -> None:
        """Delete an object that carries our mark; one of the same name without it is not ours."""
        if self.broken:
            return
        inside, metadata = self.scope.inside, manifest["metadata"]
        try:
            found = await self._find(manifest)
            if found is not None and labels_of(found).get(labels.MANAGED) == "true":
                resource = await inside.resource_of(manifest)
                namespace, uid = metadata.get("namespace", ""), found["metadata"].get("uid", "")
                await inside.delete(resource, metadata["name"], namespace, uid=uid)
        except NotFound:
            return
        except ApiError as error:
            self._remember(manifest, error)

    async def find(self, kind: str, name: str, api_version: str = VERSION) -> Manifest | None:
        """An object of configuration; None too while its kind is not served."""
        wanted = {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}}
        try:
            return await self._find(wanted)
        except ApiError as error:
            self._remember(wanted, error)
            return None

    @contextmanager
    def part(self) -> Iterator[None]:
        """A part of the catalogue: what it says of a bad cluster is reported with the rest."""
        try:
            yield
        except InvalidSpec as error:
            self.failures.append(str(error))

    async def _find(self, manifest: Manifest) -> Manifest | None:
        inside, metadata = self.scope.inside, manifest["metadata"]
        resource = await inside.resource_of(manifest)
        try:
            return await inside.get(resource, metadata["name"], metadata.get("namespace", ""))
        except NotFound:
            return None

    def _remember(self, manifest: Manifest, error: ApiError) -> None:
        self.failures.append(f"{manifest['kind']} {manifest['metadata']['name']}: {error}")
        # A server that does not answer would cost every further object as long.
        self.broken = isinstance(error, Unavailable)


async def configure(scope: GuestScope, release: Release) -> Outcome:
    """Write every object of ours; what somebody changed or deleted comes back."""
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


async def _versions(scope: GuestScope, writer: Writer, guest: Guest) -> None:
    live = await writer.find("ClusterVersion", VERSION_NAME)
    if live is not None:  # its Deployment makes it, with a status that the API insists on
        known = version.known_capabilities(live)
        await writer.apply(version.cluster_version(guest, known))
    for operator in version.OPERATORS:
        found = await writer.find("ClusterOperator", operator.name)
        await writer.apply(version.cluster_operator(guest, operator, found, scope.clock.now()))
