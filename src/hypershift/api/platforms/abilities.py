"""What the control plane of a platform does without, or does in another way."""

from enum import StrEnum, auto

from hypershift.api.values import PlatformType

#: Platforms whose storage drivers the guest's own operators run.
_STORAGE_IN_GUEST = frozenset({PlatformType.IBMCLOUD, PlatformType.POWERVS})


def hosts_storage_operators(platform: str) -> bool:
    """Whether the operators of storage drivers and snapshots run beside the control plane."""
    return platform not in _STORAGE_IN_GUEST


def hosts_credential_operator(platform: str) -> bool:
    """Whether an operator watches over the guest's credentials."""
    return platform == PlatformType.AWS


def keeps_profiles(platform: str) -> bool:
    """Whether profiles of the lifecycle manager are collected."""
    return platform != PlatformType.IBMCLOUD


def shares_packages_by_two(platform: str) -> bool:
    """Whether two package servers are as many as a highly available cluster gets."""
    return platform == PlatformType.IBMCLOUD


def names_own_endpoint(platform: str) -> bool:
    """Whether nodes find the API at the address that the cluster's spec names."""
    return platform == PlatformType.IBMCLOUD


def network_credentials_file(platform: str) -> str:
    """The file in which the cloud's network controller finds its credentials, where it is told."""
    return "application_default_credentials.json" if platform == PlatformType.GCP else ""


class CloudIdentity(StrEnum):
    """How an operator beside the control plane shows the cloud who it is."""

    #: A file names a role, and a token of the guest lets it be taken on.
    ROLE_FILE = auto()
    #: A file describes an account, and a token of the guest stands for it.
    ACCOUNT_FILE = auto()
    #: A vault holds the credentials, where a managed service gives them.
    VAULT = auto()


_IDENTITIES: dict[str, CloudIdentity] = {
    PlatformType.AWS: CloudIdentity.ROLE_FILE,
    PlatformType.GCP: CloudIdentity.ACCOUNT_FILE,
    PlatformType.AZURE: CloudIdentity.VAULT,
}


def cloud_identity(platform: str) -> CloudIdentity | None:
    """How operators of the control plane act in a platform's cloud; None where they do not."""
    return _IDENTITIES.get(platform)


def makes_nodes_on_demand(platform: str) -> bool:
    """Whether Karpenter makes nodes on this platform."""
    return platform == PlatformType.AWS


#: Storage drivers that the guest's storage operator installs, by the names of their resources.
_CSI_DRIVERS: dict[str, tuple[str, ...]] = {
    PlatformType.AWS: ("ebs.csi.aws.com",),
    PlatformType.AZURE: ("disk.csi.azure.com", "file.csi.azure.com"),
    PlatformType.OPENSTACK: ("cinder.csi.openstack.org", "manila.csi.openstack.org"),
}


def csi_drivers(platform: str) -> tuple[str, ...]:
    """The storage drivers that clusters on a platform have from the start."""
    return _CSI_DRIVERS.get(platform, ())


def keeps_registry_in_memory(platform: str) -> bool:
    """Whether the guest's image registry has no storage of its own at first."""
    cloudless = {PlatformType.KUBEVIRT, PlatformType.NONE, PlatformType.LOCAL, PlatformType.AGENT}
    return platform in cloudless


def registry_removed_at_first(platform: str) -> bool:
    """Whether the provider brings a registry of its own."""
    return platform == PlatformType.IBMCLOUD
