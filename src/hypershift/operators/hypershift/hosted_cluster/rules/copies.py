"""Secrets and ConfigMaps of the user that a control plane needs beside it: what to copy where."""

from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypershift.api.conditions import Reason
from hypershift.api.hosted_cluster import HostedClusterSpec
from hypershift.api.meta import LocalObjectReference
from hypershift.api.secret_keys import AUDIT_WEBHOOK_KEY, DOCKER_CONFIG
from hypershift.api.values import EtcdManagementType, SecretEncryptionType
from hypershift.api.well_known import PULL_SECRET
from hypershift.kit import InvalidSpec, Key, Manifest, annotations_of, data_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import inline
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules.references import config_maps, secrets
from hypershift.operators.hypershift.reserved import reserved
from hypershift.pki import key_from_pem, public_pem

CA_BUNDLE = "ca-bundle.crt"
SIGNING_KEY = "sa-signing-key"
#: Key of a kubeconfig by which the API server asks who a token is.
TOKEN_WEBHOOK_KEY = "kubeConfig"  # noqa: S105 (the key of a Secret)
OPAQUE: Final = "Opaque"
#: Types that only name the keys. No controller creates a token or account because of them.
HARMLESS_TYPES: Final = frozenset(
    {
        OPAQUE,
        "kubernetes.io/basic-auth",
        "kubernetes.io/dockercfg",
        "kubernetes.io/dockerconfigjson",
        "kubernetes.io/ssh-auth",
        "kubernetes.io/tls",
    }
)
#: References under names of users. Each may be 1 MiB, and all of them are in our storage twice.
MOST: Final = 128


@dataclass(frozen=True)
class Copy:
    """One object of the user's namespace, and what it becomes in the control plane's."""

    kind: str
    source: str
    target: str
    field: str  # where the user named it
    called: str  # its name in the message when it is not there
    keys: tuple[str, ...] = ()  # that must be there; only these are copied, where named
    hollow: str = ""  # the message when they are missing; empty: there is just no copy
    type: str = ""
    whole: bool = False  # every key, and the type where that is harmless
    kept: bool = False  # under the name that the user gave it, as the control plane refers to it
    kubeconfig: str = ""  # key of one that the API server reads in its pod: values only


def pull_secret(spec: HostedClusterSpec) -> Iterator[Copy]:
    """The credentials that images are pulled with."""
    if name := spec.pull_secret.name:
        yield Copy(
            "Secret",
            name,
            PULL_SECRET,
            "spec.pullSecret",
            f"pull secret {name}",
            (DOCKER_CONFIG,),
            f'hostedcluster pull secret "{name}" must have a {DOCKER_CONFIG} key',
            type="kubernetes.io/dockerconfigjson",
        )


def ssh_key(spec: HostedClusterSpec) -> Iterator[Copy]:
    """The public key for the machines."""
    if name := _name(spec.ssh_key):
        yield Copy(
            "Secret",
            name,
            names.SSH_KEY,
            "spec.sshKey",
            f"hostedcluster SSHKey secret {name}",
            ("id_rsa.pub",),
            f'hostedcluster SSHKey secret "{name}" must have a id_rsa.pub key',
        )


def trust_bundle(spec: HostedClusterSpec) -> Iterator[Copy]:
    """The certificates that the user's own network is signed with."""
    if name := _name(spec.additional_trust_bundle):
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


def audit_webhook(spec: HostedClusterSpec) -> Iterator[Copy]:
    """Where audit events are sent."""
    if name := _name(spec.audit_webhook):
        yield Copy(
            "Secret",
            name,
            name,
            "spec.auditWebhook",
            f"audit webhook config {name}",
            (AUDIT_WEBHOOK_KEY,),
            f"audit webhook secret does not contain key {AUDIT_WEBHOOK_KEY}",
            kept=True,
            kubeconfig=AUDIT_WEBHOOK_KEY,
        )


def encryption_keys(spec: HostedClusterSpec) -> Iterator[Copy]:
    """The keys that Secrets are encrypted with at rest."""
    encryption = spec.secret_encryption
    keys = encryption.aescbc if encryption else None
    if encryption is None or encryption.type != SecretEncryptionType.AESCBC or keys is None:
        return
    if not keys.active_key.name:
        return
    for reference, called in ((keys.active_key, "active"), (keys.backup_key, "backup")):
        if name := _name(reference):
            place = f"spec.secretEncryption.aescbc.{called}Key"
            described = f"{called} aescbc secret {name}"
            yield Copy("Secret", name, name, place, described, ("key",), kept=True)


def etcd_client(spec: HostedClusterSpec) -> Iterator[Copy]:
    """How to reach an etcd that the user runs."""
    external = spec.etcd.unmanaged
    name = external.tls.client_secret.name if external else ""
    if spec.etcd.management_type == EtcdManagementType.UNMANAGED and name:
        place = "spec.etcd.unmanaged.tls.clientSecret"
        yield Copy("Secret", name, name, place, "unmanaged etcd tls secret", kept=True)


