"""Programs of a backup's Job: `fetch-etcd-certs` and `etcd-upload`, with the original's flags."""

import json
import os
import sys
from base64 import b64decode
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag
from hypershift.cli.typed import Typed
from hypershift.cloud import stores
from hypershift.controlplane.etcd import snapshot
from hypershift.kit import HypershiftError, Secret, UsageError
from hypershift.kube import Client, kinds

#: Kubernetes reads what a container wrote here when it ends; no right is needed for it.
TERMINATION_MESSAGE = Path("/dev/termination-log")
S3, BLOB = "S3", "AzureBlob"


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchCerts:
    """What `fetch-etcd-certs` is given."""

    etcd_ca_configmap: str
    etcd_client_secret: str
    hcp_namespace: str
    output_dir: str


@dataclass(frozen=True, slots=True, kw_only=True)
class UploadOptions:
    """What `etcd-upload` is given."""

    aws_bucket: str
    aws_kms_key_arn: str
    aws_region: str
    azure_auth_type: str
    azure_container: str
    azure_encryption_scope: str
    azure_storage_account: str
    credentials_file: str
    key_prefix: str
    manifest_path: str
    snapshot_path: str
    storage_type: str


async def fetch_certs(options: FetchCerts) -> int:
    """Write etcd's client certificate and authority as files that this user alone can read."""
    place, target = options.hcp_namespace, Path(options.output_dir)
    async with Client.connect(None, manager="etcd-backup") as client:
        secret = await client.get(kinds.SECRET, options.etcd_client_secret, place)
        bundle = await client.get(kinds.CONFIG_MAP, options.etcd_ca_configmap, place)
    files = {name: b64decode(value) for name, value in (secret.get("data") or {}).items()}
    files |= {name: text.encode() for name, text in (bundle.get("data") or {}).items()}
    write_private(target, files)
    return 0


def write_private(target: Path, files: dict[str, bytes]) -> None:
    """Write files that their owner alone can read."""
    target.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, content in files.items():
        descriptor = os.open(target / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)


def upload(options: UploadOptions) -> int:
    """Verify the snapshot, store it, and report its address."""
    path, prefix = Path(options.snapshot_path), options.key_prefix
    manifest = Path(options.manifest_path) if options.manifest_path else None
    done = snapshot.upload(store_of(options), path, prefix, datetime.now(UTC), manifest)
    sys.stdout.write(f"{done.url}\n")
    if TERMINATION_MESSAGE.exists():
        content = done.content
        about = f"snapshot of {content.keys} keys at revision {content.revision}"
        TERMINATION_MESSAGE.write_text(f"{done.url}\n{about}")
    return 0


def store_of(options: UploadOptions) -> snapshot.Store:
    """The store that the flags name."""
    match options.storage_type:
        case "S3":
            return _bucket(options)
        case "AzureBlob":
            return _blob(options)
        case other:
            raise UsageError(f"--storage-type {other!r} is neither {S3} nor {BLOB}")


def _bucket(options: UploadOptions) -> stores.Bucket:
    region, name = options.aws_region, options.aws_bucket
    if not region or not name:
        raise UsageError(f"--storage-type {S3} needs --aws-bucket and --aws-region")
    key, endpoint = options.aws_kms_key_arn, s3_endpoint(options.credentials_file)
    return stores.Bucket(name, region, _keys(options), key, endpoint)


def s3_endpoint(credentials_file: str) -> str:
    """The address of a store that is not Amazon's: from the environment or the user's file."""
    named = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL", "")
    if named or not credentials_file:
        return named
    return stores.endpoint_from_file(Path(credentials_file))


def _keys(options: UploadOptions) -> stores.Keys:
    role, token = os.environ.get("AWS_ROLE_ARN"), os.environ.get("AWS_WEB_IDENTITY_TOKEN_FILE")
    if role and token:
        endpoint = os.environ.get("AWS_ENDPOINT_URL_STS") or os.environ.get("AWS_ENDPOINT_URL", "")
        return stores.keys_from_role(role, Path(token), options.aws_region, endpoint)
    if not options.credentials_file:
        raise UsageError("--credentials-file is needed, or AWS_ROLE_ARN and a token file")
    return stores.keys_from_file(Path(options.credentials_file))


def _blob(options: UploadOptions) -> stores.Blob:
    account, container = options.azure_storage_account, options.azure_container
    if not account or not container:
        raise UsageError(f"--storage-type {BLOB} needs --azure-storage-account, --azure-container")
    token = stores.blob_token(_access(options))
    scope = options.azure_encryption_scope
    return stores.Blob(account, container, token, scope)


def _access(options: UploadOptions) -> stores.BlobAccess:
    try:
        kind = stores.AuthType(options.azure_auth_type)
    except ValueError:
        known = ", ".join(stores.AuthType)
        raise UsageError(f"--azure-auth-type must be one of {known}") from None
    if kind is stores.AuthType.CLIENT_SECRET:
        return by_secret(Path(options.credentials_file))
    token = os.environ.get("AZURE_FEDERATED_TOKEN_FILE")
    return stores.BlobAccess(
        kind,
        os.environ.get("AZURE_CLIENT_ID", ""),
        os.environ.get("AZURE_TENANT_ID", ""),
        token_file=Path(token) if token else None,
    )


def by_secret(path: Path) -> stores.BlobAccess:
    """Access by the client secret in a file."""
    try:
        found = json.loads(path.read_bytes())
        client, tenant, secret = found["clientId"], found["tenantId"], found["clientSecret"]
    except (ValueError, KeyError, TypeError):
        # The parser's messages repeat lines of the file.
        text = f"{path.name} has no clientId, tenantId and clientSecret"
        raise HypershiftError(text) from None
    return stores.BlobAccess(stores.AuthType.CLIENT_SECRET, client, tenant, Secret(secret))


FETCH_ETCD_CERTS = Command(
    "fetch-etcd-certs",
    "Fetch the certificates that a client of etcd needs",
    run=Typed(FetchCerts, fetch_certs),
    flags=(
        Flag("hcp-namespace", "The control plane namespace", required=True),
        Flag("output-dir", "Directory to write to", default="/etc/etcd/tls"),
        Flag("etcd-client-secret", "Secret of the client certificate", default="etcd-client-tls"),
        Flag("etcd-ca-configmap", "ConfigMap of etcd's authority", default="etcd-ca"),
    ),
)
ETCD_UPLOAD = Command(
    "etcd-upload",
    "Verify a snapshot of etcd and store it",
    run=Typed(UploadOptions, upload),
    flags=(
        Flag("snapshot-path", "The snapshot", required=True),
        Flag("storage-type", f"Kind of store: {S3} or {BLOB}", required=True),
        Flag("key-prefix", "Path of the snapshot in the store", required=True),
        Flag("manifest-path", "The sealed manifest of the cluster; stored beside the snapshot"),
        Flag("credentials-file", "File with credentials for the store"),
        Flag("aws-bucket", "Name of the bucket"),
        Flag("aws-region", "Region of the bucket"),
        Flag("aws-kms-key-arn", "Key to encrypt with; the bucket's when empty"),
        Flag("azure-container", "Name of the container"),
        Flag("azure-storage-account", "Name of the storage account"),
        Flag("azure-encryption-scope", "Encryption scope; the container's when empty"),
        Flag(
            "azure-auth-type",
            f"How to get a token: {', '.join(stores.AuthType)}",
            default=stores.AuthType.CLIENT_SECRET.value,
        ),
    ),
)
