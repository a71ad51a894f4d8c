"""Every authority, bundle and leaf certificate of a control plane, as data."""

from collections.abc import Iterable

from hypershift.pki.openshift import OPENSHIFT_LEAVES
from hypershift.pki.site import Site
from hypershift.pki.spec import (
    PEER,
    SERVER,
    AuthoritySpec,
    BundleSpec,
    LeafSpec,
    Names,
    always,
    loopback,
    loopback4,
    on_openshift,
    rooted,
    service,
    with_ignition,
)

AUTHORITIES = (
    AuthoritySpec("root-ca"),
    AuthoritySpec("etcd-signer"),
    AuthoritySpec("etcd-metrics-signer"),
    AuthoritySpec("konnectivity-signer", unit="kubernetes"),
    AuthoritySpec("kas-aggregator-client-signer", "aggregator-signer"),
    AuthoritySpec("kube-control-plane-signer"),
    AuthoritySpec("kube-apiserver-to-kubelet-signer"),
    AuthoritySpec("system-admin-signer", "admin-kubeconfig-signer"),
    AuthoritySpec("hcco-signer"),
    AuthoritySpec("kas-bootstrap-container-signer", when=on_openshift),
    AuthoritySpec("cluster-signer-ca", "kube-csr-signer"),
)

CLIENT_AUTHORITIES = (
    "kube-control-plane-signer",
    "kube-apiserver-to-kubelet-signer",
    "system-admin-signer",
    "hcco-signer",
    "kas-bootstrap-container-signer",
    "cluster-signer-ca",
)

BUNDLES = (
    BundleSpec(
        "root-ca",
        ("root-ca",),
        also=(("observed-default-ingress-cert", "ca.crt"),),
        also_when=lambda site: "Ingress" not in site.disabled_capabilities,
    ),
    BundleSpec("etcd-ca", ("etcd-signer",)),
    BundleSpec("etcd-metrics-ca", ("etcd-metrics-signer",)),
    BundleSpec("konnectivity-ca-bundle", ("konnectivity-signer",)),
    BundleSpec("aggregator-client-ca", ("kas-aggregator-client-signer",)),
    BundleSpec("client-ca", CLIENT_AUTHORITIES, also=(("total-client-ca", "ca-bundle.crt"),)),
    BundleSpec("kubelet-client-ca", ("kube-apiserver-to-kubelet-signer", "cluster-signer-ca")),
)


def _etcd_server(suffix: str = "") -> Names:
    def names(site: Site) -> Iterable[str]:
        yield from service(f"etcd-client{suffix}")(site)
        yield from _etcd_peer(suffix)(site)
        yield "localhost"

    return names


def _etcd_peer(suffix: str = "") -> Names:
    def names(site: Site) -> Iterable[str]:
        member = f"*.etcd-discovery{suffix}.{site.namespace}.svc"
        yield from (member, f"{member}.cluster.local")

    return names


def _api_names(site: Site) -> Iterable[str]:
    yield "localhost"
    for name in ("kubernetes", "openshift"):
        yield from (name, f"{name}.default", f"{name}.default.svc")
        yield f"{name}.default.svc.{site.cluster_domain}"
    yield f"api.{site.name}.hypershift.local"
    yield from site.dns_of(site.api_host)


def _api_addresses(site: Site) -> Iterable[str]:
    yield from loopback(site)
    yield from site.first_service_addresses()
    yield from (address for address in (site.advertise_address,) if address)
    yield from site.ip_of(site.api_host)


def _konnectivity_server(site: Site) -> Iterable[str]:
    yield "localhost"
    yield from service("konnectivity-server-local")(site)


def _konnectivity_cluster(site: Site) -> Iterable[str]:
    yield from service("konnectivity-server")(site)
    yield from site.dns_of(site.konnectivity_host)


def _konnectivity_addresses(site: Site) -> Iterable[str]:
    return site.ip_of(site.konnectivity_host)


BOOTSTRAP_USER = "system:serviceaccount:openshift-machine-config-operator:node-bootstrapper"
BOOTSTRAP_GROUPS = (
    "system:serviceaccounts:openshift-machine-config-operator",
    "system:serviceaccounts",
)


