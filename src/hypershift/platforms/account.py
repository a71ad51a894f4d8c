"""What the control plane operator does in a cloud's account for one control plane.

The one side of a `Platform` that acts: it calls the cloud itself, by tokens of the hosted cluster.
Its errors come back as conditions, so that a cloud that does not answer stops nothing else.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from hypershift.api import HostedControlPlane
from hypershift.api.conditions import Condition
from hypershift.kit import Manifest, Secret

#: A token of a service account of the hosted cluster: namespace, name and audience.
Tokens = Callable[[str, str, str], Awaitable[Secret[str]]]


@dataclass(frozen=True)
class AccountFacts:
    """What is known of the control plane when its cloud is looked at."""

    plane: HostedControlPlane
    now: datetime
    tokens: Tokens
    #: Whether the hosted API server answers, which mints tokens.
    serves: bool
    openshift: bool = False
    #: The Secret of the control plane operator's own credentials, where there is one.
    credentials: Manifest | None = None


@dataclass(frozen=True)
class Kept:
    """What was found and made: conditions, and `status.platform` of the control plane."""

    conditions: tuple[Condition, ...] = ()
    status: Manifest = field(default_factory=dict)


@dataclass(frozen=True)
class Cleaned:
    """How far the removal is; the control plane goes once nothing is waited for."""

    conditions: tuple[Condition, ...] = ()
    waiting: str = ""


class AccountSide(Protocol):
    """One control plane's part of a cloud's account; it remembers what it looked at, and when."""

    async def keep(self, facts: AccountFacts) -> Kept:
        """Look at the account and bring it to what the control plane needs."""
        ...

    async def clean(self, facts: AccountFacts) -> Cleaned:
        """Remove what `keep` made."""
        ...
