"""What the operator makes for a control plane on a cloud: the cluster side of a `Platform`."""

from dataclasses import dataclass
from typing import Protocol

from hypershift.kit import Key, Manifest


@dataclass(frozen=True)
class ClusterFacts:
    """What a platform may know of the cluster that it is asked about."""

    hosted_cluster: Manifest
    namespace: str  # the control plane namespace
    endpoint: tuple[str, int] | None = None  # where the hosted API server is published

    @property
    def name(self) -> str:
        """The hosted cluster's name, which is also its control plane's."""
        name: str = self.hosted_cluster["metadata"]["name"]
        return name


class ClusterSide(Protocol):
    """One cloud's answers about a control plane: pure, and applied by the operators."""

    def control_plane_platform(self, facts: ClusterFacts) -> Manifest:
        """`spec.platform` of the HostedControlPlane."""
        ...

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        """The infrastructure CR that the CAPI Cluster refers to; None while or where none is."""
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


class SimpleCluster:
    """The answers of a cloud that has nothing special to say."""

    def control_plane_platform(self, facts: ClusterFacts) -> Manifest:
        platform: Manifest = facts.hosted_cluster["spec"]["platform"]
        return platform

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        del facts
        return None

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        del facts
        return ()

    def encryption_secrets(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        del facts
        return ()

    def leftovers(self, facts: ClusterFacts) -> tuple[tuple[str, str, Key], ...]:
        del facts
        return ()