def _members(suffix: str = "") -> tuple[LeafSpec, LeafSpec]:
    """What the members of an etcd cluster show to clients and to each other."""
    server = LeafSpec(
        f"etcd{suffix}-server-tls",
        "etcd-signer",
        "etcd-server",
        usage=PEER,
        dns=_etcd_server(suffix),
        stem="server",
    )
    peer = LeafSpec(
        f"etcd{suffix}-peer-tls",
        "etcd-signer",
        f"etcd-discovery{suffix}",
        usage=PEER,
        dns=_etcd_peer(suffix),
        ips=loopback,
        stem="peer",
    )
    return server, peer


def shard_leaves(site: Site) -> tuple[LeafSpec, ...]:
    """The certificates of etcd clusters beside the first one."""
    return tuple(leaf for name in site.etcd_shards for leaf in _members(f"-{name}"))


_ETCD = (
    LeafSpec("etcd-client-tls", "etcd-signer", "etcd-client", stem="etcd-client"),
    *_members(),
    LeafSpec(
        "etcd-metrics-client-tls", "etcd-metrics-signer", "etcd-metrics-client", stem="etcd-client"
    ),
)

_API = (
    LeafSpec(
        "kas-server-crt", "root-ca", "kubernetes", usage=SERVER, dns=_api_names, ips=_api_addresses
    ),
    LeafSpec(
        "kas-server-private-crt",
        "root-ca",
        "kubernetes-private",
        usage=SERVER,
        dns=service("kube-apiserver"),
    ),
    LeafSpec("kas-kubelet-client-crt", "kube-apiserver-to-kubelet-signer", "system:kube-apiserver"),
    LeafSpec("kas-aggregator-crt", "kas-aggregator-client-signer", "system:openshift-aggregator"),
    LeafSpec("kube-scheduler-client", "kube-control-plane-signer", "system:kube-scheduler"),
    LeafSpec(
        "kube-controller-manager", "kube-control-plane-signer", "system:kube-controller-manager"
    ),
    LeafSpec("system-admin-client", "system-admin-signer", "system:admin", ("system:masters",)),
    LeafSpec(
        "hcco-client",
        "hcco-signer",
        "system:hosted-cluster-config",
        ("kubernetes", "system:serviceaccounts:openshift"),
        when=on_openshift,
    ),
    # Nothing bootstraps a role binding for it inside a plain Kubernetes cluster.
    LeafSpec(
        "hcco-client",
        "hcco-signer",
        "system:hosted-cluster-config",
        ("system:masters",),
        when=lambda site: not site.openshift,
    ),
    LeafSpec(
        "kas-bootstrap-container-client",
        "kas-bootstrap-container-signer",
        "system:kas-bootstrap-container",
        when=on_openshift,
    ),
    LeafSpec(
        "kas-bootstrap-client",
        "cluster-signer-ca",
        BOOTSTRAP_USER,
        BOOTSTRAP_GROUPS,
        when=on_openshift,
    ),
    # Upstream's own roles for TLS bootstrapping are made for this group.
    LeafSpec(
        "kas-bootstrap-client",
        "cluster-signer-ca",
        "system:node-bootstrapper",
        ("system:bootstrappers",),
        when=lambda site: not site.openshift,
    ),
    LeafSpec("metrics-client", "cluster-signer-ca", "system:serviceaccount:hypershift:prometheus"),
)

_KONNECTIVITY = (
    LeafSpec(
        "konnectivity-server",
        "konnectivity-signer",
        "konnectivity-server-local",
        usage=SERVER,
        dns=_konnectivity_server,
        ips=loopback4,
    ),
    LeafSpec(
        "konnectivity-cluster",
        "konnectivity-signer",
        "konnectivity-server",
        usage=SERVER,
        dns=_konnectivity_cluster,
        ips=_konnectivity_addresses,
    ),
    LeafSpec("konnectivity-client", "konnectivity-signer", "konnectivity-client"),
    LeafSpec("konnectivity-agent", "konnectivity-signer", "konnectivity-agent"),
)

_SERVICES = (
    rooted("kcm-server", "kube-controller-manager", when=always, local=True),
    rooted("scheduler-server", "kube-scheduler", when=always, local=True),
    rooted("ignition-server", "ignition-server", when=with_ignition),
)

LEAVES = (*_ETCD, *_API, *_KONNECTIVITY, *_SERVICES, *OPENSHIFT_LEAVES)
