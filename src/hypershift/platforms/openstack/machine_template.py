"""Machines of platform OpenStack: the OpenStackMachineTemplate of a pool, and its image."""

from collections.abc import Sequence

from hypershift.api import NodePool, read
from hypershift.api.conditions import Condition, false, true
from hypershift.api.node_pool import OpenStackNodePool, OpenStackPort
from hypershift.api.platforms.openstack import OpenStackNetwork, OpenStackPlatform
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kube import Resource
from hypershift.platforms import coreos_openstack
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
RESOURCE = Resource(_GROUP, "v1beta1", "openstackmachinetemplates", "OpenStackMachineTemplate")
CLUSTER = Resource(_GROUP, "v1beta1", "openstackclusters", "OpenStackCluster")
IMAGE = Resource("openstack.k-orc.cloud", "v1alpha1", "images", "Image")
_PORT_SECURITY = {"Enabled": False, "Disabled": True}


class OpenStackMachines(SimpleMachines):
    """Templates of OpenStack's servers."""

    resource = RESOURCE

    def check(self, facts: PoolFacts) -> Report:
        if named := _section(facts).image_name:
            return Report((_bootstrap(named),))
        try:
            name = image_name(facts)
        except InvalidSpec as error:
            message = f'Couldn\'t discover an OpenStack Image for release image "{facts.image}"'
            return Report(
                (false(VALID_IMAGE, FAILED, f"{message}: {error}"),),
                f"couldn't discover an OpenStack Image for release image: {error}",
            )
        if facts.infra_cluster is None:
            kind = f"{CLUSTER.plural}.{CLUSTER.group}"
            return Report(error=f'failed to get Cluster: {kind} "{facts.cluster_name}" not found')
        try:
            return Report((_bootstrap(name),), objects=(image(facts, facts.infra_cluster),))
        except InvalidSpec as error:
            return Report(error=f"failed to lookup RHCOS image: {error}")

    def template(self, facts: PoolFacts) -> Template:
        return named_by({"template": {"spec": machine_spec(facts)}})

    def failure_domain(self, pool: NodePool) -> str:
        section = pool.spec.platform.openstack
        return (section.availability_zone if section else None) or ""


def _section(facts: PoolFacts) -> OpenStackNodePool:
    return facts.wanted.spec.platform.openstack or read(OpenStackNodePool, {})


def _bootstrap(name: str) -> Condition:
    return true(VALID_IMAGE, f'Bootstrap OpenStack Image is "{name}"')


def image_name(facts: PoolFacts) -> str:
    """The image that all pools of a release share."""
    return f"rhcos-{coreos_openstack.release(facts)}"


def image(facts: PoolFacts, owner: Manifest) -> Manifest:
    """The image as the resource controller makes it; it goes with the cluster, not the pool."""
    name = image_name(facts)
    url, digest = coreos_openstack.location(facts)
    cluster = facts.cluster.spec.platform.openstack or read(OpenStackPlatform, {})
    metadata = owner["metadata"]
    reference = {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": metadata["uid"],
    }
    download = {
        "url": url,
        "decompress": "gz",
        "hash": {"algorithm": "sha256", "value": digest},
    }
    return {
        "apiVersion": IMAGE.api_version,
        "kind": IMAGE.kind,
        "metadata": {
            "name": name,
            "namespace": facts.namespace,
            "ownerReferences": [reference],
        },
        "spec": {
            "cloudCredentialsRef": {
                "secretName": cluster.identity_ref.name,
                "cloudName": cluster.identity_ref.cloud_name,
            },
            "resource": {
                "name": f"{facts.cluster_name}-{name}",
                "content": {
                    "containerFormat": "bare",
                    "diskFormat": "qcow2",
                    "download": download,
                },
            },
        },
    }


def machine_spec(facts: PoolFacts) -> Manifest:
    """The spec of each machine, fields in Go's order."""
    wanted = _section(facts)
    named = wanted.image_name
    boots = {"filter": {"name": named}} if named else {"imageRef": {"name": image_name(facts)}}
    spec: Manifest = {"flavor": wanted.flavor, "image": boots}
    if ports := _ports(facts, wanted.additional_ports):
        spec["ports"] = ports
    return spec


def _ports(facts: PoolFacts, wanted: Sequence[OpenStackPort]) -> list[Manifest]:
    """The port on the cluster's network and the pool's own; subnets of the cluster forbid them."""
    cluster = facts.cluster.spec.platform.openstack
    if not wanted or (cluster and cluster.subnets):
        return []
    return [{}, *(_port(facts.pool_name, one) for one in wanted)]


def _port(pool: str, wanted: OpenStackPort) -> Manifest:
    # Of several address pairs the original keeps the last one alone.
    pairs = [{"ipAddress": one.ip_address} for one in wanted.allowed_address_pairs[-1:]]
    port = filled(
        {
            "description": f"Additional port for Hypershift node pool {pool}",
            "allowedAddressPairs": pairs,
            "vnicType": wanted.vnic_type,
            "disablePortSecurity": _PORT_SECURITY.get(wanted.port_security_policy or ""),
        }
    )
    if wanted.network is not None:
        port = {"network": _network(wanted.network)} | port
    return port


def _network(wanted: OpenStackNetwork) -> Manifest:
    network = filled({"id": wanted.id})
    if (chosen := wanted.filter) is not None:
        network["filter"] = filled(
            {
                "name": chosen.name,
                "description": chosen.description,
                "projectID": chosen.project_id,
                "tags": list(chosen.tags),
                "tagsAny": list(chosen.tags_any),
                "notTags": list(chosen.not_tags),
                "notTagsAny": list(chosen.not_tags_any),
            }
        )
    return network


MACHINES = OpenStackMachines()

__all__ = ["CLUSTER", "IMAGE", "MACHINES", "RESOURCE", "OpenStackMachines"]
