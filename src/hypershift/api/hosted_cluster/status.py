"""What the operator reports about a hosted cluster."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.control_plane.status import ControlPlaneStatus
from hypershift.api.meta import Condition, LocalObjectReference
from hypershift.api.release import VersionStatus
from hypershift.api.shape import Field, Rule


class HostedClusterStatus(ControlPlaneStatus):
    """What the operator reports about a hosted cluster."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            (
                "The cluster's health and progress, one entry per type; `Available` says whether"
                " the API serves."
            ),
            max_items=100,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    custom_kubeconfig: Annotated[
        LocalObjectReference | None,
        Field("Secret with a kubeconfig for `spec.kubeAPIServerDNSName`."),
    ] = None
    ignition_endpoint: Annotated[
        str | None,
        Field(
            "Host (and port) from which new nodes fetch their first configuration.", max_length=1024
        ),
    ] = None
    kubeconfig: Annotated[
        LocalObjectReference | None, Field("Secret with a kubeconfig of a cluster administrator.")
    ] = None
    last_successful_etcd_backup_url: Annotated[
        str | None,
        Field(
            "Address of the newest etcd snapshot that was stored, https or s3.",
            min_length=1,
            max_length=2048,
            rules=(
                Rule(
                    "self.matches('^(https|s3)://.*')",
                    "lastSuccessfulEtcdBackupURL must be a valid URL with scheme https or s3",
                ),
            ),
            gate="HCPEtcdBackup",
        ),
    ] = None
    oauth_callback_url_template: Annotated[
        str | None,
        Field(
            (
                "Redirect URL to register at identity providers, with `[identity-provider-name]`"
                " to be replaced by the provider's name."
            ),
            max_length=1024,
        ),
    ] = None
    payload_arch: Annotated[
        str | None,
        Field(
            (
                "Processor architecture of the release image: one, or `Multi` for a manifest list"
                " of several."
            ),
            enum=("Multi", "ARM64", "AMD64", "PPC64LE", "S390X"),
        ),
    ] = None
    version: Annotated[
        VersionStatus | None,
        Field("Releases that the cluster as a whole went through, and the updates on offer."),
    ] = None
