"""Read what a hosted cluster consists of besides etcd."""

from collections.abc import Iterable, Iterator, Sequence

from hypershift.api import HostedCluster, NodePool, annotations, read
from hypershift.api.well_known import ENCRYPTION_CONFIG, KUBEADMIN_PASSWORD
from hypershift.kit import Key, Manifest, annotations_of, data_of, key_of, labels_of
from hypershift.kit.budget import MEBIBYTE
from hypershift.kit.names import control_plane_namespace
from hypershift.kube import Client, Resource, kinds
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules import copies
from hypershift.operators.hypershift.recovery.manifest import (
    BadManifest,
    ClusterManifest,
    manifest_of,
)
from hypershift.pki import is_authority
from hypershift.pki.succession import SUCCESSION_SECRET

#: Secrets of a control plane that no authority signs: tokens, stored data and the administrator
#: depend on them as they are.
LASTING = frozenset({copies.SIGNING_KEY, KUBEADMIN_PASSWORD, ENCRYPTION_CONFIG, SUCCESSION_SECRET})
#: Bytes of what a cluster names: compressing more would hold up all clusters of the process.
MOST = 4 * MEBIBYTE


async def gather(kube: Client, key: Key) -> ClusterManifest:
    """Everything that a restore needs besides the snapshot."""
    cluster = await kube.get(kinds.HOSTED_CLUSTER, key.name, key.namespace)
    pools = await pools_of(kube, key)
    known = read(HostedCluster, cluster)
    given: list[Manifest] = []
    for resource in (kinds.SECRET, kinds.CONFIG_MAP):
        wanted = {name for kind, name in references(cluster, pools) if kind == resource.kind}
        found = await _named(kube, resource, key.namespace)
        used = [one for one in found if _is_used(one, wanted, known)]
        given += await _whole(kube, resource, used, MOST - _size(given))
    own = await _named(kube, kinds.SECRET, control_plane_namespace(key))
    ours = [one for one in own if annotations.COPY_OF not in annotations_of(one)]
    keys = [one for one in await _whole(kube, kinds.SECRET, ours, MOST) if is_lasting(one)]
    return manifest_of(cluster, pools, given, keys)


async def pools_of(kube: Client, key: Key) -> list[Manifest]:
    """The NodePools of a cluster, as the API server has them."""
    every = await kube.list(kinds.NODE_POOL, key.namespace)
    return [one for one in every if read(NodePool, one).spec.cluster_name == key.name]


async def _named(kube: Client, resource: Resource, namespace: str) -> Sequence[Manifest]:
    """The objects of a namespace without their content: a user may have a gigabyte of it."""
    return await kube.list(resource, namespace, only=(("metadata", "annotations"),))


async def _whole(
    kube: Client, resource: Resource, named: Iterable[Manifest], most: int
) -> list[Manifest]:
    """Objects with their content; BadManifest before it is more than can be packed."""
    found: list[Manifest] = []
    left = most
    for one in named:
        key = key_of(one)
        if (live := await kube.find(resource, key.name, key.namespace)) is None:
            continue
        left -= _size([live])
        if left < 0:
            raise BadManifest(f"what the cluster names has more than {MOST} bytes")
        found.append(_typed(live, resource))
    return found


def _size(found: Iterable[Manifest]) -> int:
    """Characters of what objects contain."""
    parts = (one.get(part) or {} for one in found for part in ("data", "binaryData"))
    return sum(len(value) for part in parts for value in part.values())


def references(cluster: Manifest, pools: Iterable[Manifest]) -> Iterator[tuple[str, str]]:
    """Yield kind and name of what a cluster and its pools name in their namespace."""
    for copy in copies.every(read(HostedCluster, cluster).spec):
        yield copy.kind, copy.source
    for pool in pools:
        spec = read(NodePool, pool).spec
        for one in (*spec.config, *spec.tuning_config):
            yield kinds.CONFIG_MAP.kind, one.name


def _is_used(found: Manifest, wanted: set[str], cluster: HostedCluster) -> bool:
    """Whether a cluster names an object, or the operator marked it as used or made for it."""
    marks = annotations_of(found)
    made_for = labels_of(found).get(names.AUTO_CREATED_FOR)
    return (
        found["metadata"]["name"] in wanted
        or names.referenced_annotation(Key("", cluster.metadata.name)) in marks
        or (made_for is not None and made_for == cluster.spec.infra_id)
    )


def is_lasting(secret: Manifest) -> bool:
    """True for authorities and other data that cannot be created again; leaves are signed again."""
    if annotations.COPY_OF in annotations_of(secret):
        return False
    if secret["metadata"]["name"] in LASTING or "ca.key" in (secret.get("data") or {}):
        return True
    return is_authority(data_of(secret, "tls.crt"))


def _typed(found: Manifest, resource: Resource) -> Manifest:
    """An object of a list with its kind, which the server leaves out there."""
    return {"apiVersion": resource.api_version, "kind": resource.kind} | found
