"""Private connectivity of a cloud: the objects that stand for its links, and what they report.

Service with an internal load balancer ──> object that stands for the link
operator's half:       a service of the cloud in front of the load balancer
control plane's half:  an endpoint in the cluster's network, and names that lead there
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol

from hypershift.api import HostedCluster, HostedControlPlane, NodePool
from hypershift.api.conditions import Condition, HostedClusterCondition, Reason
from hypershift.api.platforms.platform import Platform as Section
from hypershift.kit import Key, Manifest
from hypershift.kube import Resource
from hypershift.platforms.account import Tokens

#: How soon a link is looked at again: one that works, one that failed, one that is throttled and
#: one that is being removed.
WORKS, FAILED = timedelta(minutes=5), timedelta(seconds=20)
THROTTLED, REMOVING = timedelta(minutes=2), timedelta(seconds=5)


@dataclass(frozen=True)
class ServiceFacts:
    """What the operator's half may know."""

    link: Manifest
    now: datetime
    #: None while the link is removed and the cluster is gone already.
    cluster: HostedCluster | None = None
    #: The subnets of the cluster's nodes.
    subnets: tuple[str, ...] = ()
    #: The name of the management cluster in the cloud, where it is known.
    management: str = ""
    #: The uid of the cluster, also of one that is gone; empty where nobody knows it.
    owner: str = ""


@dataclass(frozen=True)
class EndpointFacts:
    """What the control plane's half may know."""

    link: Manifest
    now: datetime
    plane: HostedControlPlane
    tokens: Tokens
    #: The Secret of the control plane operator's own credentials, where there is one.
    credentials: Manifest | None = None


@dataclass(frozen=True)
class LinkKept:
    """What was found and made: conditions, changes of the status (None removes), next look."""

    conditions: tuple[Condition, ...] = ()
    status: Mapping[str, object] = field(default_factory=dict)
    #: What the names of a private control plane lead to from outside; empty: not known yet.
    target: str = ""
    after: timedelta = WORKS

    def write(self, status: dict[str, object]) -> None:
        """Apply changes to a status."""
        for name, value in self.status.items():
            if value is None:
                status.pop(name, None)
            else:
                status[name] = value

    @property
    def works(self) -> bool:
        """Whether nothing is wrong."""
        return all(each.is_true for each in self.conditions)


class ServiceSide(Protocol):
    """The half in the account of the management cluster; its errors come back as conditions."""

    async def keep(self, facts: ServiceFacts) -> LinkKept:
        """Bring the service to what the link needs."""
        ...

    async def remove(self, facts: ServiceFacts) -> str:
        """Remove it; what is waited for, empty once nothing is left."""
        ...


class EndpointSide(Protocol):
    """The half in the account of the hosted cluster; its errors come back as conditions."""

    async def keep(self, facts: EndpointFacts) -> LinkKept:
        """Bring endpoint and names to what the link needs."""
        ...

    async def remove(self, facts: EndpointFacts) -> str:
        """Remove them; what is waited for, empty once nothing is left."""
        ...


@dataclass(frozen=True, slots=True)
class Halves:
    """The two halves of a link, and the finalizers by which each keeps it while it removes."""

    service: Callable[[], ServiceSide]
    endpoint: Callable[[], EndpointSide]
    service_finalizer: str
    endpoint_finalizer: str
    #: The spec of the link before a Service; None while its load balancer has no name.
    spec: Callable[[Manifest, Section], Manifest | None]
    #: Whether a link says that spec, and nothing else but where the endpoint has to be.
    says: Callable[[Manifest, Manifest], bool]
    #: The subnet of a pool's machines; empty without one.
    subnet: Callable[[NodePool], str]
    #: The field of the spec with the subnets of all nodes, and what is in it.
    subnets: str
    subnets_of: Callable[[Manifest], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Links:
    """The kind of object that stands for a cloud's private links, and what it reports."""

    resource: Resource
    called: str  # in the message that they cannot be listed
    conditions: tuple[HostedClusterCondition, ...]
    error: Reason
    success: Reason
    optional: bool = False  # nothing is reported where there are none
    #: What makes links; None where this build makes none on the cloud.
    halves: Halves | None = None


def halves_of(links: Links) -> Halves:
    """What makes the links of a cloud that this build makes links on."""
    if links.halves is None:
        raise LookupError(f"this build makes no {links.called}")
    return links.halves


@dataclass
class Looked:
    """When each link was well, and what it was made of then: it rests until either changes."""

    _known: dict[Key, tuple[datetime, object, object]] = field(default_factory=dict)

    def rests(self, key: Key, now: datetime, made_of: object, status: Manifest) -> timedelta | None:
        """How long a link that works may be left alone; None if it has to be looked at."""
        since, before, told = self._known.get(key, (now, None, None))
        same = before is not None and (before, told) == (made_of, _reported(status))
        left = since + WORKS - now
        return left if same and left > timedelta(0) else None

    def note(
        self, key: Key, now: datetime, made_of: object, status: Manifest, *, works: bool
    ) -> None:
        """Remember how a look went."""
        if works:
            self._known[key] = (now, made_of, _reported(status))
        else:
            self.forget(key)

    def forget(self, key: Key) -> None:
        """Look at it next time."""
        self._known.pop(key, None)


def _reported(status: Manifest) -> Manifest:
    return {name: value for name, value in status.items() if name != "conditions"}
