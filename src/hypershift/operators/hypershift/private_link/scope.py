"""What one pass over a private link knows on the operator's side."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from hypershift.api import HostedCluster, read
from hypershift.kit import Manifest
from hypershift.operators.hypershift.reach import Reach
from hypershift.platforms import Links
from hypershift.platforms.links import Halves, Looked, ServiceSide, halves_of
from hypershift.runtime import Scope

#: The ConfigMap in which Karpenter's operator lists the subnets of its nodes, as JSON.
KARPENTER_SUBNETS = "karpenter-subnets"


@dataclass(frozen=True)
class Environment:
    """What the controllers were given when the operator started."""

    #: The links that this management cluster knows and that are made.
    clouds: tuple[Links, ...] = ()
    #: The halves by their kinds, in place of those of the platforms.
    sides: Mapping[str, ServiceSide] = field(default_factory=dict)
    looked: Looked = field(default_factory=Looked)

    def side_of(self, links: Links) -> ServiceSide:
        """The half of a cloud."""
        return self.sides.get(links.resource.kind) or halves_of(links).service()


@dataclass(slots=True)
class LinkScope(Scope):
    """One pass; `look` fills reach, cluster, subnets and owner."""

    environment: Environment
    links: Links
    side: ServiceSide
    reach: Reach | None = None
    cluster_object: Manifest = field(default_factory=dict)
    subnets: tuple[str, ...] = ()
    #: The uid of the cluster, by the mark of the namespace.
    owner: str = ""

    @property
    def halves(self) -> Halves:
        """What makes the link."""
        return halves_of(self.links)

    @property
    def namespace(self) -> str:
        """The control plane namespace."""
        return self.key.namespace

    @property
    def cluster(self) -> HostedCluster:
        """The HostedCluster of the link."""
        return read(HostedCluster, self.cluster_object)
