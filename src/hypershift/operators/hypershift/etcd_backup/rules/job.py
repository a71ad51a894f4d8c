"""The Job of a backup: fetch etcd's client certificate, save a snapshot, verify and upload it."""

from dataclasses import dataclass

from hypershift.api import replace
from hypershift.api.etcd import EtcdBackupEncryption
from hypershift.api.etcd_backup import BackupStorage
from hypershift.controlplane.etcd.proof import CANARY
from hypershift.kit import Manifest
from hypershift.operators.hypershift.etcd_backup import names
from hypershift.operators.hypershift.etcd_backup.rules.credentials import (
    BUNDLE,
    FILE,
    Credentials,
    Mode,
)

#: Seconds: a finished Job stays so long, and one that runs is ended after so long.
TTL, DEADLINE = 600, 900
CERTS, SNAPSHOT, CREDENTIALS = "/etc/etcd-certs", "/etc/etcd-backup", "/etc/etcd-backup-creds"
MANIFEST = "/etc/cluster-manifest"
TOKEN = "/var/run/secrets/aws-iam-token"  # noqa: S105 (a directory)
#: Where the client library looks for its account.
ACCOUNT_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount"  # noqa: S105 (a directory)
FETCH, MARK, SAVE = "fetch-certs", "mark", "snapshot"
SNAPSHOT_FILE = f"{SNAPSHOT}/snapshot.db"
PROGRAM = "control-plane-operator"
USER = 1000
#: etcd's own quota is 8 GiB. The cluster's etcd image writes it, which its owner may have chosen:
#: it must not fill the node for its neighbours.
MOST_SNAPSHOT = "12Gi"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Everything that a Job is made from."""

    backup: Manifest
    plane: Manifest
    storage: BackupStorage
    credentials: Credentials
    namespace: str  # of the operator, where the Job runs
    image: str  # of our programs
    etcd_image: str
    etcdctl: str = "etcdctl"
    uid: int | None = USER  # None: the management cluster chooses
    manifest: bool = False  # whether a Secret holds the sealed manifest of the cluster
    canary: bool = False  # whether the snapshot says which backup it is


def with_default_key(storage: BackupStorage, default: EtcdBackupEncryption | None) -> BackupStorage:
    """The storage with the key of `spec.etcd.managed.backup` where it names none itself."""
    if default is None:
        return storage
    s3, blob = storage.s3, storage.azure_blob
    if s3 and not s3.kms_key_arn and default.aws:
        return replace(storage, s3=replace(s3, kms_key_arn=default.aws.kms_key_arn))
    if blob and not blob.encryption_key_url and default.azure:
        key = default.azure.encryption_key_url
        return replace(storage, azure_blob=replace(blob, encryption_key_url=key))
    return storage


def encryption_metadata(storage: BackupStorage) -> Manifest | None:
    """The key that a snapshot is encrypted with, from a status."""
    if storage.s3 and storage.s3.kms_key_arn:
        return {"aws": {"kmsKeyARN": storage.s3.kms_key_arn}}
    if storage.azure_blob and storage.azure_blob.encryption_key_url:
        return {"azure": {"encryptionKeyURL": storage.azure_blob.encryption_key_url}}
    return None


def job(order: Order) -> Manifest:
    """The Job; it runs once, and its end is final."""
    labels = names.job_labels(order.backup, order.plane)
    pod: Manifest = {"labels": dict(labels)}
    if order.credentials.mode is Mode.AZURE_WORKLOAD_IDENTITY:
        pod["labels"]["azure.workload.identity/use"] = "true"
        apart = (FETCH, MARK, SAVE) if order.canary else (FETCH, SAVE)
        # The store's identity is for who uploads, and not for the cluster's own etcd image.
        pod["annotations"] = {"azure.workload.identity/skip-containers": ";".join(apart)}
    if order.credentials.mode is Mode.AZURE_MANAGED_IDENTITY:
        pod["labels"][names.ASKS_METADATA] = "true"
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {
            "name": names.job_name(order.backup),
            "namespace": order.namespace,
            "labels": labels,
        },
        "spec": {
            "ttlSecondsAfterFinished": TTL,
            "activeDeadlineSeconds": DEADLINE,
            "backoffLimit": 0,
            "template": {"metadata": pod, "spec": _pod(order)},
        },
    }


def _pod(order: Order) -> Manifest:
    security: Manifest = {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}}
    if order.uid is not None:
        # One user for all containers: the key that the first one fetches is readable by it alone.
        security |= {"runAsUser": order.uid, "fsGroup": order.uid}
    return {
        "serviceAccountName": names.ACCOUNT,
        # All backups share the account, which reads the etcd certificate of every cluster that is
        # backed up now; and the cluster's owner may have chosen the etcd image that runs here. So
        # the container that fetches has its token, and no other.
        "automountServiceAccountToken": False,
        "restartPolicy": "Never",
        "securityContext": security,
        "volumes": _volumes(order),
        "initContainers": [
            _fetch(order),
            *([_mark(order)] if order.canary else ()),
            _save(order),
        ],
        "containers": [_upload(order)],
    }


def _fetch(order: Order) -> Manifest:
    place = order.backup["metadata"]["namespace"]
    command = [PROGRAM, "fetch-etcd-certs", "--hcp-namespace", place, "--output-dir", CERTS]
    mounts = [_mount("etcd-certs", CERTS), _mount("own-token", ACCOUNT_TOKEN, read_only=True)]
    return _container(FETCH, order.image, command, mounts)


def _mark(order: Order) -> Manifest:
    """Write the backup's uid into etcd, beside what the API server stores.

    So a proof can tell that the snapshot in the store is this one, and how old its data is.
    """
    return _etcdctl(order, MARK, "put", CANARY, order.backup["metadata"]["uid"])


def _save(order: Order) -> Manifest:
    container = _etcdctl(order, SAVE, "snapshot", "save", SNAPSHOT_FILE)
    container["volumeMounts"].append(_mount("etcd-backup", SNAPSHOT))
    return container


def _etcdctl(order: Order, name: str, *words: str) -> Manifest:
    place = order.backup["metadata"]["namespace"]
    command = [
        order.etcdctl,
        *("--endpoints", f"https://etcd-client.{place}.svc:2379"),
        *("--cacert", f"{CERTS}/ca.crt"),
        *("--cert", f"{CERTS}/etcd-client.crt"),
        *("--key", f"{CERTS}/etcd-client.key"),
        *words,
    ]
    mounts = [_mount("etcd-certs", CERTS, read_only=True)]
    environment = [{"name": "ETCDCTL_API", "value": "3"}]
    return _container(name, order.etcd_image, command, mounts) | {"env": environment}


def _upload(order: Order) -> Manifest:
    # Writable: the list of what the snapshot contains is made beside it.
    mounts = [_mount("etcd-backup", SNAPSHOT)]
    if order.credentials.needs_file:
        mounts.append(_mount("backup-credentials", CREDENTIALS, read_only=True))
    if order.manifest:
        mounts.append(_mount("cluster-manifest", MANIFEST, read_only=True))
    container = _container(names.UPLOAD, order.image, upload_command(order), mounts)
    if order.credentials.has_bundle:
        container["env"] = [{"name": "SSL_CERT_FILE", "value": f"{CREDENTIALS}/{BUNDLE}"}]
    if order.credentials.mode is Mode.AWS_STS:
        mounts.append(_mount("aws-iam-token", TOKEN, read_only=True))
        container["env"] = [
            {"name": "AWS_ROLE_ARN", "value": order.credentials.role},
            {"name": "AWS_WEB_IDENTITY_TOKEN_FILE", "value": f"{TOKEN}/token"},
        ]
    return container


def upload_command(order: Order) -> list[str]:
    """The command that verifies the snapshot and stores it."""
    command = [PROGRAM, "etcd-upload", "--snapshot-path", SNAPSHOT_FILE]
    if s3 := order.storage.s3:
        command += ["--storage-type", "S3", "--aws-bucket", s3.bucket, "--aws-region", s3.region]
        command += ["--key-prefix", s3.key_prefix]
        key = ["--aws-kms-key-arn", s3.kms_key_arn] if s3.kms_key_arn else []
    elif blob := order.storage.azure_blob:
        command += ["--storage-type", "AzureBlob", "--azure-container", blob.container]
        command += ["--azure-storage-account", blob.storage_account]
        command += ["--key-prefix", blob.key_prefix]
        command += ["--azure-auth-type", order.credentials.azure_auth_type]
        scope = blob.encryption_key_url
        key = ["--azure-encryption-scope", scope] if scope else []
    else:
        raise ValueError("a storage without a stanza")
    if order.credentials.needs_file:
        command += ["--credentials-file", f"{CREDENTIALS}/{FILE}"]
    if order.manifest:
        command += ["--manifest-path", f"{MANIFEST}/{names.MANIFEST_FILE}"]
    return command + key


def _container(name: str, image: str, command: list[str], mounts: list[Manifest]) -> Manifest:
    return {
        "name": name,
        "image": image,
        "command": command,
        "resources": {"requests": {"cpu": "10m", "memory": "64Mi"}},
        "securityContext": {
            "allowPrivilegeEscalation": False,
            "capabilities": {"drop": ["ALL"]},
            "readOnlyRootFilesystem": True,
        },
        "terminationMessagePolicy": "FallbackToLogsOnError",
        "volumeMounts": mounts,
    }


def _mount(name: str, path: str, *, read_only: bool = False) -> Manifest:
    return {"name": name, "mountPath": path} | ({"readOnly": True} if read_only else {})


def _volumes(order: Order) -> list[Manifest]:
    volumes: list[Manifest] = [
        {"name": "etcd-certs", "emptyDir": {"medium": "Memory", "sizeLimit": "1Mi"}},
        {"name": "etcd-backup", "emptyDir": {"sizeLimit": MOST_SNAPSHOT}},
        {"name": "own-token", "projected": {"sources": _own_account()}},
    ]
    if order.credentials.needs_file:
        # Not all keys of the Secret: it may hold more than the store's credentials.
        files = (FILE, BUNDLE) if order.credentials.has_bundle else (FILE,)
        items = [{"key": name, "path": name} for name in files]
        secret = {"secretName": order.credentials.secret, "items": items}
        volumes.append({"name": "backup-credentials", "secret": secret})
    if order.manifest:
        sealed = {"secretName": names.job_name(order.backup)}
        volumes.append({"name": "cluster-manifest", "secret": sealed})
    if order.credentials.mode is Mode.AWS_STS:
        token = {"audience": "sts.amazonaws.com", "expirationSeconds": 3600, "path": "token"}
        projected = {"sources": [{"serviceAccountToken": token}]}
        volumes.append({"name": "aws-iam-token", "projected": projected})
    return volumes


def _own_account() -> list[Manifest]:
    """What Kubernetes itself would mount: the account's token, the authority, the namespace."""
    field = {"apiVersion": "v1", "fieldPath": "metadata.namespace"}
    authority = [{"key": "ca.crt", "path": "ca.crt"}]
    return [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": authority}},
        {"downwardAPI": {"items": [{"path": "namespace", "fieldRef": field}]}},
    ]
