"""The manifest of a hosted cluster: its objects that are not in etcd, as one document.

    home    HostedCluster, NodePools, and the Secrets and ConfigMaps of the user that they name
    plane   keys of the control plane: authorities, service account key, administrator's password

The keys make certificates, tokens and kubeconfigs of nodes and users valid in the restored cluster.
"""

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypershift.kit import HypershiftError, Key, Manifest, annotations_of, key_of
from hypershift.kit.budget import MEBIBYTE
from hypershift.kube import kinds
from hypershift.kube.resource import Resource
from hypershift.operators.hypershift.hosted_cluster import names

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
PLANE: Final[dict[str, Resource]] = {kinds.SECRET.kind: kinds.SECRET}


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
    """An object as a user would create it: no status, identity or owner."""
    metadata = {name: value for name, value in found["metadata"].items() if name not in _SERVERS}
    marks = {
        name: value
        for name, value in annotations_of(found).items()
        if name != _LAST_APPLIED and not name.startswith(names.REFERENCED)
    }
    metadata.pop("annotations", None)
    if marks:
        metadata["annotations"] = marks
    return {k: v for k, v in found.items() if k != "status"} | {"metadata": metadata}


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


def unpacked(content: bytes) -> ClusterManifest:
    """Read a document; BadManifest if it is not one of ours."""
    document = _document(content)
    if document.get("format") != FORMAT:
        raise BadManifest(f"its format is {document.get('format')!r}, and {FORMAT} can be read")
    cluster = document.get("cluster") or {}
    if not _is(cluster, kinds.HOSTED_CLUSTER.kind):
        raise BadManifest("it holds no HostedCluster")
    home = key_of(cluster).namespace
    return ClusterManifest(
        cluster,
        tuple(_checked(document.get("pools"), {"NodePool": HOME["NodePool"]}, home)),
        tuple(_checked(document.get("given"), HOME, home)),
        tuple(_checked(document.get("keys"), PLANE)),
    )


def _document(content: bytes) -> dict[str, Any]:
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        text = unpacker.decompress(content, LARGEST)
        if unpacker.unconsumed_tail:
            raise BadManifest(f"it is larger than {LARGEST} bytes")
        found = json.loads(text)
    except (zlib.error, ValueError, RecursionError) as error:
        raise BadManifest(f"it cannot be read: {type(error).__name__}") from None
    if not isinstance(found, dict):
        raise BadManifest("it is no document of a hosted cluster")
    return found


def _checked(found: Any, known: dict[str, Resource], home: str = "") -> Iterator[Manifest]:
    for one in found if isinstance(found, list) else ():
        if not any(_is(one, kind) for kind in known):
            raise BadManifest("it holds an object that does not belong there")
        if home and one["metadata"].get("namespace") != home:
            raise BadManifest(f"it holds an object outside of namespace {home}")
        yield one


def _is(found: Any, kind: str) -> bool:
    """Whether a value is an object of a kind, with a name."""
    if not isinstance(found, dict) or found.get("kind") != kind:
        return False
    metadata = found.get("metadata")
    return (
        found.get("apiVersion") == HOME[kind].api_version
        and isinstance(metadata, dict)
        and isinstance(metadata.get("name"), str)
        and isinstance(metadata.get("namespace"), str)
    )
