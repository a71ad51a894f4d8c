"""One cloud as one value: the operators ask it questions and never compare its name.

`platforms/<cloud>/__init__.py` declares the `PLATFORM` of a cloud; `registry.py` knows them all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from hypershift.api.platforms.traits import PlatformTraits, traits_of
from hypershift.platforms.account import AccountSide
from hypershift.platforms.cluster import ClusterSide
from hypershift.platforms.guest import GuestSide
from hypershift.platforms.links import Links
from hypershift.platforms.load_balancers import LoadBalancers
from hypershift.platforms.pools import Pools
from hypershift.platforms.rules import ClusterRules


@dataclass(frozen=True, slots=True)
class Platform:
    """Everything that operators ask of a cloud."""

    #: The cloud's name in `spec.platform.type`.
    type: str
    #: What the operator makes for control planes; None where this build hosts none on the cloud.
    cluster: ClusterSide | None = None
    #: How the cloud changes the rules for a HostedCluster, hosted or not.
    rules: ClusterRules = field(default_factory=ClusterRules)
    #: What node pools ask: templates of machines, and how the cloud behaves.
    pools: Pools = field(default_factory=Pools)
    #: Private connectivity, where there is any.
    links: Links | None = None
    #: What the Services of a control plane need for the cloud's load balancers.
    load_balancers: LoadBalancers = field(default_factory=LoadBalancers)
    #: What clusters hold inside for the cloud.
    guest: GuestSide = field(default_factory=GuestSide)
    #: Makes what looks after a control plane's part of the cloud's account.
    account: Callable[[], AccountSide] | None = None

    @property
    def traits(self) -> PlatformTraits:
        """What the packages below ask of the cloud."""
        return traits_of(self.type)