def signing_key(spec: HostedClusterSpec) -> Iterator[Copy]:
    """The user's own key for service account tokens."""
    if name := _name(spec.service_account_signing_key):
        yield Copy(
            "Secret",
            name,
            SIGNING_KEY,
            "spec.serviceAccountSigningKey",
            f"hostedcluster ServiceAccountSigningKey secret {name}",
            ("key",),
            f'cannot find service account key "key" in secret {name}',
        )


def configuration(spec: HostedClusterSpec) -> Iterator[Copy]:
    """Everything that the cluster's configuration refers to, once each."""
    section = spec.configuration
    if section is None:
        return
    for kind, found in (("ConfigMap", config_maps(section)), ("Secret", secrets(section))):
        for name, field in sorted(dict(found).items()):
            called = f"referenced {kind.lower()}"
            place = f"spec.configuration.{field}"
            # A name stands here once, whatever else it is used for: so the use has no say.
            read = TOKEN_WEBHOOK_KEY if kind == "Secret" else ""
            yield Copy(kind, name, name, place, called, whole=True, kept=True, kubeconfig=read)


#: Everything that is copied, in the order in which it is.
PARTS: Final[tuple[Callable[[HostedClusterSpec], Iterator[Copy]], ...]] = (
    pull_secret,
    encryption_keys,
    audit_webhook,
    ssh_key,
    trust_bundle,
    signing_key,
    etcd_client,
    configuration,
)


def every(spec: HostedClusterSpec) -> Iterator[Copy]:
    """Everything that a cluster refers to."""
    for part in PARTS:
        yield from part(spec)


def problems(spec: HostedClusterSpec) -> Iterator[str]:
    """Yield which references would put a user's object where an object of ours is or may be."""
    wanted = list(every(spec))
    fixed = {(copy.kind, copy.target): copy.source for copy in wanted if not copy.kept}
    kept = [copy for copy in wanted if copy.kept]
    if len(kept) > MOST:
        yield f"the spec refers to {len(kept)} Secrets and ConfigMaps, at most {MOST} are allowed"
    for copy in kept:
        # The proxy's authorities and the trust bundle are often one ConfigMap, which is fine.
        if fixed.get((copy.kind, copy.target)) == copy.source:
            continue
        alone = copy.target == names.USER_CA_BUNDLE and (copy.kind, copy.target) not in fixed
        if reserved(copy.target) and not alone:
            yield (
                f'{copy.field} refers to {copy.kind} "{copy.source}", but the control plane has '
                "an object of that name, or may have one: give yours another name and refer to "
                "that one"
            )


def copied(copy: Copy, source: Manifest, cluster: Key) -> Manifest | None:
    """The object in the control plane namespace that a user's object becomes; None for none."""
    data = dict(source.get("data") or {})
    if not all(key in data for key in copy.keys):
        if not copy.hollow:
            return None
        raise InvalidSpec(copy.hollow, field=copy.field, reason=Reason.INVALID_CONFIGURATION)
    if copy.kubeconfig in data:
        # Validation has read it too, but the user may have changed it since.
        told = f'{copy.field}: Secret "{copy.source}", key {copy.kubeconfig}'
        inline.check_receiver(data_of(source, copy.kubeconfig), source=told)
    content = {key: data[key] for key in copy.keys} if copy.keys else data
    manifest: dict[str, Any] = {
        "apiVersion": "v1",
        "kind": copy.kind,
        "metadata": _metadata(copy, cluster),
        "data": _signing_data(data, copy) if copy.target == SIGNING_KEY else content,
    }
    if copy.kind == "Secret":
        manifest["type"] = copy.type or _type(copy, source)
    if copy.whole and source.get("binaryData"):
        manifest["binaryData"] = source["binaryData"]
    return manifest


def _metadata(copy: Copy, cluster: Key) -> Manifest:
    """The name and our marks alone: controllers act on labels and annotations."""
    mark = {names.COPY_OF: f"{cluster.namespace}/{copy.source}"}
    return {
        "name": copy.target,
        "namespace": control_plane_namespace(cluster),
        "annotations": names.cluster_annotation(cluster) | mark,
    }


def _type(copy: Copy, source: Manifest) -> str:
    """The type of the source, unless a controller would act on it: then it is plain data."""
    found: str = source.get("type") or OPAQUE
    return found if copy.whole and found in HARMLESS_TYPES else OPAQUE


def is_copy(found: Manifest, cluster: Key) -> bool:
    """True if an object of the control plane namespace is a copy that we made for this cluster.

    Copies of earlier versions have no mark; they name the cluster, and no component owns them.
    """
    if names.cluster_of(found) != cluster:
        return False
    return names.COPY_OF in annotations_of(found) or not found["metadata"].get("ownerReferences")


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


def _name(reference: LocalObjectReference | None) -> str:
    return reference.name if reference else ""
