"""kube-apiserver of OpenShift's payload: one configuration file, and its bootstrap beside it."""

import json
from pathlib import Path

from hypershift.api.values import AuditProfile, EtcdManagementType
from hypershift.component import (
    Asset,
    Component,
    Tier,
    View,
    audit,
    default_replicas,
    disruption,
    edit,
    etcd_shards,
    features,
)
from hypershift.controlplane.kube_apiserver import (
    encryption,
    kubeconfigs,
    limits,
    oauth,
    portieris,
    webhooks,
)
from hypershift.controlplane.kube_apiserver.authentication import authentication_config
from hypershift.controlplane.kube_apiserver.common import (
    MONITOR,
    NAME,
    certificate_secret,
    named_certificates,
    with_own_proxy,
)
from hypershift.controlplane.kube_apiserver.config import kas_config
from hypershift.kit import Manifest

KONNECTIVITY = "konnectivity-server"
BOOTSTRAP = ("init-bootstrap-render", "init-auth-bootstrap-render")


def deployment(view: View, manifest: Manifest) -> Manifest:
    manifest = edit.add_args(manifest, NAME, (f"--v={limits.verbosity(view)}",))
    manifest = edit.add_args(manifest, KONNECTIVITY, konnectivity_flags(view))
    manifest = audit.with_kept_log(view, with_own_proxy(view, manifest))
    manifest = with_port(view, limits.with_runtime_limits(view, manifest))
    for name in BOOTSTRAP:
        manifest = edit.set_env(manifest, name, bootstrap_environment(view))
    manifest = edit.drop_containers(with_shards(view, manifest), *unneeded(view))
    manifest = portieris.with_portieris(view, with_user_volumes(view, manifest))
    manifest = webhooks.with_webhook(view, manifest)
    return with_pre_pull(view, with_encryption(view, manifest))


def konnectivity_flags(view: View) -> list[str]:
    """The number of servers that an agent must find, and konnectivity's TLS flags."""
    count = default_replicas(view, OPENSHIFT)
    return [
        "--server-count",
        str(count),
        *view.tls.spelled("--tls-min-version", "--cipher-suites"),
    ]


def with_port(view: View, manifest: Manifest) -> Manifest:
    port = {"name": "client", "containerPort": view.api_pod_port, "protocol": "TCP"}
    return edit.change_container(manifest, NAME, lambda found: {**found, "ports": [port]})


def bootstrap_environment(view: View) -> dict[str, str]:
    """What the guest's first objects are rendered from."""
    return {
        "PAYLOAD_VERSION": view.user_release.version,
        "FEATURE_GATE_YAML": features.manifest_text(view.feature_gate),
    }


def unneeded(view: View) -> list[str]:
    """The containers that this cluster does without."""
    names = []
    if audit.profile(view) == AuditProfile.NONE:
        names.append("audit-logs")
    if not view.oauth_enabled:
        names.append("init-auth-bootstrap-render")
    if view.spec.etcd.management_type == EtcdManagementType.UNMANAGED:
        names.append("wait-for-etcd")
    return names


def with_shards(view: View, manifest: Manifest) -> Manifest:
    """Wait for every etcd cluster that the server will ask."""
    hosts = [
        "etcd-client",
        *(f"etcd-client-{shard.name}" for shard in etcd_shards.active_shards(view)),
    ]
    if len(hosts) == 1:
        return manifest
    waits = (f"while ! nslookup {one}.$(POD_NAMESPACE).svc; do sleep 1; done" for one in hosts)
    script = "\n".join(["#!/bin/sh", *waits])
    return edit.change_container(
        manifest, "wait-for-etcd", lambda found: {**found, "args": ["-c", script]}
    )


def with_user_volumes(view: View, manifest: Manifest) -> Manifest:
    """Mount the certificates and the audit webhook that the user brought."""
    for index, item in enumerate(named_certificates(view), start=1):
        name = f"named-cert-{index}"
        volume = edit.secret_volume(name, certificate_secret(item))
        manifest = edit.add_volumes(manifest, volume)
        manifest = edit.mount(manifest, NAME, {name: f"/etc/kubernetes/certs/named-{index}"})
    if secret := audit.webhook(view):
        manifest = edit.add_volumes(manifest, edit.secret_volume("kas-audit-webhook", secret))
        manifest = edit.mount(manifest, NAME, {"kas-audit-webhook": "/etc/kubernetes/auditwebhook"})
    return manifest


