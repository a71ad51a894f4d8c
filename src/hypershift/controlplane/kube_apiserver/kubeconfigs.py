"""The kubeconfigs that come with an API server: for users, for nodes, for the control plane."""

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
from hypershift.controlplane.kube_apiserver.visibility import private, public, published_by

ADMIN = Identity("system-admin-client")
HCCO = Identity("hcco-client")
BOOTSTRAP = Identity("kas-bootstrap-client")
BOOTSTRAP_CONTAINER = Identity("kas-bootstrap-container-client")


def internal(view: View) -> str:
    """The name that only the cluster's own network resolves."""
    return f"https://api.{view.name}.hypershift.local:{view.infra.api_port}"


def for_admins(view: View) -> str:
    """Users come from outside, unless only the cloud's own network gets here."""
    hidden = not public(view) and published_by(view, "APIServer") != "Route"
    return internal(view) if hidden else published(view)


def for_nodes(view: View) -> str:
    return internal(view) if private(view) else published(view)


def for_custom_name(view: View) -> str:
    name = view.spec.get("kubeAPIServerDNSName")
    return url(str(name), view.infra.api_port)


def has_custom_name(view: View) -> bool:
    return bool(view.spec.get("kubeAPIServerDNSName"))


def named_certificates(view: View) -> bytes:
    """The serving certificates that the user brought, for those who come from outside."""
    serving = view.configured("apiServer").get("servingCerts") or {}
    names = (item["servingCertificate"]["name"] for item in serving.get("namedCertificates") or ())
    return b"".join(b"\n" + view.secret(name, "tls.crt") for name in names)


def admin_secret(view: View) -> str:
    return str((view.spec.get("kubeconfig") or {}).get("name") or "admin-kubeconfig")


def admin_key(view: View) -> str:
    return str((view.spec.get("kubeconfig") or {}).get("key") or kubeconfig.KEY)


EXTERNAL_ADMIN = kubeconfig.asset(
    "admin-kubeconfig",
    ADMIN,
    for_admins,
    "external",
    key=admin_key,
    extra_trust=named_certificates,
    name=admin_secret,
)
NODE_BOOTSTRAP = kubeconfig.asset(
    "bootstrap-kubeconfig", BOOTSTRAP, for_nodes, "bootstrap", extra_trust=named_certificates
)
CUSTOM_ADMIN = kubeconfig.asset(
    "custom-admin-kubeconfig",
    ADMIN,
    for_custom_name,
    "external",
    key=admin_key,
    extra_trust=named_certificates,
    when=has_custom_name,
)
LOCALHOST_SECRET = "localhost-kubeconfig"  # noqa: S105 - the name of an object
LOCALHOST = kubeconfig.asset(LOCALHOST_SECRET, ADMIN, on_localhost, "local")
BOOTSTRAP_SIDECAR = kubeconfig.asset(
    "kas-bootstrap-container-kubeconfig", BOOTSTRAP_CONTAINER, on_localhost, "local"
)


def inside(where: Url) -> tuple[Asset, Asset, Asset]:
    """Those for Cluster API, the guest's configuration and everything else in the namespace."""
    return (
        kubeconfig.asset(
            "<cluster-name>-kubeconfig",
            ADMIN,
            where,
            "capi",
            lambda _: "value",
            name=lambda view: f"{view.infra_id}-kubeconfig",
            labels=lambda view: {"cluster.x-k8s.io/cluster-name": view.infra_id},
        ),
        kubeconfig.asset("hcco-kubeconfig", HCCO, where),
        kubeconfig.asset("service-network-admin-kubeconfig", ADMIN, where),
    )


IN_CLUSTER = inside(in_cluster)
ACROSS_NAMESPACES = inside(across_namespaces)
