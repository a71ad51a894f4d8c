"""HostedControlPlane: one control plane, as the operator in its namespace sees it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.control_plane.spec import ControlPlaneSpec
from hypershift.api.control_plane.status import ControlPlaneStatus
from hypershift.api.etcd import Etcd
from hypershift.api.kind import Kind, Profile, Resource, served
from hypershift.api.meta import Condition, LocalObjectReference, SecretKeyReference
from hypershift.api.networking import DNS, ClusterNetworking
from hypershift.api.release import VersionStatus
from hypershift.api.rules import ENOUGH_SERVICES, ENOUGH_SERVICES_LOCAL, MULTI_NETWORK
from hypershift.api.services import ServiceMapping
from hypershift.api.shape import Field, Rule, Time, constrained, members
from hypershift.api.values import OLMCatalogPlacement


@constrained(
    ENOUGH_SERVICES,
    ENOUGH_SERVICES_LOCAL,
    MULTI_NETWORK,
    Rule(
        "!has(oldSelf.secretEncryption) || has(self.secretEncryption)",
        "secretEncryption cannot be removed once configured",
    ),
)
class HostedControlPlaneSpec(ControlPlaneSpec):
    """The part of a hosted cluster that its control plane operator acts on."""

    dns: Annotated[
        DNS,
        Field(
            "Domain under which the cluster's names live and the zones that hold them. Each"
            " part can be set once."
        ),
    ]
    etcd: Annotated[
        Etcd,
        Field(
            "Where the cluster's state is kept: in an etcd we run, or one you run. Default:"
            " managed, on an 8Gi persistent volume. The choice is immutable."
        ),
    ]
    infra_id: Annotated[
        str,
        Field(
            (
                "Name under which infrastructure of this cluster is tagged and found; the"
                " HostedCluster's."
            ),
            max_length=255,
        ),
    ]
    issuer_url: Annotated[
        str,
        Field(
            "OIDC issuer of the cluster's service account tokens, an absolute URL.", max_length=255
        ),
    ]
    pull_secret: Annotated[
        LocalObjectReference,
        Field("Secret in this namespace with registry credentials under `.dockerconfigjson`."),
    ]
    release_image: Annotated[
        str,
        Field("Release image the cluster should run. A change starts an upgrade.", max_length=255),
    ]
    services: Annotated[
        tuple[ServiceMapping, ...],
        Field(
            (
                "How each endpoint that must be reached from outside the management cluster is"
                " exposed, one entry per service."
            ),
            max_items=6,
        ),
    ]
    ssh_key: Annotated[
        LocalObjectReference,
        Field(
            "Secret in this namespace with the public key that is authorised on the nodes; an"
            " empty name gives no SSH access."
        ),
    ]
    channel: Annotated[
        str | None,
        Field(
            (
                "Update channel whose recommendations the cluster version operator shows, for"
                " example `stable-4.19`. Unset means no recommendations; the running release does"
                " not change."
            ),
            max_length=255,
        ),
    ] = None
    cluster_id: Annotated[
        str | None,
        Field(
            (
                "Identity of the cluster in telemetry and in cloud tags, a UUID; the"
                " HostedCluster's."
            ),
            max_length=255,
        ),
    ] = None
    control_plane_release_image: Annotated[
        str | None,
        Field(
            (
                "Release for the components that run on the management cluster, when it differs"
                " from `releaseImage`. A change rolls the control plane."
            ),
            max_length=255,
        ),
    ] = None
    fips: Annotated[
        bool | None,
        Field(
            "Whether nodes run with FIPS-validated cryptography and FIPS checks are on in the"
            " control plane. Default false; immutable."
        ),
    ] = None
    kubeconfig: Annotated[
        SecretKeyReference | None,
        Field(
            "Name and key of the Secret that the administrator's kubeconfig is written to."
            " Default: secret `admin-kubeconfig`, key `kubeconfig`."
        ),
    ] = None
    networking: Annotated[
        ClusterNetworking | None,
        Field(
            "Address ranges and network provider of the cluster. Default: OVNKubernetes, pods"
            " in 10.132.0.0/14, services in 172.31.0.0/16. Ranges are immutable."
        ),
    ] = None
    node_selector: Annotated[
        Mapping[str, str] | None,
        Field(
            "Labels that management cluster nodes must have to run this control plane's pods,"
            " at most 20. A change moves the pods."
        ),
    ] = None
    olm_catalog_placement: Annotated[
        str,
        Field(
            (
                "Where the default operator catalogs run: `management` beside the control plane,"
                " or `guest` on the cluster's own nodes. Default management; immutable."
            ),
            enum=members(OLMCatalogPlacement),
        ),
    ] = "management"
    paused_until: Annotated[
        str | None,
        Field(
            (
                "Stops reconciliation of this cluster: an RFC 3339 date until which it is paused,"
                " or `true` for as long as it is set. `false` and unset mean not paused. Running"
                " workloads go on."
            ),
            max_length=255,
        ),
    ] = None
    update_service: Annotated[
        str | None,
        Field(
            "Address of the update service that the cluster version operator asks for"
            " recommendations, an absolute URL. Default: the product's public one."
        ),
    ] = None


class HostedControlPlaneStatus(ControlPlaneStatus):
    """What the control plane operator reports."""

    conditions: Annotated[
        tuple[Condition, ...],
        Field(
            "The control plane's health and progress, one entry per type.",
            max_items=100,
            list_type="map",
            list_keys=("type",),
        ),
    ] = ()
    custom_kubeconfig: Annotated[
        SecretKeyReference | None,
        Field("Secret and key with a kubeconfig for `spec.kubeAPIServerDNSName`."),
    ] = None
    external_managed_control_plane: Annotated[
        bool, Field("Tells Cluster API that no machines make up this control plane. Always true.")
    ] = True
    initialized: Annotated[
        bool,
        Field(
            (
                "Whether the API server has answered once; Cluster API waits for it before it"
                " makes machines."
            ),
            required=True,
        ),
    ] = False
    kube_config: Annotated[
        SecretKeyReference | None,
        Field("Secret and key with a kubeconfig of a cluster administrator."),
    ] = None
    last_release_image_transition_time: Annotated[
        Time | None, Field("When `releaseImage` of this status last changed.")
    ] = None
    node_count: Annotated[int | None, Field("How many nodes the cluster has.")] = None
    oauth_callback_url_template: Annotated[
        str | None,
        Field(
            (
                "Redirect URL to register at identity providers, with `[identity-provider-name]`"
                " to be replaced by the provider's name."
            ),
            max_length=255,
        ),
    ] = None
    ready: Annotated[
        bool,
        Field(
            "Whether the API server can be used; follows the condition `Available`.", required=True
        ),
    ] = False
    release_image: Annotated[
        str | None,
        Field(
            "Release image that was rolled out last. Superseded by `versionStatus`.", max_length=255
        ),
    ] = None
    version: Annotated[
        str | None,
        Field("Semantic version of `releaseImage`. Superseded by `versionStatus`.", max_length=255),
    ] = None
    version_status: Annotated[
        VersionStatus | None,
        Field("Releases that the cluster as a whole went through, and the updates on offer."),
    ] = None


@served(
    Kind(
        group="hypershift.openshift.io",
        version="v1beta1",
        plural="hostedcontrolplanes",
        short_names=("hcp", "hcps"),
        categories=("cluster-api",),
        gated=True,
        profiles=(Profile.HYPERSHIFT,),
        contract=(("v1beta1", "v1beta1"),),
    )
)
class HostedControlPlane(Resource):
    """One control plane as its own operator sees it, in the control plane namespace.

    Made and kept in step by the hypershift operator from a HostedCluster; not for users to
    edit. Cluster API refers to it as the control plane of the cluster.
    """

    spec: Annotated[
        HostedControlPlaneSpec,
        Field("What the control plane should be, copied from the HostedCluster.", optional=True),
    ]
    status: Annotated[
        HostedControlPlaneStatus | None,
        Field("What the control plane is; the HostedCluster repeats most of it."),
    ] = None
