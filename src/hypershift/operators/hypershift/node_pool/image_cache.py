"""One copy of a pool's boot image in the KubeVirt cluster: all its machines are its clones."""

from contextlib import suppress

from hypershift.kit import Manifest, TransientError, annotations_of, data_of
from hypershift.kube import Client, kinds
from hypershift.operators.hypershift.node_pool.scope import PoolScope
from hypershift.operators.hypershift.ownership import NotOurs
from hypershift.platforms.kubevirt import boot_image
from hypershift.platforms.kubevirt.boot_image import DATA_VOLUME, BootImage

_REMOTE = "kubevirt-infra"


async def keep(scope: PoolScope) -> None:
    """Have a copy of the wanted image, and none of older ones; the status names it."""
    image = boot_image.boot_image(scope.facts())
    if not image.cached:
        return
    kube = await _infra(scope, scope.cluster_spec["platform"].get("kubevirt") or {})
    if not await _is_current(kube, image):
        image_name = await _find_or_make(scope, kube, image)
        platform = scope.status.setdefault("platform", {}).setdefault("kubeVirt", {})
        platform["cacheName"] = image_name


async def _is_current(kube: Client, image: BootImage) -> bool:
    if not image.volume:
        return False
    found = await kube.find(DATA_VOLUME, image.volume, image.namespace)
    return annotations_of(found or {}).get(boot_image.CACHE_HASH) == image.digest


async def _find_or_make(scope: PoolScope, kube: Client, image: BootImage) -> str:
    labels = boot_image.cache_labels(scope.object)
    selector = ",".join(f"{name}={value}" for name, value in labels.items())
    chosen = ""
    for volume in await kube.list(DATA_VOLUME, image.namespace, labels=selector):
        name: str = volume["metadata"]["name"]
        if not chosen and annotations_of(volume).get(boot_image.CACHE_HASH) == image.digest:
            chosen = name
        elif not volume["metadata"].get("deletionTimestamp"):
            await kube.delete(DATA_VOLUME, name, image.namespace)
    if chosen:
        return chosen
    made = await kube.create(boot_image.cache_volume(scope.object, image))
    created: str = made["metadata"]["name"]
    return created


async def drop(scope: PoolScope) -> None:
    """Delete the copy with its pool."""
    status = (scope.status.get("platform") or {}).get("kubeVirt") or {}
    if not (name := status.get("cacheName")):
        return
    namespace = (status.get("credentials") or {}).get("infraNamespace") or scope.namespace
    kube = await _infra(scope, status)
    if await kube.find(DATA_VOLUME, name, namespace):
        with suppress(NotOurs):  # in a namespace of others there is no copy of ours
            await kube.delete(DATA_VOLUME, name, namespace)


async def _infra(scope: PoolScope, platform: Manifest) -> Client:
    """The cluster that the machines run in: this one, unless the user gave another."""
    reference = (platform.get("credentials") or {}).get("infraKubeConfigSecret")
    if not reference:
        return scope.kube
    name, key = reference["name"], reference.get("key") or "kubeconfig"
    secret = await scope.kube.find(kinds.SECRET, name, scope.key.namespace)
    kubeconfig = data_of(secret or {}, key)
    if not kubeconfig:
        raise TransientError(f"secret {scope.key.namespace}/{name} has no {key} yet")
    return await scope.context.remotes.connect(f"{_REMOTE}-{scope.key}", kubeconfig)
