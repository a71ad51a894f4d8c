"""The store of a backup, as flags name it: what a snapshot contains, its manifest, its address."""

import json
import os
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from hypershift.cli.files import read_file
from hypershift.cli.flags import Flag
from hypershift.cli.roles.backup import by_secret, s3_endpoint
from hypershift.cloud import stores
from hypershift.cloud.stores import hosts
from hypershift.controlplane.etcd import snapshot
from hypershift.kit import Secret, UsageError
from hypershift.operators.hypershift import recovery
from hypershift.operators.hypershift.recovery import ClusterManifest

LARGEST_LIST: Final = 4 * 1024 * 1024
#: Long enough for members that are delayed, short enough for an address that is a key by itself.
LASTS: Final = timedelta(hours=12)

FLAGS: Final = (
    Flag("aws-region", "Region of the bucket"),
    Flag("credentials-file", "File with credentials for the store, as the backup's Secret has it"),
    Flag("manifest-key-file", "File with the key that the manifest was sealed with"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOptions:
    """How a store is read."""

    aws_region: str
    credentials_file: str
    manifest_key_file: str


class Readable(Protocol):
    """A store whose small objects can be read."""

    def get(self, key: str, longest: int) -> bytes:
        """Read an object."""
        ...


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One snapshot in its store, with what was stored beside it."""

    url: str
    store: Readable
    key: str

    def contents(self) -> dict[str, Any]:
        """The list of what it contains."""
        text = self.store.get(self.key + snapshot.LIST_SUFFIX, LARGEST_LIST)
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise UsageError(f"the list of contents beside {self.url} cannot be read")
        return found

    def manifest(self, key: Secret[bytes]) -> ClusterManifest:
        """The manifest of its cluster, opened with the key that it was sealed with."""
        sealed = self.store.get(self.key + snapshot.MANIFEST_SUFFIX, recovery.LARGEST)
        try:
            return recovery.unpacked(recovery.opened(sealed, key))
        except (recovery.BadSeal, recovery.BadManifest) as error:
            raise UsageError(f"the manifest beside {self.url}: {error}") from None

    def address(self) -> str:
        """An https address by which members can fetch it without credentials."""
        if isinstance(self.store, stores.Bucket):
            return self.store.presigned(self.key, LASTS)
        raise UsageError(
            f"no address can be signed for {self.url}: give one with --snapshot-address"
        )


def snapshot_of(url: str, options: StoreOptions) -> Snapshot:
    """The snapshot at an address, as `get backups` shows it."""
    parts = urlsplit(url)
    match parts.scheme:
        case "s3":
            return Snapshot(url, _bucket(parts.netloc, options), parts.path.lstrip("/"))
        case "https":
            container, _, key = parts.path.lstrip("/").partition("/")
            return Snapshot(url, _blob(parts.netloc, container, options), key)
        case _:
            text = f"{url!r} is no address of a snapshot: give s3://BUCKET/KEY or that of a blob"
            raise UsageError(text)


def seal_key(options: StoreOptions) -> Secret[bytes]:
    """The key that manifests are sealed with."""
    path = options.manifest_key_file
    if not path:
        raise UsageError("--manifest-key-file is needed: the backup's manifest is sealed with it")
    try:
        return recovery.seal_key(read_file(path))
    except recovery.BadSeal as error:
        raise UsageError(f"{path}: {error}") from None


def _bucket(name: str, options: StoreOptions) -> stores.Bucket:
    path, region = options.credentials_file, options.aws_region
    if not path or not region:
        raise UsageError("a snapshot in S3 needs --credentials-file and --aws-region")
    read_file(path)
    keys = stores.keys_from_file(Path(path), os.environ.get("AWS_PROFILE", "default"))
    return stores.Bucket(name, region, keys, endpoint=s3_endpoint(path))


def _blob(host: str, container: str, options: StoreOptions) -> stores.Blob:
    if not hosts.is_azure_blob(host):
        # The token for Azure's stores goes there.
        raise UsageError(f"{host!r} is no address of a storage account of Azure")
    path = options.credentials_file
    if not path:
        raise UsageError("a snapshot in Azure's Blob Storage needs --credentials-file")
    read_file(path)
    token = stores.blob_token(by_secret(Path(path)))
    return stores.Blob(host.partition(".")[0], container, token, endpoint=f"https://{host}")
