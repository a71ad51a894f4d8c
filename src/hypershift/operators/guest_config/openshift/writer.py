"""Write objects inside an OpenShift cluster one by one, and remember what failed."""

from collections.abc import Iterator
from contextlib import contextmanager

from hypershift.api import labels
from hypershift.kit import InvalidSpec, Manifest, labels_of
from hypershift.kube import ApiError, NotFound, Unavailable, kinds
from hypershift.operators.guest_config.openshift.rules import kubelet
from hypershift.operators.guest_config.openshift.rules.guest import CONFIG_MANAGED, VERSION
from hypershift.operators.guest_config.scope import GuestScope


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
        """Create an object that does not exist; one that exists belongs to its user."""
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

    async def copies_of_kubelets(self) -> list[Manifest]:
        """The copies that the cluster has; none while it does not answer."""
        place = {"name": kubelet.SELECTOR, "namespace": CONFIG_MANAGED}
        if self.broken:
            return []
        try:
            return await self.scope.inside.list(
                kinds.CONFIG_MAP, CONFIG_MANAGED, labels=kubelet.SELECTOR
            )
        except ApiError as error:
            self._remember({"kind": "ConfigMap", "metadata": place}, error)
            return []

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
