"""What a KubeVirt machine boots: a container disk, an image over HTTP, or a cached volume."""

from dataclasses import dataclass
from typing import Any

from hypershift.api import NodePool, annotations, labels
from hypershift.api.node_pool import KubevirtRootVolume
from hypershift.api.platforms.kubevirt import KubevirtCredentials
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.quantity import canonical
from hypershift.kube import Resource
from hypershift.platforms import coreos_openstack
from hypershift.platforms.machines import PoolFacts, filled

DATA_VOLUME = Resource("cdi.kubevirt.io", "v1beta1", "datavolumes", "DataVolume")
ROOT_LABEL = labels.IS_KUBEVIRT_RHCOS
CACHE_HASH = "hypershift.openshift.io/kubevirt-boot-image-hash"
CACHE_ROLE = "hypershift.openshift.io/kubevirt-boot-image-role"
CACHE_UID = "hypershift.openshift.io/nodepool-uid"
CACHE = "kv-boot-image-cache"
UNSUPPORTED_VARIANTS = annotations.ALLOW_UNSUPPORTED_KUBEVIRT_RHCOS
_REGISTRY = "docker://"


@dataclass(frozen=True, slots=True)
class BootImage:
    """An image, and whether all machines of a pool clone one copy of it."""

    name: str
    digest: str = ""
    over_http: bool = False
    cached: bool = False
    #: The cached copy, once it is known.
    volume: str = ""
    namespace: str = ""

    @property
    def download(self) -> Manifest:
        """Where the image comes from."""
        if self.over_http:
            return {"http": {"url": self.name}}
        return {"registry": {"url": f"{_REGISTRY}{self.name}", "pullMethod": "node"}}

    @property
    def source(self) -> Manifest:
        """Where a machine's root disk comes from."""
        if not self.cached:
            return self.download
        if not self.volume:
            raise InvalidSpec("no boot image source found for kubevirt machine")
        return {"pvc": {"namespace": self.namespace, "name": self.volume}}


def infra_namespace(facts: PoolFacts) -> str:
    """Where the machines are: beside the control plane, or in a cluster of their own."""
    credentials = credentials_of(facts)
    return (credentials.infra_namespace if credentials else "") or facts.namespace


def credentials_of(facts: PoolFacts) -> KubevirtCredentials | None:
    """How to reach the cluster that the machines are in, where it is another one."""
    section = facts.cluster.spec.platform.kubevirt
    return section.credentials if section else None


def boot_image(facts: PoolFacts) -> BootImage:
    """The image of a pool."""
    section = facts.wanted.spec.platform.kubevirt
    volume = section.root_volume if section else KubevirtRootVolume()
    if volume.disk_image and volume.disk_image.container_disk_image:
        return BootImage(volume.disk_image.container_disk_image)
    name, digest, over_http = _default(facts)
    cached = volume.cache_strategy is not None and volume.cache_strategy.type == "PVC"
    status = facts.wanted.status.platform
    kept = status.kube_virt.cache_name if status and status.kube_virt else None
    return BootImage(
        name,
        digest,
        over_http=over_http,
        cached=cached,
        volume=(kept or "") if cached else "",
        namespace=infra_namespace(facts),
    )


def _default(facts: PoolFacts) -> tuple[str, str, bool]:
    try:
        return *_container_disk(facts), False
    except InvalidSpec:
        if facts.pool_annotation(UNSUPPORTED_VARIANTS).lower() != "true":
            raise
        return *coreos_openstack.location(facts), True


def _container_disk(facts: PoolFacts) -> tuple[str, str]:
    architecture = "s390x" if facts.architecture == "s390x" else "x86_64"
    try:
        stream = facts.release.boot_images.named(facts.stream)
    except InvalidSpec as error:
        raise InvalidSpec(
            f'couldn\'t resolve stream metadata for stream "{facts.stream}": {error}'
        ) from error
    found = (stream.get("architectures") or {}).get(architecture)
    if found is None:
        raise InvalidSpec(f'couldn\'t find OS metadata for architecture "{architecture}"')
    images: dict[str, Any] | None = (found.get("images") or {}).get("kubevirt")
    if images is None:
        raise InvalidSpec("no kubevirt image metadata present in release")
    if not (reference := images.get("digest-ref", "")):
        raise InvalidSpec("no kubevirt vm disk image present in release")
    _, at, digest = reference.partition("@")
    if not at or "@" in digest:
        raise InvalidSpec("no kubevirt sha digest found for vm disk image")
    return reference, digest


def storage(pool: NodePool) -> Manifest | None:
    """The volume that a root disk, or its cached copy, is put on."""
    section = pool.spec.platform.kubevirt
    wanted = section.root_volume.persistent if section else None
    if wanted is None:
        return None
    # Shown even when empty: a class without a name is that of volumes without a provider.
    pointers = {"storageClassName": wanted.storage_class, "volumeMode": wanted.volume_mode}
    return {
        **filled({"accessModes": list(wanted.access_modes)}),
        "resources": {"requests": {"storage": canonical(str(wanted.size))}},
        **{name: value for name, value in pointers.items() if value is not None},
    }


def cache_labels(pool: NodePool) -> dict[str, str]:
    """By which a pool's cached images are found."""
    return {CACHE_ROLE: CACHE, CACHE_UID: pool.metadata.uid}


def cache_volume(pool: NodePool, image: BootImage) -> Manifest:
    """The DataVolume that keeps one copy of the image for all machines of a pool."""
    spec: Manifest = {"source": image.download, "preallocation": True}
    if (wanted := storage(pool)) is not None:
        spec["storage"] = wanted
    return {
        "apiVersion": DATA_VOLUME.api_version,
        "kind": DATA_VOLUME.kind,
        "metadata": {
            "generateName": f"{CACHE}-",
            "namespace": image.namespace,
            "labels": cache_labels(pool) | {ROOT_LABEL: "true"},
            "annotations": {
                CACHE_HASH: image.digest,
                "cdi.kubevirt.io/storage.bind.immediate.requested": "true",
                "cdi.kubevirt.io/storage.deleteAfterCompletion": "false",
            },
        },
        "spec": spec,
    }
