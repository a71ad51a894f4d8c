"""The kubeconfigs that come with an API server: for users, for nodes, for the control plane."""

from hypershift.api.publishing import is_private, is_public, strategy_type
from hypershift.api.values import PublishingStrategyType, ServiceType
from hypershift.api.well_known import (
    ADMIN_KUBECONFIG,
    CUSTOM_ADMIN_KUBECONFIG,
    KUBECONFIG_KEY,
    cluster_api_kubeconfig,
)
from hypershift.component import Asset, View, kubeconfig
from hypershift.component.kubeconfig import (
    Identity,
    Url,
    across_namespaces,
    in_cluster,
    on_localhost,
    published,
    url,
)
from hypershift.controlplane.kube_apiserver.common import certificate_secret, named_certificates

ADMIN = Identity("system-admin-client")
HCCO = Identity("hcco-client")
BOOTSTRAP = Identity("kas-bootstrap-client")
BOOTSTRAP_CONTAINER = Identity("kas-bootstrap-container-client")


def internal(view: View) -> str:
    """The name that only the cluster's own network resolves."""
    return f"https://api.{view.name}.hypershift.local:{view.infra.api_port}"


def for_admins(view: View) -> str:
    """Users come from outside, unless only the cloud's own network gets here."""
    routed = strategy_type(view.spec, ServiceType.API_SERVER) == PublishingStrategyType.ROUTE
    hidden = not is_public(view.spec) and not routed
    return internal(view) if hidden else published(view)


def for_nodes(view: View) -> str:
    private = is_private(view.spec, view.annotations)
    return internal(view) if private else published(view)


def for_custom_name(view: View) -> str:
    return url(view.spec.kube_api_server_dns_name or "", view.infra.api_port)


def has_custom_name(view: View) -> bool:
    return bool(view.spec.kube_api_server_dns_name)


def users_certificates(view: View) -> bytes:
    """The serving certificates that the user brought, which clients from outside trust."""
    names = (certificate_secret(item) for item in named_certificates(view))
    return b"".join(b"\n" + view.secret(name, "tls.crt") for name in names)


def admin_secret(view: View) -> str:
    chosen = view.spec.kubeconfig
    return (chosen.name if chosen else "") or ADMIN_KUBECONFIG


def admin_key(view: View) -> str:
    chosen = view.spec.kubeconfig
    return (chosen.key if chosen else "") or KUBECONFIG_KEY


EXTERNAL_ADMIN = kubeconfig.asset(
    ADMIN_KUBECONFIG,
    ADMIN,
    for_admins,
    "external",
    key=admin_key,
    extra_trust=users_certificates,
    name=admin_secret,
)
NODE_BOOTSTRAP = kubeconfig.asset(
    "bootstrap-kubeconfig", BOOTSTRAP, for_nodes, "bootstrap", extra_trust=users_certificates
)
CUSTOM_ADMIN = kubeconfig.asset(
    CUSTOM_ADMIN_KUBECONFIG,
    ADMIN,
    for_custom_name,
    "external",
    key=admin_key,
    extra_trust=users_certificates,
    when=has_custom_name,
)
LOCALHOST_SECRET = "localhost-kubeconfig"  # noqa: S105 - the name of an object
LOCALHOST = kubeconfig.asset(LOCALHOST_SECRET, ADMIN, on_localhost, "local")
BOOTSTRAP_SIDECAR = kubeconfig.asset(
    "kas-bootstrap-container-kubeconfig", BOOTSTRAP_CONTAINER, on_localhost, "local"
)


def for_cluster_api(view: View) -> str:
    """A manager that serves the whole fleet runs in another namespace."""
    return across_namespaces(view) if view.served_by_fleet else in_cluster(view)


def inside(where: Url, cluster_api: Url) -> tuple[Asset, Asset, Asset]:
    """Those for Cluster API, the guest's configuration and everything else in the namespace."""
    return (
        kubeconfig.asset(
            "<cluster-name>-kubeconfig",
            ADMIN,
            cluster_api,
            "capi",
            lambda _: "value",
            name=lambda view: cluster_api_kubeconfig(view.infra_id),
            labels=lambda view: {"cluster.x-k8s.io/cluster-name": view.infra_id},
        ),
        kubeconfig.asset("hcco-kubeconfig", HCCO, where),
        kubeconfig.asset("service-network-admin-kubeconfig", ADMIN, where),
    )


IN_CLUSTER = inside(in_cluster, for_cluster_api)
ACROSS_NAMESPACES = inside(across_namespaces, across_namespaces)
