"""How platforms differ in what a control plane is made of; components ask by these names."""

from hypershift.api.values import PlatformType

#: The guest itself runs the operators of its storage.
STORAGE_IN_GUEST = frozenset({PlatformType.IBMCLOUD, PlatformType.POWERVS})

#: Where the cloud keeps its own users; asked directly, never through the guest.
IDENTITY_SERVICES: dict[str, tuple[str, ...]] = {
    PlatformType.IBMCLOUD: ("iam.cloud.ibm.com", "iam.test.cloud.ibm.com"),
}

#: The provider brings routes, networks and certificates of its own, and publishes by them.
PUBLISHED_BY_PROVIDER = frozenset({PlatformType.IBMCLOUD})
