"""Snapshots of etcd: read, verified and fetched without running etcd."""

from hypershift.controlplane.etcd.snapshot.bolt import NotASnapshot
from hypershift.controlplane.etcd.snapshot.content import Content, Tally
from hypershift.controlplane.etcd.snapshot.fetch import CannotFetch, Fetch, download, fetch
from hypershift.controlplane.etcd.snapshot.file import verified
from hypershift.controlplane.etcd.snapshot.upload import (
    LIST_SUFFIX,
    MANIFEST_SUFFIX,
    Store,
    Uploaded,
    upload,
)

__all__ = [
    "LIST_SUFFIX",
    "MANIFEST_SUFFIX",
    "CannotFetch",
    "Content",
    "Fetch",
    "NotASnapshot",
    "Store",
    "Tally",
    "Uploaded",
    "download",
    "fetch",
    "upload",
    "verified",
]
