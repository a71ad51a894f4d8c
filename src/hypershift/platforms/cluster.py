"""What the operator makes for a control plane on a cloud: the cluster side of a `Platform`.

The operator calls `reads` first, fetches what it names, and hands it over in `ClusterFacts`; every
other answer is a pure function of these facts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from hypershift.api import HostedCluster
from hypershift.kit import Key, Manifest, TransientError
from hypershift.kube import Resource
from hypershift.release import Release


@dataclass(frozen=True, slots=True)
class Refs:
    """The objects in the HostedCluster's namespace that a platform needs, by name."""

    secrets: tuple[str, ...] = ()
    config_maps: tuple[str, ...] = ()


@dataclass(frozen=True)
class ClusterFacts:
    """What a platform may know of the cluster that it is asked about."""

    cluster: HostedCluster
    namespace: str  # the control plane namespace
    endpoint: tuple[str, int] | None = None  # where the hosted API server is published
    ignition_endpoint: str = ""  # where machines fetch their configuration, once it is known
    release: Release | None = None  # of the control plane, with registry overrides
    operator_image: str = ""  # of this program, whose helpers run beside providers
    #: What `reads` named and the operator found.
    secrets: Mapping[str, Manifest] = field(default_factory=dict, repr=False)
    config_maps: Mapping[str, Manifest] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The hosted cluster's name, which is also its control plane's."""
        return self.cluster.metadata.name

    def annotation(self, name: str) -> str:
        """An annotation of the HostedCluster; empty when unset."""
        return (self.cluster.metadata.annotations or {}).get(name, "")

    def secret(self, name: str) -> Manifest:
        """A Secret that `reads` named; the pass is retried while it does not exist."""
        if found := self.secrets.get(name):
            return found
        place = self.cluster.metadata.namespace
        raise TransientError(f'failed to get secret {place}/{name}: secrets "{name}" not found')


@dataclass(frozen=True, slots=True)
class Provider:
    """The Cluster API provider that makes a cloud's machines: the Deployment `capi-provider`.

    The operator adds what all providers have alike: ServiceAccount, the rights on Cluster API's
    kinds, labels, placement and the security of the pod.
    """

    #: The spec of the pod: containers, volumes, what else the provider wants.
    pod: Manifest
    #: Rules of its Role, beside those that every provider has.
    rules: tuple[Manifest, ...] = ()


@dataclass(frozen=True, slots=True)
class Orphans:
    """Infrastructure machines that their provider can never delete, as when it lost its rights."""

    resource: Resource
    #: Whether a machine that is being deleted is given up.
    is_abandoned: Callable[[HostedCluster, Manifest, datetime], bool]
    #: The finalizer that is taken off; all of them where none is named.
    finalizer: str = ""


class ClusterSide(Protocol):
    """One cloud's answers about a control plane: pure, and applied by the operators."""

    @property
    def infra_resource(self) -> Resource | None:
        """The kind of the infrastructure CR, which the controller watches."""
        ...

    @property
    def orphans(self) -> Orphans | None:
        """Which machines are given up while the cluster is deleted."""
        ...

    def reads(self, cluster: HostedCluster) -> Refs:
        """The Secrets and ConfigMaps of the user that the other answers need."""
        ...

    def control_plane_platform(self, section: Manifest) -> Manifest:
        """`spec.platform` of the HostedControlPlane, made of the HostedCluster's."""
        ...

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        """The infrastructure CR that the CAPI Cluster refers to; None while or where none is."""
        ...

    def provider(self, facts: ClusterFacts) -> Provider | None:
        """The Cluster API provider beside the control plane; None where it runs elsewhere."""
        ...

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        """Secrets that components and provider need in the control plane namespace."""
        ...

    def encryption_secrets(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        """Secrets that a cloud's KMS needs in the control plane namespace."""
        ...

    def leftovers(self, facts: ClusterFacts) -> tuple[tuple[Resource, Key], ...]:
        """What was made outside the control plane namespace and goes with the cluster."""
        ...


class SimpleCluster:
    """The answers of a cloud that has nothing special to say."""

    infra_resource: Resource | None = None
    orphans: Orphans | None = None

    def reads(self, cluster: HostedCluster) -> Refs:
        del cluster
        return Refs()

    def control_plane_platform(self, section: Manifest) -> Manifest:
        return section

    def infra_cluster(self, facts: ClusterFacts) -> Manifest | None:
        del facts
        return None

    def provider(self, facts: ClusterFacts) -> Provider | None:
        del facts
        return None

    def credentials(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        del facts
        return ()

    def encryption_secrets(self, facts: ClusterFacts) -> tuple[Manifest, ...]:
        del facts
        return ()

    def leftovers(self, facts: ClusterFacts) -> tuple[tuple[Resource, Key], ...]:
        del facts
        return ()
