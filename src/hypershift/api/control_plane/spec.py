"""What HostedCluster and HostedControlPlane ask for alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.autoscaling import AutoNode, ClusterAutoscaling
from hypershift.api.capabilities import Capabilities
from hypershift.api.configuration.cluster import ClusterConfiguration
from hypershift.api.encryption import SecretEncryption
from hypershift.api.meta import LocalObjectReference, Toleration
from hypershift.api.monitoring import Monitoring
from hypershift.api.operators.configuration import OperatorConfiguration
from hypershift.api.platforms.platform import Platform
from hypershift.api.release import ImageContentSource
from hypershift.api.shape import Field, Rule, Shape, immutable, members
from hypershift.api.values import AvailabilityPolicy


class ControlPlaneSpec(Shape):
    """What a HostedCluster and its HostedControlPlane ask for in the same words."""

    platform: Annotated[
        Platform,
        Field(
            "Infrastructure that the cluster's nodes come from and that its cloud"
            " integrations talk to. The type is immutable."
        ),
    ]
    additional_trust_bundle: Annotated[
        LocalObjectReference | None,
        Field(
            "ConfigMap (key `ca-bundle.crt`, PEM) in the same namespace with CA certificates"
            " that the control plane and the nodes trust in addition to the system's. A"
            " change restarts the components that mount it and rolls out new node"
            " configuration."
        ),
    ] = None
    audit_webhook: Annotated[
        LocalObjectReference | None,
        Field(
            "Secret in the same namespace with a kubeconfig under `webhook-kubeconfig`; the"
            " API server sends its audit events there, besides its own log. A change restarts"
            " the API server."
        ),
    ] = None
    auto_node: Annotated[
        AutoNode | None,
        Field(
            "Lets a provisioner make nodes on demand, beside the NodePools. Unset means that"
            " nodes come from NodePools alone."
        ),
    ] = None
    autoscaling: Annotated[
        ClusterAutoscaling | None,
        Field(
            "How the cluster autoscaler behaves for all NodePools that have `autoScaling`. A"
            " change restarts the autoscaler only."
        ),
    ] = None
    capabilities: Annotated[
        Capabilities | None,
        Field(
            (
                "Optional parts of the product that are forced on or left out. Immutable."
                " Default: the release's own selection."
            ),
            default={},
        ),
    ] = None
    configuration: Annotated[
        ClusterConfiguration | None,
        Field(
            "Cluster-wide settings that a standalone cluster would keep in its"
            " `config.openshift.io` objects (API server, authentication, ingress, proxy,"
            " ...). A change restarts the components concerned, and rolls nodes when machine"
            " configuration depends on it."
        ),
    ] = None
    controller_availability_policy: Annotated[
        str,
        Field(
            (
                "How many replicas the control plane components run: `HighlyAvailable` gives"
                " three of the critical ones, spread over nodes and zones; `SingleReplica` one of"
                " each. Default HighlyAvailable; immutable."
            ),
            enum=members(AvailabilityPolicy),
            rules=(immutable("ControllerAvailabilityPolicy is immutable"),),
        ),
    ] = "HighlyAvailable"
    image_content_sources: Annotated[
        tuple[ImageContentSource, ...],
        Field(
            (
                "Mirrors to pull images from instead of the repositories they name; used for the"
                " release images and by the nodes' container runtime. At most 255. A change rolls"
                " new node configuration out."
            ),
            max_items=255,
        ),
    ] = ()
    infrastructure_availability_policy: Annotated[
        str,
        Field(
            (
                "How many replicas the parts that run on the cluster's own nodes have (ingress,"
                " registry, monitoring): `HighlyAvailable` wants several nodes. Default"
                " SingleReplica."
            ),
            enum=members(AvailabilityPolicy),
        ),
    ] = "SingleReplica"
    kube_api_server_dns_name: Annotated[
        str | None,
        Field(
            (
                "Extra DNS name for the API server, with a certificate of yours in"
                " `configuration.apiServer.servingCerts`. Setting it adds a kubeconfig for that"
                " name (`status.customKubeconfig`); you publish the record."
            ),
            max_length=253,
            rules=(
                Rule(
                    (
                        'self == "" || self.matches(\'^(?:(?:[a-zA-Z0-9-]+\\\\.)+[a-zA-Z]{2,}|'
                        "[a-zA-Z0-9-]+)$')"
                    ),
                    "kubeAPIServerDNSName must be a valid URL name (e.g., api.example.com)",
                ),
            ),
        ),
    ] = None
    labels: Annotated[
        Mapping[str, str] | None,
        Field(
            (
                "Labels that are put on every control plane pod on the management cluster, at"
                " most 20. A change restarts those pods."
            ),
            max_properties=20,
        ),
    ] = None
    monitoring: Annotated[
        Monitoring | None,
        Field("Which metrics of the control plane are collected and whether they are forwarded."),
    ] = None
    operator_configuration: Annotated[
        OperatorConfiguration | None,
        Field(
            "Settings for operators that run inside the cluster, such as the ingress and the"
            " network operator."
        ),
    ] = None
    secret_encryption: Annotated[
        SecretEncryption | None,
        Field(
            "Encrypts Secrets and other sensitive objects in etcd, with a key of yours or one"
            " in a cloud KMS. May be added, not removed; a new active key re-encrypts what is"
            " stored."
        ),
    ] = None
    service_account_signing_key: Annotated[
        LocalObjectReference | None,
        Field(
            "Secret in the same namespace whose `key` is the RSA private key that signs"
            " service account tokens. Needs `issuerURL`. Generated when unset."
        ),
    ] = None
    tolerations: Annotated[
        tuple[Toleration, ...],
        Field(
            (
                "Taints that this control plane's pods tolerate on management cluster nodes, at"
                " most 25. A change restarts those pods."
            ),
            max_items=25,
        ),
    ] = ()
