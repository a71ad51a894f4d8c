"""Copies of boot images in the cluster that KubeVirt's machines run in."""

from hypershift.api.node_pool import NodePoolPlatformStatus
from hypershift.api.platforms.kubevirt import InfraKubeconfigSecret
from hypershift.api.platforms.platform import Platform
from hypershift.platforms.kubevirt import boot_image
from hypershift.platforms.machines import PoolFacts
from hypershift.platforms.pools import CachedImage, KeptImage


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
            labels=boot_image.cache_labels(facts.wanted),
            manifest=boot_image.cache_volume(facts.wanted, image),
        )

    def kubeconfig(self, section: Platform) -> InfraKubeconfigSecret | None:
        credentials = section.kubevirt and section.kubevirt.credentials
        return credentials.infra_kube_config_secret if credentials else None

    def kept(self, status: NodePoolPlatformStatus | None) -> KeptImage | None:
        made = status and status.kube_virt
        if not made or not made.cache_name:
            return None
        if made.credentials is None:
            return KeptImage(made.cache_name)
        where = made.credentials
        return KeptImage(made.cache_name, where.infra_namespace, where.infra_kube_config_secret)


IMAGE_CACHE = KubeVirtImageCache()
