"""What clusters on IBM Cloud hold inside for it."""

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.platforms.guest import GuestSide, Section, balanced

UPI = "UPI"


def publishing(spec: HostedControlPlaneSpec, scope: str) -> Section:
    """Ports of nodes where the user brings the infrastructure."""
    found = spec.platform.ibmcloud
    if found is not None and found.provider_type == UPI:
        return {"type": "NodePortService", "nodePort": {"protocol": "TCP"}}
    return balanced(spec, scope)


GUEST = GuestSide(
    publishing=publishing,
    own_ingress_certificate=False,
    ingress_tolerations=({"key": "dedicated", "value": "edge"},),
)
