"""Where a control plane is published, and what the management cluster offers it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from hypershift.api import annotations
from hypershift.kit import Manifest, annotations_of

#: API groups that a management cluster may lack; all others are Kubernetes' own or ours.
OPTIONAL_GROUPS = frozenset(
    {
        "image.openshift.io",
        "monitoring.coreos.com",
        "route.openshift.io",
        "secrets-store.csi.x-k8s.io",
        "security.openshift.io",
    }
)


@dataclass(frozen=True, slots=True)
class Infra:
    """The addresses that the infrastructure of a control plane got; empty while it has none."""

    api_host: str = ""
    api_port: int = 0
    konnectivity_host: str = ""
    konnectivity_port: int = 0
    oauth_enabled: bool = False
    oauth_host: str = ""
    oauth_port: int = 0
    #: Cluster addresses of the aggregated API servers in the control plane namespace.
    oauth_apiserver_address: str = ""
    openshift_apiserver_address: str = ""
    packageserver_address: str = ""
    external_router_host: str = ""
    internal_router_host: str = ""


@dataclass(frozen=True, slots=True)
class Management:
    """The management cluster's side: what it offers and how the operator is set."""

    #: The optional API groups that it serves.
    groups: frozenset[str] = OPTIONAL_GROUPS
    #: The user that pods run as where no SCC chooses one; None leaves it to the SCC.
    uid: int | None = None
    #: Whether such pods must pass Pod Security `restricted` as well.
    restricted: bool = True
    #: Whether init containers may stay: Kubernetes 1.29 and newer.
    native_sidecars: bool = True
    metrics_set: str = ""
    managed_service: str = ""
    #: Whether monitoring is that of RHOBS instead of the cluster's own.
    rhobs: bool = False
    #: Whether cluster version operators read the management cluster's metrics, and where, if that
    #: is not where they usually are.
    metrics_access: bool = False
    prometheus_url: str = ""
    #: The identity by which a managed service's pods on Azure read its vault.
    vault_reader: str = ""
    #: How much longer or shorter than usual certificates live, as a Go duration; 0s leaves them.
    certificate_scale: str = "0s"
    registry_overrides: Mapping[str, str] = field(default_factory=dict)
    #: Where the management cluster's own nodes pull from: mirrors by registry.
    image_mirrors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: HTTP_PROXY, HTTPS_PROXY and NO_PROXY, where it reaches the world through a proxy of its own.
    proxy: Mapping[str, str] = field(default_factory=dict)

    def serves(self, group: str) -> bool:
        """Whether objects of an API group can be created here."""
        return group not in OPTIONAL_GROUPS or group in self.groups

    @property
    def overrides_flag(self) -> str:
        """Registry overrides as a flag spells them."""
        return ",".join(f"{old}={new}" for old, new in sorted(self.registry_overrides.items()))

    @property
    def mirrors_flag(self) -> str:
        """Mirrors as a variable spells them: one pair for each."""
        found = sorted(self.image_mirrors.items())
        return ",".join(f"{source}={mirror}" for source, some in found for mirror in some)


#: A user id as an operator writes it: never root's.
_USER: Final = re.compile(r"[1-9][0-9]{0,9}")


def pod_user(namespace: Manifest | None) -> int | None:
    """The user that pods of a control plane namespace run as; None where the cluster chooses it."""
    text = annotations_of(namespace or {}).get(annotations.DEFAULT_SECURITY_CONTEXT_UID, "")
    return int(text) if _USER.fullmatch(text) else None
