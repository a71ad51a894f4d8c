"""Who the two halves of a private link are on AWS."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from hypershift.api import HostedControlPlane
from hypershift.cloud.aws import AwsUnavailable, Query, Zones, assume, endpoint
from hypershift.cloud.stores import Keys, StoreFailed, lend
from hypershift.cloud.stores.keys import keys_of_profile
from hypershift.kit import HypershiftError, Secret, TransientError

Call = Callable[..., dict[str, Any]]
#: AWS lends keys for an hour.
LENT = timedelta(minutes=50)
OPERATOR, PLANE = "hypershift-operator", "control-plane-operator"


class NoCredentials(TransientError):
    """The operator was installed without keys for private links."""


@dataclass(frozen=True, slots=True)
class Session:
    """Calls of EC2 and of Route 53, which may be made by different roles."""

    aws: Call
    zones: Zones


@dataclass(slots=True)
class Remembered:
    """A session that is renewed before its keys expire, and after a failure."""

    _session: Session | None = field(default=None, repr=False)
    _who: str = ""
    _since: datetime | None = None

    def current(self, now: datetime, who: str) -> Session | None:
        """The session of a caller, unless it has to be renewed."""
        fresh = self._since is not None and now - self._since < LENT
        return self._session if fresh and who == self._who else None

    def get(self, now: datetime, who: str, make: Callable[[], Session]) -> Session:
        """The session of a caller, created where there is none."""
        found = self.current(now, who)
        if found is None:
            found = self._session = make()
            self._who, self._since = who, now
        return found

    def forget(self) -> None:
        """Log in again next time."""
        self._session = None


def of_operator(environment: Mapping[str, str] = os.environ) -> Session:
    """The session of the HyperShift operator: keys and region are those of its own pod."""
    file, region = environment.get("AWS_SHARED_CREDENTIALS_FILE"), environment.get("AWS_REGION")
    if not file or not region:
        raise NoCredentials(
            "this operator has no credentials for private links: install it with "
            "--private-platform=AWS"
        )
    try:
        keys = keys_of_profile(Path(file), region, OPERATOR, endpoint("sts", region))
    except OSError as error:
        text = f"the operator's AWS credentials cannot be read: {error.strerror}"
        raise TransientError(text) from None
    return Session(Query(region, keys), Zones(region, keys))


def of_cluster(role: str, token: Secret[str], plane: HostedControlPlane) -> Session:
    """The session of a control plane; in a shared VPC by roles of the account that owns it."""
    section = plane.spec.platform.aws
    if section is None:
        raise TransientError("the control plane has no spec.platform.aws")
    region, shared = section.region, section.shared_vpc
    keys: Keys = lend(role, token, region, PLANE, endpoint("sts", region))
    own = Query(region, keys)
    if shared is None:
        return Session(own, Zones(region, keys))
    network = assume(own, shared.roles_ref.control_plane_arn, PLANE)
    names = assume(own, shared.roles_ref.ingress_arn, PLANE)
    return Session(Query(region, network), Zones(region, names))


def brief(error: HypershiftError) -> str:
    """What went wrong, without what is another text with each request."""
    if isinstance(error, StoreFailed):
        return f"AWS refuses tokens of the cluster: {error.code or error.status or 'no answer'}"
    return str(error)


def is_throttle(error: HypershiftError) -> bool:
    """Whether AWS asks for fewer calls."""
    return isinstance(error, AwsUnavailable) and error.throttled
