"""Read a manifest out of a store: a file of another party, that an administrator restores.

Who has the key that it is sealed with says what it contains. So it may hold what a cluster consists
of, in the cluster's own two namespaces, and nothing else.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, TypeVar

from hypershift.api import HostedCluster, NodePool, read
from hypershift.kit import InvalidSpec, Manifest, key_of
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import kinds
from hypershift.operators.hypershift.recovery import manifest as formats
from hypershift.operators.hypershift.recovery.gather import is_lasting
from hypershift.operators.hypershift.recovery.manifest import HOME, BadManifest, ClusterManifest

T = TypeVar("T", HostedCluster, NodePool)
_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")
#: Namespaces of the platform itself: no hosted cluster's home.
_SYSTEM: Final = re.compile(r"kube-(system|public|node-lease)|openshift(-.*)?|hypershift")
_GIVEN: Final = frozenset({kinds.SECRET.kind, kinds.CONFIG_MAP.kind})


def unpacked(content: bytes) -> ClusterManifest:
    """Read a document; BadManifest if it is not one of ours."""
    document = _document(content)
    if document.get("format") != formats.FORMAT:
        said = str(document.get("format"))[:20]
        raise BadManifest(f"its format is {said}, and {formats.FORMAT} can be read")
    cluster = document.get("cluster") or {}
    if not _is(cluster, kinds.HOSTED_CLUSTER.kind):
        raise BadManifest("it holds no HostedCluster")
    home, name = key_of(cluster).namespace, key_of(cluster).name
    if _SYSTEM.fullmatch(home):
        raise BadManifest(f"its cluster is in namespace {home}, which is the platform's own")
    pools = tuple(_checked(document.get("pools"), {kinds.NODE_POOL.kind}, home))
    _decoded(HostedCluster, cluster)
    if any(_decoded(NodePool, one).spec.cluster_name != name for one in pools):
        raise BadManifest("it holds a NodePool of another cluster")
    plane = control_plane_namespace(key_of(cluster))
    keys = tuple(_checked(document.get("keys"), {kinds.SECRET.kind}, plane))
    if not all(map(_is_key, keys)):
        raise BadManifest("it holds a Secret of a control plane that is no authority or key")
    given = tuple(_checked(document.get("given"), _GIVEN, home))
    return formats.manifest_of(cluster, pools, given, keys)


def _document(content: bytes) -> dict[str, Any]:
    unpacker = zlib.decompressobj(16 + zlib.MAX_WBITS)
    try:
        text = unpacker.decompress(content, formats.LARGEST)
        if unpacker.unconsumed_tail:
            raise BadManifest(f"it is larger than {formats.LARGEST} bytes")
        found = json.loads(text)
    except (zlib.error, ValueError, RecursionError) as error:
        raise BadManifest(f"it cannot be read: {type(error).__name__}") from None
    if not isinstance(found, dict):
        raise BadManifest("it is no document of a hosted cluster")
    return found


def _decoded(shape: type[T], found: Manifest) -> T:
    """An object of ours; BadManifest where a field has a type that it cannot have."""
    try:
        return read(shape, found)
    except InvalidSpec as error:
        raise BadManifest(f"it holds an object that cannot be read: {error}") from None


def _checked(found: Any, known: Iterable[str], namespace: str) -> Iterator[Manifest]:
    for one in found if isinstance(found, list) else ():
        if not any(_is(one, kind) for kind in known):
            raise BadManifest("it holds an object that does not belong there")
        if one["metadata"]["namespace"] != namespace:
            raise BadManifest(f"it holds an object outside of namespace {namespace}")
        yield one


def _is(found: Any, kind: str) -> bool:
    """Whether a value is an object of a kind, in the form that the server knows."""
    if not isinstance(found, dict) or found.get("kind") != kind:
        return False
    metadata = found.get("metadata")
    if found.get("apiVersion") != HOME[kind].api_version or not isinstance(metadata, dict):
        return False
    names = (metadata.get("name"), metadata.get("namespace"))
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in names):
        return False
    marks = (metadata.get("annotations", {}), metadata.get("labels", {}))
    return all(map(_is_text_map, marks)) and _has_content(found, kind)


def _has_content(found: Manifest, kind: str) -> bool:
    if kind in _GIVEN:
        parts = (found.get(part) for part in ("data", "binaryData", "stringData"))
        return all(part is None or _is_text_map(part) for part in parts)
    return isinstance(found.get("spec"), dict)


def _is_text_map(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(value, str) for value in found.values())


def _is_key(secret: Manifest) -> bool:
    """Whether a Secret is one that `gather` keeps of a control plane: never a way to an API."""
    try:
        lasting = is_lasting(secret)
    except ValueError:  # no base64
        return False
    return lasting and "kubeconfig" not in (secret.get("data") or {})
