"""What administrators configure inside the cluster and components beside its API server follow."""

import json
from dataclasses import dataclass

from hypershift.api import HostedControlPlane
from hypershift.api.values import Capability
from hypershift.kit import InvalidSpec, Manifest
from hypershift.operators.guest_config.openshift.rules.guest import VERSION, Guest
from hypershift.operators.guest_config.openshift.rules.operators import REGISTRY

#: Another party's documents: a control plane namespace keeps no more than this of one.
LARGEST = 64 * 1024


@dataclass(frozen=True, slots=True)
class Source:
    """An object of configuration whose spec is copied out of the cluster."""

    kind: str
    #: The end of the copy's name.
    name: str
    api_version: str = VERSION
    #: What of its spec is copied; everything where nothing is named.
    fields: tuple[str, ...] = ()
    #: The part of the product without which its kind is not served.
    capability: Capability | None = None

    @property
    def copy(self) -> str:
        """The ConfigMap in the control plane namespace."""
        return f"observed-config-{self.name}"


SOURCES = (
    Source("Build", "build"),
    Source("Project", "project"),
    # The original edits another component's configuration instead.
    Source("Config", "registry", REGISTRY, ("managementState",), Capability.IMAGE_REGISTRY),
)


def is_served(source: Source, guest: Guest) -> bool:
    """Whether the cluster has the kind."""
    return source.capability is None or guest.has_capability(source.capability)


def copy(source: Source, live: Manifest, plane: HostedControlPlane) -> Manifest:
    """The ConfigMap with what is configured."""
    spec = live.get("spec")
    spec = spec if isinstance(spec, dict) else {}
    if source.fields:
        spec = {name: spec[name] for name in source.fields if name in spec}
    said = {"apiVersion": source.api_version, "kind": source.kind, "spec": spec}
    try:
        text = json.dumps(said, sort_keys=True)
    except RecursionError:
        raise InvalidSpec(f"the {source.kind} inside is nested too deeply") from None
    if len(text) > LARGEST:
        raise InvalidSpec(f"the {source.kind} inside has {len(text)} bytes, more than {LARGEST}")
    metadata = plane.metadata
    owner = {
        "apiVersion": plane.api_version,
        "kind": plane.kind,
        "name": metadata.name,
        "uid": metadata.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {
            "name": source.copy,
            "namespace": metadata.namespace,
            "ownerReferences": [owner],
        },
        "data": {"config": text},
    }
