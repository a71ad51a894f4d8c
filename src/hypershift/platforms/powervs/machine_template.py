"""Machines of platform PowerVS: the IBMPowerVSMachineTemplate of a pool, and its image."""

from typing import Any

from hypershift.api import read
from hypershift.api.conditions import false, true
from hypershift.api.node_pool import PowerVSNodePool
from hypershift.api.platforms.powervs import PowerVSPlatform, PowerVSResource
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Resource
from hypershift.platforms.machines import (
    FAILED,
    VALID_IMAGE,
    PoolFacts,
    Report,
    SimpleMachines,
    Template,
    filled,
    named_by,
)

_GROUP = "infrastructure.cluster.x-k8s.io"
RESOURCE = Resource(_GROUP, "v1beta2", "ibmpowervsmachinetemplates", "IBMPowerVSMachineTemplate")
IMAGE = Resource(_GROUP, "v1beta2", "ibmpowervsimages", "IBMPowerVSImage")
DEFAULT_REGION = "us-south"
#: Where the images of a region are stored.
_REGIONS = {
    "dal": "us-south",
    "us-south": "us-south",
    "eu-de": "eu-de",
    "lon": "eu-gb",
    "osa": "jp-osa",
    "syd": "au-syd",
    "sao": "br-sao",
    "tor": "ca-tor",
    "tok": "jp-tok",
    "us-east": "us-east",
}
_PROCESSORS = {"dedicated": "Dedicated", "capped": "Capped"}


class PowerVSMachines(SimpleMachines):
    """Templates of IBM's Power servers."""

    resource = RESOURCE

    def check(self, facts: PoolFacts) -> Report:
        try:
            region, found = boot_image(facts)
        except InvalidSpec as error:
            message = f'Couldn\'t discover a PowerVS Image for release image "{facts.image}"'
            return Report(
                (false(VALID_IMAGE, FAILED, f"{message}: {error}"),),
                f"couldn't discover a PowerVS Image for release image: {error}",
            )
        message = f'Bootstrap PowerVS Image is "{_name(found)}"'
        ready = true(VALID_IMAGE, message)
        return Report((ready,), objects=(image(facts, region, found),))

    def template(self, facts: PoolFacts) -> Template:
        try:
            spec = machine_spec(facts)
        except InvalidSpec as error:
            raise InvalidSpec(
                "failed to generate PowerVSMachineTemplateSpec: couldn't discover a PowerVS Image "
                f"for release image: {error}"
            ) from error
        return named_by({"template": {"spec": spec}})


def boot_image(facts: PoolFacts) -> tuple[str, dict[str, Any]]:
    """The region whose bucket has the image, and where in it."""
    try:
        stream = facts.release.boot_images.named(facts.stream)
    except InvalidSpec as error:
        raise InvalidSpec(
            f'couldn\'t resolve stream metadata for stream "{facts.stream}": {error}'
        ) from error
    architecture = (stream.get("architectures") or {}).get("ppc64le")
    if architecture is None:
        raise InvalidSpec('couldn\'t find OS metadata for architecture "ppc64le"')
    images = (architecture.get("images") or {}).get("powervs")
    if images is None:
        raise InvalidSpec("release image metadata has no PowerVS images")
    region = _REGIONS.get(_cluster(facts).region, DEFAULT_REGION)
    found: dict[str, Any] | None = (images.get("regions") or {}).get(region)
    if found is None:
        raise InvalidSpec(f'couldn\'t find PowerVS image for region "{region}"')
    return region, found


def _cluster(facts: PoolFacts) -> PowerVSPlatform:
    return facts.cluster.spec.platform.powervs or read(PowerVSPlatform, {})


def _pool(facts: PoolFacts) -> PowerVSNodePool:
    return facts.wanted.spec.platform.powervs or PowerVSNodePool()


def _name(found: dict[str, Any]) -> str:
    return str(found.get("release", "")).replace(".", "-")


def image(facts: PoolFacts, region: str, found: dict[str, Any]) -> Manifest:
    """The image that machines of this release boot from."""
    wanted, cluster = _pool(facts), _cluster(facts)
    spec = {
        "clusterName": facts.cluster_name,
        "serviceInstanceID": cluster.service_instance_id,
        "bucket": found.get("bucket", ""),
        "object": found.get("object", ""),
        "region": region,
        "storageType": wanted.storage_type,
        "deletePolicy": wanted.image_delete_policy,
    }
    return {
        "apiVersion": IMAGE.api_version,
        "kind": IMAGE.kind,
        "metadata": {
            "name": _name(found),
            "namespace": facts.namespace,
            "annotations": {"cluster.x-k8s.io/cluster-name": facts.infra_id},
        },
        "spec": filled(spec),
    }


def machine_spec(facts: PoolFacts) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    _, found = boot_image(facts)
    wanted, cluster = _pool(facts), _cluster(facts)
    spec = {
        "serviceInstanceID": cluster.service_instance_id,
        "image": _reference(wanted.image) if wanted.image else None,
        "imageRef": None if wanted.image else {"name": _name(found)},
        "systemType": wanted.system_type,
        "processorType": _PROCESSORS.get(wanted.processor_type, "Shared"),
        "processors": wanted.processors,
        "memoryGiB": wanted.memory_gib or None,
    }
    return filled(spec) | {"network": _reference(cluster.subnet)}


def _reference(wanted: PowerVSResource) -> Manifest:
    return filled({"id": wanted.id, "name": wanted.name})


MACHINES = PowerVSMachines()
