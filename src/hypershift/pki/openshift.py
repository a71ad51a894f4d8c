"""The leaf certificates that only OpenShift's own components need."""

from collections.abc import Iterable

from hypershift.api.platforms.traits import TRAITS, IdentityWebhook
from hypershift.pki.site import Site
from hypershift.pki.spec import (
    PEER,
    SERVER,
    Condition,
    LeafSpec,
    loopback4,
    on_cloud,
    on_openshift,
    only,
    rooted,
    service,
    with_oauth,
    with_storage,
    without,
)


def _with(webhook: IdentityWebhook) -> Condition:
    return on_cloud(lambda cloud: cloud.identity_webhook is webhook)


def _on(platform: str) -> Condition:
    return on_cloud(lambda cloud: cloud.type == platform)


def _with_multus(site: Site) -> bool:
    return site.openshift and site.multus


def _oauth_names(site: Site) -> Iterable[str]:
    for name in site.dns_of(site.oauth_host):
        yield from (name, f"oauth-openshift.{site.namespace}.svc.cluster.local")


def _oauth_addresses(site: Site) -> Iterable[str]:
    return site.ip_of(site.oauth_host)


def _ingress(site: Site) -> Iterable[str]:
    yield f"*.{site.ingress_domain}"


def _machine_config_server(site: Site) -> Iterable[str]:
    yield f"*.machine-config-server.{site.namespace}.svc.cluster.local"


_SERVICES = (
    rooted("cvo-server", "cluster-version-operator", when=on_openshift, local=True),
    rooted("openshift-apiserver-cert", "openshift-apiserver", when=on_openshift, guest=True),
    rooted(
        "openshift-oauth-apiserver-cert", "openshift-oauth-apiserver", when=with_oauth, guest=True
    ),
    *(
        rooted(f"{name}-cert", "openshift-controller-manager", when=on_openshift)
        for name in (
            "openshift-controller-manager",
            "openshift-route-controller-manager",
            "cluster-policy-controller",
        )
    ),
    rooted("packageserver-cert", "packageserver", when=on_openshift, guest=True),
    rooted("catalog-operator-serving-cert", "catalog-operator-metrics", when=on_openshift),
    rooted("olm-operator-serving-cert", "olm-operator-metrics", when=on_openshift),
    rooted("node-tuning-operator-tls", "node-tuning-operator", when=without("NodeTuning")),
    *(
        LeafSpec(secret, "root-ca", name, ("openshift",), PEER, only(name, "localhost"), when=when)
        for secret, name, when in (
            (
                "cluster-image-registry-operator",
                "cluster-image-registry-operator",
                without("ImageRegistry"),
            ),
            (
                "cluster-storage-operator-serving-cert",
                "cluster-storage-operator",
                with_storage,
            ),
            (
                "csi-snapshot-controller-operator-serving-cert",
                "csi-snapshot-controller-operator",
                with_storage,
            ),
        )
    ),
)


def _guest_account(secret: str, namespace: str, name: str, *, when: Condition) -> LeafSpec:
    """A certificate by which a component acts as a service account of the guest."""
    groups = (f"system:serviceaccounts:{namespace}", "system:serviceaccounts")
    user = f"system:serviceaccount:{namespace}:{name}"
    return LeafSpec(secret, "cluster-signer-ca", user, groups, when=when)


#: Their Secrets hold a kubeconfig too, which the components add.
_GUEST_ACCOUNTS = (
    *(
        _guest_account(f"{name}-service-account-kubeconfig", f"openshift-{name}", name, when=when)
        for name, when in (
            ("dns-operator", on_openshift),
            ("ingress-operator", without("Ingress")),
            ("cloud-credential-operator", on_cloud(lambda cloud: cloud.hosts_credential_operator)),
        )
    ),
    *(
        _guest_account(
            f"{webhook}-kubeconfig", "openshift-authentication", webhook, when=_with(webhook)
        )
        for webhook in IdentityWebhook
    ),
)

OPENSHIFT_LEAVES = (
    *_SERVICES,
    *_GUEST_ACCOUNTS,
    LeafSpec(
        "openshift-authenticator-cert",
        "cluster-signer-ca",
        "system:serviceaccount:openshift-oauth-apiserver:openshift-authenticator",
        ("openshift",),
        when=on_openshift,
    ),
    LeafSpec(
        "oauth-server-crt",
        "root-ca",
        "openshift-oauth",
        ("openshift",),
        PEER,
        _oauth_names,
        _oauth_addresses,
        when=with_oauth,
    ),
    LeafSpec(
        "ingress-crt",
        "root-ca",
        "openshift-ingress",
        ("openshift",),
        PEER,
        _ingress,
        when=without("Ingress"),
    ),
    LeafSpec(
        "mcs-crt",
        "root-ca",
        "machine-config-server",
        ("openshift",),
        SERVER,
        _machine_config_server,
        when=lambda site: site.openshift and site.ignition,
    ),
    *(
        LeafSpec(
            secret,
            "root-ca",
            name,
            ("openshift",),
            PEER,
            service(name, local=True),
            type="kubernetes.io/tls",
            when=when,
        )
        for secret, name, when in (
            ("multus-admission-controller-secret", "multus-admission-controller", _with_multus),
            ("network-node-identity-secret", "network-node-identity", on_openshift),
            ("ovn-control-plane-metrics-cert", "ovn-kubernetes-control-plane", on_openshift),
        )
    ),
    *(
        LeafSpec(
            f"{webhook}-serving-cert",
            "root-ca",
            "127.0.0.1",
            (),
            PEER,
            ips=loopback4,
            when=_with(webhook),
        )
        for webhook in IdentityWebhook
    ),
    *(
        rooted(f"{secret}-serving-cert", name, when=_on(cloud.type), local=True)
        for cloud in TRAITS.values()
        for secret, name in cloud.storage_services
    ),
)
