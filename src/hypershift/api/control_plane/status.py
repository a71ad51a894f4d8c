"""What HostedCluster and HostedControlPlane report alike."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.autoscaling import AutoNodeStatus
from hypershift.api.configuration.authentication import ConfigurationStatus
from hypershift.api.encryption_status import SecretEncryptionStatus
from hypershift.api.meta import Endpoint, LocalObjectReference
from hypershift.api.platforms.platform import PlatformStatus
from hypershift.api.release import ControlPlaneVersionStatus
from hypershift.api.shape import Field, Shape


class ControlPlaneStatus(Shape):
    """What a HostedCluster and its HostedControlPlane report in the same words."""

    auto_node: Annotated[
        AutoNodeStatus | None, Field("Nodes that the provisioner of `spec.autoNode` has made.")
    ] = None
    configuration: Annotated[
        ConfigurationStatus | None, Field("What components report about the configuration in use.")
    ] = None
    control_plane_endpoint: Annotated[
        Endpoint | None,
        Field(
            "Address that clients and nodes reach the API server at. Set once the endpoint is"
            " known."
        ),
    ] = None
    control_plane_version: Annotated[
        ControlPlaneVersionStatus | None,
        Field(
            "Releases that the control plane on the management cluster went through, newest first."
        ),
    ] = None
    kubeadmin_password: Annotated[
        LocalObjectReference | None,
        Field(
            "Secret with the password of the initial administrator. Absent once an identity"
            " provider is configured."
        ),
    ] = None
    platform: Annotated[
        PlatformStatus | None, Field("What platform integrations made for this cluster.")
    ] = None
    secret_encryption: Annotated[
        SecretEncryptionStatus | None,
        Field("Which key encrypts stored objects and how far a change of key has come."),
    ] = None
