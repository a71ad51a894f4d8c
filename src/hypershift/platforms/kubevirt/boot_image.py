"""What a KubeVirt machine boots: a container disk, an image over HTTP, or a cached volume."""

from dataclasses import dataclass
from typing import Any

from hypershift.api import annotations, labels
from hypershift.kit import InvalidSpec, Manifest, annotations_of
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
#: Fields of a volume that are shown even when empty, and what the pool calls them.
_POINTERS = {"storageClassName": "storageClass", "volumeMode": "volumeMode"}


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
    credentials = facts.of_cluster("kubevirt").get("credentials") or {}
    return credentials.get("infraNamespace") or facts.namespace


def boot_image(facts: PoolFacts) -> BootImage:
    """The image of a pool."""
    volume = facts.of_pool("kubevirt").get("rootVolume") or {}
    if named := (volume.get("diskImage") or {}).get("containerDiskImage"):
        return BootImage(named)
    name, digest, over_http = _default(facts)
    cached = (volume.get("cacheStrategy") or {}).get("type") == "PVC"
    status = ((facts.pool.get("status") or {}).get("platform") or {}).get("kubeVirt") or {}
    return BootImage(
        name,
        digest,
        over_http=over_http,
        cached=cached,
        volume=status.get("cacheName", "") if cached else "",
        namespace=infra_namespace(facts),
    )


def _default(facts: PoolFacts) -> tuple[str, str, bool]:
    try:
        return *_container_disk(facts), False
    except InvalidSpec:
        if annotations_of(facts.pool).get(UNSUPPORTED_VARIANTS, "").lower() != "true":
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


def storage(pool: Manifest) -> Manifest | None:
    """The volume that a root disk, or its cached copy, is put on."""
    platform = pool["spec"]["platform"].get("kubevirt") or {}
    wanted = (platform.get("rootVolume") or {}).get("persistent")
    if wanted is None:
        return None
    size = wanted.get("size")
    requests = {"requests": {"storage": canonical(str(size))}} if size is not None else {}
    return {
        **filled({"accessModes": wanted.get("accessModes")}),
        "resources": requests,
        # An empty name is one as well: the class of volumes that nobody provides.
        **{
            theirs: wanted[ours]
            for theirs, ours in _POINTERS.items()
            if wanted.get(ours) is not None
        },
    }


def cache_labels(pool: Manifest) -> dict[str, str]:
    """By which a pool's cached images are found."""
    return {CACHE_ROLE: CACHE, CACHE_UID: pool["metadata"]["uid"]}


def cache_volume(pool: Manifest, image: BootImage) -> Manifest:
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
