"""Secrets and ConfigMaps of the user that a control plane needs beside it: what to copy where."""

from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypershift.api.secret_keys import DOCKER_CONFIG
from hypershift.kit import InvalidSpec, Key, Manifest, annotations_of, labels_of
from hypershift.kit.names import control_plane_namespace
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.pki import key_from_pem, public_pem

CA_BUNDLE = "ca-bundle.crt"
SIGNING_KEY = "sa-signing-key"
#: Fields under `spec.configuration` that name Secrets, and those that name ConfigMaps.
SECRET_FIELDS = frozenset(
    {
        "bindPassword",
        "clientSecret",
        "error",
        "fileData",
        "kubeConfig",
        "login",
        "providerSelection",
        "servingCertKeyPairSecret",
        "servingCertificate",
        "tlsClientCert",
        "tlsClientKey",
    }
)
CONFIG_MAP_FIELDS = frozenset(
    {
        "additionalTrustedCA",
        "ca",
        "clientCA",
        "issuerCertificateAuthority",
        "oauthMetadata",
        "policy",
        "trustedCA",
    }
)


@dataclass(frozen=True)
class Copy:
    """One object of the user's namespace, and what it becomes in the control plane's."""

    kind: str
    source: str
    target: str
    field: str  # where the user named it
    keys: tuple[str, ...] = ()  # that must be there; only these are copied, where named
    type: str = ""
    whole: bool = False  # labels and annotations too


def pull_secret(spec: Manifest) -> Iterator[Copy]:
    """The credentials that images are pulled with."""
    if name := _name(spec, "pullSecret"):
        kind = "kubernetes.io/dockerconfigjson"
        yield Copy("Secret", name, names.PULL_SECRET, "spec.pullSecret", (DOCKER_CONFIG,), kind)


def ssh_key(spec: Manifest) -> Iterator[Copy]:
    """The public key for the machines."""
    if name := _name(spec, "sshKey"):
        yield Copy("Secret", name, names.SSH_KEY, "spec.sshKey", ("id_rsa.pub",))


def trust_bundle(spec: Manifest) -> Iterator[Copy]:
    """The certificates that the user's own network is signed with."""
    if name := _name(spec, "additionalTrustBundle"):
        field = "spec.additionalTrustBundle"
        yield Copy("ConfigMap", name, names.USER_CA_BUNDLE, field, (CA_BUNDLE,))


def audit_webhook(spec: Manifest) -> Iterator[Copy]:
    """Where audit events are sent."""
    if name := _name(spec, "auditWebhook"):
        yield Copy("Secret", name, name, "spec.auditWebhook", ("webhook-kubeconfig",))


def encryption_keys(spec: Manifest) -> Iterator[Copy]:
    """The keys that Secrets are encrypted with at rest."""
    section = (spec.get("secretEncryption") or {}).get("aescbc") or {}
    for field in ("activeKey", "backupKey"):
        if name := _name(section, field):
            yield Copy("Secret", name, name, f"spec.secretEncryption.aescbc.{field}", ("key",))


def etcd_client(spec: Manifest) -> Iterator[Copy]:
    """How to reach an etcd that the user runs."""
    tls = ((spec.get("etcd") or {}).get("unmanaged") or {}).get("tls") or {}
    if name := _name(tls, "clientSecret"):
        yield Copy("Secret", name, name, "spec.etcd.unmanaged.tls.clientSecret")


def signing_key(spec: Manifest) -> Iterator[Copy]:
    """The user's own key for service account tokens."""
    if name := _name(spec, "serviceAccountSigningKey"):
        yield Copy("Secret", name, SIGNING_KEY, "spec.serviceAccountSigningKey", ("key",))


def configuration(spec: Manifest) -> Iterator[Copy]:
    """Everything that the cluster's configuration refers to, once each."""
    seen: set[tuple[str, str]] = set()
    for copy in _references(spec.get("configuration") or {}, "spec.configuration"):
        if (copy.kind, copy.source) not in seen:
            seen.add((copy.kind, copy.source))
            yield copy


def copied(copy: Copy, source: Manifest, cluster: Key) -> Manifest:
    """The object in the control plane namespace that a user's object becomes."""
    data = dict(source.get("data") or {})
    if missing := [key for key in copy.keys if not data.get(key)]:
        raise InvalidSpec(
            f"{copy.kind} {copy.source} has no key {missing[0]!r}",
            field=copy.field,
            reason="InvalidConfiguration",
        )
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
            reason="InvalidConfiguration",
        )
    # Tokens signed with the previous key stay valid while its public half is listed.
    public = public_pem(key) + b64decode(data.get("old-key.pub", ""))
    pair = {"service-account.key": private, "service-account.pub": public}
    return {name: b64encode(value).decode() for name, value in pair.items()}


def _references(node: Any, path: str) -> Iterator[Copy]:
    if isinstance(node, list):
        for item in node:
            yield from _references(item, path)
    if not isinstance(node, dict):
        return
    for field, value in node.items():
        here = f"{path}.{field}"
        name = value.get("name") if isinstance(value, dict) else None
        if name and field in SECRET_FIELDS:
            yield Copy("Secret", name, name, here, whole=True)
        elif name and field in CONFIG_MAP_FIELDS:
            yield Copy("ConfigMap", name, name, here, whole=True)
        else:
            yield from _references(value, here)


def _name(section: Manifest, field: str) -> str:
    name: str = (section.get(field) or {}).get("name", "")
    return name
