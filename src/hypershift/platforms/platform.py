"""What an operator asks of a cloud for a control plane; each platform answers in its own folder.

What a pool's machines are made of is the other half: `machines.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from hypershift.kit import Key, Manifest


@dataclass(frozen=True)
class ClusterFacts:
    """What a platform may know of the cluster that it is asked about."""

    hosted_cluster: Manifest
    namespace: str  # the control plane namespace
    endpoint: tuple[str, int] | None = None  # where the hosted API server is published
    ignition_endpoint: str = ""
    images: Mapping[str, str] = field(default_factory=dict)  # payload images by tag
    secrets: Mapping[str, Manifest] = field(default_factory=dict)  # of the user's namespace

    @property
    def name(self) -> str:
        """The hosted cluster's name, which is also its control plane's."""
        name: str = self.hosted_cluster["metadata"]["name"]
        return name

    @property
    def infra_id(self) -> str:
        """The id that ties everything made for the cluster together."""
        infra_id: str = self.hosted_cluster["spec"].get("infraID", "")
        return infra_id


@dataclass(frozen=True)
class ProviderRule:
    """One RBAC rule that the platform's Cluster API provider needs in the control plane."""

    groups: tuple[str, ...]
    resources: tuple[str, ...]
    verbs: tuple[str, ...]

    def manifest(self) -> Manifest:
        """The rule as a Role spells it."""
        return {
            "apiGroups": list(self.groups),
            "resources": list(self.resources),
            "verbs": list(self.verbs),
        }


class Platform(Protocol):
    """One cloud: pure answers, which the operators apply."""

    @property
    def type(self) -> str:
        """The platform's name in `spec.platform.type`."""
        ...

    @property
    def user_secrets(self) -> tuple[str, ...]:
        """Spec paths (dotted) under the platform that name Secrets of the user's namespace."""
        ...

    def control_plane_platform(self, facts: ClusterFacts) -> Manifest:
        """`spec.platform` of the HostedControlPlane."""
        ...

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        """The infrastructure CR that the CAPI Cluster refers to; None while or where none is."""
        ...

    def capi_provider(self, facts: ClusterFacts) -> Manifest | None:
        """The pod spec of the cloud's Cluster API provider; None where it runs elsewhere."""
        ...

    def policy_rules(self) -> tuple[ProviderRule, ...]:
        """What the provider may do in the control plane namespace, beyond what all may."""
        ...

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        """Secrets that components and provider need in the control plane namespace."""
        ...

    def encryption_secrets(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        """Secrets that a cloud's KMS needs in the control plane namespace."""
        ...

    def leftovers(self, facts: ClusterFacts) -> tuple[tuple[str, str, Key], ...]:
        """(apiVersion, kind, key) of what was made outside the control plane namespace."""
        ...
