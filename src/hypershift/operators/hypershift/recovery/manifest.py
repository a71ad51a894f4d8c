"""The manifest of a hosted cluster: its objects that are not in etcd, as one document.

    home    HostedCluster, NodePools, and the Secrets and ConfigMaps of the user that they name
    plane   keys of the control plane: authorities, service account key, administrator's password

The keys make certificates, tokens and kubeconfigs of nodes and users valid in the restored cluster.
"""

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from hypershift.kit import HypershiftError, Key, Manifest, annotations_of, key_of
from hypershift.kit.budget import MEBIBYTE
from hypershift.kube import kinds
from hypershift.kube.resource import Resource
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules import copies

FORMAT: Final = 1
#: Bytes of the document; a thousand pools and Secrets take less.
LARGEST: Final = 64 * MEBIBYTE
#: What the server or a controller wrote and a new object must not have.
_SERVERS = (
    "creationTimestamp",
    "deletionGracePeriodSeconds",
    "deletionTimestamp",
    "finalizers",
    "generateName",
    "generation",
    "managedFields",
    "ownerReferences",
    "resourceVersion",
    "selfLink",
    "uid",
)
_LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
#: Kinds that a manifest may hold, by where they belong: a file is data of another party.
HOME: Final[dict[str, Resource]] = {
    one.kind: one for one in (kinds.SECRET, kinds.CONFIG_MAP, kinds.HOSTED_CLUSTER, kinds.NODE_POOL)
}


class BadManifest(HypershiftError):
    """A document that is no manifest of a hosted cluster."""


@dataclass(frozen=True, slots=True)
class ClusterManifest:
    """What a hosted cluster consists of besides etcd."""

    cluster: Manifest
    pools: tuple[Manifest, ...] = ()
    #: Secrets and ConfigMaps of the user's namespace.
    given: tuple[Manifest, ...] = ()
    #: Secrets of the control plane namespace.
    keys: tuple[Manifest, ...] = ()

    @property
    def key(self) -> Key:
        """Namespace and name of the hosted cluster."""
        return key_of(self.cluster)


def manifest_of(
    cluster: Manifest,
    pools: Iterable[Manifest],
    given: Iterable[Manifest],
    keys: Iterable[Manifest],
) -> ClusterManifest:
    """The manifest of objects as they were read: without what belongs to them alone."""
    return ClusterManifest(
        bare(cluster),
        tuple(map(bare, pools)),
        tuple(map(bare, given)),
        tuple(map(bare, keys)),
    )


def bare(found: Manifest) -> Manifest:
    """An object as a user would create it: no status, identity or owner.

    No controller makes anything of a Secret but those that read it by its name.
    """
    metadata = {name: value for name, value in found["metadata"].items() if name not in _SERVERS}
    marks = {
        name: value
        for name, value in annotations_of(found).items()
        if name != _LAST_APPLIED and not name.startswith(names.REFERENCED)
    }
    metadata.pop("annotations", None)
    if marks:
        metadata["annotations"] = marks
    kept = {k: v for k, v in found.items() if k != "status"} | {"metadata": metadata}
    if found.get("type") and found["type"] not in copies.HARMLESS_TYPES:
        kept["type"] = copies.OPAQUE
    return kept


def packed(manifest: ClusterManifest) -> bytes:
    """The document."""
    document = {
        "format": FORMAT,
        "cluster": manifest.cluster,
        "pools": manifest.pools,
        "given": manifest.given,
        "keys": manifest.keys,
    }
    return gzip.compress(json.dumps(document, sort_keys=True).encode(), mtime=0)
