"""What clusters on Power Virtual Server hold inside for it."""

from collections.abc import Iterator

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.networking import ClusterNetworking
from hypershift.api.platforms.powervs import PowerVSPlatform
from hypershift.api.values import Capability
from hypershift.kit import InvalidSpec
from hypershift.platforms.guest import Credential, GuestFacts, GuestSide, Section

KEY = "ibmcloud_api_key"


def _sources(found: PowerVSPlatform) -> dict[str, str]:
    """The user's Secret of each operator."""
    return {
        "ingress operator": found.ingress_operator_cloud_creds.name or "",
        "storage operator": found.storage_operator_cloud_creds.name or "",
        "image registry operator": found.image_registry_operator_cloud_creds.name or "",
    }


#: Where each operator reads its key, and the optional part of the product that it belongs to.
TARGETS: dict[str, tuple[str, str, Capability | None]] = {
    "ingress operator": ("openshift-ingress-operator", "cloud-credentials", Capability.INGRESS),
    "storage operator": ("openshift-cluster-csi-drivers", "ibm-powervs-cloud-credentials", None),
    "image registry operator": (
        "openshift-image-registry",
        "installer-cloud-credentials",
        Capability.IMAGE_REGISTRY,
    ),
}


def reads(spec: HostedControlPlaneSpec) -> tuple[tuple[str, str], ...]:
    found = spec.platform.powervs
    return tuple(("Secret", name) for name in _sources(found).values()) if found else ()


def credentials(facts: GuestFacts) -> Iterator[Credential]:
    """The key of each operator, from the user's own Secret."""
    if (found := facts.spec.platform.powervs) is None:
        return
    disabled = facts.spec.capabilities.disabled if facts.spec.capabilities else ()
    for operator, source in _sources(found).items():
        namespace, name, capability = TARGETS[operator]
        if capability in disabled:
            continue
        data = facts.secret_data(source, f"{operator} cloud credentials secret")
        if KEY not in data:
            raise InvalidSpec(f'secret "{source}" is missing credentials key')
        yield Credential(namespace, name, {KEY: data[KEY]}, capability)


def network(live: Section, spec: HostedControlPlaneSpec) -> Section:
    """Traffic that leaves a node takes the routes of the host."""
    del live
    said = spec.networking or ClusterNetworking(network_type="")
    if said.network_type != "OVNKubernetes":
        return {}
    return {"ovnKubernetesConfig": {"gatewayConfig": {"routingViaHost": True}}}


GUEST = GuestSide(reads=reads, credentials=credentials, network=network)