def with_encryption(view: View, manifest: Manifest) -> Manifest:
    """Give the server its encryption configuration, and the pod the hash of it."""
    if not encryption.enabled(view):
        return manifest
    flags = (
        "--encryption-provider-config=/etc/kubernetes/secret-encryption/config.yaml",
        "--encryption-provider-config-automatic-reload=false",
    )
    name = encryption.SECRET
    manifest = edit.add_volumes(
        edit.add_args(manifest, NAME, flags), edit.secret_volume(name, name)
    )
    manifest = edit.mount(manifest, NAME, {name: "/etc/kubernetes/secret-encryption"})
    marked = encryption.mark(encryption.text(view))
    manifest = edit.change_pod(manifest, lambda pod: edit.annotate(pod, marked))
    return encryption.with_key_service(view, manifest)


def with_pre_pull(view: View, manifest: Manifest) -> Manifest:
    """Fetch the server's image before anything else starts."""
    image = view.release.find("hyperkube") or "hyperkube"
    container = {
        "name": f"pre-pull-image-{NAME}",
        "image": "hyperkube",
        "command": ["/bin/sh", "-c", f"echo 'Image for {NAME} pre-pulled: {image}'; exit 0"],
        "resources": {},
    }
    path = (*edit.pod_path(manifest), "spec", "initContainers")
    return edit.at(manifest, path, lambda found: [container, *(found or ())])


def auth_config(view: View, manifest: Manifest) -> Manifest:
    config = authentication_config(view, "v1alpha1")
    return edit.set_data(manifest, {"auth.json": json.dumps(config, separators=(",", ":"))})


def recording_rules(view: View, manifest: Manifest) -> Manifest:
    """Mark what the rules record with the cluster it is about."""
    marked = {"_id": view.spec.cluster_id or ""}
    groups = [
        {
            **group,
            "rules": [
                {**rule, "labels": {**(rule.get("labels") or {}), **marked}}
                for rule in group["rules"]
            ],
        }
        for group in manifest["spec"]["groups"]
    ]
    return edit.put(manifest, ("spec", "groups"), groups)


_CAPI, _HCCO, _SERVICE_NETWORK = kubeconfigs.IN_CLUSTER

OPENSHIFT = Component(
    name=NAME,
    assets=Path(__file__).parent / "assets",
    workload=Asset("openshift/deployment.yaml", adapt=deployment),
    manifests=(
        Asset("common/audit-config.yaml", adapt=audit.audit_config),
        Asset("common/auth-config.yaml", adapt=auth_config),
        oauth.TOKEN_WEBHOOK,
        webhooks.AWS_KUBECONFIG,
        encryption.PROVIDER_CLASS,
        webhooks.AZURE_KUBECONFIG,
        kubeconfigs.NODE_BOOTSTRAP,
        _CAPI,
        kubeconfigs.CUSTOM_ADMIN,
        Asset("openshift/egress-selector.yaml"),
        kubeconfigs.EXTERNAL_ADMIN,
        _HCCO,
        kubeconfigs.BOOTSTRAP_SIDECAR,
        Asset("openshift/config.yaml", adapt=kas_config),
        Asset("common/konnectivity-service.yaml"),
        kubeconfigs.LOCALHOST,
        oauth.METADATA,
        disruption.asset(NAME),
        Asset("openshift/recording-rules.yaml", adapt=recording_rules),
        Asset(
            "common/encryption-config.yaml",
            adapt=encryption.encryption_config,
            when=encryption.enabled,
        ),
        _SERVICE_NETWORK,
        MONITOR,
    ),
    depends_on=("etcd", "featuregate-generator"),
    multi_zone_spread=True,
    request_serving=True,
    tier=Tier.API_CRITICAL,
)
