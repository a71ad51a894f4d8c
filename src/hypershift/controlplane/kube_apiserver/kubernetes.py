"""kube-apiserver of the Kubernetes payload: upstream's flags, and konnectivity beside it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hypershift.api.values import EtcdManagementType
from hypershift.component import (
    Asset,
    Component,
    Tier,
    View,
    audit,
    default_replicas,
    disruption,
    edit,
)
from hypershift.controlplane.kube_apiserver import (
    encryption,
    hand_over,
    kubeconfigs,
    limits,
    probes,
)
from hypershift.controlplane.kube_apiserver.authentication import authentication_config, by_oidc
from hypershift.controlplane.kube_apiserver.common import (
    MONITOR,
    NAME,
    certificate_secret,
    etcd_overrides,
    named_certificates,
    with_own_proxy,
)
from hypershift.kit import Manifest

KONNECTIVITY = "konnectivity-server"
ETCD_MEMBERS = 3


def etcd_servers(view: View) -> str:
    """Every member by its own name, so that the client finds another when one is gone."""
    etcd = view.spec.etcd
    if etcd.management_type == EtcdManagementType.UNMANAGED:
        return etcd.unmanaged.endpoint if etcd.unmanaged else ""
    if view.single_replica:
        return f"https://etcd-client.{view.namespace}.svc:2379"
    hosts = (f"etcd-{i}.etcd-discovery.{view.namespace}.svc" for i in range(ETCD_MEMBERS))
    return ",".join(f"https://{host}:2379" for host in hosts)


def flags(view: View) -> Iterator[str]:
    """Yield the flags that follow the cluster."""
    yield f"--advertise-address={view.advertise_address}"
    yield f"--secure-port={view.api_pod_port}"
    yield f"--etcd-servers={etcd_servers(view)}"
    if elsewhere := etcd_overrides(view):
        yield f"--etcd-servers-overrides={','.join(elsewhere)}"
    yield f"--service-cluster-ip-range={','.join(view.service_cidrs)}"
    yield f"--service-node-port-range={limits.node_ports(view)}"
    yield from identity_flags(view)
    yield from serving_flags(view)
    yield from limit_flags(view)
    for gate, enabled in view.feature_gates.items():
        yield f"--feature-gates={gate}={str(enabled).lower()}"


def identity_flags(view: View) -> Iterator[str]:
    """Yield who may call and who signs for service accounts."""
    yield f"--service-account-issuer={view.issuer_url}"
    yield f"--service-account-jwks-uri={view.issuer_url}/openid/v1/jwks"
    yield f"--api-audiences={view.issuer_url}"
    if expiration := limits.token_expiration(view):
        yield f"--service-account-max-token-expiration={expiration}"
    if by_oidc(view):
        yield "--authentication-config=/etc/kubernetes/auth/auth.json"
    if encryption.enabled(view):
        yield "--encryption-provider-config=/etc/kubernetes/secret-encryption/config.yaml"


def serving_flags(view: View) -> Iterator[str]:
    """Yield TLS: the profile, the user's certificates by name, then our own by service name."""
    yield from view.tls.flags
    for index, item in enumerate(named_certificates(view)):
        place = f"/etc/kubernetes/certs/named-{index}"
        names = ",".join(item.names)
        pair = f"{place}/tls.crt,{place}/tls.key"
        yield f"--tls-sni-cert-key={pair}:{names}" if names else f"--tls-sni-cert-key={pair}"
    place = "/etc/kubernetes/certs/server-private"
    yield f"--tls-sni-cert-key={place}/tls.crt,{place}/tls.key"


def limit_flags(view: View) -> Iterator[str]:
    """Yield how much at once, how loud, and how to stop."""
    yield f"--v={limits.verbosity(view)}"
    yield f"--max-requests-inflight={limits.requests(view)}"
    yield f"--max-mutating-requests-inflight={limits.mutating_requests(view)}"
    yield f"--goaway-chance={limits.goaway(view)}"
    yield from hand_over.flags(view)
    if view.profiling_disabled(NAME):
        yield "--profiling=false"
    yield from (f"--{name}={value}" for name, value in audit.webhook_options(view))


