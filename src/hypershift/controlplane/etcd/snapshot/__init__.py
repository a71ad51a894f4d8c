"""Snapshots of etcd: read, verified and fetched without running etcd."""

from hypershift.controlplane.etcd.snapshot.bolt import NotASnapshot
from hypershift.controlplane.etcd.snapshot.content import Content, Tally
from hypershift.controlplane.etcd.snapshot.fetch import CannotFetch, Fetch, fetch
from hypershift.controlplane.etcd.snapshot.file import verified

__all__ = ["CannotFetch", "Content", "Fetch", "NotASnapshot", "Tally", "fetch", "verified"]
