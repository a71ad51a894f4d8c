"""What makes an object go with its control plane."""

from hypershift.api import HostedControlPlane
from hypershift.kit import Manifest


def owner_reference(plane: HostedControlPlane) -> Manifest:
    """The reference that the garbage collector follows."""
    return {
        "apiVersion": plane.api_version,
        "kind": plane.kind,
        "name": plane.metadata.name,
        "uid": plane.metadata.uid,
        "controller": True,
        "blockOwnerDeletion": True,
    }
