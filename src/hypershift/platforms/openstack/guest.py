"""What clusters on OpenStack hold inside for it."""

from collections.abc import Iterator

from hypershift.api.hosted_control_plane import HostedControlPlaneSpec
from hypershift.api.platforms.openstack import OpenStackPlatform
from hypershift.kit import Manifest
from hypershift.kit.lines import one_line
from hypershift.platforms.guest import Credential, GuestFacts, GuestSide, Section

CONFIG, KEY, BUNDLE, CA = "openstack-cloud-config", "cloud.conf", "ca-bundle.pem", "cacert"
_SECRETS, _TRUST = "/etc/openstack/secret", "/etc/pki/ca-trust/extracted/pem"
_FIELD = "spec.platform.openstack"
#: Operators that act in the cloud.
TARGETS = (
    ("openshift-cluster-csi-drivers", "openstack-cloud-credentials"),
    ("openshift-cluster-csi-drivers", "manila-cloud-credentials"),
    ("openshift-manila-csi-driver", "manila-cloud-credentials"),
    ("openshift-image-registry", "installer-cloud-credentials"),
    ("openshift-cloud-network-config-controller", "cloud-credentials"),
)


def reads(spec: HostedControlPlaneSpec) -> tuple[tuple[str, str], ...]:
    found = spec.platform.openstack
    return (("Secret", found.identity_ref.name), ("ConfigMap", CONFIG)) if found else ()


def credentials(facts: GuestFacts) -> Iterator[Credential]:
    """The user's credentials, and the configuration that leads to them."""
    if (found := facts.spec.platform.openstack) is None:
        return
    data = facts.secret_data(found.identity_ref.name, "cloud credentials secret")
    told = dict(data)
    if (authority := data.get(CA)) is not None:
        told |= {BUNDLE: authority}
    before = data.get(KEY, b"").decode()
    lines = "\n".join([*_lines(facts.spec, found, trusts=CA in data), ""])
    told[KEY] = (before + lines).encode()
    for namespace, name in TARGETS:
        yield Credential(namespace, name, told)


def _lines(
    spec: HostedControlPlaneSpec, found: OpenStackPlatform, *, trusts: bool
) -> Iterator[str]:
    """Yield the lines of a configuration that names the credentials' file."""
    network = found.external_network
    networks = (spec.networking.machine_network if spec.networking else None) or ()
    yield "[Global]"
    yield "use-clouds = true"
    yield f"clouds-file = {_SECRETS}/clouds.yaml"
    yield f"cloud = {one_line(found.identity_ref.cloud_name, _FIELD)}"
    if trusts:
        yield f"ca-file = {_TRUST}/{BUNDLE}"
    yield from ("", "[LoadBalancer]", "max-shared-lb = 1", "manage-security-groups = true")
    if network and network.id:
        yield f"floating-network-id = {one_line(network.id, _FIELD)}"
    yield from ("", "[Networking]")
    yield f"address-sort-order = {','.join(each.cidr for each in networks)}"


def cloud_config(facts: GuestFacts) -> Iterator[Manifest]:
    """The cloud's configuration: for machines, and for the network operator."""
    told = {key: text for key in (KEY, BUNDLE) if (text := facts.text(CONFIG, key))}
    for namespace, name in (
        ("openshift-config", "cloud-provider-config"),
        ("openshift-config-managed", "kube-cloud-config"),
    ):
        yield {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": namespace},
            "data": told,
        }


def publishing(spec: HostedControlPlaneSpec, scope: str) -> Section:
    """A load balancer, with the floating address that the user chose."""
    found = spec.platform.openstack
    address = (found.ingress_floating_ip if found else "") or ""
    parameters = {"floatingIP": address} if address else {}
    return {
        "type": "LoadBalancerService",
        "loadBalancer": {
            "scope": scope,
            "providerParameters": {"type": "OpenStack", "openstack": parameters},
        },
    }


GUEST = GuestSide(
    reads=reads, credentials=credentials, cloud_config=cloud_config, publishing=publishing
)
