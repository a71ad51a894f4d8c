"""The rules of create: names, namespaces, and what a new object begins with."""

import re
import uuid

from tests.lib.sim import status
from tests.lib.sim.addresses import addressed
from tests.lib.sim.defaults import with_defaults
from tests.lib.sim.objects.rules import Rules
from tests.lib.sim.ownership import Owner, Owners, after_update
from tests.lib.sim.routes import has_generation, has_status
from tests.lib.sim.store import Record

from hypershift.kit import Key, Manifest
from hypershift.kube import Resource, kinds
from hypershift.kube.shape import duplicate

_NAME = re.compile(r"^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
SUFFIX = "bcdfghjklmnpqrstvwxz2456789"


class Creating(Rules):
    """How objects begin."""

    def create(
        self,
        resource: Resource,
        namespace: str,
        manifest: Manifest,
        owner: Owner,
        *,
        dry: bool = False,
    ) -> Record:
        """A new object."""
        body = duplicate(manifest)
        metadata = body.setdefault("metadata", {})
        self._check_kind(resource, body)
        self._place(resource, namespace, metadata)
        if metadata.get("resourceVersion"):
            raise status.bad_request("resourceVersion should not be set on objects to be created")
        if self._store.get(resource, Key(metadata.get("namespace", ""), metadata["name"])):
            raise status.already_exists(resource, metadata["name"])
        for field in ("uid", "creationTimestamp", "deletionTimestamp", "managedFields"):
            metadata.pop(field, None)
        if has_status(resource):
            body.pop("status", None)
        body = with_defaults(resource, body)
        owned = after_update({}, {}, body, owner, self.lists(resource))
        return self._begin(resource, body, owned, dry=dry)

    def _begin(self, resource: Resource, body: Manifest, owners: Owners, *, dry: bool) -> Record:
        body = with_defaults(resource, body)
        body = addressed(resource, None, body, self._store.next_revision())
        metadata = body["metadata"]
        metadata["uid"] = str(uuid.UUID(int=self._rng.getrandbits(128), version=4))
        metadata["creationTimestamp"] = self._now()
        if has_generation(resource):
            metadata["generation"] = 1
        record = self._record(resource, body, owners)
        if dry:
            return record
        if resource == kinds.CUSTOM_RESOURCE_DEFINITION:
            self._catalog.install(body)
        self._store.commit(None, record)
        return record

    def _place(self, resource: Resource, namespace: str, metadata: Manifest) -> None:
        if resource.namespaced:
            if metadata.setdefault("namespace", namespace) != namespace:
                raise status.bad_request(
                    "the namespace of the provided object does not match the namespace "
                    "sent on the request"
                )
        else:
            metadata.pop("namespace", None)
        if not metadata.get("name") and metadata.get("generateName"):
            suffix = "".join(self._rng.choice(SUFFIX) for _ in range(5))
            metadata["name"] = metadata["generateName"] + suffix
        name = metadata.get("name", "")
        if not name:
            raise status.invalid(
                resource, "", "metadata.name", "Required value: name or generateName is required"
            )
        if not _NAME.match(name) and resource.group != "rbac.authorization.k8s.io":
            raise status.invalid(resource, name, "metadata.name", f'Invalid value: "{name}"')
        if resource.namespaced:
            self._check_namespace(resource, namespace, name)

    def _check_namespace(self, resource: Resource, namespace: str, name: str) -> None:
        found = self._store.get(kinds.NAMESPACE, Key("", namespace))
        if found is None:
            raise status.not_found(kinds.NAMESPACE, namespace)
        if found.manifest["metadata"].get("deletionTimestamp"):
            why = f"unable to create new content in namespace {namespace}: it is being terminated"
            raise status.forbidden(resource, name, why)

    @staticmethod
    def _check_kind(resource: Resource, body: Manifest) -> None:
        if (body.get("apiVersion"), body.get("kind")) != (resource.api_version, resource.kind):
            raise status.bad_request(
                f"the API version in the data ({body.get('apiVersion')}) does not match "
                f"the expected API version ({resource.api_version})"
            )
