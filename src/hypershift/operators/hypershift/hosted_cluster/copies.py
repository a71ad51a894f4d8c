"""Secrets and ConfigMaps of the user that a control plane needs beside it: what to copy where."""

from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.api.conditions import Reason
from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import InvalidSpec, Key, Manifest, annotations_of, labels_of
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.references import config_maps, secrets
from hypershift.pki import key_from_pem, public_pem

CA_BUNDLE = "ca-bundle.crt"
SIGNING_KEY = "sa-signing-key"


@dataclass(frozen=True)
class Copy:
    """One object of the user's namespace, and what it becomes in the control plane's."""

    kind: str
    source: str
    target: str
    field: str  # where the user named it
    called: str  # in what is said when it is not there
    keys: tuple[str, ...] = ()  # that must be there; only these are copied, where named
    hollow: str = ""  # what is said when they are not; nothing: there is just no copy
    type: str = ""
    whole: bool = False  # labels and annotations too


def pull_secret(spec: Manifest) -> Iterator[Copy]:
    """The credentials that images are pulled with."""
    if name := _name(spec, "pullSecret"):
        yield Copy(
            "Secret",
            name,
            names.PULL_SECRET,
            "spec.pullSecret",
            f"pull secret {name}",
            (DOCKER_CONFIG,),
            f'hostedcluster pull secret "{name}" must have a {DOCKER_CONFIG} key',
            type="kubernetes.io/dockerconfigjson",
        )


def ssh_key(spec: Manifest) -> Iterator[Copy]:
    """The public key for the machines."""
    if name := _name(spec, "sshKey"):
        yield Copy(
            "Secret",
            name,
            names.SSH_KEY,
            "spec.sshKey",
            f"hostedcluster SSHKey secret {name}",
            ("id_rsa.pub",),
            f'hostedcluster SSHKey secret "{name}" must have a id_rsa.pub key',
        )


def trust_bundle(spec: Manifest) -> Iterator[Copy]:
    """The certificates that the user's own network is signed with."""
    if name := _name(spec, "additionalTrustBundle"):
        called = "hostedcluster AdditionalTrustBundle"
        yield Copy(
            "ConfigMap",
            name,
            names.USER_CA_BUNDLE,
            "spec.additionalTrustBundle",
            f"{called} ConfigMap {name}",
            (CA_BUNDLE,),
            f'{called} configmap "{name}" must have a {CA_BUNDLE} key',
        )


def audit_webhook(spec: Manifest) -> Iterator[Copy]:
    """Where audit events are sent."""
    if name := _name(spec, "auditWebhook"):
        key = "webhook-kubeconfig"
        yield Copy(
            "Secret",
            name,
            name,
            "spec.auditWebhook",
            f"audit webhook config {name}",
            (key,),
            f"audit webhook secret does not contain key {key}",
        )


def encryption_keys(spec: Manifest) -> Iterator[Copy]:
    """The keys that Secrets are encrypted with at rest."""
    encryption = spec.get("secretEncryption") or {}
    section = encryption.get("aescbc") or {}
    if encryption.get("type") != "aescbc" or not _name(section, "activeKey"):
        return
    for field, called in (("activeKey", "active"), ("backupKey", "backup")):
        if name := _name(section, field):
            place = f"spec.secretEncryption.aescbc.{field}"
            yield Copy("Secret", name, name, place, f"{called} aescbc secret {name}", ("key",))


def etcd_client(spec: Manifest) -> Iterator[Copy]:
    """How to reach an etcd that the user runs."""
    etcd = spec.get("etcd") or {}
    tls = (etcd.get("unmanaged") or {}).get("tls") or {}
    name = _name(tls, "clientSecret")
    if etcd.get("managementType") == "Unmanaged" and name:
        place = "spec.etcd.unmanaged.tls.clientSecret"
        yield Copy("Secret", name, name, place, "unmanaged etcd tls secret")


def signing_key(spec: Manifest) -> Iterator[Copy]:
    """The user's own key for service account tokens."""
    if name := _name(spec, "serviceAccountSigningKey"):
        yield Copy(
            "Secret",
            name,
            SIGNING_KEY,
            "spec.serviceAccountSigningKey",
            f"hostedcluster ServiceAccountSigningKey secret {name}",
            ("key",),
            f'cannot find service account key "key" in secret {name}',
        )


def configuration(spec: Manifest) -> Iterator[Copy]:
    """Everything that the cluster's configuration refers to, once each."""
    section = spec.get("configuration") or {}
    for kind, found in (("ConfigMap", config_maps(section)), ("Secret", secrets(section))):
        for name, field in sorted(dict(found).items()):
            called = f"referenced {kind.lower()}"
            yield Copy(kind, name, name, f"spec.configuration.{field}", called, whole=True)


def copied(copy: Copy, source: Manifest, cluster: Key) -> Manifest | None:
    """The object in the control plane namespace that a user's object becomes; None for none."""
    data = dict(source.get("data") or {})
    if not all(key in data for key in copy.keys):
        if not copy.hollow:
            return None
        raise InvalidSpec(copy.hollow, field=copy.field, reason=Reason.INVALID_CONFIGURATION)
    content = {key: data[key] for key in copy.keys} if copy.keys else data
    manifest: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": copy.kind,
        "metadata": _metadata(copy, source, cluster),
        "data": _signing_data(data, copy) if copy.target == SIGNING_KEY else content,
    }
    if copy.kind == "Secret":
        manifest["type"] = copy.type or (source.get("type", "Opaque") if copy.whole else "Opaque")
    if copy.whole and source.get("binaryData"):
        manifest["binaryData"] = source["binaryData"]
    return manifest


def _metadata(copy: Copy, source: Manifest, cluster: Key) -> Manifest:
    metadata: dict[str, Any] = {
        "name": copy.target,
        "namespace": control_plane_namespace(cluster),
        "annotations": names.cluster_annotation(cluster),
    }
    if copy.whole:
        # What the user's tools remember about the source is not true of the copy.
        own = (names.REFERENCED, "kubectl.kubernetes.io/")
        kept = {k: v for k, v in annotations_of(source).items() if not k.startswith(own)}
        metadata["labels"] = dict(labels_of(source))
        metadata["annotations"] = kept | metadata["annotations"]
    return metadata


def _signing_data(data: Manifest, copy: Copy) -> dict[str, str]:
    private = b64decode(data["key"])
    key = key_from_pem(private)
    if key is None:
        raise InvalidSpec(
            f"Secret {copy.source} holds no private key that can be read",
            field=copy.field,
            reason=Reason.INVALID_CONFIGURATION,
        )
    # Tokens signed with the previous key stay valid while its public half is listed.
    public = public_pem(key) + b64decode(data.get("old-key.pub", ""))
    pair = {"service-account.key": private, "service-account.pub": public}
    return {name: b64encode(value).decode() for name, value in pair.items()}


def _name(section: Manifest, field: str) -> str:
    name: str = (section.get(field) or {}).get("name", "")
    return name
