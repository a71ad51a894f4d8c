"""What the control plane of a platform does without, or does in another way."""

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
