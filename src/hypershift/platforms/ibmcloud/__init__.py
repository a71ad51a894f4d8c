"""Platform `IBMCloud`: Cluster API makes no machines there."""

from hypershift.api.values import PlatformType
from hypershift.kit import Manifest
from hypershift.platforms.platform import Platform
from hypershift.platforms.pools import Pools


def _made_by_user(section: Manifest) -> bool:
    """Whether the user provides the machines."""
    return (section.get("ibmcloud") or {}).get("providerType") == "UPI"


PLATFORM = Platform(type=PlatformType.IBMCLOUD, pools=Pools(made_elsewhere=_made_by_user))

__all__ = ["PLATFORM"]
