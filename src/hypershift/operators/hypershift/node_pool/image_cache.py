"""One copy of a pool's boot image where its machines run: all its machines are its clones."""

from contextlib import suppress

from hypershift.api.platforms.kubevirt import InfraKubeconfigSecret
from hypershift.kit import TransientError, annotations_of, data_of
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.ownership import NotOurs
from hypershift.platforms.pools import CachedImage, ImageCache

#: Names the connection to the cluster that the machines run in.
_REMOTE = "kubevirt-infra"


async def keep(scope: PoolScope, cache: ImageCache) -> None:
    """Have a copy of the wanted image, and none of older ones; the status names it."""
    facts = scope.facts()
    image = cache.wanted(facts)
    if image is None:
        return
    kube = await _infra(scope, cache.kubeconfig(scope.wanted_cluster.platform))
    if not await _is_current(kube, cache, image):
        image_name = await _find_or_make(kube, cache, image)
        platform = scope.status.setdefault("platform", {}).setdefault(cache.section, {})
        platform["cacheName"] = image_name


async def _is_current(kube: Client, cache: ImageCache, image: CachedImage) -> bool:
    if not image.volume:
        return False
    found = await kube.find(cache.resource, image.volume, image.namespace)
    return annotations_of(found or {}).get(cache.digest_annotation) == image.digest


async def _find_or_make(kube: Client, cache: ImageCache, image: CachedImage) -> str:
    selector = ",".join(f"{name}={value}" for name, value in image.labels.items())
    chosen = ""
    for volume in await kube.list(cache.resource, image.namespace, labels=selector):
        name: str = volume["metadata"]["name"]
        if not chosen and annotations_of(volume).get(cache.digest_annotation) == image.digest:
            chosen = name
        elif not volume["metadata"].get("deletionTimestamp"):
            await kube.delete(cache.resource, name, image.namespace)
    if chosen:
        return chosen
    made = await kube.create(image.manifest)
    created: str = made["metadata"]["name"]
    return created


async def drop(scope: PoolScope, cache: ImageCache) -> None:
    """Delete the copy with its pool."""
    copy = cache.kept(scope.pool.status.platform)
    if copy is None:
        return
    name, namespace = copy.name, copy.namespace or scope.namespace
    kube = await _infra(scope, copy.kubeconfig)
    if await kube.find(cache.resource, name, namespace):
        with suppress(NotOurs):  # in a namespace of others there is no copy of ours
            await kube.delete(cache.resource, name, namespace)


async def _infra(scope: PoolScope, reference: InfraKubeconfigSecret | None) -> Client:
    """The cluster that the machines run in: this one, unless the user gave another."""
    if reference is None or not reference.name:
        return scope.kube
    name, key = reference.name, reference.key or "kubeconfig"
    secret = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
    kubeconfig = data_of(secret or {}, key)
    if not kubeconfig:
        raise TransientError(f"secret {scope.key.namespace}/{name} has no {key} yet")
    return await scope.context.remotes.connect(f"{_REMOTE}-{scope.key}", kubeconfig)
