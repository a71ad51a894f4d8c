"""What a user asks of a hosted cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from hypershift.api.control_plane.spec import ControlPlaneSpec
from hypershift.api.etcd import Etcd
from hypershift.api.meta import LocalObjectReference
from hypershift.api.networking import DNS, ClusterNetworking
from hypershift.api.release import Release
from hypershift.api.rules import ENOUGH_SERVICES, ENOUGH_SERVICES_LOCAL, MULTI_NETWORK, PAUSED_UNTIL
from hypershift.api.services import ServiceMapping
from hypershift.api.shape import Field, Rule, constrained, immutable, members
from hypershift.api.values import OLMCatalogPlacement


@constrained(
    ENOUGH_SERVICES,
    ENOUGH_SERVICES_LOCAL,
    Rule(
        'self.platform.type != "IBMCloud" ? self.services == oldSelf.services : true',
        "Services is immutable. Changes might result in unpredictable and disruptive behavior.",
    ),
    Rule(
        (
            'self.platform.type != "Azure" || self.platform.?azure.'
            'azureAuthenticationConfig.azureAuthenticationConfigType.orValue("") =='
            ' "WorkloadIdentities" || self.services.exists(s, s.service =='
            ' "OAuthServer" && s.servicePublishingStrategy.type == "Route")'
        ),
        "Azure managed platform (ARO HCP) requires OAuthServer to use Route",
    ),
    Rule(
        (
            'self.platform.type != "Azure" || self.platform.?azure.'
            'azureAuthenticationConfig.azureAuthenticationConfigType.orValue("") !='
            ' "WorkloadIdentities" || self.services.exists(s, s.service =='
            ' "OAuthServer" && (s.servicePublishingStrategy.type == "Route" ||'
            ' s.servicePublishingStrategy.type == "LoadBalancer"))'
        ),
        "Self-managed Azure requires OAuthServer to use Route or LoadBalancer",
    ),
    Rule(
        (
            'self.platform.type == "Azure" ? self.services.exists(s, s.service =='
            ' "Konnectivity" && s.servicePublishingStrategy.type == "Route") : true'
        ),
        "Azure platform requires Konnectivity to use Route service publishing strategy",
    ),
    Rule(
        (
            'self.platform.type == "Azure" ? self.services.exists(s, s.service =='
            ' "Ignition" && s.servicePublishingStrategy.type == "Route") : true'
        ),
        "Azure platform requires Ignition to use Route service publishing strategy",
    ),
    Rule(
        "has(self.issuerURL) || !has(self.serviceAccountSigningKey)",
        "If serviceAccountSigningKey is set, issuerURL must be set",
    ),
    Rule(
        (
            "!self.services.exists(s, s.service == 'APIServer' &&"
            " has(s.servicePublishingStrategy.loadBalancer) &&"
            ' s.servicePublishingStrategy.loadBalancer.hostname != "" &&'
            " has(self.configuration) && has(self.configuration.apiServer) &&"
            " has(self.configuration.apiServer.servingCerts) && has(self."
            "configuration.apiServer.servingCerts.namedCertificates) && self."
            "configuration.apiServer.servingCerts.namedCertificates.exists(cert,"
            " has(cert.names) && cert.names.exists(n, n =="
            " s.servicePublishingStrategy.loadBalancer.hostname)))"
        ),
        (
            "APIServer loadBalancer hostname cannot be in ClusterConfiguration."
            "apiserver.servingCerts.namedCertificates[]"
        ),
    ),
    MULTI_NETWORK,
    Rule(
        (
            "self.networking.networkType == 'OVNKubernetes' ||"
            " !has(self.operatorConfiguration) ||"
            " !has(self.operatorConfiguration.clusterNetworkOperator) || !has(self."
            "operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig)"
        ),
        "ovnKubernetesConfig is forbidden when networkType is not OVNKubernetes",
    ),
    Rule(
        "!has(oldSelf.secretEncryption) || has(self.secretEncryption)",
        "secretEncryption cannot be removed once configured",
    ),
)
class HostedClusterSpec(ControlPlaneSpec):
    """What a user asks of a hosted cluster."""

    etcd: Annotated[
        Etcd,
        Field(
            (
                "Where the cluster's state is kept: in an etcd we run, or one you run. Default:"
                " managed, on an 8Gi persistent volume. The choice is immutable."
            ),
            default={
                "managed": {
                    "storage": {"persistentVolume": {"size": "8Gi"}, "type": "PersistentVolume"}
                },
                "managementType": "Managed",
            },
        ),
    ]
    networking: Annotated[
        ClusterNetworking,
        Field(
            (
                "Address ranges and network provider of the cluster. Default: OVNKubernetes, pods"
                " in 10.132.0.0/14, services in 172.31.0.0/16. Ranges are immutable."
            ),
            default={
                "clusterNetwork": [{"cidr": "10.132.0.0/14"}],
                "networkType": "OVNKubernetes",
                "serviceNetwork": [{"cidr": "172.31.0.0/16"}],
            },
        ),
    ]
    pull_secret: Annotated[
        LocalObjectReference,
        Field(
            "Secret in the same namespace with registry credentials under"
            " `.dockerconfigjson`, used to read the release and given to the nodes. Change"
            " the secret to rotate them."
        ),
    ]
    release: Annotated[
        Release,
        Field(
            "Release image the cluster should run. A change starts an upgrade of the control"
            " plane first and of the in-cluster operators after it; NodePools follow their"
            " own `release`."
        ),
    ]
    services: Annotated[
        tuple[ServiceMapping, ...],
        Field(
            (
                "How each endpoint that must be reached from outside the management cluster is"
                " exposed, one entry per service. At least 4 (IBMCloud 3), at most 6; immutable"
                " except on IBMCloud."
            ),
            max_items=6,
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
            min_length=1,
            max_length=100,
        ),
    ] = None
    cluster_id: Annotated[
        str | None,
        Field(
            (
                "Identity of the cluster in telemetry and in cloud tags, an RFC 4122 UUID."
                " Generated when unset; immutable and never removable afterwards."
            ),
            min_length=36,
            max_length=36,
            rules=(
                Rule(
                    (
                        "self.matches('[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-"
                        "9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}')"
                    ),
                    (
                        "clusterID must be an RFC4122 UUID value"
                        " (xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx in hexadecimal digits)"
                    ),
                ),
                Rule('oldSelf == "" || self == oldSelf', "clusterID is immutable"),
            ),
        ),
    ] = None
    control_plane_release: Annotated[
        Release | None,
        Field(
            "Release for the control plane components that run on the management cluster,"
            " when they should be newer than `release`. Unset means the same as `release`. A"
            " change rolls the control plane and leaves the nodes and in-cluster operators"
            " alone."
        ),
    ] = None
    dns: Annotated[
        DNS | None,
        Field(
            "Domain under which the cluster's names live and the zones that hold them. Each"
            " part can be set once."
        ),
    ] = None
    fips: Annotated[
        bool | None,
        Field(
            (
                "Whether nodes run with FIPS-validated cryptography and FIPS checks are on in the"
                " control plane. Default false; immutable."
            ),
            rules=(immutable("fips is immutable"),),
        ),
    ] = None
    infra_id: Annotated[
        str | None,
        Field(
            (
                "Name under which infrastructure of this cluster is tagged and found in the"
                " cloud. Derived from the cluster's name with a random suffix when unset;"
                " immutable and never removable afterwards."
            ),
            min_length=1,
            max_length=253,
            rules=(
                Rule(
                    "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
                    (
                        "infraID must consist of lowercase alphanumeric characters or '-',"
                        " start and end with an alphanumeric character, and be between 1 and"
                        " 253 characters"
                    ),
                ),
                Rule('oldSelf == "" || self == oldSelf', "infraID is immutable"),
            ),
        ),
    ] = None
    issuer_url: Annotated[
        str,
        Field(
            (
                "OIDC issuer of the cluster's service account tokens, an absolute URL. Clouds"
                " that federate identities compare it with the tokens. Default"
                " `https://kubernetes.default.svc`; immutable."
            ),
            max_length=255,
            rules=(
                immutable("issuerURL is immutable"),
                Rule("isURL(self)", "issuerURL must be a valid absolute URL"),
            ),
        ),
    ] = "https://kubernetes.default.svc"
    node_selector: Annotated[
        Mapping[str, str] | None,
        Field(
            (
                "Labels that management cluster nodes must have to run this control plane's pods,"
                " at most 20. A change moves the pods."
            ),
            rules=(Rule("size(self) <= 20", "nodeSelector map can have at most 20 entries"),),
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
            rules=(immutable("OLMCatalogPlacement is immutable"),),
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
            min_length=4,
            max_length=35,
            rules=(PAUSED_UNTIL,),
        ),
    ] = None
    ssh_key: Annotated[
        LocalObjectReference | None,
        Field(
            "Secret in the same namespace with a public key under `id_rsa.pub` that is"
            " authorised for user `core` on the nodes. Unset gives no SSH access. A change"
            " rolls new node configuration out."
        ),
    ] = None
    update_service: Annotated[
        str | None,
        Field(
            (
                "Address of the update service that the cluster version operator asks for"
                " recommendations, an absolute URL. Default: the product's public one."
            ),
            rules=(Rule("isURL(self)", "updateService must be a valid absolute URL"),),
        ),
    ] = None
