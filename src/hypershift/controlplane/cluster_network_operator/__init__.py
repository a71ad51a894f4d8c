"""cluster-network-operator: runs the guest's pod network, from outside the guest."""

from collections.abc import Iterator
from pathlib import Path

from hypershift.api.platforms.azure_identity import AzureControlPlaneIdentities as Identities
from hypershift.api.platforms.azure_identity import AzureManagedIdentity
from hypershift.api.publishing import is_private, published_by
from hypershift.api.values import NetworkType, PublishingStrategyType, ServiceType
from hypershift.api.well_known import API_PORT, HTTPS_PORT
from hypershift.component import Asset, Component, View, azure, edit, proxy, traits, vault
from hypershift.kit import Manifest

NAME = "cluster-network-operator"
MINTERS = ("client-token-minter", "init-client-token-minter")
PROVIDED = "managed-azure-network"

#: Variables with images that run beside the control plane, and those that run in the guest.
BESIDE = {
    "MULTUS_ADMISSION_CONTROLLER_IMAGE": "multus-admission-controller",
    "OVN_CONTROL_PLANE_IMAGE": "ovn-kubernetes",
    "CLOUD_NETWORK_CONFIG_CONTROLLER_IMAGE": "cloud-network-config-controller",
    "TOKEN_MINTER_IMAGE": "token-minter",
    "CLI_CONTROL_PLANE_IMAGE": "cli",
    "SOCKS5_PROXY_IMAGE": "socks5-proxy",
}
IN_GUEST = {
    "KUBE_PROXY_IMAGE": "kube-proxy",
    "KUBE_RBAC_PROXY_IMAGE": "kube-rbac-proxy",
    "MULTUS_IMAGE": "multus-cni",
    "CNI_PLUGINS_IMAGE": "container-networking-plugins",
    "BOND_CNI_PLUGIN_IMAGE": "network-interface-bond-cni",
    "WHEREABOUTS_CNI_IMAGE": "multus-whereabouts-ipam-cni",
    "ROUTE_OVERRRIDE_CNI_IMAGE": "multus-route-override-cni",
    "MULTUS_NETWORKPOLICY_IMAGE": "multus-networkpolicy",
    "OVN_IMAGE": "ovn-kubernetes",
    "EGRESS_ROUTER_CNI_IMAGE": "egress-router-cni",
    "NETWORK_METRICS_DAEMON_IMAGE": "network-metrics-daemon",
    "NETWORK_CHECK_SOURCE_IMAGE": "cluster-network-operator",
    "NETWORK_CHECK_TARGET_IMAGE": "cluster-network-operator",
    "NETWORKING_CONSOLE_PLUGIN_IMAGE": "networking-console-plugin",
    "CLI_IMAGE": "cli",
    "FRR_K8S_IMAGE": "metallb-frr",
}


def deployment(view: View, manifest: Manifest) -> Manifest:
    audience = ("--token-audience", view.spec.issuer_url or "")
    for minter in MINTERS:
        manifest = edit.add_args(manifest, minter, audience)
    return edit.set_env(manifest, NAME, dict(variables(view)))


def variables(view: View) -> Iterator[tuple[str, str]]:
    """Yield the variables that follow the cluster, in the original's order."""
    host, port = endpoint(view)
    yield "HOSTED_CLUSTER_NAME", view.name
    yield "TOKEN_AUDIENCE", view.spec.issuer_url or ""
    yield "RELEASE_VERSION", view.user_release.version
    image = view.spec.control_plane_release_image or view.spec.release_image
    yield "OPENSHIFT_RELEASE_IMAGE", image
    yield "APISERVER_OVERRIDE_HOST", host
    yield "APISERVER_OVERRIDE_PORT", str(port)
    yield from ((name, view.release.find(image)) for name, image in BESIDE.items())
    yield from ((name, view.user_release.find(image)) for name, image in IN_GUEST.items())
    if not hidden(view):
        yield "PROXY_INTERNAL_APISERVER_ADDRESS", "true"
    if view.management.rhobs:
        yield "RHOBS_MONITORING", "1"
    yield from ((f"MGMT_{name}", value) for name, value in proxy.variables(view).items())
    if view.management.uid is not None:
        yield "RUN_AS_USER", str(view.management.uid)
    if view.managed_azure:
        yield "ARO_HCP_SECRET_PROVIDER_CLASS", PROVIDED
        name = azure.credentials_name(view, identity)
        yield "MANAGED_AZURE_HCP_CREDENTIALS_FILE_PATH", name
    if file := view.cloud.network_credentials_file:
        yield "GCP_CNCC_CREDENTIALS_FILE", file


def endpoint(view: View) -> tuple[str, int]:
    """Where the network's components on nodes find the API."""
    if hidden(view):
        by_balancer = published_by(
            view.spec, ServiceType.API_SERVER, PublishingStrategyType.LOAD_BALANCER
        )
        return f"api.{view.name}.hypershift.local", API_PORT if by_balancer else HTTPS_PORT
    if view.cloud.names_own_endpoint:
        return view.advertise_address, view.api_networking.port or 0
    reported = view.status.control_plane_endpoint
    return (reported.host, reported.port) if reported else ("", 0)


def hidden(view: View) -> bool:
    """Whether the API has an address of the cluster's private zone."""
    return is_private(view.spec, view.annotations)


def identity(found: Identities) -> AzureManagedIdentity:
    return found.network


def operands(view: View) -> tuple[str, ...]:
    """What the operator runs beside the control plane."""
    ovn = view.networking.network_type in (None, "", NetworkType.OVN_KUBERNETES)
    return (
        "multus-admission-controller",
        "network-node-identity",
        *(("ovnkube-control-plane",) if ovn else ()),
    )


OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("deployment.yaml", adapt=deployment),
    manifests=(
        vault.asset(PROVIDED, identity),
        Asset("role.yaml"),
        Asset("rolebinding.yaml"),
        Asset("serviceaccount.yaml"),
    ),
    depends_on=("openshift-apiserver",),
    traits=(traits.Socks5Proxy(no_resolver=True, kubeconfig_volume="hosted-etc-kube"),),
    after_hash=(
        traits.AwaitApiServer(
            kubeconfig_volume="hosted-etc-kube",
            required_apis=(
                ("operator.openshift.io", "v1", "Network"),
                ("network.operator.openshift.io", "v1", "EgressRouter"),
                ("network.operator.openshift.io", "v1", "OperatorPKI"),
            ),
            wait_for_infrastructure=True,
            wait_for_cluster_role_binding=NAME,
        ),
    ),
    operands=operands,
    management_access=True,
)
