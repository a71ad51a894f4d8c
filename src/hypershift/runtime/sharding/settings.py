"""How replicas share: the names of their leases, who we are, and the times that hold."""

from dataclasses import dataclass
from typing import Any

from hypershift.runtime.leader import Leadership
from hypershift.runtime.sharding.table import LABEL


@dataclass(frozen=True, slots=True)
class Sharding:
    """Which replicas share, who we are, the times of a lease, and how long a pass may still run."""

    name: str
    namespace: str
    identity: str
    duration: float = 15.0
    renew_deadline: float = 10.0
    retry: float = 2.0
    patience: float = 20.0
    crew: str = ""
    """The lease that a replica takes which does everything alone: we hold it together, so that
    replicas of both ways never work at the same time."""

    def membership(self, life: str) -> Leadership:
        """The Lease that one process of this replica renews while it runs."""
        name = f"{self.name}-{self.identity}".lower()[:253]
        return self._lease(name, life, labels=((LABEL, self.name),), private=True)

    def common(self) -> Leadership:
        """The lease that all replicas hold under one name."""
        return self._lease(self.crew, self.name, attempts=4)

    def _lease(self, name: str, holder: str, **options: Any) -> Leadership:
        times = (self.duration, self.renew_deadline, self.retry)
        return Leadership(name, self.namespace, holder, *times, **options)
