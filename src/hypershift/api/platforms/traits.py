"""How clouds differ in what a control plane is made of: one value for each platform.

Packages below `platforms` read these fields (`view.cloud.few_zones`) and never compare a platform's
name. Questions of the operators above are answered by `hypershift.platforms`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum, auto

from hypershift.api.values import PlatformType
from hypershift.api.well_known import API_PORT, IBM_API_PORT


class CloudIdentity(StrEnum):
    """How an operator beside the control plane shows the cloud who it is."""

    #: A file names a role, and a token of the guest lets it be taken on.
    ROLE_FILE = auto()
    #: A file describes an account, and a token of the guest stands for it.
    ACCOUNT_FILE = auto()
    #: A vault holds the credentials, where a managed service gives them.
    VAULT = auto()


class IdentityWebhook(StrEnum):
    """The webhook beside the API server that gives the guest's pods a cloud identity."""

    AWS = "aws-pod-identity-webhook"
    AZURE = "azure-workload-identity-webhook"


@dataclass(frozen=True, slots=True)
class PlatformTraits:
    """What components, certificates and releases ask of a cloud; defaults are the usual answer."""

    type: str

    # The API server and its clients
    #: The port of the API server's Service inside the control plane namespace.
    api_port: int = API_PORT
    #: Whether nodes find the API at the address that the cluster's spec names.
    names_own_endpoint: bool = False
    #: Whether servers may declare to browsers that all names below the API's host use TLS.
    owns_subdomains: bool = True
    identity_webhook: IdentityWebhook | None = None
    #: Hosts where the cloud keeps its own users; the OAuth server asks them without a proxy.
    identity_services: tuple[str, ...] = ()

    # Nodes
    #: How long a node may be silent before kube-controller-manager calls it unhealthy.
    node_grace_seconds: int = 50
    #: Whether kube-controller-manager needs a flag that says that another program runs the cloud.
    announces_cloud_provider: bool = False
    #: Whether Karpenter makes nodes.
    makes_nodes_on_demand: bool = False
    #: Labels by which the cloud's nodes of similar pools differ.
    differing_node_labels: tuple[str, ...] = ()

    # Pods of the control plane
    #: Whether management clusters on the cloud often have one zone only.
    few_zones: bool = False
    #: Whether containers drop privileges where the management cluster sets no user for them.
    drops_privileges: bool = False
    #: Whether two package servers are as many as a highly available cluster gets.
    shares_packages_by_two: bool = False
    #: Whether profiles of the lifecycle manager are collected.
    keeps_profiles: bool = True
    #: Whether the provider brings routes, networks and certificates, and publishes by them.
    published_by_provider: bool = False

    #: Whether machines and applications of the guest are published in the cluster around it.
    nested: bool = False

    # Credentials
    #: How operators of the control plane act in the cloud; None where they do not.
    identity: CloudIdentity | None = None
    #: Whether an operator watches over the guest's credentials.
    hosts_credential_operator: bool = False
    #: The file in which the cloud's network controller finds its credentials; empty: no such file.
    network_credentials_file: str = ""

    # Storage
    #: Whether the operators of storage drivers and snapshots run beside the control plane.
    hosts_storage_operators: bool = True
    #: Storage drivers that the guest's storage operator installs, by the names of their resources.
    csi_drivers: tuple[str, ...] = ()
    #: Serving certificates of the drivers' operators: the prefix of the Secret, and the Service.
    storage_services: tuple[tuple[str, str], ...] = ()
    #: Whether the guest's image registry has no storage of its own at first.
    keeps_registry_in_memory: bool = False
    #: Whether the registry's operator must find it unconfigured, to make a volume for it.
    registry_finds_its_volume: bool = False
    #: Whether the provider brings an image registry, so that the guest's starts as removed.
    registry_removed_at_first: bool = False
    #: Whether accounts get pull secrets for the registry whether or not the guest has removed it.
    keeps_registry_secrets: bool = False

    # Releases
    #: Whether a new cluster may still have the network OpenShiftSDN.
    starts_with_sdn: bool = False


_EBS, _DISK, _FILE = "aws-ebs-csi-driver", "azure-disk-csi-driver", "azure-file-csi-driver"

_CLOUDS = (
    PlatformTraits(
        PlatformType.AWS,
        identity_webhook=IdentityWebhook.AWS,
        makes_nodes_on_demand=True,
        differing_node_labels=(
            "lifecycle",
            "k8s.amazonaws.com/eniConfig",
            "topology.k8s.aws/zone-id",
        ),
        identity=CloudIdentity.ROLE_FILE,
        hosts_credential_operator=True,
        csi_drivers=("ebs.csi.aws.com",),
        storage_services=(
            (f"{_EBS}-operator", f"{_EBS}-operator-metrics"),
            (f"{_EBS}-controller-metrics", f"{_EBS}-controller-metrics"),
        ),
    ),
    PlatformTraits(
        PlatformType.AZURE,
        identity_webhook=IdentityWebhook.AZURE,
        announces_cloud_provider=True,
        differing_node_labels=("agentpool", "kubernetes.azure.com/agentpool"),
        identity=CloudIdentity.VAULT,
        keeps_registry_secrets=True,
        csi_drivers=("disk.csi.azure.com", "file.csi.azure.com"),
        storage_services=(
            (f"{_DISK}-operator", f"{_DISK}-operator"),
            (f"{_DISK}-controller-metrics", f"{_DISK}-controller"),
            (f"{_FILE}-operator", f"{_FILE}-operator"),
            (f"{_FILE}-controller-metrics", f"{_FILE}-controller"),
        ),
    ),
    PlatformTraits(
        PlatformType.GCP,
        drops_privileges=True,
        identity=CloudIdentity.ACCOUNT_FILE,
        network_credentials_file="application_default_credentials.json",
    ),
    PlatformTraits(
        PlatformType.IBMCLOUD,
        api_port=IBM_API_PORT,
        names_own_endpoint=True,
        owns_subdomains=False,
        identity_services=("iam.cloud.ibm.com", "iam.test.cloud.ibm.com"),
        # Its nodes report less often.
        node_grace_seconds=55,
        shares_packages_by_two=True,
        keeps_profiles=False,
        published_by_provider=True,
        hosts_storage_operators=False,
        registry_removed_at_first=True,
        keeps_registry_secrets=True,
    ),
    PlatformTraits(PlatformType.POWERVS, hosts_storage_operators=False, starts_with_sdn=True),
    PlatformTraits(
        PlatformType.OPENSTACK,
        few_zones=True,
        csi_drivers=("cinder.csi.openstack.org", "manila.csi.openstack.org"),
        registry_finds_its_volume=True,
    ),
    PlatformTraits(
        PlatformType.KUBEVIRT, few_zones=True, nested=True, keeps_registry_in_memory=True
    ),
    PlatformTraits(PlatformType.AGENT, keeps_registry_in_memory=True),
    PlatformTraits(PlatformType.NONE, keeps_registry_in_memory=True),
    PlatformTraits(PlatformType.LOCAL, keeps_registry_in_memory=True),
)

#: The traits of every platform, by its name.
TRAITS: Mapping[str, PlatformTraits] = {each.type: each for each in _CLOUDS}


def traits_of(platform: str) -> PlatformTraits:
    """The traits of a platform by its name; an unknown one has the usual answers."""
    return TRAITS.get(platform) or PlatformTraits(platform)
