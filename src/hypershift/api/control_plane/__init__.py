"""What HostedCluster and HostedControlPlane have in common."""

from hypershift.api.control_plane.spec import ControlPlaneSpec
from hypershift.api.control_plane.status import ControlPlaneStatus

__all__ = ["ControlPlaneSpec", "ControlPlaneStatus"]
