"""Copies of boot images in the cluster that KubeVirt's machines run in."""

from hypershift.kit import Manifest
from hypershift.platforms.kubevirt import boot_image
from hypershift.platforms.machines import PoolFacts
from hypershift.platforms.pools import CachedImage


class KubeVirtImageCache:
    """A DataVolume for each pool that asks for one; machines clone it."""

    resource = boot_image.DATA_VOLUME
    digest_annotation = boot_image.CACHE_HASH
    section = "kubeVirt"

    def wanted(self, facts: PoolFacts) -> CachedImage | None:
        image = boot_image.boot_image(facts)
        if not image.cached:
            return None
        return CachedImage(
            digest=image.digest,
            namespace=image.namespace,
            volume=image.volume,
            labels=boot_image.cache_labels(facts.pool),
            manifest=boot_image.cache_volume(facts.pool, image),
        )

    def kubeconfig(self, section: Manifest) -> Manifest:
        platform = section.get("kubevirt") or section.get(self.section) or {}
        found: Manifest = (platform.get("credentials") or {}).get("infraKubeConfigSecret") or {}
        return found


IMAGE_CACHE = KubeVirtImageCache()
