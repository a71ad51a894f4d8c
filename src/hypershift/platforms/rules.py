"""What is asked of a cloud about a HostedCluster, whether or not this build can host it there.

Each field is one question, and its default is the answer of a cloud that is not special. Questions
that depend on the object take its `spec.platform`, here called the section, or the HostedCluster.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from hypershift.api import HostedCluster
from hypershift.api.conditions import ControlPlaneCondition
from hypershift.api.encryption import KMS
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.platforms.platform import Platform as PlatformSection

Tags = tuple[tuple[str, str], ...]


def _no_tags(section: PlatformSection) -> Tags:
    del section
    return ()


def _no_problems(cluster: HostedCluster) -> Iterator[str]:
    del cluster
    yield from ()


def _nothing_more(cluster: HostedCluster) -> Mapping[str, str]:
    del cluster
    return {}


@dataclass(frozen=True, slots=True)
class Section:
    """The part of `spec.platform` that a cluster on the cloud must have."""

    field: str
    called: str  # what messages call a cluster on the cloud

    def is_in(self, section: PlatformSection) -> bool:
        """True if `spec.platform` has this part."""
        return getattr(section, self.field) is not None


@dataclass(frozen=True, slots=True)
class NeededNamespace:
    """A namespace that must exist before a cluster is made."""

    called: str
    name: Callable[[PlatformSection], str]


@dataclass(frozen=True, slots=True)
class ClusterRules:
    """How a cloud changes the validation, the conditions and the isolation of a cluster."""

    #: The section that must be there.
    section: Section | None = None
    #: What else is wrong with a cluster whose section is there.
    problems: Callable[[HostedCluster], Iterator[str]] = _no_problems
    #: The namespace that must be there.
    namespace: NeededNamespace | None = None
    #: Whether ranges and addresses of the cluster's networks are validated.
    validates_networks: bool = True
    #: The join subnets of OVN where the user names none, by address family.
    join_subnets: Mapping[str, str] = field(default_factory=dict)
    #: Whether certificates for a private API server may name hosts that we know.
    compares_private_names: bool = True

    #: Conditions of the control plane that the cluster repeats, Unknown until they are stated.
    always_copied: tuple[ControlPlaneCondition, ...] = ()
    #: Conditions of the control plane that the cluster repeats while it is deleted.
    copied_in_deletion: tuple[ControlPlaneCondition, ...] = ()
    #: Whether a hosted cluster makes load balancers and volumes in a cloud.
    uses_cloud_resources: bool = True
    #: The condition without which no controller can delete anything in the cloud.
    cleanup_needs: ControlPlaneCondition | None = None
    #: Whether the cluster repeats what its pools say of live migration.
    reports_live_migration: bool = False
    #: How the cloud's conditions of a HostedCluster are when all is well.
    expected: Callable[[HostedCluster], Mapping[str, str]] = _nothing_more

    #: Whether the control plane may have a router of its own for a private network.
    private_router: bool = False
    #: The operator that the original's policy management-kas leaves out; empty: no such policy.
    management_kas_exempts: str = ""
    #: Whether machines are pods beside the control plane, or in a cluster that the user names.
    machines_are_pods: bool = False
    #: Whether pools may need a handler that drains nodes before the cloud takes them back.
    drains_reclaimed_nodes: bool = False
    #: The finalizer of clusters whose token issuer publishes documents about itself; empty: none.
    documents_finalizer: str = ""
    #: The tags that the user puts on everything that the cluster has on the cloud.
    resource_tags: Callable[[PlatformSection], Tags] = _no_tags


def key_service(spec: HostedClusterSpec) -> KMS | None:
    """The key service that Secrets are encrypted with; None without one."""
    return spec.secret_encryption.kms if spec.secret_encryption else None