def deployment(view: View, manifest: Manifest) -> Manifest:
    rotation = {f"--{name}": value for name, value in audit.rotation(view).items()}
    manifest = audit.with_kept_log(view, edit.set_args(manifest, NAME, rotation))
    manifest = edit.add_args(manifest, NAME, flags(view))
    manifest = edit.add_args(manifest, KONNECTIVITY, konnectivity_flags(view))
    manifest = limits.with_runtime_limits(view, with_own_proxy(view, manifest))
    if encryption.enabled(view):
        marked = encryption.mark(encryption.text(view))
        manifest = edit.change_pod(manifest, lambda pod: edit.annotate(pod, marked))
        manifest = with_local_kubeconfig(encryption.with_key_service(view, manifest))
    manifest = probes.probed(view, manifest)
    manifest = with_port(view, with_optional_volumes(view, manifest))
    return hand_over.prepared(view, manifest, KONNECTIVITY)


def with_local_kubeconfig(manifest: Manifest) -> Manifest:
    """Mount the way to the server beside, where a sidecar asks for it."""
    name = kubeconfigs.LOCALHOST_SECRET
    mounts = (
        mount["name"]
        for container in edit.pod_of(manifest)["spec"]["containers"]
        for mount in container.get("volumeMounts") or ()
    )
    if name not in mounts:
        return manifest
    return edit.add_volumes(manifest, edit.secret_volume(name, name))


def konnectivity_flags(view: View) -> Iterator[str]:
    """Yield the number of servers that an agent must find, and konnectivity's TLS flags."""
    yield f"--server-count={default_replicas(view, KUBERNETES)}"
    yield from view.tls.spelled("--tls-min-version", "--cipher-suites")


def with_port(view: View, manifest: Manifest) -> Manifest:
    """Name the port that this cluster's API server listens on."""
    port = {"name": "client", "containerPort": view.api_pod_port, "protocol": "TCP"}
    return edit.change_container(manifest, NAME, lambda found: {**found, "ports": [port]})


def with_optional_volumes(view: View, manifest: Manifest) -> Manifest:
    """Mount what this cluster's configuration brings with it."""
    volumes: list[tuple[Manifest, str]] = [
        (edit.secret_volume(f"named-{i}", certificate_secret(item)), f"certs/named-{i}")
        for i, item in enumerate(named_certificates(view))
    ]
    if encryption.enabled(view):
        volumes.append((edit.secret_volume("encryption", encryption.SECRET), "secret-encryption"))
    if by_oidc(view):
        volumes.append((edit.config_volume("auth-config", "auth-config"), "auth"))
    if secret := audit.webhook(view):
        volumes.append((edit.secret_volume("audit-webhook", secret), "auditwebhook"))
    manifest = edit.add_volumes(manifest, *(volume for volume, _ in volumes))
    mounts = {volume["name"]: f"/etc/kubernetes/{path}" for volume, path in volumes}
    return edit.mount(manifest, NAME, mounts)


def auth_config(view: View, manifest: Manifest) -> Manifest:
    config = json.dumps(authentication_config(view, "v1beta1"))
    return edit.set_data(manifest, {"auth.json": config})


KUBERNETES = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("kubernetes/deployment.yaml", adapt=deployment),
    manifests=(
        Asset("common/audit-config.yaml", adapt=audit.audit_config),
        Asset("common/auth-config.yaml", adapt=auth_config, when=by_oidc),
        Asset(
            "common/encryption-config.yaml",
            adapt=encryption.encryption_config,
            when=encryption.enabled,
        ),
        Asset("kubernetes/egress-selector.yaml"),
        Asset("common/konnectivity-service.yaml"),
        kubeconfigs.EXTERNAL_ADMIN,
        replace(kubeconfigs.LOCALHOST, when=encryption.by_key_service),
        kubeconfigs.CUSTOM_ADMIN,
        kubeconfigs.NODE_BOOTSTRAP,
        *kubeconfigs.ACROSS_NAMESPACES,
        disruption.asset(NAME),
        MONITOR,
    ),
    depends_on=("etcd",),
    multi_zone_spread=True,
    request_serving=True,
    tier=Tier.API_CRITICAL,
    reads=(
        "Secret/root-ca",
        "Secret/kas-server-crt",
        "Secret/system-admin-client",
        "Secret/etcd-client-tls",
        "Secret/sa-signing-key",
        "Secret/konnectivity-cluster",
        "Secret/konnectivity-server",
        "Secret/konnectivity-client",
        "ConfigMap/client-ca",
    ),
    reloads=frozenset(
        {
            "Secret/konnectivity-cluster",
            "Secret/konnectivity-server",
            "Secret/kas-server-crt",
            "Secret/kas-server-private-crt",
            "Secret/kas-aggregator-crt",
            "Secret/kas-kubelet-client-crt",
            "Secret/etcd-client-tls",
            "ConfigMap/aggregator-client-ca",
        }
    ),
)
