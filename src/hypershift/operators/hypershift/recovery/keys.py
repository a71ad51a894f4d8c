"""Which keys a snapshot's values are encrypted with, and whether a cluster has them."""

from collections.abc import Iterable

from hypershift.api import HostedCluster, read
from hypershift.api.well_known import ENCRYPTION_CONFIG
from hypershift.component.encryption_keys import AESCBC, key_name, names_in
from hypershift.kit import Manifest, data_of
from hypershift.operators.hypershift.hosted_cluster.rules import copies
from hypershift.operators.hypershift.recovery.manifest import ClusterManifest


def missing_keys(manifest: ClusterManifest, encrypted_with: Iterable[str]) -> frozenset[str]:
    """Keys in Secrets that values of a snapshot need and the manifest lacks.

    The keys of a key service are not ours to check.
    """
    needed = {name for name in encrypted_with if name.startswith(f"{AESCBC}/")}
    return frozenset(needed - readable(manifest))


def readable(manifest: ClusterManifest) -> frozenset[str]:
    """The keys that the cluster of a manifest can decrypt with."""
    given = {one["metadata"]["name"]: one for one in manifest.given if one["kind"] == "Secret"}
    named = (
        copy.source for copy in copies.encryption_keys(read(HostedCluster, manifest.cluster).spec)
    )
    found = {f"{AESCBC}/{key_name(_key(given.get(name)))}" for name in named if name in given}
    for secret in manifest.keys:
        if secret["metadata"]["name"] == ENCRYPTION_CONFIG:
            found |= names_in(data_of(secret, "config.yaml"))
    return frozenset(found)


def _key(secret: Manifest | None) -> bytes:
    return data_of(secret, "key")
