"""How a half of a private link reports that it failed."""

from hypershift.api.conditions import HostedClusterCondition, Reason, false
from hypershift.kit import HypershiftError
from hypershift.platforms.aws.private_link.session import brief, is_throttle
from hypershift.platforms.links import FAILED, THROTTLED, LinkKept


def failed(kind: HostedClusterCondition, error: HypershiftError, **status: object) -> LinkKept:
    """The condition of a failure, and changes of the status."""
    after = THROTTLED if is_throttle(error) else FAILED
    return LinkKept((false(kind, Reason.AWS_ERROR, brief(error)),), status, after=after)
